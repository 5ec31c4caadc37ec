package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// leastDepth, m, is the depth that an SDF must reach next to a point where it is 0 for that to be its surface, and no
// membrane: the least size of a solid.
const leastDepth = minSize

// touches reports whether the world point p, at a distance d from an SDF, is next to its inside. It samples along the axes,
// far enough to reach behind a plane of any direction, and along the gradient.
func (q *sdfScratch) touches(s *solid, p r3.Vec, d float64) bool {
	if d <= -leastDepth/4 {
		return true
	}
	local := mulVecT(s.rot, r3.Sub(p, s.pos))
	return besideInside(s.dist, q.pts[:7], q.out[:7], local, d)
}

// besideInside is touches for a point in the axes of an SDF, with room for seven places.
// Source: Requicha 1980, regularized sets.
func besideInside(dist func(dst []float32, pts []r3.Vec), pts []r3.Vec, out []float32, p r3.Vec, d float64) bool {
	stencil := func(x r3.Vec, by float64) {
		for k := range 3 {
			step := reproducible.Scale(by, [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[k])
			pts[2*k], pts[2*k+1] = r3.Add(x, step), r3.Sub(x, step)
		}
		pts[6] = x
		dist(out, pts)
	}
	inside := func() bool {
		for _, v := range out {
			if float64(v) <= -leastDepth/4 {
				return true
			}
		}
		return false
	}
	if stencil(p, float64(math.Sqrt(3)*(math.Abs(d)+leastDepth))); inside() {
		return true
	}
	stencil(p, leastDepth)
	g := r3.Vec{X: float64(out[0]) - float64(out[1]), Y: float64(out[2]) - float64(out[3]), Z: float64(out[4]) - float64(out[5])}
	if l := reproducible.Norm(g); l > 1e-3*leastDepth {
		p = r3.Sub(p, reproducible.Scale((d+leastDepth)/l, g))
	}
	stencil(p, leastDepth)
	return inside()
}

// Regular reports whether the solid of body i is a regularised set, as in constructive solid geometry: Distance is
// negative next to every place where it is 0. It is false for an SDF, which may have membranes, where that does not hold and which are open
// to liquid, and for an open mesh, which has no inside.
func (c *Coupling) Regular(i int) bool {
	for _, s := range c.at(i).shapes {
		d := &c.shapes[s].def
		if g := &d.Geometry; !d.Sensor && (g.kind == sdfGeometry || g.kind == meshGeometry && g.surface.field == nil && !g.surface.closed) {
			return false
		}
	}
	return true
}
