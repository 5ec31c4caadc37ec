package levelset

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What of a room is liquid is what planes of the surface and of a solid have in common, whatever their directions: exactly where they are parallel or
// perpendicular along the axes, else to a hundredth of a cell.
func TestWetPartOfRoom(t *testing.T) {
	const n, h = 48, .1
	unit := func(x, y, z float64) r3.Vec { return r3.Unit(r3.Vec{X: x, Y: y, Z: z}) }
	dirs := []r3.Vec{{Y: 1}, {Y: -1}, {X: 1}, unit(0, 1, .05), unit(1, 1, 0), unit(-1, 2, .5), unit(1, -3, 1)}
	for i, g := range dirs {
		for j, s := range dirs {
			for _, offs := range [][2]float64{{-.2, .1}, {.15, -.1}, {.05, .25}, {-.3, -.2}} {
				liquid := func(x r3.Vec) bool { return reproducible.Dot(g, x) < offs[0] }
				open := func(x r3.Vec) bool { return reproducible.Dot(s, x) > offs[1] }
				r := Room{}
				wet, both := 0., 0.
				for c := range n * n * n {
					x := r3.Vec{X: (float64(c%n)+.5)/n - .5, Y: (float64(c/n%n)+.5)/n - .5, Z: (float64(c/n/n)+.5)/n - .5}
					w, o := liquid(x), open(x)
					if w {
						wet += 1. / (n * n * n)
					}
					if o {
						r.Part += 1. / (n * n * n)
					}
					if w && o {
						both += 1. / (n * n * n)
					}
				}
				if r.Part == 0 {
					continue
				}
				for a := range 3 {
					for side := range 2 {
						for c := range n * n {
							x := [3]float64{}
							x[a] = float64(side) - .5
							x[(a+1)%3], x[(a+2)%3] = (float64(c%n)+.5)/n-.5, (float64(c/n)+.5)/n-.5
							if open(reproducible.Vector(x)) {
								r.Open[a][side] += 1. / (n * n)
							}
						}
					}
				}
				var cube [27]float32
				for c := range cube {
					x := r3.Vec{X: float64(c%3 - 1), Y: float64(c/3%3 - 1), Z: float64(c/9 - 1)}
					cube[c] = float32(h * (reproducible.Dot(g, x) - offs[0]))
				}
				got := float64(wetPart(cube[:], 3, h, float32(wet), &r)) * float64(r.Part)
				most := .01
				if i < 3 && j < 3 {
					most = .5 / n
				}
				if !(math.Abs(got-both) <= most) {
					t.Errorf("liquid to %.2f, open to %.2f, at %v: %.4f of a cell, want %.4f", g, s, offs, got, both)
				}
			}
		}
	}
}
