package main

import (
	"github.com/meniscus3d/meniscus/demo/internal/cost"
	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/fluid"
)

// gridColumns are those of Kim, Ihm, Cha 2006, measured on a Pentium 4 of 2.8 GHz.
var gridColumns = []column{{"time/step s", 4}, {"order", 0}, {"nonzeros", 0}, {"MB", 2}}

// gridValues are the figures in these columns. The paper counts the memory of the linear system alone, here it is all of the liquid's.
func gridValues(m *cost.Mean) []float64 {
	return []float64{m.Step.Seconds(), float64(m.Unknowns), float64(m.Nonzeros), float64(m.Bytes) / (1 << 20)}
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

// grid is what cells follow: with a part of 0 the surface alone, else also a camera with so much of the paper's angles of view.
func (f flight) grid(part float64) func(settings) cost.Run {
	return func(s settings) cost.Run {
		n := f.steps[s.size]
		if s.steps > 0 {
			n = s.steps
		}
		run := f.run(s, fluid.Numerics{Band: 1, InvisibleLevel: 2})
		if part > 0 {
			run.Before = func(l *fluid.Liquid, step int) error {
				return l.SetView(f.scene.ViewAt(float64(step), float64(n), part))
			}
		}
		return run
	}
}

// uniform is a grid of the finest cells alone.
func (f flight) uniform(s settings) cost.Run { return f.run(s, fluid.Numerics{Levels: 1}) }

// run is the scene with a grid.
func (f flight) run(s settings, n fluid.Numerics) cost.Run {
	def := fluid.Def{CellSize: f.cell[s.size], Discretisation: s.cells, Numerics: n, Resources: s.resources()}
	return cost.Run{New: func() (*fluid.Liquid, error) { return f.scene.New(def) }, Steps: f.steps[s.size], Dt: dt}
}

// kim1 is Table 1.
func kim1() *table {
	return &table{
		name: "kim1", title: "Kim, Ihm, Cha 2006, Table 1: a dam breaks in a long tank, the paper's of 160 × 200 × 320 cells",
		first: "grid", columns: gridColumns, values: gridValues, ratios: true,
		rows: []row{
			{name: "uniform", paper: []float64{126.7, 2038250, 8071956, 300.65}, scene: first.uniform},
			{name: "adaptive", paper: []float64{12.1, 297849, 1181681, 43.98}, scene: first.grid(0)},
			{name: "view-adaptive", paper: []float64{5.2, 126069, 498212, 18.57}, scene: first.grid(1)},
		},
	}
}

// kim2 is Table 2. What is in its scene the paper does not say; here a dam breaks in a corner of the tank.
func kim2() *table {
	return &table{
		name: "kim2", title: "Kim, Ihm, Cha 2006, Table 2: a wide tank, the paper's of 440 × 280 × 440 cells; narrower fields of view",
		first: "grid", columns: gridColumns, values: gridValues, ratios: true,
		rows: []row{
			{name: "adaptive", paper: []float64{55.9, 1230087, 4889637, 181.87}, scene: second.grid(0)},
			{name: "view-adaptive", paper: []float64{31.2, 696576, 2768842, 102.99}, scene: second.grid(1)},
			{name: "view-adaptive, 4/5", paper: []float64{27.1, 612350, 2438379, 90.64}, scene: second.grid(4. / 5)},
			{name: "view-adaptive, 2/3", paper: []float64{23.5, 524396, 2088444, 77.63}, scene: second.grid(2. / 3)},
		},
	}
}
