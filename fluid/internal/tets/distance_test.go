package tets

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A field that is linear in space has its own value at every corner, whatever sizes of cells meet there, and on the layout's sides.
func TestCornersOfALinearField(t *testing.T) {
	pool := par.New(1)
	defer pool.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		g := layout.New([3]float64{-1, 2, .5}, .125, [3]int{4, 4, 3}, 0)
		g.SetBalance(layout.BalanceEdges)
		for b := range int32(g.Bases()) {
			if random.IntN(3) == 0 {
				g.Set(b, uint8(random.IntN(4)))
			}
		}
		g.Grade()
		g.Settle()
		l := &graded{}
		l.Build(g, &g.Cur, pool)
		value := func(x [3]float64) float64 { return 3 + x[0]/2 - 2*x[1] + x[2] }
		field := make([]float32, g.Cells())
		for v, c := range l.Cell {
			if c >= 0 {
				field[c] = float32(value(l.Position[v]))
			}
		}
		l.stencils = arrays.Resize(l.stencils, l.Vertices())
		domain := g.Whole()
		if i%2 == 1 { // sides that stand in the layout: the field means nothing beyond
			domain = boxes.Grown(domain, -g.H*layout.Edge)
		}
		for v, c := range l.Cell {
			if c >= 0 && !boxes.Contains(domain, reproducible.Vector(l.Position[v])) {
				field[c] = 99
			}
		}
		c := cornersOf(g, l, domain, [6]bool{})
		for b := range int32(g.Bases()) {
			c.makeBase(0, b)
		}
		for v, x := range l.Position {
			if l.Cell[v] >= 0 || l.Beyond[v] || !boxes.Contains(boxes.Grown(domain, 1e-9), reproducible.Vector(x)) {
				continue
			}
			if got := l.stencils[v].at(field); math.Abs(got-value(x)) > 2e-6 {
				t.Fatalf("%v: %g, want %g", x, got, value(x))
			}
		}
	}
}

// Where a single cell is beside a corner the corner has its value, and no weight is lost.
func TestCornersOfOneCell(t *testing.T) {
	pool := par.New(1)
	defer pool.Close()
	g := layout.New([3]float64{}, .1, [3]int{1, 1, 1}, 0)
	l := &graded{}
	l.Build(g, &g.Cur, pool)
	l.stencils = arrays.Resize(l.stencils, l.Vertices())
	c := cornersOf(g, l, r3.Box{Max: r3.Vec{X: .5, Y: .7, Z: .4}}, [6]bool{})
	c.makeBase(0, 0)
	field := make([]float32, g.Cells())
	field[g.Cur.First[0]] = -3
	for v, x := range l.Position {
		if l.Cell[v] >= 0 || l.Beyond[v] {
			continue
		}
		if got := l.stencils[v].at(field); math.Abs(got+3) > 1e-6 {
			t.Errorf("%v: %g, want -3", x, got)
		}
	}
}
