package bodies

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Read reads the bodies: poses, of dynamic ones ahead seconds later, velocities without pressure, joints and
// contacts. It reports whether bodies were removed, were added where they may displace liquid, or were moved while resting.
func (c *Coupling) Read(now Substep, ahead float64) (changed bool) {
	c.now = now
	n := c.Count()
	c.match(n)
	c.Solids, c.Rigid, c.Moved = arrays.Resize(c.Solids, n), arrays.Resize(c.Rigid, n), arrays.Resize(c.Moved, n)
	c.ellipsoids, c.midway.body = arrays.Resize(c.ellipsoids, n), arrays.Resize(c.midway.body, n)
	c.slippages.body, c.porous.body = arrays.Resize(c.slippages.body, n), arrays.Lengthen(c.porous.body, n)
	c.constraints.readJoints()
	for i := range n {
		c.read(i, ahead)
	}
	c.sampleAtBodies()
	for i := range n {
		c.Sanitizer.sanitize(i)
		c.setEntrainedVelocity(i)
		c.porous.classify(i)
	}
	c.constraints.readContacts()
	changed, c.changed = c.changed, false
	return changed
}

// read reads body i, ahead seconds later. A body that sleeps or is invalid does not move in the solve.
func (c *Coupling) read(i int, ahead float64) {
	b, s := c.Bodies, &c.state[i]
	centre, turned, box := c.midway.move(i, ahead)
	near := boxes.Overlap(box, c.Domain) && c.IsCoupled(i) && !c.Sanitizer.guards[i].setAside
	s.bad = badPlace(centre, turned, box)
	s.ok = s.bad == "" && (near || c.constraints.joined[i])
	was, resting := s.awake, c.rests(i)
	s.movedAtRest = resting && c.wasMovedAtRest(i, centre, turned, box, near)
	c.changed = c.changed || s.added && near && c.mayDisplace(box)
	s.unread, s.added = false, false
	c.changed = c.changed || s.movedAtRest && ahead > 0 && s.jumped(centre, box, c.CellSize)
	s.awake, s.kind = !resting, b.Kind(i)
	s.justAsleep = was && !s.awake
	c.Rigid[i], c.Moved[i], s.clipped = rigid.Body{}, [6]float64{}, [6]float64{}
	thickness := b.Thickness(i)
	if !(thickness >= 0) { // unknown
		thickness = math.MaxFloat32
	}
	c.Solids[i] = rigid.Solid{
		Distance: c.midway.evals[i], Bounds: box, Centre: centre, Thickness: thickness, Thin: thickness < 1.5*c.CellSize, Sheet: thickness < c.CellSize,
		Fixed: b.Kind(i) == engine.Static, Volume: c.volumeWithin(i, box),
	}
	if s.ok && near {
		c.Solids[i].Still = resting && s.placed && s.centre == centre && s.turned == turned && s.bounds == box && !s.movedAtRest
		if ahead > 0 || resting || !s.placed {
			s.placed, s.centre, s.turned, s.bounds = true, centre, turned, box
		}
	} else {
		c.Solids[i].Bounds = boxes.Nowhere()
		s.placed = false
	}
	s.held = c.holds(i)
	if ahead > 0 {
		c.keepRevision(i)
	}
	r := &c.Rigid[i]
	if !s.ok || resting {
		return
	}
	v, w := b.PredictedVelocity(i, c.now.Dt)
	r.V = rigid.Twist(v, w)
	if b.Kind(i) == engine.Dynamic {
		r.InverseMass, r.InverseInertia = b.InverseMass(i)
		r.Contact = s.contact
		c.shared.addGaps(i, &r.OtherGaps)
	}
	v, w = b.Velocity(i)
	s.before = rigid.Twist(v, w)
	c.Moved[i] = s.before
}

// setEntrainedVelocity sets the velocity of the liquid along the body before the solve: the body's,
// plus that by gravity and the fields.
func (c *Coupling) setEntrainedVelocity(i int) {
	r := &c.Rigid[i]
	r.Liquid = c.Moved[i]
	for d, x := range reproducible.Array(c.accelerations[i]) {
		r.Fall[d] = float64(c.now.Dt * x)
		r.Liquid[d] += r.Fall[d]
	}
}

// volumeWithin is the volume of a body as its engine tells it, m³; 0: it doesn't, or not all of the body, whose bounds are given, is in the domain.
func (c *Coupling) volumeWithin(i int, bounds r3.Box) float64 {
	from, can := c.Bodies.(engine.Measured)
	if !can || !boxes.Contains(c.Domain, bounds.Min) || !boxes.Contains(c.Domain, bounds.Max) {
		return 0
	}
	size := bounds.Size()
	if volume, _, _ := from.Dimensions(i); volume > 0 && volume <= size.X*size.Y*size.Z {
		return volume
	}
	return 0
}
