package physics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// The kernels in use must give the same bits as those in plain Go.
func TestKernelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	turn := quat.Number{Real: .3, Imag: .5, Jmag: -.4, Kmag: .7}
	turn = quat.Scale(1/quat.Abs(turn), turn)
	for name, g := range map[string]Geometry{"ball": Sphere(r3.Vec{}, .3), "box": Box(Centred(.2, .5, .3)), "open box": OpenBox(Centred(.8, .4, .6), .05)} {
		s := g.extents()
		s.pos, s.rot = r3.Vec{X: .1, Y: -.2, Z: .3}, rotationMatrix(turn)
		for n := range 40 {
			pts, got, want := make([]r3.Vec, n), make([]float32, n), make([]float32, n)
			for k := range pts {
				x := r3.Vec{X: rng.Float64() - .5, Y: rng.Float64() - .5, Z: rng.Float64() - .5}
				if k%5 == 0 { // on a plane of the solid
					x.X = g.half.X
				}
				pts[k] = r3.Add(s.pos, mulVec(&s.rot, x))
				got[k] = unbounded
				if k%7 == 0 {
					got[k] = 0
				}
				want[k] = got[k]
			}
			s.lower(g.kind, got, pts)
			s.lowerGo(g.kind, want, pts)
			for k := range got {
				if math.Float32bits(got[k]) != math.Float32bits(want[k]) {
					t.Fatalf("%s: %d of %d at %v: %v, in plain Go %v", name, k, n, pts[k], got[k], want[k])
				}
			}
		}
	}
}
