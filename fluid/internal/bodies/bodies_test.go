package bodies

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The principal axes are those of the ellipsoid, for any rotation.
func TestPrincipal(t *testing.T) {
	turn := r3.NewRotation(1.1, r3.Vec{X: 1, Y: -2, Z: .5})
	axes := [3]r3.Vec{turn.Rotate(r3.Vec{X: 1}), turn.Rotate(r3.Vec{Y: 1}), turn.Rotate(r3.Vec{Z: 1})}
	want := [3]float64{1, 2.5, 40}
	var m tensor
	for i, n := range axes {
		for a, x := range reproducible.Array(n) {
			m[a] = r3.Add(m[a], r3.Scale(want[i]*x, n))
		}
	}
	e := principal(m)
	for i, v := range e.values {
		n := e.axes[i]
		if d := r3.Norm(r3.Sub(m.times(n), r3.Scale(v, n))); d > 1e-12*40 || math.Abs(r3.Norm(n)-1) > 1e-12 {
			t.Errorf("value %g, axis %v: off by %g", v, n, d)
		}
	}
	if sum := e.values[0] + e.values[1] + e.values[2]; math.Abs(sum-43.5) > 1e-12*40 {
		t.Errorf("values %v, want %v in any order", e.values, want)
	}
}

// named is an engine of which only IDs are used.
type named struct {
	engine.Bodies
	ids []uint64
}

func (n *named) Len() int        { return len(n.ids) }
func (n *named) ID(i int) uint64 { return n.ids[i] }

// Adding and removing many bodies at once takes time in proportion to their number.
func TestMatchingManyBodies(t *testing.T) {
	pool := par.New(1)
	defer pool.Close()
	c, p := New(Config{Pool: pool}), &named{}
	for i := range uint64(30_000) {
		p.ids = append(p.ids, 1000+i)
	}
	c.Couple(p, 1)
	c.match(p.Len())
	c.state[7].wet = true
	p.ids = slices.Delete(p.ids, 0, 5)
	c.match(p.Len()) // takes a second if it looks for each among all
	if !c.state[2].wet || c.state[7].wet || len(c.state) != p.Len() {
		t.Error("what is remembered is not with the body")
	}
}
