package physics

import (
	"iter"

	"gonum.org/v1/gonum/spatial/r3"
)

// Shapes ranges over the shapes of the body in order of creation. The loop must not add or
// remove shapes.
func (b Body) Shapes() iter.Seq[Shape] {
	return func(yield func(Shape) bool) {
		s := b.state()
		if s == nil {
			return
		}
		for _, slot := range s.shapes {
			if !yield(b.world.shape(slot)) {
				return
			}
		}
	}
}

// ContactPoint is where two shapes press on each other.
type ContactPoint struct {
	A, B   Shape
	Point  r3.Vec  // world, m, midway between the surfaces
	Normal r3.Vec  // unit, from A to B
	Force  float64 // along Normal, N
}

// Contacts ranges over the points that pressed in the last Step, or when their bodies fell
// asleep, in a stable order. The loop must not change the world.
func (w *World) Contacts() iter.Seq[ContactPoint] {
	return func(yield func(ContactPoint) bool) {
		for _, p := range w.pairs {
			c := &w.contacts[p.contact]
			pair := w.contactEvent(c.key)
			for k := range c.points[:c.n] {
				if p := &c.points[k]; p.force > 0 && !yield(ContactPoint{pair.A, pair.B, p.pos, p.normal, p.force}) {
					return
				}
			}
		}
	}
}
