package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Angel is a winged figure in a robe that stands on y = 0 and looks along +z, its hands before its breast. Its wings are the thinnest, 8 cm if
// it is 1 m high.
func Angel(height float64) Mesh { return angel().standing(height) }

// angel is as tall as its parts make it.
func angel() Mesh {
	parts := angelParts()
	return contour(func(p r3.Vec) float64 { return distance(parts, p) }, angelBox, .02)
}

var angelBox = r3.Box{Min: r3.Vec{X: -.74, Y: -.07, Z: -.56}, Max: r3.Vec{X: .74, Y: 1.24, Z: .42}}

// angelParts are those of an angel of 1.2 m.
func angelParts() []part {
	parts := []part{
		{0, 0, lathe{
			profile: [][2]float64{{0, .7}, {.075, .69}, {.09, .6}, {.13, .45}, {.18, .28}, {.235, .1}, {.25, .035}, {0, .035}},
			round:   .03, folds: 9, depth: .018, foldTop: .62, foldFoot: .2,
		}.distance},
		{0, .06, ellipsoid(r3.Vec{Y: .745}, r3.Vec{X: .125, Y: .125, Z: .095})},
		{0, .03, capsule(r3.Vec{X: -.1, Y: .8}, r3.Vec{X: .1, Y: .8}, .055, .055)},
		{0, .04, capsule(r3.Vec{Y: .85}, r3.Vec{Y: .93}, .048, .048)},
		{0, .03, ellipsoid(r3.Vec{Y: .985, Z: .012}, r3.Vec{X: .078, Y: .1, Z: .086})},
		{0, .03, ellipsoid(r3.Vec{Y: .97, Z: -.055}, r3.Vec{X: .074, Y: .11, Z: .062})},
	}
	for _, side := range [2]float64{-1, 1} {
		elbow := r3.Vec{X: .195 * side, Y: .66, Z: .06}
		parts = append(parts,
			part{0, .06, capsule(r3.Vec{X: .13 * side, Y: .8}, elbow, .05, .055)},
			part{0, .06, capsule(elbow, r3.Vec{X: .025 * side, Y: .75, Z: .16}, .058, .046)})
		parts = append(parts, wing(side)...)
	}
	return parts
}

// wing is an arm that rises from the shoulder blade and turns outwards, and quills that hang from it like a fan, so near to each other that they are one
// sheet but for their ends.
func wing(side float64) []part {
	const thick, quills = .046, 12
	root, bend, tip := r3.Vec{X: .05, Y: .76, Z: -.12}, r3.Vec{X: .22, Y: 1.06, Z: -.23}, r3.Vec{X: .47, Y: 1.14, Z: -.38}
	mirror := func(v r3.Vec) r3.Vec { return r3.Vec{X: side * v.X, Y: v.Y, Z: v.Z} }
	between := func(a, b r3.Vec, t float64) r3.Vec { return r3.Add(r3.Scale(1-t, a), r3.Scale(t, b)) }
	parts := []part{
		{0, .045, capsule(mirror(root), mirror(bend), .058, .055)},
		{0, .02, capsule(mirror(bend), mirror(tip), .055, .048)},
	}
	for i := range quills {
		t := float64(i) / (quills - 1)
		from := between(bend, tip, 2*t-1)
		if t < .5 {
			from = between(root, bend, .3+1.4*t)
		}
		sin, cos := math.Sincos((6 + 40*t) * degree)
		long := .22 + .23*math.Sin(math.Pi*min(1, .15+.85*t)) - .03*float64(i%2)
		to := r3.Add(from, r3.Vec{X: long * sin, Y: -long * cos, Z: -.6 * long * sin})
		parts = append(parts, part{0, .04, capsule(mirror(from), mirror(to), thick, thick)})
	}
	return parts
}
