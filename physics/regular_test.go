package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// A cut flush with the face of what it is cut from is open to bodies and rays, and solids that touch are closed.
func TestSDFMembranesAreOpen(t *testing.T) {
	box := func(p, centre, half r3.Vec) float64 { return boxDistance(r3.Sub(p, centre), half) }
	tub := SDF(func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(max(box(p, r3.Vec{Y: -0.5}, r3.Vec{X: 0.6, Y: 0.5, Z: 0.6}), -box(p, r3.Vec{Y: -0.4}, r3.Vec{X: 0.5, Y: 0.4, Z: 0.5})))
		}
	}, r3.Box{Min: r3.Vec{X: -0.6, Y: -1, Z: -0.6}, Max: r3.Vec{X: 0.6, Z: 0.6}})
	pair := SDF(func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(min(box(p, r3.Vec{X: -0.3, Y: -0.1}, r3.Vec{X: 0.3, Y: 0.1, Z: 0.6}), box(p, r3.Vec{X: 0.3, Y: -0.1}, r3.Vec{X: 0.3, Y: 0.1, Z: 0.6})))
		}
	}, r3.Box{Min: r3.Vec{X: -0.6, Y: -0.2, Z: -0.6}, Max: r3.Vec{X: 0.6, Z: 0.6}})
	for name, c := range map[string]struct {
		g     Geometry
		floor float64
	}{"a flush tub": {tub, -0.8}, "two boxes that touch": {pair, 0}} {
		for shape, g := range map[string]Geometry{"ball": Sphere(r3.Vec{}, 0.1), "box": Box(Centred(0.2, 0.2, 0.2)), "cylinder": Cylinder(r3.Vec{Y: -0.1}, r3.Vec{Y: 0.1}, 0.1)} {
			for _, angle := range []float64{0, 0.4} {
				w := NewWorld(WorldDef{Gravity: down})
				place := r3.Vec{X: 3, Y: 2, Z: 1}
				add(w, BodyDef{Position: place, Rotation: about(r3.Vec{Y: 1}, angle)}, ShapeDef{Geometry: c.g})
				b := add(w, BodyDef{Kind: Dynamic, Position: r3.Add(place, r3.Vec{Y: 0.3})}, ShapeDef{Geometry: g})
				steps(w, 120)
				near1(t, shape+" on "+name, b.Position().Y-place.Y, c.floor+0.1, 0.012)
				check(t, b.Remove())
				hit, ok, err := w.RayCast(r3.Add(place, r3.Vec{Y: 0.5}), r3.Vec{Y: -2}, Query{})
				if err != nil || !ok || math.Abs(hit.Point.Y-place.Y-c.floor) > 1e-3 {
					t.Errorf("a ray onto %s meets %v, %v, %v", name, hit.Point, ok, err)
				}
			}
		}
	}
}
