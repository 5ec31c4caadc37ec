package physics

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// sweepShare is the share of its thickness that a body must move within a step to be swept: a slower one can't pass
	// through anything without contacts.
	sweepShare = 0.25
	// sweptScale scales the solid that is swept: small enough not to overlap what the body only touches.
	sweptScale = 0.5
)

// solveContinuous moves bodies that have moved far back to their first time of impact. Speculative contacts stop nearly
// all before; this catches those that contacts pushed or turned on their way.
func (w *World) solveContinuous() {
	for _, s := range w.order {
		b := &w.bodies[s]
		if b.kind != Dynamic || !b.awake || b.invMass == 0 {
			continue
		}
		if t := w.timeOfImpact(b); t < 1 {
			b.x = r3.Add(b.startX, reproducible.Scale(t, r3.Sub(b.x, b.startX)))
			w.updateShapes(s)
		}
	}
}

// timeOfImpact is the share of the last step's motion after which a scaled part of b first overlaps another body, 1 if
// none.
func (w *World) timeOfImpact(b *body) float64 {
	q, first := &w.query, 1.0
	moved := reproducible.Norm(r3.Sub(b.x, b.startX))
	if moved < sweepShare*w.Coupling().Thickness(int(b.index)) {
		return 1
	}
	good := rotationMatrix(b.startQ)
	for _, slot := range b.shapes {
		s := &w.shapes[slot]
		if s.def.Sensor || s.def.Geometry.kind > hullGeometry && s.def.Geometry.kind != openBoxGeometry {
			continue
		}
		for k := range s.parts {
			q.a = s.solid(uint8(k))
			if least, _ := q.a.size(); moved < sweepShare*2*least {
				continue
			}
			// The part at the start of the step, in its present orientation.
			local := mulVecT(&b.rot, r3.Sub(q.a.pos, b.x))
			was := r3.Add(b.startX, mulVec(&good, local))
			motion := r3.Sub(q.a.pos, was)
			q.a.pos = was
			q.shrink(sweptScale)
			first = min(first, w.firstTimeOfImpact(b, s, motion))
		}
	}
	return first
}

// shrink scales the solid q.a about its centre.
func (q *queryScratch) shrink(f float64) {
	s := &q.a
	s.half, s.radius = reproducible.Scale(f, s.half), f*s.radius
	if s.hull == nil {
		return
	}
	vertices, planes := q.shrunk.vertices[:0], q.shrunk.planes[:0]
	c := s.hull.centre
	for _, v := range s.hull.vertices {
		vertices = append(vertices, r3.Add(c, reproducible.Scale(f, r3.Sub(v, c))))
	}
	for _, p := range s.hull.planes {
		planes = append(planes, plane{p.normal, float64(f*p.offset) + float64((1-f)*reproducible.Dot(p.normal, c))})
	}
	q.shrunk = *s.hull
	q.shrunk.vertices, q.shrunk.planes, q.shrunk.width = vertices, planes, f*s.hull.width
	s.hull = &q.shrunk
}

// firstTimeOfImpact is the share of motion after which q.a, a scaled part of s, overlaps a shape that s may meet and
// that stops it. Contacts let through a hundredth of a speed, too much at hundreds of metres a second, so that an
// overlap at the start stops the body too, unless it moves out.
func (w *World) firstTimeOfImpact(b *body, s *shape, motion r3.Vec) float64 {
	q, first := &w.query, 1.0
	box := boundsIn(&q.a, &worldAxes, r3.Vec{}, 0)
	w.tree.along(box.Center(), motion, reproducible.Scale(0.5, box.Size()), func(slot int32) float64 {
		other := &w.shapes[slot]
		if !w.mayMeet(s, other) || other.def.Sensor || w.bodies[other.body].kind == Dynamic && !b.bullet {
			return first
		}
		for k := range other.parts {
			q.b = other.solid(uint8(k))
			if t, _, ok := q.sweepAny(&q.a, &q.b, motion); ok {
				first = min(first, t)
			}
		}
		return first
	})
	return first
}
