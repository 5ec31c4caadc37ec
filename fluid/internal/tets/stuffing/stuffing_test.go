package stuffing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// distance is a field's at one point.
type distance func(p r3.Vec) float64

func (d distance) eval(dst []float64, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = d(p)
	}
}

func sphere(c r3.Vec, r float64) distance {
	return func(p r3.Vec) float64 { return r3.Norm(r3.Sub(p, c)) - r }
}

func (d distance) at(l *bcc.Lattice) []float64 {
	dst := make([]float64, l.Vertices())
	for v, p := range l.Position {
		dst[v] = d(r3.Vec{X: p[0], Y: p[1], Z: p[2]})
	}
	return dst
}

func stuffed(t *testing.T, l *bcc.Lattice, d distance) *Mesh {
	t.Helper()
	pool := par.New(1)
	m := &Mesher{}
	mesh := m.Stuff(pool, l, &Field{Inside: d.at(l), InsideAt: d.eval})
	m.Connect(pool)
	if err := mesh.Check(); err != nil {
		t.Fatal(err)
	}
	if err := mesh.CheckAngles(GreatLeast); err != nil {
		t.Fatal(err)
	}
	return mesh
}

func TestSphere(t *testing.T) {
	last := 0.
	for _, n := range []int{8, 16, 32, 64} {
		h := 1 / float64(n)
		l := uniform([3]int{n, n, n}, h, [3]float64{})
		c := r3.Vec{X: .503, Y: .497, Z: .511}
		mesh := stuffed(t, l, sphere(c, .4))
		v := 0.
		lo, hi := 180., 0.
		for i := range int32(mesh.Tets()) {
			v += mesh.Volume(i)
			a, b := mesh.Angles(i)
			lo, hi = min(lo, a), max(hi, b)
		}
		e := v/(4./3*math.Pi*.064) - 1
		t.Logf("%d: %d tets, %d own, error %g order %g, %g %g", n, mesh.Tets(), len(mesh.Own), e, math.Log2(last/e), lo, hi)
		last = e
	}
}
