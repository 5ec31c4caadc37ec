package shapes_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// The volume of a shape in a box is right to a thousandth, whatever the edge that it begins with.
func TestVolume(t *testing.T) {
	whole := r3.Box{Max: r3.Vec{X: 2, Y: 2, Z: 2}}
	at := r3.Vec{X: .93, Y: 1.07, Z: .81}
	plate := shapes.Transform(shapes.Box(r3.Box{Min: r3.Vec{X: -.5, Y: -.01, Z: -.4}, Max: r3.Vec{X: .5, Y: .01, Z: .4}}), quat.Number{Real: math.Cos(.2), Kmag: math.Sin(.2)}, at)
	ball := 4. / 3 * math.Pi
	for name, c := range map[string]struct {
		shape shapes.SDF
		box   r3.Box
		want  float64 // m³
	}{
		"ball":       {shapes.Sphere(at, .4), whole, ball * .4 * .4 * .4},
		"small ball": {shapes.Sphere(at, .03), whole, ball * .03 * .03 * .03},
		"half ball":  {shapes.Sphere(r3.Vec{X: 2, Y: 1, Z: 1}, .4), whole, ball * .4 * .4 * .4 / 2},
		"plate":      {plate, whole, .016},
		"layer":      {shapes.Below(.7123), whole, 4 * .7123},
		"nothing":    {shapes.Sphere(r3.Vec{X: 5}, 1), whole, 0},
		"all":        {shapes.Sphere(at, 5), whole, 8},
		"two balls": {shapes.Union(shapes.Sphere(r3.Vec{X: .5, Y: 1, Z: 1}, .2), shapes.Sphere(r3.Vec{X: .7, Y: 1, Z: 1}, .2)), whole,
			2*ball*.008 - math.Pi/12*(4*.2+.2)*(.4-.2)*(.4-.2)},
	} {
		for _, edge := range []float64{.5, .1, .013} {
			if got := shapes.Volume(c.shape.Eval, c.box, edge); math.Abs(got-c.want) > 1.5e-3*c.want {
				t.Errorf("%s, from cells of %g m: %.6f m³, want %.6f", name, edge, got, c.want)
			}
		}
	}
}
