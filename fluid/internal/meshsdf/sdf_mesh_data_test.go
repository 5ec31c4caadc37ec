package meshsdf_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// parityInside counts crossings along three directions and lets them vote.
func parityInside(vs []r3.Vec, tris [][3]int32, p r3.Vec) bool {
	odd := 0
	for _, dir := range [3]r3.Vec{{X: 0.9, Y: 0.31, Z: 0.17}, {X: -0.2, Y: 0.83, Z: -0.41}, {X: 0.11, Y: -0.27, Z: 0.95}} {
		n := 0
		for _, f := range tris {
			a := vs[f[0]]
			ab, ac, s := r3.Sub(vs[f[1]], a), r3.Sub(vs[f[2]], a), r3.Sub(p, a)
			h, q := r3.Cross(dir, ac), r3.Cross(s, ab)
			det := r3.Dot(ab, h)
			u, v := r3.Dot(s, h)/det, r3.Dot(dir, q)/det
			if u >= 0 && v >= 0 && u+v <= 1 && r3.Dot(ac, q)/det > 0 {
				n++
			}
		}
		odd += n & 1
	}
	return odd >= 2
}

func TestMeshRealModels(t *testing.T) {
	for _, c := range []struct {
		name  string
		agree float64 // share of points whose sign ray parity confirms
	}{
		{"spot.obj", 0.995}, {"cow.obj", 0.99}, {"teapot.obj", 0.95}, {"suzanne.obj", 0.95},
	} {
		t.Run(c.name, func(t *testing.T) {
			vs, tris := testrig.ReadOBJ(t, c.name)
			start := time.Now()
			m, err := fluid.NewMesh(vs, tris, fluid.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			const n = 400
			rng := rand.New(rand.NewPCG(1, 2))
			b := m.Bounds()
			pts, dst := make([]r3.Vec, n), make([]float32, n)
			for i := range pts {
				s := b.Size()
				pts[i] = r3.Add(b.Min, r3.Vec{X: s.X * rng.Float64(), Y: s.Y * rng.Float64(), Z: s.Z * rng.Float64()})
			}
			m.Eval(dst, pts)
			same, inside := 0, 0
			for i, p := range pts {
				if dst[i] < 0 {
					inside++
				}
				if (dst[i] < 0) == parityInside(vs, tris, p) {
					same++
				}
			}
			size := b.Size()
			t.Logf("%d triangles, open %.4f, volume %.4g of box %.4g (sampled %.4g), agree %.4f, built in %v", m.Triangles(),
				m.Open(), m.Volume(), size.X*size.Y*size.Z, float64(inside)/n*size.X*size.Y*size.Z, float64(same)/n, took)
			if share := float64(same) / n; share < c.agree {
				t.Errorf("sign agrees with ray parity at %.4f of the points, want ≥ %v", share, c.agree)
			}
			checkLipschitz(t, m, b, rng, 1.02)
		})
	}
}

// checkLipschitz compares values over short steps in and around b.
func checkLipschitz(t *testing.T, s fluid.SDF, b r3.Box, rng *rand.Rand, limit float64) {
	t.Helper()
	const n = 2000
	pts, dst := make([]r3.Vec, 2*n), make([]float32, 2*n)
	size := b.Size()
	for i := range n {
		r := func(s float64) float64 { return s * (1.4*rng.Float64() - 0.2) }
		p := r3.Add(b.Min, r3.Vec{X: r(size.X), Y: r(size.Y), Z: r(size.Z)})
		step := 0.02 * r3.Norm(size)
		pts[2*i] = p
		pts[2*i+1] = r3.Add(p, r3.Vec{X: step * rng.NormFloat64(), Y: step * rng.NormFloat64(), Z: step * rng.NormFloat64()})
	}
	s.Eval(dst, pts)
	worst, over := 0.0, 0
	for i := range n {
		d := float64(dst[2*i] - dst[2*i+1])
		slope := max(d, -d) / r3.Norm(r3.Sub(pts[2*i], pts[2*i+1]))
		worst = max(worst, slope)
		if slope > 1.001 {
			over++
		}
	}
	if worst > limit {
		t.Errorf("slope %.4f over a step, want ≤ %v (%d of %d above 1)", worst, limit, over, n)
	}
}
