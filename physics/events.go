package physics

import "gonum.org/v1/gonum/spatial/r3"

// Events is what happened in the last Step, in a stable order. The next Step overwrites it.
type Events struct {
	// Begin and End are the pairs of shapes that started or stopped touching. A shape in End
	// may have been removed: test it with Valid.
	Begin, End []ContactEvent
	// SensorBegin and SensorEnd are the shapes that came into or left a sensor.
	SensorBegin, SensorEnd []SensorEvent
	// Hits are the contacts met faster than WorldDef.HitSpeed.
	Hits []HitEvent
	// Woke and Slept are the dynamic bodies that woke or fell asleep since the step before, in
	// the order of their indices; Moved are those that the step moved, kinematic ones too.
	Woke, Slept, Moved []Body
	// Broken are the joints loaded beyond their BreakForce or BreakTorque; they are removed.
	Broken []BreakEvent
	// Failures are the bodies whose state or loads were not finite.
	Failures []FailureEvent
}

// ContactEvent is about two shapes of different bodies.
type ContactEvent struct{ A, B Shape }

// SensorEvent is about a shape, the visitor, that is not a sensor, and a sensor of another body.
type SensorEvent struct{ Sensor, Visitor Shape }

// HitEvent is an impact between two shapes.
type HitEvent struct {
	A, B    Shape
	Point   r3.Vec  // world, m
	Normal  r3.Vec  // unit, from A to B
	Speed   float64 // of approach along Normal, m/s
	Impulse float64 // of all points of contact, N·s
}

// BreakEvent is a joint that broke in the last step.
type BreakEvent struct {
	Joint         Joint // stale by now
	Def           JointDef
	Force, Torque r3.Vec // on B at its anchor, N and N·m, in world axes
}

// FailureEvent is a body that the last Step put back to its last good pose, at rest (ErrNotFinite
// about its state), or whose loads it dropped (the same about forces and torques). Body is zero and
// Err ErrTimeStep if the whole step was refused.
type FailureEvent struct {
	Body Body
	Err  error
}

// Events are those of the last Step, valid until the next one.
func (w *World) Events() *Events { return &w.events }

func (w *World) clearEvents() {
	e := &w.events
	e.Begin, e.Hits, e.Broken, e.Failures = e.Begin[:0], e.Hits[:0], e.Broken[:0], e.Failures[:0]
	e.Woke, e.Slept, e.Moved = e.Woke[:0], e.Slept[:0], e.Moved[:0]
	e.End = append(e.End[:0], w.pending...)
	w.pending = w.pending[:0]
	e.SensorBegin = e.SensorBegin[:0]
	e.SensorEnd = append(e.SensorEnd[:0], w.pendingExits...)
	w.pendingExits = w.pendingExits[:0]
}

// shapePair is the part of a contact's key that names the shapes.
func shapePair(key uint64) uint64 { return key &^ 0xffff }

func (w *World) contactEvent(key uint64) ContactEvent {
	a, b := int32(key>>40), int32(key>>16&(maxSlots-1))
	return ContactEvent{w.shape(a), w.shape(b)}
}

// noteEvent appends the pair to the list of its kind.
func (w *World) noteEvent(key uint64, contacts *[]ContactEvent, sensors *[]SensorEvent) {
	ev := w.contactEvent(key)
	switch {
	case w.shapes[ev.A.slot].def.Sensor:
		*sensors = append(*sensors, SensorEvent{ev.A, ev.B})
	case w.shapes[ev.B.slot].def.Sensor:
		*sensors = append(*sensors, SensorEvent{ev.B, ev.A})
	default:
		*contacts = append(*contacts, ev)
	}
}

func (w *World) fail(slot int32, err error) {
	w.events.Failures = append(w.events.Failures, FailureEvent{w.body(slot), err})
}

// reportContacts compares the pairs that touch with those of the last step, and finds hits.
func (w *World) reportContacts() {
	now := w.touched[:0]
	for _, p := range w.pairs {
		c := &w.contacts[p.contact]
		if key := shapePair(p.key); c.touching && (len(now) == 0 || now[len(now)-1] != key) {
			now = append(now, key)
		}
	}
	// Both lists are sorted.
	e, old, k := &w.events, w.touching, 0
	for _, key := range now {
		for ; k < len(old) && old[k] < key; k++ {
			w.noteEvent(old[k], &e.End, &e.SensorEnd)
		}
		if k < len(old) && old[k] == key {
			k++
		} else {
			w.noteEvent(key, &e.Begin, &e.SensorBegin)
		}
	}
	for ; k < len(old); k++ {
		w.noteEvent(old[k], &e.End, &e.SensorEnd)
	}
	w.touching, w.touched = now, old
	for _, i := range w.active {
		w.reportHit(&w.contacts[i])
	}
}

// reportBodies finds the bodies that moved, woke or fell asleep.
func (w *World) reportBodies() {
	e := &w.events
	for _, s := range w.order {
		b := &w.bodies[s]
		handle := w.body(s)
		if b.x != b.startX || b.q != b.startQ {
			e.Moved = append(e.Moved, handle)
		}
		switch {
		case b.kind != Dynamic:
		case b.awake && !b.wasAwake:
			e.Woke = append(e.Woke, handle)
		case !b.awake && b.wasAwake:
			e.Slept = append(e.Slept, handle)
		}
		b.wasAwake = b.awake
	}
}

func (w *World) reportHit(c *contact) {
	var fastest *point
	sum := 0.0
	for k := range c.points[:c.n] {
		p := &c.points[k]
		sum += p.peak
		if p.peak > 0 && -p.approach > w.def.HitSpeed && (fastest == nil || p.approach < fastest.approach) {
			fastest = p
		}
	}
	if fastest != nil {
		ev := w.contactEvent(c.key)
		w.events.Hits = append(w.events.Hits, HitEvent{ev.A, ev.B, fastest.pos, fastest.normal, -fastest.approach, sum})
	}
}
