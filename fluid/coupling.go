package fluid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/sizing"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// coupling is what the step knows of the coupled bodies. Slices are per body, in the order of
// Bodies; moving obstacles of the liquid's own follow after them.
type coupling struct {
	bodies Bodies
	solid  []rigid.Solid
	rigid  []rigid.Body
	// ellipsoids are of the bodies that something can move.
	ellipsoids   []ellipsoid
	porous       []subgrid
	sampler      sampler
	slides       []slide
	slideScratch []slideScratch // per worker
	moved        [][6]float64   // twist of each solid
	midway       []midway
	wallMotions  []wallMotion // of each solid since the surface was moved last
	shell        shell
	joints       []rigid.Joint
	joined       []bool // has a joint
	badJoint     bool   // some joint was no good in the last step,
	badContact   bool   // or some contact
	face         face
	visit        func(a, b int, at, normal r3.Vec, impulse, friction float64) // readContact, made once
	state        []bodyState
	old          []bodyState      // scratch of match
	index        map[uint64]int32 // of state by ID, if indexed
	indexed      bool
	mask         uint64 // Def.BodyMask
	regions      []sizing.Region
	loads        []BodyLoad
	evals        []rigid.Distance // one per index, made once
	raw          []rigid.Distance // likewise, as the engine tells it
	regular      *shapes.Regularizer
	guards       []bodyGuard
	changed      bool // bodies came or went
}

// bodyState is what is remembered of a body from step to step.
type bodyState struct {
	id         uint64
	ok         bool // its numbers are finite, and it or what it is joined to may be near the domain
	awake      bool
	justAsleep bool   // it has just fallen asleep
	fresh      bool   // the next step is the first that reads it under its index
	put        bool   // it rests, and is elsewhere or another than in the last step
	known      bool   // its revision is
	kind       int    // as read last
	bad        string // what is wrong with where it is, if anything is
	told       string // why it is set aside, as the last warning says
	wet        bool
	contact    [6]float64 // velocity that contacts added in the last step, beside what the solve knew of them
	cut        [6]float64 // velocity by which the solve was told less than there is, for a body too fast
	solved     [6]float64 // velocity that the solve gave it
	rest       r3.Vec     // load when it fell asleep, N
	before     [6]float64 // velocity before the step
	pushes     bool       // the liquid pushes it in this substep
	damping    [6]float64 // wrench that calms the body, N and N·m
	aside      [6]float64 // wrench that the liquid exerts beside the rows' pressure, likewise; one that sleeps keeps it
	beside     [6]float64 // of that, what is no part of the solve
	subgrid    bool       // the grid takes it for a porous one, at least in part
	submersion submersion // if so
	placed     bool       // the grid knows the body where it was last:
	centre     r3.Vec
	turned     quat.Number
	bounds     r3.Box
	revision   uint64
	seen       rigid.Pose // when the surface was moved last,
	last       rigid.Pose // and the time before
}

// Couple joins the liquid to the bodies of a rigid-body engine, or to none if b is nil. From
// then on Step advances both.
//
// Several liquids may couple the same bodies, if those are Sharing, as a physics.World is. They are then a group: a Step of any of them
// advances all and the bodies, which step once and feel what every liquid does to them. A Step of another, for time that it has been
// advanced by already, only returns its report: a game may step each of its liquids, in any order, or one alone. All take as many
// substeps as the one that asks for the most. One whose step is rolled back pushes nothing, while the others and the bodies go on. Budgets
// are each liquid's own; gravity each keeps as it has it until SetGravity of one, which changes it for all and the bodies. Save, copy and
// restore the liquids of a group and the bodies together, between frames: what one has been advanced by others and not yet asked for is
// not saved.
//
// A liquid leaves its group when it couples others, or none, and with Close. The bodies hold on to it until then: one that a game only
// drops is stepped on, and goes on acting on them. While a Step is under way on another goroutine none of its group may be used; a Step
// waits, but panics when a callback makes it. A report is valid until the next Step of any.
func (l *Liquid) Couple(b Bodies) {
	defer l.enter(&inCouple).leave()
	l.join(b)
	c := &l.coupling
	c.mask, c.indexed = l.def.BodyMask, false
	c.bodies, c.visit, c.regular = b, c.readContact, &l.world.regular
	l.wakeAll()
	c.state = c.state[:0]
	c.loads = c.loads[:0]
}

// Coupled is what Couple was given last; nil if nothing is coupled, and after Close. It may be asked while a Step is under way.
func (l *Liquid) Coupled() Bodies { return l.coupling.bodies }

// begin readies the events of a step.
func (c *coupling) begin(e *Events) {
	e.Entered, e.Left, e.Splashes = e.Entered[:0], e.Left[:0], e.Splashes[:0]
}

// readBodies takes the bodies' poses and pressure-free velocities and measures what they and
// the static solids leave of the grid.
func (l *Liquid) readBodies() {
	l.begin(StageBodies)
	l.readSolids(l.m.Dt/2, (*Liquid).readWallMotions)
	l.readThin()
	l.lap(len(l.coupling.solid))
}

// rereadSolids is readSolids outside of a step: the game may put bodies elsewhere before the next.
func (l *Liquid) rereadSolids() {
	l.readSolids(-l.lag(), (*Liquid).standStill)
	l.m.Solids.ForgetBodies()
}

// readSolids takes dynamic bodies where they are ahead seconds on, and has follow find how solids have moved.
func (l *Liquid) readSolids(ahead float64, follow func(*Liquid)) {
	c := &l.coupling
	n := c.count()
	c.match(n)
	c.solid, c.rigid, c.moved = arrays.Resize(c.solid, n), arrays.Resize(c.rigid, n), arrays.Resize(c.moved, n)
	c.ellipsoids, c.midway = arrays.Resize(c.ellipsoids, n), arrays.Resize(c.midway, n)
	c.slides, c.porous = arrays.Resize(c.slides, n), arrays.Lengthen(c.porous, n)
	l.readJoints()
	for i := range n {
		c.read(i, l.m.Dt, ahead, l.def)
		l.sanitizeBody(i)
		l.setEntrainedVelocity(i)
		l.findSubgrid(i)
	}
	l.readContacts(l.m.Dt)
	if c.changed {
		c.changed = false
		l.adoptTargets()
	}
	l.world.appendMoving(c)
	follow(l)
	l.m.Solids.Solids(c.solid, l.nearLiquid())
	l.markStirred()
}

func (c *coupling) count() int {
	if c.bodies == nil {
		return 0
	}
	return max(0, c.bodies.Len())
}

// match keeps what is remembered with the body it belongs to when bodies came or went.
func (c *coupling) match(n int) {
	for len(c.evals) < n {
		i := len(c.evals)
		raw := func(dst []float32, pts []r3.Vec) {
			c.distance(i, dst, pts)
			c.guards[i].fault.Check(dst, pts)
		}
		c.raw, c.evals = append(c.raw, raw), append(c.evals, func(dst []float32, pts []r3.Vec) { c.solidDistance(i, dst, pts) })
	}
	defer c.guardBodies()
	same := len(c.state) == n
	for i := 0; same && i < n; i++ {
		same = c.state[i].id == c.bodies.ID(i)
	}
	if same {
		return
	}
	c.changed = true
	old, index := append(c.old[:0], c.state...), c.indices()
	c.old, c.indexed = old, false
	c.state, c.loads = arrays.Resize(c.state, n), arrays.Resize(c.loads, n)
	clear(c.loads)
	for i := range n {
		id := c.bodies.ID(i)
		c.state[i] = bodyState{id: id, fresh: true}
		if was, known := index[id]; known {
			c.state[i] = old[was]
			if int(was) != i { // what the grid knows is by index
				c.state[i].placed, c.state[i].fresh = false, true
			}
		}
	}
}

// indices are where the state of each body is, by its ID.
func (c *coupling) indices() map[uint64]int32 {
	if !c.indexed {
		if c.indexed = true; c.index == nil {
			c.index = map[uint64]int32{}
		}
		clear(c.index)
		for i := range c.state {
			c.index[c.state[i].id] = int32(i)
		}
	}
	return c.index
}

// read copies body i, where it is ahead seconds on. One that is asleep or not finite does not move in the solve.
func (c *coupling) read(i int, dt, ahead float64, def Def) {
	b, s := c.bodies, &c.state[i]
	centre, turned, box := c.moveOn(i, ahead)
	near := boxes.Overlap(box, def.Domain) && c.takes(i) && !c.guards[i].setAside
	s.bad = badPlace(centre, turned, box)
	s.ok = s.bad == "" && (near || c.joined[i])
	was, resting := s.awake, c.rests(i)
	s.put = resting && c.wasPut(i, centre, turned, box, near)
	s.fresh = false
	c.changed = c.changed || s.put && ahead > 0 && s.jumped(centre, box, def.CellSize)
	s.awake, s.kind = !resting, b.Kind(i)
	s.justAsleep = was && !s.awake
	c.rigid[i], c.moved[i], s.cut = rigid.Body{}, [6]float64{}, [6]float64{}
	thickness := b.Thickness(i)
	if !(thickness >= 0) { // unknown
		thickness = math.MaxFloat32
	}
	c.solid[i] = rigid.Solid{
		Distance: c.evals[i], Bounds: box, Centre: centre, Thickness: thickness, Thin: thickness < 1.5*def.CellSize, Sheet: thickness < def.CellSize,
		Fixed: b.Kind(i) == StaticBody,
	}
	if s.ok && near {
		c.solid[i].Still = resting && s.placed && s.centre == centre && s.turned == turned && s.bounds == box && !s.put
		if ahead > 0 || resting || !s.placed {
			s.placed, s.centre, s.turned, s.bounds = true, centre, turned, box
		}
	} else {
		c.solid[i].Bounds = boxes.Nowhere()
		s.placed = false
	}
	if ahead > 0 {
		c.keepRevision(i)
	}
	r := &c.rigid[i]
	if !s.ok || resting {
		return
	}
	v, w := b.PredictedVelocity(i, dt)
	r.V = rigid.Twist(v, w)
	if b.Kind(i) == DynamicBody {
		r.InverseMass, r.InverseInertia = b.InverseMass(i)
		r.Contact = s.contact
	}
	v, w = b.Velocity(i)
	s.before = rigid.Twist(v, w)
	c.moved[i] = s.before
}

// setEntrainedVelocity is what the liquid at a body moves with after gravity and the fields and before
// the solve: as the body did.
func (l *Liquid) setEntrainedVelocity(i int) {
	c := &l.coupling
	r := &c.rigid[i]
	r.Liquid = c.moved[i]
	for d, x := range reproducible.Array(l.accelerationAt(c.solid[i].Centre)) {
		r.Fall[d] = float64(l.m.Dt * x)
		r.Liquid[d] += r.Fall[d]
	}
}

// readJoints takes the joints' rows; those that are no good are left out.
func (l *Liquid) readJoints() {
	c := &l.coupling
	c.joints, c.joined = c.joints[:0], arrays.Resize(c.joined, len(c.rigid))
	for i := range c.joined {
		c.joined[i] = false
	}
	if c.bodies == nil {
		return
	}
	bad := -1
	for j := range c.bodies.Joints() {
		var out rigid.Joint
		a, b, n := c.bodies.JointRows(j, &out.Rows)
		if n == 0 {
			continue
		}
		out.N = n
		if a < -1 || b < -1 || a >= len(c.rigid) || b >= len(c.rigid) || !goodJoint(&out) {
			if bad < 0 {
				bad = j
			}
			continue
		}
		out.A, out.B = int32(a), int32(b)
		c.joints = append(c.joints, out)
		for _, i := range [2]int{a, b} {
			if i >= 0 {
				c.joined[i] = true
			}
		}
	}
	if bad >= 0 && !c.badJoint {
		l.warn("Bodies", fmt.Sprintf("joint %d: JointRows is not of at most 6 rows of finite numbers up to 1e12 between two of %d bodies; the liquid does without it", bad, len(c.rigid)))
	}
	c.badJoint = bad >= 0
}

// wakesUnder tells whether a load, N, wakes a body that sleeps. When it has just fallen asleep the load differs somewhat, as
// the liquid about it can't move it any more.
func (s *bodyState) wakesUnder(load r3.Vec) bool {
	part := .02
	if s.justAsleep {
		part = .1
	}
	return reproducible.Norm(r3.Sub(load, s.rest)) > float64(part*reproducible.Norm(s.rest))+1e-6
}

// touching tells whether contacts may have moved body i in the last step. Joints turn with their bodies
// while the solve takes them as they were: taken for a contact, and told to the next solve, that would
// setInflowVelocity light bodies in heavy liquid.
func (c *coupling) touching(i int) bool {
	t, can := c.bodies.(Touching)
	return !c.joined[i] || !can || t.Touching(i)
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
			speed := reproducible.Norm(reproducible.Vector([3]float64(s.before[:3])))
			if speed > splashSpeed {
				e.Splashes = append(e.Splashes, Splash{Body: ev, Impulse: reproducible.Norm(f) * l.m.Dt, Position: l.meanCentre(rows), Speed: speed})
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
		m = r3.Add(m, reproducible.Vector(l.graph.Centre[r]))
	}
	return reproducible.Scale(1/float64(max(1, len(rows))), m)
}
