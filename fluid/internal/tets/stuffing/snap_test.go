package stuffing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Liquid over a tilted floor, with a gap between that is thinner than an eighth of a leaf, stands on it; faces there are solid. So do the vertices around a pole that are
// near to it.
func TestSnap(t *testing.T) {
	pool := par.New(1)
	l := uniform([3]int{16, 16, 16}, 1, [3]float64{})
	up := r3.Unit(r3.Vec{X: .2, Y: .3, Z: 1})
	floor := distance(func(p r3.Vec) float64 { return r3.Dot(r3.Sub(p, r3.Vec{X: 8, Y: 8, Z: 3.3}), up) })
	pole := distance(func(p r3.Vec) float64 { return math.Hypot(p.X-8.3, p.Y-7.6) - 2.7 })
	solid := distance(func(p r3.Vec) float64 { return min(floor(p), pole(p)) })
	liquid := distance(func(p r3.Vec) float64 { return max(.1-floor(p), p.Z-11.37) })
	for _, snap := range []float64{0, .125} {
		m := &Mesher{Options: Options{Snap: snap}}
		mesh := m.Stuff(pool, l, &Field{Inside: liquid.at(l), Solid: solid.at(l), InsideAt: liquid.eval, SolidAt: solid.eval})
		m.Connect(pool)
		if err := mesh.Check(); err != nil {
			t.Fatal(err)
		}
		if err := mesh.CheckAngles(GreatLeast); err != nil {
			t.Fatal(err)
		}
		free, near, left := 0, 0, 0
		worst := 0.
		for v, f := range mesh.Flags {
			p := r3.Vec{X: mesh.Position[v][0], Y: mesh.Position[v][1], Z: mesh.Position[v][2]}
			d := solid(p)
			if f&OnSolid != 0 {
				worst = max(worst, math.Abs(d))
			}
			switch {
			case f&OnSurface != 0 && f&OnSolid == 0 && d < .125 && f&anySide == 0:
				near++
				if floor(p) < .3 {
					left++
				}
			}
		}
		for _, f := range mesh.Boundary {
			if f.Kind == Free && floor(mesh.FaceCentre(f.Tet, int(f.Corner))) < .5 {
				free++
			}
		}
		t.Logf("snap %g: %d free faces on the floor, %d vertices near, %d on floor, boundary %d, worst %g", snap, free, near, left, len(mesh.Boundary), worst)
	}
}
