package forces

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// A plane that meets a solid at the contact angle goes on in it as the same plane, with the same normals and areas.
func TestPlanesGoOnInSolids(t *testing.T) {
	wall := r3.Unit(r3.Vec{X: .2, Y: 1, Z: -.4})
	along := r3.Unit(r3.Cross(wall, r3.Vec{X: 1, Z: .3}))
	for _, angle := range []float64{.2, 1, math.Pi / 2, 2, 3} {
		c, normal := MakeContactAngle(angle), r3.Add(r3.Scale(math.Sin(angle), along), r3.Scale(math.Cos(angle), wall))
		up, aside := r3.Cross(normal, r3.Cross(wall, normal)), r3.Cross(wall, normal)
		for i := range 20 {
			x := r3.Add(r3.Scale(.1*float64(i), up), r3.Scale(.03*float64(i*i%7), aside)) // the plane goes through the origin
			p := track.SurfacePoint{At: x, Normal: r3.Scale(.01, normal), Label: 3}
			m, ok := c.Mirror(&p, r3.Dot(x, wall), wall)
			if !ok {
				t.Fatal("not mirrored")
			}
			if off := math.Abs(r3.Dot(m.At, normal)); off > 1e-12 {
				t.Errorf("angle %g: %g off the plane", angle, off)
			}
			if r3.Norm(r3.Sub(m.Normal, p.Normal)) > 1e-14 {
				t.Errorf("angle %g: normal %v, want %v", angle, m.Normal, p.Normal)
			}
			if into, from := r3.Dot(m.At, wall), r3.Dot(x, wall); math.Abs(into+from) > 1e-12 {
				t.Errorf("angle %g: %g m into the solid, want %g", angle, -into, from)
			}
		}
	}
	c, p := MakeContactAngle(1), track.SurfacePoint{Normal: wall}
	if _, ok := c.Mirror(&p, .1, wall); ok {
		t.Error("a surface along the wall is mirrored")
	}
}
