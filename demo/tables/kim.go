package main

import (
	"math"

	"github.com/meniscus3d/meniscus/demo/internal/cost"
	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/fluid"
)

// gridColumns are those of Kim, Ihm, Cha 2006, measured on a Pentium 4 of 2.8 GHz, and how far the surface that the camera of the flight sees is from that of the first row.
var gridColumns = []column{{"time/step s", 4}, {"order", 0}, {"nonzeros", 0}, {"MB", 2}, {"off px", 2}}

// paperRow is the paper's figures in the other columns.
func paperRow(time, order, nonzeros, megabytes float64) []float64 {
	return []float64{time, order, nonzeros, megabytes, math.NaN()}
}

// flight is a flight of a camera through a scene, at each size: the finest cells' edge, m, and how many steps it takes.
type flight struct {
	scene *dam.Scene
	cell  [3]float64
	steps [3]int
}

// The two scenes of the paper. Its base cells are blocks of 8³, its band around the surface about a cell thick; the invisible surface is two levels coarser at most.
var (
	first  = flight{&dam.First, [3]float64{.04, .02, .01}, [3]int{60, 120, 560}}
	second = flight{&dam.Second, [3]float64{.1, .04, .01}, [3]int{60, 120, 1000}}
)

// paperKnobs are the paper's grid. With a camera it is finest in the front part of what that sees: here where the next larger cells would have more than 8 pixels.
var paperKnobs = fluid.Numerics{Band: 1, InvisibleLevel: 2, ViewGain: 1. / 8}

// flightTable measures grids in a flight, and what they are off by from the first of them.
type flightTable struct {
	flight
	reference, last sight
	rows            int
}

// values are a row's. The paper counts the memory of the linear system alone, here it is all of the liquid's.
func (t *flightTable) values(m *cost.Mean) []float64 {
	return []float64{m.Step.Seconds(), float64(m.Unknowns), float64(m.Nonzeros), float64(m.Bytes) / (1 << 20), t.reference.off(&t.last)}
}

// grid is a row of a grid that follows the surface and, with a part of more than 0, a camera with so much of the paper's angles of view.
func (t *flightTable) grid(name string, paper []float64, part float64, grid fluid.Numerics) row {
	seen := &t.last
	if t.rows++; t.rows == 1 {
		seen = &t.reference
	}
	return row{name: name, paper: paper, scene: func(s settings) cost.Run {
		*seen = sight{}
		if seen == &t.reference {
			t.last = sight{}
		}
		n := t.steps[s.size]
		if s.steps > 0 {
			n = s.steps
		}
		run := t.run(s, grid)
		run.Before = func(l *fluid.Liquid, step int) error {
			if part > 0 {
				if err := l.SetView(t.scene.ViewAt(float64(step), float64(n), part)); err != nil {
					return err
				}
			}
			return seen.add(t.scene, l, step, n)
		}
		return run
	}}
}

// run is the scene with a grid.
func (t *flightTable) run(s settings, n fluid.Numerics) cost.Run {
	cell := t.cell[s.size]
	if size := t.scene.Tank.Size(); s.across > 0 {
		cell = min(size.X, size.Y, size.Z) / float64(s.across)
	}
	def := fluid.Def{CellSize: cell, Discretisation: s.cells, Numerics: n, Resources: s.resources()}
	return cost.Run{New: func() (*fluid.Liquid, error) { return t.scene.New(def) }, Steps: t.steps[s.size], Dt: dt}
}

// kim1 is Table 1.
func kim1() *table {
	t := &flightTable{flight: first}
	return &table{
		name: "kim1", title: "Kim, Ihm, Cha 2006, Table 1: a dam breaks in a long tank, the paper's of 160 × 200 × 320 cells; narrower fields of view, and grids with default knobs",
		first: "grid", columns: gridColumns, values: t.values, ratios: true,
		rows: []row{
			t.grid("uniform", paperRow(126.7, 2038250, 8071956, 300.65), 0, fluid.Numerics{Levels: 1}),
			t.grid("adaptive", paperRow(12.1, 297849, 1181681, 43.98), 0, paperKnobs),
			t.grid("view-adaptive", paperRow(5.2, 126069, 498212, 18.57), 1, paperKnobs),
			t.grid("view-adaptive, 4/5", nil, 4./5, paperKnobs),
			t.grid("view-adaptive, 2/3", nil, 2./3, paperKnobs),
			t.grid("adaptive, default", nil, 0, fluid.Numerics{}),
			t.grid("view-adaptive, default", nil, 1, fluid.Numerics{}),
		},
	}
}

// kim2 is Table 2. What is in its scene the paper does not say; here a dam breaks in a corner of the tank.
func kim2() *table {
	t := &flightTable{flight: second}
	return &table{
		name: "kim2", title: "Kim, Ihm, Cha 2006, Table 2: a wide tank, the paper's of 440 × 280 × 440 cells; narrower fields of view",
		first: "grid", columns: gridColumns, values: t.values, ratios: true,
		rows: []row{
			t.grid("adaptive", paperRow(55.9, 1230087, 4889637, 181.87), 0, paperKnobs),
			t.grid("view-adaptive", paperRow(31.2, 696576, 2768842, 102.99), 1, paperKnobs),
			t.grid("view-adaptive, 4/5", paperRow(27.1, 612350, 2438379, 90.64), 4./5, paperKnobs),
			t.grid("view-adaptive, 2/3", paperRow(23.5, 524396, 2088444, 77.63), 2./3, paperKnobs),
		},
	}
}
