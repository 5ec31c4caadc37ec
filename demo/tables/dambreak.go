package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/cost"
	"github.com/meniscus3d/meniscus/fluid"
)

// The dam break that cubes and tetrahedra are compared by, m: a slab of liquid in a tank in which the front does not come to the other end.
var (
	slabTank = r3.Box{Max: r3.Vec{X: 1.8, Y: .8, Z: .2}}
	slab     = r3.Box{Max: r3.Vec{X: .3, Y: .6, Z: .2}}
)

// slabSteps are taken of it: .5 s.
const slabSteps = 30

// slabColumn is the width of the columns in which heights are measured, m.
const slabColumn = .1

// slabFront is the part of the liquid that is ahead of where the front is taken to be.
const slabFront = .01

// course is a dam break as it was measured before each step: how high the liquid stands on the mean in each column, m, and where its front is, m.
type course struct {
	heights [][]float64
	front   []float64
}

// add measures a liquid.
func (c *course) add(l *fluid.Liquid, _ int) error {
	size := slabTank.Size()
	var heights []float64
	whole := 0.
	for x := 0.; x < size.X-slabColumn/2; x += slabColumn {
		column := slabTank
		column.Min.X, column.Max.X = x, x+slabColumn
		litres, err := l.VolumeIn(fluid.Box(column))
		if err != nil {
			return err
		}
		heights = append(heights, 1e-3*litres/(slabColumn*size.Z))
		whole += heights[len(heights)-1]
	}
	c.heights, c.front = append(c.heights, heights), append(c.front, frontOf(heights, slabFront*whole))
	return nil
}

// frontOf is the place, m, beyond which columns hold so much together, m of height.
func frontOf(heights []float64, ahead float64) float64 {
	for i := len(heights) - 1; i >= 0; i-- {
		if heights[i] >= ahead && heights[i] > 0 {
			return slabColumn * (float64(i) + 1 - ahead/heights[i])
		}
		ahead -= heights[i]
	}
	return 0
}

// off is by how much the heights and the front of another course differ from those of c, in mm, as roots of mean squares.
func (c *course) off(o *course) (height, front float64) {
	n := 0
	for i := range min(len(c.front), len(o.front)) {
		front += (c.front[i] - o.front[i]) * (c.front[i] - o.front[i])
		for k, h := range c.heights[i] {
			height += (h - o.heights[i][k]) * (h - o.heights[i][k])
			n++
		}
	}
	if n == 0 {
		return 0, 0
	}
	return 1e3 * math.Sqrt(height/float64(n)), 1e3 * math.Sqrt(front/float64(min(len(c.front), len(o.front))))
}

// fineCell is the edge, m, of the cubes of the run that others are compared with, at each size.
var fineCell = [3]float64{.01, .00625, .00625}

// breaking is what a dam breaks with.
type breaking struct {
	name    string
	cells   fluid.Discretisation
	tracker fluid.Tracker
	exact   bool       // Numerics.ExactMotion
	edge    [3]float64 // of the cells, m, at each size
}

// like has the same with cells of some size, m.
func (b breaking) like(edge float64) breaking {
	b.name, b.edge = fmt.Sprintf("%s of %.3g mm", b.name, 1e3*edge), [3]float64{edge, edge, edge}
	return b
}

// dambreak is a dam break on cubes and on tetrahedra of sizes at which a step takes about as much time, beside one on fine cubes. No paper has it.
func dambreak() *table {
	cubes, tets := breaking{name: "cubes"}, breaking{name: "tetrahedra", cells: fluid.Tetrahedra}
	fine := tets
	fine.name, fine.edge = "tetrahedra, fine", [3]float64{.025, .0125, .0125}
	return breakings("dambreak", "A dam of 0.3 m × 0.6 m breaks: how far mean heights in columns and the front are off those of fine cubes in 0.5 s. A pair of rows takes about as much time", "cells",
		breaking{name: "cubes, fine", edge: fineCell}, fine,
		cubes.like(.02), tets.like(.08), cubes.like(.05/3), tets.like(.05), cubes.like(.0125), tets.like(.04))
}

// trackers is the same dam break with each surface tracker, in cells of several sizes. No paper has it.
func trackers() *table {
	runs := []breaking{{name: "level set, fine", edge: fineCell}}
	for _, b := range []breaking{
		{name: "level set"}, {name: "contouring", tracker: fluid.Contouring}, {name: "mesh", tracker: fluid.ExplicitMesh}, {name: "mesh, exact motion", tracker: fluid.ExplicitMesh, exact: true},
	} {
		for _, edge := range []float64{.05, .04, .025, .02} {
			runs = append(runs, b.like(edge))
		}
	}
	return breakings("trackers", "The same dam with each surface tracker in cells of several sizes. Rows that take as much time may be compared", "tracker", runs...)
}

// breakings is a table of dam breaks, which are compared with the first.
func breakings(name, title, first string, runs ...breaking) *table {
	t := &table{name: name, title: title, first: first, columns: []column{{"ms/step", 1}, {"unknowns", 0}, {"heights off mm", 1}, {"front off mm", 1}}}
	var fine, last course
	t.values = func(m *cost.Mean) []float64 {
		height, front := fine.off(&last)
		return []float64{1e3 * m.Step.Seconds(), float64(m.Unknowns), height, front}
	}
	for i, b := range runs {
		to := &last
		if i == 0 {
			to = &fine
		}
		t.rows = append(t.rows, row{name: b.name, scene: func(s settings) cost.Run {
			last = course{}
			return to.of(s, b)
		}})
	}
	return t
}

// of is a run of the dam break that c has the course of.
func (c *course) of(s settings, b breaking) cost.Run {
	*c = course{}
	return cost.Run{
		New: func() (*fluid.Liquid, error) {
			l, err := fluid.New(fluid.Def{
				Domain: slabTank, CellSize: b.edge[s.size], Discretisation: b.cells, Tracker: b.tracker, Numerics: fluid.Numerics{ExactMotion: b.exact}, Resources: s.resources(),
			})
			if err != nil {
				return nil, err
			}
			return closedUnless(l, l.Fill(fluid.Box(slab)))
		},
		Before: c.add, Steps: slabSteps, Dt: dt,
	}
}
