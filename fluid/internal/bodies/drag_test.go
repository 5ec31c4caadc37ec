package bodies

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// The drag on a body uses the liquid's velocity around it: on all sides in deep liquid, in the layer for a body on a layer thinner
// than itself, and none in air. For a floating body it is that around the wet part. The upper part of the liquid here moves along x, the lower one along z.
func TestFlowAround(t *testing.T) {
	const edge = .2
	pool := par.New(1)
	defer pool.Close()
	for name, c := range map[string]struct {
		y, bottom, top float64 // of the body's centre, and of the liquid, m
		under          float64 // the part of the body that is under the surface
		want           r3.Vec
	}{
		"afloat":      {.08, -5, .05, .35, r3.Vec{X: .8, Z: .2}}, // beside its wet part, and below it
		"kayak":       {.03, -.15, .01, .4, r3.Vec{Z: 1}},        // no place as far below as it is long is in the liquid
		"deep":        {0, -5, 5, 1, r3.Vec{X: .5, Z: .5}},       // of six places one is above and one below, and four beside the body are at y = 0
		"upper half":  {.5, -5, 5, 1, r3.Vec{X: 1}},
		"thin layer":  {edge / 2, -.08, -.001, 0, r3.Vec{Z: 1}},
		"in the air":  {1, -.08, .01, 0, r3.Vec{}},
		"on deep":     {edge / 2, -5, -.001, 0, r3.Vec{Z: 1}},
		"under water": {-.5, -5, 5, 1, r3.Vec{Z: 1}},
	} {
		liquid := Liquid{
			Distance: func(dst []float32, at []r3.Vec) {
				for i, x := range at {
					dst[i] = float32(max(c.bottom-x.Y, x.Y-c.top))
				}
			},
			Velocity: func(dst, at []r3.Vec) {
				for i, x := range at {
					switch {
					case x.Y > 1e-9:
						dst[i] = r3.Vec{X: 1}
					case x.Y < -1e-9:
						dst[i] = r3.Vec{Z: 1}
					default:
						dst[i] = r3.Vec{X: .5, Z: .5}
					}
				}
			},
		}
		coupling := New(Config{Pool: pool, Domain: r3.Box{Min: r3.Vec{X: -9, Y: -9, Z: -9}, Max: r3.Vec{X: 9, Y: 9, Z: 9}}, Liquid: liquid})
		half := r3.Vec{X: edge / 2, Y: edge / 2, Z: edge / 2}
		centre := r3.Vec{Y: c.y}
		coupling.Solids = []rigid.Solid{{Bounds: r3.Box{Min: r3.Sub(centre, half), Max: r3.Add(centre, half)}, Centre: centre}}
		coupling.accelerations, coupling.edges = []r3.Vec{{Y: -9.81}}, []float64{edge / 4}
		got, some := coupling.unsolved.flowAround(0, submersion{under: c.under, whole: 1})
		if r3.Norm(r3.Sub(got, c.want)) > 1e-6 || some != (c.want != r3.Vec{}) {
			t.Errorf("%s: the liquid around it moves at %v m/s, want %v; is there any: %v", name, got, c.want, some)
		}
	}
}
