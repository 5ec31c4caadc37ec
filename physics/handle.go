package physics

// maxSlots bounds bodies, shapes and joints: indices of shapes take 24 bits of a contact's key.
const maxSlots = 1 << 24

// BodyID names a body of a world; 0 names none. An ID is not used again once its body is removed,
// unless World.CopyTo or World.Restore brings back a state from before. A copy of a world and a restored one have the same IDs.
type BodyID int64

// ShapeID names a shape of a world, as BodyID a body.
type ShapeID int64

// JointID names a joint of a world, as BodyID a body.
type JointID int64

// idOf is the ID of what is or was in a slot: its generation, from 1, and the slot.
func idOf(slot int32, gen uint32) uint64 { return uint64(gen)<<32 | uint64(slot) }

// slotOf is the slot and the generation of an ID.
func slotOf(id int64) (slot int32, gen uint32) { return int32(uint32(id)), uint32(uint64(id) >> 32) }

// Body is the handle of the body with an ID, stale if there is none.
func (w *World) Body(id BodyID) Body {
	slot, gen := slotOf(int64(id))
	return Body{w, slot, gen}
}

// Shape is the handle of the shape with an ID, stale if there is none.
func (w *World) Shape(id ShapeID) Shape {
	slot, gen := slotOf(int64(id))
	return Shape{w, slot, gen}
}

// Joint is the handle of the joint with an ID, stale if there is none.
func (w *World) Joint(id JointID) Joint {
	slot, gen := slotOf(int64(id))
	return Joint{w, slot, gen}
}

// ID is the body's, even if the handle is stale; 0 of the zero Body.
func (b Body) ID() BodyID { return BodyID(idOf(b.slot, b.gen)) }

// ID is the shape's, even if the handle is stale; 0 of the zero Shape.
func (s Shape) ID() ShapeID { return ShapeID(idOf(s.slot, s.gen)) }

// ID is the joint's, even if the handle is stale; 0 of the zero Joint.
func (j Joint) ID() JointID { return JointID(idOf(j.slot, j.gen)) }

// Valid reports whether the body exists.
func (b Body) Valid() bool { return b.state() != nil }

// Valid reports whether the shape exists.
func (s Shape) Valid() bool { return s.state() != nil }

// Valid reports whether the joint exists.
func (j Joint) Valid() bool { return j.state() != nil }

// World is the body's, nil for the zero Body.
func (b Body) World() *World { return b.world }

// World is the shape's, nil for the zero Shape.
func (s Shape) World() *World { return s.world }

// World is the joint's, nil for the zero Joint.
func (j Joint) World() *World { return j.world }

// state is what the handle names, or nil.
func (b Body) state() *body {
	if b.world == nil || uint(b.slot) >= uint(len(b.world.bodies)) {
		return nil
	}
	if s := &b.world.bodies[b.slot]; s.live && s.gen == b.gen {
		return s
	}
	return nil
}

// state is what the handle names, or nil.
func (s Shape) state() *shape {
	if s.world == nil || uint(s.slot) >= uint(len(s.world.shapes)) {
		return nil
	}
	if sh := &s.world.shapes[s.slot]; sh.live && sh.gen == s.gen {
		return sh
	}
	return nil
}

// state is what the handle names, or nil.
func (j Joint) state() *joint {
	if j.world == nil || uint(j.slot) >= uint(len(j.world.joints.slots)) {
		return nil
	}
	if s := &j.world.joints.slots[j.slot]; s.live && s.gen == j.gen {
		return s
	}
	return nil
}

// body, shape and joint are the handles of what is in a slot.
func (w *World) body(slot int32) Body { return Body{w, slot, w.bodies[slot].gen} }

func (w *World) shape(slot int32) Shape { return Shape{w, slot, w.shapes[slot].gen} }

func (w *World) joint(slot int32) Joint { return Joint{w, slot, w.joints.slots[slot].gen} }

// full reports whether there is no slot left.
func full[T any](slots []T, free []int32) bool { return len(free) == 0 && len(slots) == maxSlots }

// take is a slot that was free, or a new one.
func take[T any](slots *[]T, free *[]int32) int32 {
	if n := len(*free); n > 0 {
		slot := (*free)[n-1]
		*free = (*free)[:n-1]
		return slot
	}
	var zero T
	*slots = append(*slots, zero)
	return int32(len(*slots) - 1)
}
