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

// Present is the bodies that there are now, whatever the last step took them for.
type Present struct{ *Coupling }

// Now is the bodies that there are now.
func (c *Coupling) Now() Present { return Present{c} }

// Fastest finds the body that asks for the most substeps, by what substeps says of one as it is now: its thickness, m, its bounds, and its twist
// about its centre. It returns 0 substeps where none asks for any.
func (c Present) Fastest(substeps func(thickness float64, box r3.Box, centre r3.Vec, twist [6]float64) float64) (most float64, body int) {
	body = -1
	for i := range c.Count() {
		if c.rests(i) || !c.Takes(i) {
			continue
		}
		centre, _ := c.Bodies.Pose(i)
		v, spin := c.Bodies.Velocity(i)
		moved := rigid.Twist(v, spin)
		if !goodTwist(&moved) {
			continue // it is set aside
		}
		if n := substeps(c.Bodies.Thickness(i), c.Bodies.Bounds(i), centre, moved); n > most {
			most, body = n, i
		}
	}
	return most, body
}

// eachTaken calls visit for the bodies that are somewhere and that the liquid takes.
func (c Present) eachTaken(visit func(body int, box r3.Box)) {
	for i := range c.Count() {
		if c.badPlaceOf(i) == "" && c.Takes(i) {
			visit(i, c.Bodies.Bounds(i))
		}
	}
}

// AppendRegions lists where bodies want cells fine, with a margin, m, around each.
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

// AppendSolids lists the bodies that the liquid takes. Those smaller than a cell are left out: the grid does not hold them.
func (c Present) AppendSolids(dst []query.Solid) []query.Solid {
	c.eachTaken(func(i int, box r3.Box) {
		if reproducible.Norm(box.Size()) >= c.CellSize {
			dst = append(dst, query.Solid{Distance: func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) }, Bounds: box})
		}
	})
	return dst
}

// MarkInside marks those of some points, no more than query.BatchSize, that are in a body.
func (c Present) MarkInside(inside []bool, points []r3.Vec, scratch *query.Batch) {
	for i := range c.Count() {
		if box := c.Bodies.Bounds(i); c.Takes(i) {
			scratch.Mark(inside, points, box, c.Domain, func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) })
		}
	}
}

// AppendAll lists the bodies that the liquid takes, however small. It allocates nothing once there were as many.
func (c Present) AppendAll(dst []query.Solid) []query.Solid {
	for i := range c.Count() {
		if i == len(c.present) {
			c.present = append(c.present, func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) })
		}
		if c.badPlaceOf(i) == "" && c.Takes(i) {
			dst = append(dst, query.Solid{Distance: c.present[i], Bounds: c.Bodies.Bounds(i)})
		}
	}
	return dst
}
