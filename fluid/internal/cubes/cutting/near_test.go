package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// What a body that moves leaves open is measured where liquid may come, as if that were everywhere; of one that has
// come to rest all is, even if most was left out before.
func TestNearLiquid(t *testing.T) {
	q := newTrial(t, uniform(3))
	centre, e := r3.Vec{X: .81, Y: .62, Z: .79}, r3.Vec{X: .3, Y: .3, Z: .3}
	body := rigid.Solid{
		Distance: distance(func(x r3.Vec) float64 {
			p := r3.Sub(x, centre)
			return max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) - .27
		}),
		Bounds: r3.Box{Min: r3.Sub(centre, e), Max: r3.Add(centre, e)}, Centre: centre,
	}
	level := func(x r3.Vec) float64 { return x.Y - .6 }
	q.fill(level, body)
	want := map[int32][3]float64{}
	open := func(c int32) [3]float64 { return [3]float64{q.d.Open[0][c], q.d.Open[1][c], q.d.Open[2][c]} }
	q.each(func(c int32, _ r3.Vec, _ float64) { want[c] = open(c) })

	reach := make([]float32, q.g.Bases())
	for b := range reach {
		reach[b] = 2 * h
	}
	q.d.Solids([]rigid.Solid{body}, cutting.Near{Phi: q.phi, Reach: reach})
	others := 0
	q.each(func(c int32, x r3.Vec, _ float64) {
		switch same := open(c) == want[c]; {
		case !same && level(x) <= 2*h:
			t.Fatalf("%v is open at %.3f, and not %v", open(c), x, want[c])
		case !same:
			others++
		}
	})
	if others == 0 {
		t.Error("faces were measured where no liquid can come")
	}
	body.Still = true
	q.d.Solids([]rigid.Solid{body}, cutting.Near{Phi: q.phi, Reach: reach})
	q.each(func(c int32, x r3.Vec, _ float64) {
		if open(c) != want[c] {
			t.Fatalf("%v is open at %.3f of a body at rest, and not %v", open(c), x, want[c])
		}
	})
}

// In a solid with water on one side and air on the other φ leaps from one to the other: no face of a cell that is wet is left
// unmeasured, though the cell beyond it, which holds it, is dry.
func TestNearLiquidWithinAWall(t *testing.T) {
	q := newTrial(t, uniform(3))
	const middle = .8 // between two cells, and two blocks
	body := rigid.Solid{
		Distance: distance(func(x r3.Vec) float64 { return math.Abs(x.X-middle) - 1.2*h }),
		Bounds:   r3.Box{Min: r3.Vec{X: middle - 1.2*h, Y: -9, Z: -9}, Max: r3.Vec{X: middle + 1.2*h, Y: 9, Z: 9}}, Centre: r3.Vec{X: middle},
	}
	for _, wall := range []float64{middle - h, middle, middle + h} { // where φ leaps
		q.fill(func(x r3.Vec) float64 {
			if x.X < wall {
				return -.3
			}
			return 1
		})
		reach := make([]float32, q.g.Bases())
		for b := range reach {
			reach[b] = 2 * h
		}
		q.d.Solids([]rigid.Solid{body}, cutting.Near{Phi: q.phi, Reach: reach})
		faces := 0
		q.each(func(c int32, x r3.Vec, _ float64) {
			if plane := x.X - h/2; plane < wall+h/2 && math.Abs(plane-middle) < 1.1*h {
				faces++
				if open := q.d.Open[0][c]; open > 0 {
					t.Fatalf("φ leaps at %g m: the face at %.3f, within the wall, is %g open", wall, plane, open)
				}
			}
		})
		if faces == 0 {
			t.Fatal("no faces looked at")
		}
	}
}
