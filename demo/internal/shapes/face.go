package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Face is a head that looks along +z, its middle at the origin, and whose mouth smiles or frowns. Its features are a few centimetres wide, less than two cells
// of the usual size.
type Face struct {
	Rest Mesh // with a straight mouth; its triangles are those of every expression
	mood []r3.Vec
}

// headBox holds a head of 1 m before it is scaled.
var headBox = r3.Box{Min: r3.Vec{X: -.45, Y: -.58, Z: -.5}, Max: r3.Vec{X: .45, Y: .58, Z: .56}}

// headCell is the edge of the cells that the surface is found in, of a head of 1 m.
const headCell = .02

// NewFace makes a head so high, m.
func NewFace(height float64) *Face {
	h := &Face{Rest: contour(headDistance, headBox, headCell)}
	h.mood = make([]r3.Vec, len(h.Rest.Positions))
	for v, p := range h.Rest.Positions {
		h.mood[v] = r3.Scale(height, smileAt(p))
		h.Rest.Positions[v] = r3.Scale(height, p)
	}
	return h
}

// At writes where the vertices are, m, with a mood from -1, a frown, to 1, a smile.
func (h *Face) At(mood float64, positions []r3.Vec) {
	for v, p := range h.Rest.Positions {
		positions[v] = r3.Add(p, r3.Scale(mood, h.mood[v]))
	}
}

// headParts are those that are joined.
var headParts = []part{
	{0, 0, ellipsoid(r3.Vec{Y: .12, Z: -.04}, r3.Vec{X: .34, Y: .38, Z: .4})},                // skull
	{0, .12, ellipsoid(r3.Vec{Y: -.2, Z: .08}, r3.Vec{X: .25, Y: .32, Z: .27})},              // jaw
	{0, .06, ellipsoid(r3.Vec{Y: -.44, Z: .24}, r3.Vec{X: .1, Y: .07, Z: .09})},              // chin
	{0, .05, capsule(r3.Vec{Y: .12, Z: .36}, r3.Vec{Y: -.06, Z: .44}, .035, .06)},            // nose
	{0, .05, capsule(r3.Vec{X: -.2, Y: .17, Z: .3}, r3.Vec{X: .2, Y: .17, Z: .3}, .05, .05)}, // brows
	{0, .06, ellipsoid(r3.Vec{X: -.17, Y: -.08, Z: .24}, r3.Vec{X: .09, Y: .09, Z: .09})},    // cheeks
	{0, .06, ellipsoid(r3.Vec{X: .17, Y: -.08, Z: .24}, r3.Vec{X: .09, Y: .09, Z: .09})},
	{0, .03, ellipsoid(r3.Vec{Y: -.205, Z: .33}, r3.Vec{X: .12, Y: .028, Z: .05})}, // lips
	{0, .03, ellipsoid(r3.Vec{Y: -.275, Z: .33}, r3.Vec{X: .1, Y: .032, Z: .05})},
	{0, .03, ellipsoid(r3.Vec{X: -.34, Y: .02, Z: -.02}, r3.Vec{X: .05, Y: .11, Z: .07})}, // ears
	{0, .03, ellipsoid(r3.Vec{X: .34, Y: .02, Z: -.02}, r3.Vec{X: .05, Y: .11, Z: .07})},
}

// headHollows are those that are taken out.
var headHollows = []part{
	{0, .06, ellipsoid(r3.Vec{X: -.13, Y: .075, Z: .4}, r3.Vec{X: .08, Y: .055, Z: .07})}, // eyes
	{0, .06, ellipsoid(r3.Vec{X: .13, Y: .075, Z: .4}, r3.Vec{X: .08, Y: .055, Z: .07})},
	{0, .03, capsule(r3.Vec{X: -.11, Y: -.24, Z: .37}, r3.Vec{X: .11, Y: -.24, Z: .37}, .02, .02)}, // mouth
}

// headDistance is that of a head of 1 m.
func headDistance(p r3.Vec) float64 {
	d := distance(headParts, p)
	for _, h := range headHollows {
		d = -smoothMin(-d, h.distance(p), h.blend)
	}
	return d
}

// smileAt is how a smile moves a place of a head of 1 m: the corners of the mouth go out and up, the cheeks up, and the brows rise.
func smileAt(p r3.Vec) (by r3.Vec) {
	if p.Z < 0 {
		return by
	}
	near := func(x, y, wide, high float64) float64 {
		u, v := (math.Abs(p.X)-x)/wide, (p.Y-y)/high
		return math.Exp(-u*u-v*v) * ramp(p.Z/.2)
	}
	corner, cheek, brow := near(.13, -.24, .09, .09), near(.17, -.06, .09, .08), near(.14, .19, .12, .06)
	side := math.Copysign(min(1, math.Abs(p.X)/.05), p.X)
	return r3.Vec{X: .02 * corner * side, Y: .055*corner + .02*cheek + .02*brow, Z: -.01*corner + .015*cheek}
}
