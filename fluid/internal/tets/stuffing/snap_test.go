package stuffing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// What is filled lies .1 of a leaf over a tilted floor and around a pole. With Snap it stands on the floor, and all vertices near to a solid lie on
// it: faces there are solid. Without it the gap stays.
func TestSnap(t *testing.T) {
	l := uniform([3]int{16, 16, 16}, 1, [3]float64{})
	floor := plane(r3.Vec{X: 8, Y: 8, Z: 3.3}, r3.Vec{X: .2, Y: .3, Z: 1})
	pole := distance(func(p r3.Vec) float64 { return math.Hypot(p.X-8.3, p.Y-7.6) - 2.7 })
	solid := both(floor, pole)
	d := distance(func(p r3.Vec) float64 { return max(.1-floor(p), p.Z-11.37) })
	for _, snap := range []float64{0, .125} {
		m := &Mesher{Options: Options{Snap: snap}}
		mesh := m.stuff(t, l, &Field{Inside: d.at(l), Solid: solid.at(l), InsideAt: d.eval, SolidAt: solid.eval})
		near := 0 // vertices of the free surface that are near to a solid
		for v, f := range mesh.Flags {
			switch x := solid(point(mesh.Position[v])); {
			case f&OnSolid != 0 && math.Abs(x) > 1e-6:
				t.Errorf("snap %g: a vertex at %v, on a solid, is %g from it", snap, mesh.Position[v], x)
			case f&OnSurface != 0 && f&(OnSolid|anySide) == 0 && x < .125:
				near++
			}
		}
		free, held := 0, 0 // faces on the floor
		for _, f := range mesh.Boundary {
			if x := mesh.FaceCentre(f.Tet, int(f.Corner)); floor(x) < .12 && pole(x) > 1 {
				if f.Kind == Free {
					free++
				} else if f.Kind == Solid {
					held++
				}
			}
		}
		if snapped := snap > 0; snapped != (free == 0) || snapped != (held > 0) || snapped && near > 0 {
			t.Errorf("snap %g: %d free faces on the floor and %d solid ones; %d free vertices near", snap, free, held, near)
		}
	}
}

// What is filled ends at solids: no vertex lies deeper in one than the bend of a sphere over an edge, and the volume is that without the sphere.
func TestClip(t *testing.T) {
	const r = 4.3
	l := uniform([3]int{16, 16, 16}, 1, [3]float64{})
	d, solid := plane(r3.Vec{X: 8, Y: 8, Z: 8.2}, r3.Vec{X: .1, Y: .05, Z: 1}), sphere(r3.Vec{X: 8, Y: 8, Z: 8.2}, r)
	full := (&Mesher{}).stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval}).volume()
	mesh := (&Mesher{}).stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval, Solid: solid.at(l), SolidAt: solid.eval})
	want := 2. / 3 * math.Pi * r * r * r
	if v := full - mesh.volume(); math.Abs(v-want) > .03*want {
		t.Errorf("the half sphere takes %g, want %g", v, want)
	}
	area := 0.
	for _, f := range mesh.Boundary {
		if f.Kind == Solid {
			area += r3.Norm(mesh.Area(f.Tet, int(f.Corner)))
		}
	}
	// A face of the rim has a vertex of the free surface and is none of the solid's.
	if want, rim := 2*math.Pi*r*r, 2*math.Pi*r; area > want || area < want-rim {
		t.Errorf("solid faces of %g, want %g to %g", area, want-rim, want)
	}
}
