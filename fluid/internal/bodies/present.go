package bodies

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Present is the bodies as they are now, not as the last step read them.
type Present struct{ *Coupling }

// Now returns the bodies as they are now.
func (c *Coupling) Now() Present { return Present{c} }

// Fastest returns the body that needs the most substeps, and how many; 0 if none needs any. substeps returns the number for a body with a thickness, m,
// bounds, m, and a twist about its centre.
func (c Present) Fastest(substeps func(thickness float64, box r3.Box, centre r3.Vec, twist [6]float64) float64) (most float64, body int) {
	body = -1
	for i := range c.Count() {
		if c.rests(i) || !c.IsCoupled(i) {
			continue
		}
		centre, _ := c.Bodies.Pose(i)
		v, spin := c.Bodies.Velocity(i)
		moved := rigid.Twist(v, spin)
		if !goodTwist(&moved) {
			continue // set aside
		}
		if n := substeps(c.Bodies.Thickness(i), c.Bodies.Bounds(i), centre, moved); n > most {
			most, body = n, i
		}
	}
	return most, body
}

// eachTaken calls visit for the coupled bodies with a valid pose.
func (c Present) eachTaken(visit func(body int, box r3.Box)) {
	for i := range c.Count() {
		if c.badPlaceOf(i) == "" && c.IsCoupled(i) {
			visit(i, c.Bodies.Bounds(i))
		}
	}
}

// AppendRegions appends the regions around bodies where cells are to be fine, with a margin, m.
func (c Present) AppendRegions(dst []query.Region, margin float64) []query.Region {
	c.eachTaken(func(i int, box r3.Box) {
		if c.Bodies.Kind(i) == engine.Static || !boxes.Overlap(box, c.Domain) {
			return
		}
		size := c.Bodies.Thickness(i)
		if !(size >= 0) { // unknown
			size = math.MaxFloat32
		}
		dst = append(dst, query.Region{Box: box, Margin: margin, Size: size, Asleep: !c.Bodies.Awake(i)})
	})
	return dst
}

// AppendSolids appends the coupled bodies, except those smaller than a cell, which the grid does not resolve.
func (c Present) AppendSolids(dst []query.Solid) []query.Solid {
	c.eachTaken(func(i int, box r3.Box) {
		if reproducible.Norm(box.Size()) >= c.CellSize {
			dst = append(dst, query.Solid{Distance: func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) }, Bounds: box})
		}
	})
	return dst
}

// MarkInside sets inside for the points, at most query.BatchSize, that are in a body.
func (c Present) MarkInside(inside []bool, points []r3.Vec, scratch *query.Batch) {
	for i := range c.Count() {
		if box := c.Bodies.Bounds(i); c.IsCoupled(i) {
			scratch.Mark(inside, points, box, c.Domain, func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) })
		}
	}
}

// AppendAll appends the coupled bodies of any size. It allocates only when there are more than before.
func (c Present) AppendAll(dst []query.Solid) []query.Solid {
	for i := range c.Count() {
		if i == len(c.present) {
			c.present = append(c.present, func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) })
		}
		if c.badPlaceOf(i) == "" && c.IsCoupled(i) {
			dst = append(dst, query.Solid{Distance: c.present[i], Bounds: c.Bodies.Bounds(i)})
		}
	}
	return dst
}
