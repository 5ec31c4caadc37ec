package fluid

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/exact"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/sizing"
)

// coupling is what the step knows of the coupled bodies. Slices are per body, in the order of
// Bodies; moving obstacles of the liquid's own follow after them.
type coupling struct {
	bodies Bodies
	solid  []blocks.Body
	rigid  []pressure.Body
	// ellipsoids are of the bodies that something can move.
	ellipsoids   []ellipsoid
	porous       []subgrid
	sampler      sampler
	slides       []slide
	slideScratch []slideScratch // per worker
	moved        [][6]float64   // twist of each solid
	midway       []midway
	passages     []passage // of each solid since the surface was moved last
	shell        shell
	joints       []pressure.Joint
	joined       []bool // has a joint
	face         face
	visit        func(a, b int, at, normal r3.Vec, impulse, friction float64) // readContact, made once
	state        []bodyState
	regions      []sizing.Region
	loads        []BodyLoad
	evals        []blocks.Distance // one per index, made once
	changed      bool              // bodies came or went
}

// bodyState is what is remembered of a body from step to step.
type bodyState struct {
	id       uint64
	ok       bool // its numbers are finite, and it or what it is joined to may be near the domain
	awake    bool
	dozing   bool // it has just fallen asleep
	wet      bool
	contact  [6]float64 // velocity that contacts added in the last step, beside what the solve knew of them
	cut      [6]float64 // velocity by which the solve was told less than there is, for a body too fast
	solved   [6]float64 // velocity that the solve gave it
	rest     r3.Vec     // load when it fell asleep, N
	before   [6]float64 // velocity before the step
	soothing [6]float64 // wrench that calms the body, N and N·m
	aside    [6]float64 // wrench that the liquid exerts beside the rows' pressure, likewise; one that sleeps keeps it
	beside   [6]float64 // of that, what is no part of the solve
	subgrid  bool       // the grid takes it for a porous one, at least in part
	soaked   soaked     // if so
	placed   bool       // the grid knows the body where it was last:
	centre   r3.Vec
	turned   quat.Number
	bounds   r3.Box
	seen     pose // when the surface was moved last,
	last     pose // and the time before
}

// Couple joins the liquid to the bodies of a rigid-body engine, or to none if b is nil. From
// then on Step advances both.
func (l *Liquid) Couple(b Bodies) {
	defer l.enter(&inCouple).leave()
	c := &l.coupling
	c.bodies, c.visit = b, c.readContact
	l.disturb()
	c.state = c.state[:0]
	c.loads = c.loads[:0]
}

// Coupled is what Couple was given last; nil if nothing is coupled.
func (l *Liquid) Coupled() Bodies {
	defer l.enter(&inCoupled).leave()
	return l.coupling.bodies
}

// begin readies the events of a step.
func (c *coupling) begin(e *Events) {
	e.Entered, e.Left, e.Splashes = e.Entered[:0], e.Left[:0], e.Splashes[:0]
}

// readBodies takes the bodies' poses and pressure-free velocities and measures what they and
// the static solids leave of the grid.
func (l *Liquid) readBodies() {
	l.begin(StageBodies)
	l.readSolids(l.step.dt/2, (*Liquid).readPassages)
	l.readThin()
	l.lap(len(l.coupling.solid))
}

// rereadSolids is readSolids outside of a step: the game may put bodies elsewhere before the next.
func (l *Liquid) rereadSolids() {
	l.readSolids(-l.lag(), (*Liquid).standStill)
	l.solids.ForgetBodies()
}

// readSolids takes dynamic bodies where they are ahead seconds on, and has follow find how solids have moved.
func (l *Liquid) readSolids(ahead float64, follow func(*Liquid)) {
	c := &l.coupling
	n := c.count()
	c.match(n)
	c.solid, c.rigid, c.moved = resize(c.solid, n), resize(c.rigid, n), resize(c.moved, n)
	c.ellipsoids, c.midway = resize(c.ellipsoids, n), resize(c.midway, n)
	c.slides, c.porous = resize(c.slides, n), lengthen(c.porous, n)
	c.readJoints()
	for i := range n {
		c.read(i, l.step.dt, ahead, l.def)
		l.tame(i)
		l.pushAlong(i)
		l.findSubgrid(i)
	}
	c.readContacts(l.step.dt)
	if c.changed {
		c.changed = false
		l.displace()
	}
	l.world.appendMoving(c)
	follow(l)
	l.solids.Solids(c.solid, l.nearLiquid())
	l.markStirred()
}

func (c *coupling) count() int {
	if c.bodies == nil {
		return 0
	}
	return c.bodies.Len()
}

// match keeps what is remembered with the body it belongs to when bodies came or went.
func (c *coupling) match(n int) {
	for len(c.evals) < n {
		i := len(c.evals)
		c.evals = append(c.evals, func(dst []float32, pts []r3.Vec) { c.distance(i, dst, pts) })
	}
	same := len(c.state) == n
	for i := 0; same && i < n; i++ {
		same = c.state[i].id == c.bodies.ID(i)
	}
	if same {
		return
	}
	c.changed = true
	old := append([]bodyState(nil), c.state...)
	c.state, c.loads = make([]bodyState, n), make([]BodyLoad, n)
	for i := range n {
		c.state[i].id = c.bodies.ID(i)
		for was, o := range old {
			if o.id == c.state[i].id {
				c.state[i] = o
				c.state[i].placed = o.placed && was == i // what the grid knows is by index
			}
		}
	}
}

// read copies body i, where it is ahead seconds on. One that is asleep or not finite does not move in the solve.
func (c *coupling) read(i int, dt, ahead float64, def Def) {
	b, s := c.bodies, &c.state[i]
	centre, turned, box := c.moveOn(i, ahead)
	near := overlaps(box, def.Domain)
	s.ok = finiteVec(centre) && finiteVec(box.Min) && finiteVec(box.Max) && (near || c.joined[i])
	was := s.awake
	s.awake = b.Awake(i)
	s.dozing = was && !s.awake
	c.rigid[i], c.moved[i], s.cut = pressure.Body{}, [6]float64{}, [6]float64{}
	thickness := b.Thickness(i)
	c.solid[i] = blocks.Body{
		Distance: c.evals[i], Bounds: box, Centre: centre, Thickness: thickness, Thin: thickness < 1.5*def.CellSize, Sheet: thickness < def.CellSize,
		Fixed: b.Kind(i) == StaticBody,
	}
	resting := b.Kind(i) == StaticBody || !s.awake
	if s.ok && near {
		c.solid[i].Still = resting && s.placed && s.centre == centre && s.turned == turned && s.bounds == box
		if ahead > 0 || resting || !s.placed {
			s.placed, s.centre, s.turned, s.bounds = true, centre, turned, box
		}
	} else {
		c.solid[i].Bounds = r3.Box{Min: far, Max: far}
		s.placed = false
	}
	r := &c.rigid[i]
	if !s.ok || resting {
		return
	}
	v, w := b.PredictedVelocity(i, dt)
	r.V = twist(v, w)
	if b.Kind(i) == DynamicBody {
		r.InverseMass, r.InverseInertia = b.InverseMass(i)
		r.Contact = s.contact
	}
	v, w = b.Velocity(i)
	s.before = twist(v, w)
	c.moved[i] = s.before
}

// pushAlong is what the liquid at a body moves with after gravity and the fields and before
// the solve: as the body did.
func (l *Liquid) pushAlong(i int) {
	c := &l.coupling
	r := &c.rigid[i]
	r.Liquid = c.moved[i]
	for d, x := range array(l.accelerationAt(c.solid[i].Centre)) {
		r.Fall[d] = float64(l.step.dt * x)
		r.Liquid[d] += r.Fall[d]
	}
}

// far is a place in no domain, for bodies that take no part.
var far = r3.Vec{X: math.MaxFloat32, Y: math.MaxFloat32, Z: math.MaxFloat32}

func overlaps(a, b r3.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y && a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

func twist(v, w r3.Vec) [6]float64 { return [6]float64{v.X, v.Y, v.Z, w.X, w.Y, w.Z} }

func (c *coupling) readJoints() {
	c.joints, c.joined = c.joints[:0], resize(c.joined, len(c.rigid))
	for i := range c.joined {
		c.joined[i] = false
	}
	if c.bodies == nil {
		return
	}
	for j := range c.bodies.Joints() {
		var out pressure.Joint
		a, b, n := c.bodies.JointRows(j, &out.Rows)
		out.A, out.B, out.N = int32(a), int32(b), n
		if n > 0 && goodJoint(&out, len(c.rigid)) {
			c.joints = append(c.joints, out)
			for _, i := range [2]int{a, b} {
				if i >= 0 {
					c.joined[i] = true
				}
			}
		}
	}
}

// moveBodies hands the liquid's impulses over as forces through the step and advances the
// bodies (methods.md §1 finding 12).
func (l *Liquid) moveBodies() {
	l.begin(StageBodies)
	c := &l.coupling
	n := c.count()
	dt := l.step.dt
	for i := range n {
		s, r, w := &c.state[i], &c.rigid[i], &l.graph.Bodies[i]
		a := &s.beside
		f := r3.Vec{X: r.Impulse[0]/dt + a[0], Y: r.Impulse[1]/dt + a[1], Z: r.Impulse[2]/dt + a[2]}
		t := r3.Vec{X: r.Impulse[3]/dt + a[3], Y: r.Impulse[4]/dt + a[4], Z: r.Impulse[5]/dt + a[5]}
		wet := l.soakedPart(i)
		c.note(l.out.events(), i, wet.area > 0, f, w.Row, l)
		share := dt / l.step.whole
		load := &c.loads[i]
		z := &s.soothing
		all, turn := r3.Add(f, r3.Vec{X: z[0], Y: z[1], Z: z[2]}), r3.Add(t, r3.Vec{X: z[3], Y: z[4], Z: z[5]})
		load.Force = r3.Add(load.Force, exact.Scale(share, all))
		load.Torque = r3.Add(load.Torque, exact.Scale(share, turn))
		load.Submerged, load.Wetted = wet.under, wet.area
		if wet.whole > 0 {
			load.Fraction = wet.under / wet.whole
		}
		if !s.ok || c.bodies.Kind(i) != DynamicBody {
			continue
		}
		s.solved = r.V
		// One that sleeps needs it too: what wakes it, here or in the engine, mustn't drop it for a step.
		c.bodies.AddWrench(i, all, turn)
		s.soothing = [6]float64{}
		if !s.awake && s.stirs(f) {
			c.bodies.Wake(i)
		}
		if s.awake || s.dozing {
			s.rest = f
		}
	}
	if c.bodies != nil {
		c.bodies.Step(dt)
	}
	for i := range n {
		s := &c.state[i]
		assumed := c.rigid[i].Contact
		s.contact = [6]float64{}
		if s.ok && s.awake && c.bodies.Kind(i) == DynamicBody && c.touching(i) {
			v, w := c.bodies.Velocity(i)
			now := twist(v, w)
			for d := range now {
				s.contact[d] = now[d] - (s.solved[d] - assumed[d] - s.cut[d])
			}
		}
	}
	l.world.advance(dt)
	l.lap(0)
}

// stirs tells whether a load, N, wakes a body that sleeps. When it has just fallen asleep the load differs somewhat, as
// the liquid about it can't move it any more.
func (s *bodyState) stirs(load r3.Vec) bool {
	part := .02
	if s.dozing {
		part = .1
	}
	return exact.Norm(r3.Sub(load, s.rest)) > float64(part*exact.Norm(s.rest))+1e-6
}

// touching tells whether contacts may have moved body i in the last step. Joints turn with their bodies
// while the solve takes them as they were: taken for a contact, and told to the next solve, that would
// drive light bodies in heavy liquid.
func (c *coupling) touching(i int) bool {
	t, can := c.bodies.(Touching)
	return !c.joined[i] || !can || t.Touching(i)
}

// soakedPart is how much of body i is under the surface. Of one thinner than a cell the grid knows which part that is, and the engine, perhaps,
// of how much.
func (l *Liquid) soakedPart(i int) soaked {
	c := &l.coupling
	if c.state[i].subgrid {
		return c.state[i].soaked
	}
	w := &l.graph.Bodies[i]
	wet := soaked{w.Volume, w.Whole, w.Area}
	if from, can := c.bodies.(Measured); can && c.solid[i].Sheet && wet.whole > 0 {
		box, d := c.solid[i].Bounds, l.def.Domain
		if volume, _, _ := from.Extents(i); volume > 0 && finite(volume) && contains(d, box.Min) && contains(d, box.Max) {
			wet.under, wet.whole = wet.under*volume/wet.whole, volume
		}
	}
	return wet
}

// splashSpeed, m/s, is how fast a body must meet the liquid to splash.
const splashSpeed = 0.5

// note records what happened to a body: it entered, left, or hit the liquid.
func (c *coupling) note(e *Events, i int, wet bool, f r3.Vec, rows []int32, l *Liquid) {
	s := &c.state[i]
	ev := BodyEvent{Index: i, ID: s.id}
	if wet != s.wet {
		if wet {
			e.Entered = append(e.Entered, ev)
			speed := exact.Norm(toVec([3]float64(s.before[:3])))
			if speed > splashSpeed {
				e.Splashes = append(e.Splashes, Splash{Body: ev, Impulse: exact.Norm(f) * l.step.dt, Position: l.meanCentre(rows), Speed: speed})
			}
		} else {
			e.Left = append(e.Left, ev)
		}
		s.wet = wet
	}
}

// meanCentre is the middle of some rows, m.
func (l *Liquid) meanCentre(rows []int32) (m r3.Vec) {
	for _, r := range rows {
		m = r3.Add(m, toVec(l.graph.Centre[r]))
	}
	return exact.Scale(1/float64(max(1, len(rows))), m)
}

// exertBeside gives body i what the liquid does to it beside the solve and its own weight, and soothes it if so.
func (l *Liquid) exertBeside(i int, soothe bool) {
	s := &l.coupling.state[i]
	if s.soothing = [6]float64{}; !soothe {
		return
	}
	s.soothing = l.sootheBody(i)
	for a, x := range l.exert(i, &s.soothing) {
		s.aside[a] += x - s.soothing[a]
		s.beside[a] += x - s.soothing[a]
	}
}

// pressBeside readies what presses on a body beside the rows' pressure. One that sleeps is pressed on as it was when it fell asleep.
func (l *Liquid) pressBeside(i int) {
	s, w := &l.coupling.state[i], &l.graph.Bodies[i]
	weight := l.def.Density * exact.Norm(l.accelerationAt(l.coupling.solid[i].Centre))
	s.beside = s.aside
	switch {
	case !s.ok || l.coupling.bodies.Kind(i) != DynamicBody:
		s.aside, s.beside = [6]float64{}, [6]float64{}
	case s.subgrid:
	case !s.awake:
		s.beside = [6]float64{}
		if wrench := s.aside; weight > 0 {
			for a := range wrench {
				wrench[a] /= weight
			}
			w.Steps = l.solids.Weighing(wrench)
		}
	default:
		for a := range s.aside {
			for d, up := range array(l.up()) {
				s.aside[a] -= float64(weight * w.Steps[a][d] * up)
			}
		}
	}
}

// Load is what the liquid did to a body of Bodies in the last step; zero for a static body, which
// nothing moves, and for an index that is none.
func (l *Liquid) Load(body int) BodyLoad {
	defer l.enter(&inLoad).leave()
	c := &l.coupling
	if body < 0 || body >= len(c.loads) {
		return BodyLoad{}
	}
	return c.loads[body]
}
