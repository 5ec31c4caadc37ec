package physics

import (
	"cmp"
	"iter"
	"math"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// World holds bodies and steps them. Make one with NewWorld.
type World struct {
	def WorldDef
	err error // of the definition; AddBody returns it

	guard *guard

	bodies     []body  // slots
	freeBodies []int32 // slots without a body
	order      []int32 // live slots in order of creation
	shapes     []shape
	freeShapes []int32

	contacts         []contact
	freeContacts     []int32
	pairs, spare     []pair  // sorted by key
	active           []int32 // contacts to solve, in the order of pairs
	substepGroups    [substepGroupCount]substepGroup
	constraintPoints []constraintPoint // the points of contacts to solve

	tree          tree
	movedShapes   []int32      // shapes whose leaves are new or have moved
	near          []neighbours // sorted by key
	fresh, merged []neighbours
	dirty         []bool // by slot: the body moves or has been placed anew

	crowds        crowds
	islands       islands
	joints        joints
	locked        []int32 // slots of the bodies with Lock.Linear
	jointSolver   jointSolver
	jointContacts jointContacts
	prediction    prediction
	holding       bool     // what the caller has applied lasts until Coupling.ReleaseLoads
	touching      []uint64 // shape pairs that touched in the last step, sorted
	touched       []uint64
	pending       []ContactEvent // ends caused between steps

	pendingExits []SensorEvent

	attached  any    // Coupling.Attach's
	revisions uint64 // how many there were

	sdf     sdfScratch
	pairing convexScratch
	query   queryScratch
	events  Events
	stats   Stats
}

// NewWorld makes an empty world. If def fails Validate, Err, Save and everything that adds to the world return that error.
func NewWorld(def WorldDef) *World {
	w := &World{def: def.withDefaults(), err: def.Validate(), guard: new(guard)}
	w.joints.world = body{q: identity, next: pose{q: identity}}
	return w
}

// Err is the error of the definition that NewWorld was given, or nil.
func (w *World) Err() error { return w.err }

// Gravity is the world's, m/s².
func (w *World) Gravity() r3.Vec { return w.def.Gravity }

// SetGravity changes gravity, m/s², and wakes all bodies.
func (w *World) SetGravity(g r3.Vec) error {
	defer w.enter(&inSetGravity).leave()
	def := w.def
	def.Gravity = g
	if err := def.Validate(); err != nil {
		return err
	}
	w.def.Gravity = g
	for _, s := range w.order {
		w.wake(s)
	}
	return nil
}

// AddBody adds a body without shapes; a dynamic one has no mass, and nothing moves it,
// until it has a shape. The error is def.Validate's, NewWorld's, or ErrFull.
func (w *World) AddBody(def BodyDef) (Body, error) {
	defer w.enter(&inAddBody).leave()
	if w.err != nil {
		return Body{}, w.err
	}
	if err := def.Validate(); err != nil {
		return Body{}, err
	}
	if full(w.bodies, w.freeBodies) {
		return Body{}, ErrFull
	}
	slot := take(&w.bodies, &w.freeBodies)
	b := &w.bodies[slot]
	*b = body{
		gen: b.gen + 1, live: true, index: int32(len(w.order)), shapes: b.shapes[:0], joints: b.joints[:0],
		kind: def.Kind, x: def.Position, q: unitRotation(def.Rotation), v: def.Velocity, w: def.AngularVelocity,
		linearDamping: def.LinearDamping, angularDamping: def.AngularDamping,
		lock: def.Lock, gravityScale: cmp.Or(def.GravityScale, 1), bullet: def.Bullet, noSleep: def.NoSleep,
		name: def.Name, userData: def.UserData, awake: def.Kind == Dynamic, targetTime: math.Inf(1),
	}
	if def.NoGravity {
		b.gravityScale = 0
	}
	b.wasAwake = b.awake
	if b.drag = def.LiquidDrag; !def.NoLiquid {
		b.liquid = cmp.Or(def.LiquidCategory, 1)
	}
	if b.kind == Dynamic {
		b.v, b.w = b.lock.Linear.clear(b.v), b.lock.Angular.clear(b.w)
	}
	b.startX, b.startQ = b.x, b.q
	w.revise(b)
	w.order = append(w.order, slot)
	w.updateShapes(slot)
	if b.lock.Linear != (Axes{}) {
		w.listLocked()
	}
	return w.body(slot), nil
}

// Bodies ranges over the bodies in order of creation. The loop must not add or
// remove bodies.
func (w *World) Bodies() iter.Seq[Body] {
	return func(yield func(Body) bool) {
		for _, slot := range w.order {
			if !yield(w.body(slot)) {
				return
			}
		}
	}
}

// Joints ranges over the joints in order of creation. The loop must not add or remove joints.
func (w *World) Joints() iter.Seq[Joint] {
	return func(yield func(Joint) bool) {
		for _, slot := range w.joints.order {
			if !yield(w.joint(slot)) {
				return
			}
		}
	}
}

// Stats counts and times the last Step.
type Stats struct {
	Bodies, Awake    int // all bodies; dynamic ones that are awake
	Pairs            int // pairs whose bounds overlap
	Contacts, Points int // pairs solved and the points of their contact
	Joints           int // solved
	Substeps         int // the most that a body took; 0: nothing moved

	Broad, Narrow, Solve, Finish time.Duration
}

// Stats is about the last Step. The next Step overwrites it.
func (w *World) Stats() *Stats { return &w.stats }

// Hash is the FNV-1a hash of the state of all bodies, contacts and joints: equal for two worlds with the same history, on any machine.
func (w *World) Hash() uint64 {
	defer w.enter(&inHash).leave()
	h := fnv(14695981039346656037)
	for _, s := range w.order {
		b := &w.bodies[s]
		h.word(b.id(s))
		h.word(uint64(b.kind))
		h.flag(b.awake)
		h.vec(b.x)
		h.quat(b.q)
		h.vec(b.v)
		h.vec(b.w)
		h.number(b.sleepTime)
	}
	for _, p := range w.pairs {
		h.word(p.key)
		c := &w.contacts[p.contact]
		for i := range c.points[:c.n] {
			h.number(c.points[i].force)
			h.vec(c.points[i].friction)
		}
		h.vec(c.rollingTorque)
		h.number(c.loadRatio)
		h.word(uint64(c.halvings))
		h.flag(c.touching)
	}
	w.joints.hash(&h)
	return uint64(h)
}

type fnv uint64

func (h *fnv) word(x uint64) {
	for range 8 {
		*h = (*h ^ fnv(x&0xff)) * 1099511628211
		x >>= 8
	}
}

func (h *fnv) flag(b bool) {
	if b {
		h.word(1)
	} else {
		h.word(0)
	}
}

func (h *fnv) number(x float64) { h.word(math.Float64bits(x)) }

func (h *fnv) vec(v r3.Vec) {
	h.number(v.X)
	h.number(v.Y)
	h.number(v.Z)
}

func (h *fnv) quat(q quat.Number) {
	h.number(q.Real)
	h.number(q.Imag)
	h.number(q.Jmag)
	h.number(q.Kmag)
}
