package stuffed_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffed"
)

func TestHydrostatic(t *testing.T) {
	dim := [3]int{2, 2, 2}
	for _, centres := range []stuffed.Centres{stuffed.Barycentres, stuffed.Circumcentres} {
		for _, c := range []struct {
			name   string
			levels []uint8
			hi     [3]float64
			phi    func(x r3.Vec) float64
		}{
			{"full", uniform(dim, 3), [3]float64{}, nil},
			{"domain", uniform(dim, 3), [3]float64{1.2, 1.3, 1.4}, nil},
			{"graded", []uint8{3, 3, 3, 3, 2, 2, 3, 2}, [3]float64{}, nil},
			{"surface", uniform(dim, 3), [3]float64{}, plane(r3.Vec{X: .8, Y: .83, Z: .8}, up)},
			{"flat", uniform(dim, 3), [3]float64{}, plane(r3.Vec{X: .8, Y: .8, Z: .8}, r3.Vec{Y: 1})},
		} {
			r := newRig(t, 1, dim, .1, [3]float64{}, c.levels, [3]float64{}, c.hi)
			r.d.Centres = centres
			r.surface(c.phi)
			r.fill(nil)
			t.Logf("%d %s: rows %d, %.3g", centres, c.name, r.g.Rows, r.moves(nil))
		}
	}
}
