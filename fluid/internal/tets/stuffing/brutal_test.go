package stuffing

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Noise is filled within the bounds, on lattices of random levels, with solids and without.
func TestNoise(t *testing.T) {
	pool := par.New(1)
	m := &Mesher{}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := graded([3]int{3, 2, 2}, .1, func(int, r3.Vec) uint8 { return uint8(r.IntN(4)) })
		for range 10 {
			f := &Field{Inside: make([]float64, l.Vertices())}
			bias := r.Float64() - .5
			for v := range f.Inside {
				f.Inside[v] = r.Float64()*2 - 1 + bias
			}
			if r.IntN(2) == 0 {
				f.Solid = make([]float64, l.Vertices())
				for v := range f.Inside {
					f.Solid[v] = r.Float64()*2 - .5
				}
			}
			m.Snap = float64(r.IntN(2)) / 8
			m.Alpha = []Alpha{GreatLeast, SmallMost}[r.IntN(2)]
			mesh := m.Stuff(pool, l, f)
			m.Connect(pool)
			if err := mesh.Check(); err != nil {
				t.Fatal(seed, err)
			}
			if err := mesh.CheckAngles(m.Alpha); err != nil {
				t.Fatal(seed, err)
			}
		}
	}
}

func TestExtremes(t *testing.T) {
	pool := par.New(1)
	m := &Mesher{}
	l := uniform([3]int{12, 12, 12}, 1, [3]float64{})
	r := rand.New(rand.NewPCG(1, 1))
	for _, alpha := range []Alpha{GreatLeast, SmallMost} {
		m.Alpha = alpha
		lo, hi := 180., 0.
		for i := range 300 {
			f := &Field{Inside: make([]float64, l.Vertices())}
			for v := range f.Inside {
				f.Inside[v] = math.Copysign(math.Exp(r.NormFloat64()*[]float64{.3, 1, 3}[i%3]), r.Float64()-.3)
			}
			mesh := m.Stuff(pool, l, f)
			m.Connect(pool)
			for t := range int32(mesh.Tets()) {
				a, b := mesh.Angles(t)
				lo, hi = min(lo, a), max(hi, b)
			}
		}
		t.Logf("%v: %g to %g", alpha, lo, hi)
	}
}
