package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Fastest finds the body that asks for the most substeps, by what substeps says of one as it is now: its thickness, m, its bounds, and its twist
// about its centre. It returns 0 substeps where none asks for any.
func (c *Coupling) Fastest(substeps func(thickness float64, box r3.Box, centre r3.Vec, twist [6]float64) float64) (most float64, body int) {
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

// EachTaken calls visit for the bodies that there are now, are somewhere and that the liquid takes.
func (c *Coupling) EachTaken(visit func(body int, box r3.Box)) {
	for i := range c.Count() {
		if c.badPlaceOf(i) == "" && c.Takes(i) {
			visit(i, c.Bodies.Bounds(i))
		}
	}
}

// AppendSolids lists the bodies that there are now and that the liquid takes. Those smaller than a cell are left out: the grid does not hold them.
func (c *Coupling) AppendSolids(dst []query.Solid) []query.Solid {
	c.EachTaken(func(i int, box r3.Box) {
		if reproducible.Norm(box.Size()) >= c.CellSize {
			dst = append(dst, query.Solid{Distance: func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) }, Bounds: box})
		}
	})
	return dst
}

// SolidVelocity is the velocity of a solid of the step at a place, m/s.
func (c *Coupling) SolidVelocity(solid int32, x r3.Vec) r3.Vec {
	return rigid.VelocityAt(&c.Rigid[solid].V, r3.Sub(x, c.Solids[solid].Centre))
}
