package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Dimensions tells a body's volume and the mean width of its parts, and 0 where a shape does not tell.
func TestExtents(t *testing.T) {
	hull := Hull([]r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}})
	for name, c := range map[string]struct {
		shapes        []Geometry
		volume, width float64
		convex        bool
	}{
		"plank":            {[]Geometry{Box(Centred(.6, .02, .1))}, .0012, .1, true},
		"ball":             {[]Geometry{Sphere(r3.Vec{}, .3)}, 4. / 3 * math.Pi * .027, .6, true},
		"disc":             {[]Geometry{Cylinder(r3.Vec{Y: -.005}, r3.Vec{Y: .005}, .2)}, .04 * .01 * math.Pi, .4, true},
		"rod":              {[]Geometry{Cylinder(r3.Vec{Y: -.5}, r3.Vec{Y: .5}, .02)}, .0004 * math.Pi, .04, true},
		"two boxes":        {[]Geometry{Box(Centred(1, 1, 1)), Box(Centred(.1, .3, 10))}, 1.3, (1 + .3*.3) / 1.3, false},
		"tub":              {[]Geometry{OpenBox(Centred(1, 1, 1), .1)}, 1 - .8*.8*.9, 1, false},
		"hull":             {[]Geometry{hull}, 1. / 6, 0, true},
		"hull and a plank": {[]Geometry{hull, Box(Centred(.6, .02, .1))}, 1./6 + .0012, 0, false},
		"half-space":       {[]Geometry{HalfSpace(r3.Vec{}, r3.Vec{Y: 1})}, 0, 0, false},
	} {
		w := NewWorld(WorldDef{})
		b, err := w.AddBody(BodyDef{})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range c.shapes {
			if _, err := b.AddShape(ShapeDef{Geometry: g}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, 9), Sensor: true}); err != nil {
			t.Fatal(err)
		}
		volume, width, convex := w.Coupling().Dimensions(0)
		if math.Abs(volume-c.volume) > 1e-9 || math.Abs(width-c.width) > 1e-9 || convex != c.convex {
			t.Errorf("%s: %g m³, %g m, convex %v; want %g, %g, %v", name, volume, width, convex, c.volume, c.width, c.convex)
		}
	}
}
