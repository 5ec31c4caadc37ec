package contour

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// toTriangle is the distance of a point from a triangle, by trying its plane, its edges and its corners.
func toTriangle(p, a, b, c r3.Vec) float64 {
	best := math.Inf(1)
	for _, e := range [3][2]r3.Vec{{a, b}, {b, c}, {c, a}} {
		d := r3.Sub(e[1], e[0])
		u := 0.0
		if n := r3.Norm2(d); n > 0 {
			u = max(0, min(1, r3.Dot(r3.Sub(p, e[0]), d)/n))
		}
		best = math.Min(best, r3.Norm(r3.Sub(p, r3.Add(e[0], r3.Scale(u, d)))))
	}
	n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
	if r3.Norm(n) == 0 {
		return best
	}
	inside := true
	for _, e := range [3][2]r3.Vec{{a, b}, {b, c}, {c, a}} {
		inside = inside && r3.Dot(r3.Cross(n, r3.Sub(e[1], e[0])), r3.Sub(p, e[0])) >= 0
	}
	if inside {
		best = math.Abs(r3.Dot(n, r3.Sub(p, a))) / r3.Norm(n)
	}
	return best
}

// The search finds the distance to the mesh that brute force finds.
func TestSearchIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for round := range 4 {
		c := cube(t, 3, 1, 1)
		if round > 1 {
			levels := make([]uint8, c.g.Bases())
			for b := range levels {
				levels[b] = 2 + uint8(rng.IntN(2))
			}
			c.g.Lay(levels)
		}
		c.Set(waves(rng, .4))
		positions, triangles, free := c.Mesh()
		found := 0
		for range 1000 {
			p := r3.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}
			want := math.Inf(1)
			for _, k := range triangles[:free] {
				a := positions[k[0]]
				if d := r3.Sub(a, p); math.Abs(d.X) > 6*c.unit || math.Abs(d.Y) > 6*c.unit || math.Abs(d.Z) > 6*c.unit {
					continue // more than is looked for away, with an edge of two samples
				}
				want = math.Min(want, toTriangle(p, a, positions[k[1]], positions[k[2]]))
			}
			want /= c.unit
			best, _, _ := c.now.closestTo(p.X/c.unit, p.Y/c.unit, p.Z/c.unit)
			if best.in == nil {
				if want < farCells-.001 {
					t.Errorf("round %d, %v: nothing found at a distance of %v", round, p, want)
				}
				continue
			}
			found++
			// Coordinates up to 50 units rounded to 24 bits, some of them after one another.
			if got := math.Sqrt(float64(best.square)); math.Abs(got-want) > 1e-4 {
				t.Errorf("round %d, %v: %v, by brute force %v", round, p, got, want)
			}
		}
		if found < 100 {
			t.Errorf("round %d: found %d", round, found)
		}
	}
}

// Distance is that from a ball: to the second order of the spacing near it, roughly within the band, and ±Band beyond.
func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, detail := range []int{1, 2, 4} {
		c := cube(t, 4, detail, 2)
		shape := ball(r3.Vec{X: .5, Y: .47, Z: .52}, .31)
		c.Set(shape)
		const n = 20000
		at, got, want := make([]r3.Vec, n), make([]float32, n), make([]float32, n)
		for i := range at {
			at[i] = r3.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}
		}
		shape(want, at)
		c.Distance(got, at)
		band, h := c.Band*c.g.H, c.g.H
		for i := range at {
			w := max(-band, min(float64(want[i]), band))
			// The surface is curved by s²/8r between vertices, of which most is made good; beyond the reach the first-order sweeps err by a
			// part of their spacing.
			tolerance := .02 * c.unit
			if math.Abs(w) > c.unit {
				tolerance = .35 * h
			}
			if e := math.Abs(float64(got[i]) - w); e > tolerance {
				t.Fatalf("detail %d, %v: %v, want %v: %.3f cells off", detail, at[i], got[i], w, e/h)
			}
		}
	}
}
