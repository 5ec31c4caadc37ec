package physics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"

	"gonum.org/v1/gonum/spatial/r3"
)

// snapshotMagic names the format and its version, which changes with every coded field.
const snapshotMagic = "mphys\x00\x00\x04"

// maxSnapshot, bytes: some hundred thousand bodies, or a mesh of ten million triangles.
const maxSnapshot = 1 << 28

var snapshotSums = crc64.MakeTable(crc64.ECMA)

// Save writes the world: bodies, shapes, joints, contacts with their impulses, and forces for the
// next step. The same calls give the same bits in the world that Restore makes of it, on any machine. UserData and the functions
// of SDF are not written: see Restore. The error is NewWorld's, dst's, or ErrFull above 256 MiB.
func (w *World) Save(dst io.Writer) error {
	defer w.enter(&inSave).leave()
	if dst == nil {
		return errors.New("physics: Save: there is nothing to write to")
	}
	if w.err != nil {
		return w.err
	}
	c := codec{buf: make([]byte, 0, 1<<12)}
	s := snapshot{codec: &c, w: w}
	s.world()
	if len(c.buf) > maxSnapshot {
		return fmt.Errorf("%w; a snapshot has at most 256 MiB", ErrFull)
	}
	head := binary.LittleEndian.AppendUint32([]byte(snapshotMagic), uint32(len(c.buf)))
	head = binary.LittleEndian.AppendUint64(head, crc64.Checksum(c.buf, snapshotSums))
	if _, err := dst.Write(head); err != nil {
		return err
	}
	_, err := dst.Write(c.buf)
	return err
}

// Restore makes w the world that Save wrote, without the events of its last step. Bodies, shapes and joints have the IDs that they
// had. UserData and the functions of SDF stay those that w has under the same IDs: build the level as for a new game, then restore
// its state. The error is an ErrNotSaved, which says what is wrong, such as an SDF that w does not have; w is
// then as it was.
func (w *World) Restore(src io.Reader) error {
	defer w.enter(&inRestore).leave()
	if src == nil {
		return errors.New("physics: Restore: there is nothing to read from")
	}
	head := make([]byte, len(snapshotMagic)+12)
	if _, err := io.ReadFull(src, head); err != nil {
		return fmt.Errorf("%w: %w", ErrNotSaved, err)
	}
	n := binary.LittleEndian.Uint32(head[len(snapshotMagic):])
	if string(head[:len(snapshotMagic)]) != snapshotMagic || n > maxSnapshot {
		return ErrNotSaved
	}
	var body bytes.Buffer // grows with what there is to read, not with what n promises
	if _, err := io.CopyN(&body, src, int64(n)); err != nil {
		return fmt.Errorf("%w: %w", ErrNotSaved, err)
	}
	if crc64.Checksum(body.Bytes(), snapshotSums) != binary.LittleEndian.Uint64(head[len(snapshotMagic)+4:]) {
		return fmt.Errorf("%w: wrong checksum", ErrNotSaved)
	}
	c := codec{buf: body.Bytes(), reading: true}
	s := snapshot{codec: &c, w: NewWorld(WorldDef{}), old: w}
	s.world()
	if c.require(len(c.buf) == 0, "too long"); c.err != nil {
		return c.err
	}
	s.w.attached, s.w.revisions, s.w.guard = w.attached, w.revisions, w.guard
	*w = *s.w
	w.reviseAll()
	return nil
}

// snapshot is a world being written, or one being read in the place of an old one.
type snapshot struct {
	*codec
	w, old *World
}

// world codes the world. Leaves, neighbours and all else that follows from the rest are computed again.
func (s *snapshot) world() {
	w := s.w
	s.worldDef(&w.def)
	slots(s.codec, &w.bodies, &w.freeBodies, &w.order, func(b *body) *uint32 { return &b.gen })
	var live []int32 // shapes, by body and in the order in which it got them
	if !s.reading {
		for _, b := range w.order {
			live = append(live, w.bodies[b].shapes...)
		}
	}
	slots(s.codec, &w.shapes, &w.freeShapes, &live, func(sh *shape) *uint32 { return &sh.gen })
	slots(s.codec, &w.joints.slots, &w.joints.free, &w.joints.order, func(j *joint) *uint32 { return &j.gen })
	for i, slot := range w.order {
		if s.err != nil {
			return
		}
		w.bodies[slot].index = int32(i)
		live = s.body(slot, live)
	}
	s.require(len(live) == 0, "shapes without a body")
	for i, slot := range w.joints.order {
		if s.err != nil {
			return
		}
		w.joints.slots[slot].index = int32(i)
		s.joint(slot)
	}
	w.listLocked()
	s.contacts()
	s.pending()
}

func (s *snapshot) worldDef(d *WorldDef) {
	s.vecs(&d.Gravity)
	integer(s.codec, &d.Substeps, 1, 64)
	s.numbers(&d.SleepSpeed, &d.BounceSpeed, &d.HitSpeed, &d.PushSpeed)
	s.flags(&d.NoSleep)
	s.require(d.Validate() == nil, "a bad WorldDef")
}

// slots codes the generations of all slots, the list of the free ones, and the live ones in order.
func slots[T any](c *codec, all *[]T, free, order *[]int32, gen func(x *T) *uint32) {
	list(c, all, maxSlots, 8, func(x *T) { c.uint32(gen(x)) })
	known := make([]bool, len(*all))
	for _, l := range [2]*[]int32{free, order} {
		list(c, l, len(*all), 4, func(i *int32) {
			if integer(c, i, 0, len(*all)-1); c.err == nil {
				c.require(!known[*i], "a slot in two places")
				known[*i] = true
			}
		})
	}
	c.require(len(*free)+len(*order) == len(*all), "a slot in no place")
}

// body codes a live body and its shapes, which are the first of live; it returns the others.
func (s *snapshot) body(slot int32, live []int32) []int32 {
	w, b := s.w, &s.w.bodies[slot]
	b.live = true
	integer(s.codec, &b.kind, int(Static), int(Dynamic))
	placed, m, t := b.poseChanged, &b.lock.Linear, &b.lock.Angular
	s.flags(&b.awake, &b.wasAwake, &placed, &b.touching, &b.override, &b.bullet, &b.noSleep)
	s.flags(&m.X, &m.Y, &m.Z, &t.X, &t.Y, &t.Z)
	s.vecs(&b.x, &b.v, &b.w, &b.force, &b.torque, &b.targetX)
	s.rotation(&b.q)
	s.numbers(&b.targetQ.Real, &b.targetQ.Imag, &b.targetQ.Jmag, &b.targetQ.Kmag)
	for _, v := range [2]*r3.Vec{&b.load, &b.loadTorque} { // as AddWrench takes them
		s.float(&v.X)
		s.float(&v.Y)
		s.float(&v.Z)
	}
	s.numbers(&b.linearDamping, &b.angularDamping, &b.gravityScale, &b.sleepTime)
	s.float(&b.targetTime)
	s.uint64(&b.liquid)
	s.numbers(&b.drag.Skin, &b.drag.Form)
	s.require(b.drag.Validate() == nil, "a bad drag")
	s.text(&b.name)
	mass := b.mass
	s.mass(&mass)
	s.mass(&b.given)
	s.require(b.finiteState() && goodRotation(b.targetQ) && b.targetTime >= 0 && b.sleepTime >= 0 && (b.kind == Dynamic || !b.awake && mass == MassProperties{}) &&
		within(b.linearDamping, 0, fastest) && within(b.angularDamping, 0, fastest) && goodScale(b.gravityScale), "a body out of its limits")
	n := len(b.shapes)
	if integer(s.codec, &n, 0, len(live)); s.err != nil {
		return nil
	}
	for _, i := range live[:n] {
		if s.shape(i, slot); s.err != nil {
			return nil
		}
	}
	if s.reading {
		b.shapes = append(b.shapes, live[:n]...)
		if old := s.old.bodies; int(slot) < len(old) && old[slot].live && old[slot].gen == b.gen {
			b.userData = old[slot].userData
		}
		b.applyMass(mass)
		w.updateShapes(slot)
		for _, i := range b.shapes {
			if sh := &w.shapes[i]; sh.fat != (r3.Box{}) {
				box := union(sh.fat, sh.bounds)
				w.updateLeaf(i, &box)
			}
		}
		b.startX, b.startQ, b.poseChanged = b.x, b.q, placed
	}
	return live[n:]
}

// mass codes the mass of a body, which may be zero.
func (s *snapshot) mass(m *MassProperties) {
	s.numbers(&m.Mass)
	s.vecs(&m.Centre)
	for i := range 9 {
		s.numbers(&m.Inertia[i/3][i%3])
	}
	s.require(*m == MassProperties{} || m.Validate() == nil, "a bad mass")
}

// shape codes a shape of a body whose own fields are coded already.
func (s *snapshot) shape(slot, body int32) {
	sh := &s.w.shapes[slot]
	var old *shape // the one in its place
	if s.reading && int(slot) < len(s.old.shapes) {
		if o := &s.old.shapes[slot]; o.live && o.gen == sh.gen {
			old = o
		}
	}
	d := &sh.def
	s.geometry(&d.Geometry, old)
	s.numbers(&d.Density, &d.Material.Friction, &d.Material.Restitution, &d.Material.RollingResistance)
	s.vecs(&d.Material.SurfaceVelocity, &d.Offset)
	s.rotation(&d.Rotation)
	s.uint64(&d.Filter.Category)
	s.uint64(&d.Filter.Mask)
	group := uint64(d.Filter.Group)
	s.uint64(&group)
	s.flags(&d.Sensor)
	s.box(&sh.fat)
	if !s.reading || s.err != nil {
		return
	}
	d.Filter.Group = int(group)
	b := &s.w.bodies[body]
	if s.require(d.explicit().Validate() == nil && d.Geometry.suits(b.kind, b.override) == nil, "a bad shape"); s.err != nil {
		return
	}
	if old != nil {
		d.UserData = old.def.UserData
	}
	sh.live, sh.body, sh.leaf = true, body, none
	sh.form()
}

func (s *snapshot) joint(slot int32) {
	w, j := s.w, &s.w.joints.slots[slot]
	for _, end := range [2]*int32{&j.a, &j.b} {
		if integer(s.codec, end, -1, len(w.bodies)-1); s.err == nil {
			s.require(*end < 0 || w.bodies[*end].live, "a joint of a body that is none")
		}
	}
	d := &j.def
	integer(s.codec, &d.Kind, 0, len(jointNames)-1)
	s.vecs(&d.Anchor, &d.AnchorB, &d.Axis, &d.Axle)
	s.numbers(&d.Limits.Lower, &d.Limits.Upper, &d.Cone, &d.Motor.Speed, &d.Motor.Max, &d.BreakForce, &d.BreakTorque)
	for _, spring := range [3]*Spring{&d.Spring, &d.Steering, &d.Soft} {
		s.numbers(&spring.Frequency, &spring.Damping, &spring.Rest)
	}
	s.flags(&d.CollideConnected)
	s.text(&d.Name)
	s.vecs(&j.anchorA, &j.anchorB, &j.force, &j.torque)
	s.rotation(&j.frameA)
	s.rotation(&j.frameB)
	s.numbers(&j.length, &j.angle)
	for i := range j.atBound {
		integer(s.codec, &j.atBound[i], -1, 1)
	}
	if !s.reading || s.err != nil {
		return
	}
	if s.require(j.a != j.b && d.Validate() == nil && near(j.anchorA) && near(j.anchorB), "a bad joint"); s.err != nil {
		return
	}
	j.live = true
	for i, end := range [2]int32{j.a, j.b} {
		if end >= 0 {
			*[2]*Body{&d.A, &d.B}[i] = Body{s.old, end, w.bodies[end].gen}
			w.bodies[end].joints = append(w.bodies[end].joints, slot)
		}
	}
	if old := s.old.joints.slots; int(slot) < len(old) && old[slot].live && old[slot].gen == j.gen {
		d.UserData = old[slot].def.UserData
	}
}

// contacts codes all pairs with what warm starting needs, and the pairs that touched in the last step.
func (s *snapshot) contacts() {
	w := s.w
	last := uint64(0)
	list(s.codec, &w.pairs, maxSnapshot, 153, func(p *pair) {
		if s.uint64(&p.key); s.reading {
			if s.require(s.good(p.key) && p.key > last, "a bad contact"); s.err != nil {
				return
			}
			last, p.contact = p.key, w.newContact(p.key)
		}
		s.contact(&w.contacts[p.contact])
	})
	last = 0
	list(s.codec, &w.touching, maxSnapshot, 8, func(key *uint64) {
		s.uint64(key)
		s.require(s.good(*key) && *key > last && shapePair(*key) == *key, "a bad touch")
		last = *key
	})
}

// good reports whether the key is one of parts of two bodies.
func (s *snapshot) good(key uint64) bool {
	a, b := int(key>>40), int(key>>16&(maxSlots-1))
	if a >= b || b >= len(s.w.shapes) || s.err != nil {
		return false
	}
	p, q := &s.w.shapes[a], &s.w.shapes[b]
	return p.live && q.live && p.body != q.body && int(key>>8&255) < len(p.parts) && int(key&255) < len(q.parts)
}

func (s *snapshot) contact(c *contact) {
	s.flags(&c.touching)
	s.numbers(&c.friction, &c.restitution, &c.rolling)
	s.vecs(&c.surfaceVelocity, &c.rollingTorque)
	s.numbers(&c.loadRatio)
	integer(s.codec, &c.halvings, 0, loadHalvings)
	integer(s.codec, &c.n, 0, maxPoints)
	s.require(c.n == 0 || !c.sensor, "a sensor that is touched")
	s.vecs(&c.foundPose.x)
	s.numbers(&c.foundPose.q.Real, &c.foundPose.q.Imag, &c.foundPose.q.Jmag, &c.foundPose.q.Kmag)
	for i := range c.points[:c.n] {
		p := &c.points[i]
		s.vecs(&p.pos, &p.normal, &p.friction, &p.onA, &p.onB, &p.axis)
		s.numbers(&p.sep, &p.roundA, &p.roundB, &p.force, &p.peak, &p.approach)
		s.uint32(&p.id)
	}
}

// pending codes the events caused since the last step.
func (s *snapshot) pending() {
	handle := func(h *Shape) {
		integer(s.codec, &h.slot, 0, len(s.w.shapes)-1)
		if s.uint32(&h.gen); s.reading {
			h.world = s.old
		}
	}
	list(s.codec, &s.w.pending, maxSnapshot, 16, func(e *ContactEvent) {
		handle(&e.A)
		handle(&e.B)
	})
	list(s.codec, &s.w.pendingExits, maxSnapshot, 16, func(e *SensorEvent) {
		handle(&e.Sensor)
		handle(&e.Visitor)
	})
}
