package physics

// CopyTo makes dst a copy of w: the same calls then give the same bits in both. Bodies, shapes and
// joints have the same IDs in dst; a handle names that of its own world. Copied back to w, dst
// undoes what has happened since: handles of what was added meanwhile are stale until new bodies,
// shapes or joints get the same IDs. Events are not copied, and UserData is shared. CopyTo does not
// allocate once dst has held as much. dst may be a zero World.
func (w *World) CopyTo(dst *World) {
	defer w.enter(&inCopyTo).leave()
	if dst == w {
		return
	}
	if dst != nil && dst.guard == nil {
		*dst = *NewWorld(WorldDef{})
	}
	defer dst.enter(&inCopyTo).leave()
	dst.def, dst.err, dst.stats = w.def, w.err, w.stats
	dst.prediction.dt = 0

	dst.bodies = resize(dst.bodies, len(w.bodies))
	for i := range w.bodies {
		from, to := &w.bodies[i], &dst.bodies[i]
		shapes, joints := append(to.shapes[:0], from.shapes...), append(to.joints[:0], from.joints...)
		*to = *from
		to.shapes, to.joints = shapes, joints
	}
	dst.freeBodies, dst.order, dst.locked = copied(dst.freeBodies, w.freeBodies), copied(dst.order, w.order), copied(dst.locked, w.locked)

	dst.shapes = resize(dst.shapes, len(w.shapes))
	for i := range w.shapes {
		parts := append(dst.shapes[i].parts[:0], w.shapes[i].parts...)
		dst.shapes[i] = w.shapes[i]
		dst.shapes[i].parts = parts
	}
	dst.freeShapes = copied(dst.freeShapes, w.freeShapes)

	dst.contacts, dst.freeContacts = copied(dst.contacts, w.contacts), copied(dst.freeContacts, w.freeContacts)
	dst.pairs, dst.touching = copied(dst.pairs, w.pairs), copied(dst.touching, w.touching)
	dst.tree.copy(&w.tree)
	dst.movedShapes, dst.near = copied(dst.movedShapes, w.movedShapes), copied(dst.near, w.near)
	dst.joints.copy(&w.joints, dst)
	dst.copyPending(w)
	dst.reviseAll()
}

// copyPending replaces the events caused since the last step by those of from.
func (w *World) copyPending(from *World) {
	w.pending, w.pendingExits = w.pending[:0], w.pendingExits[:0]
	w.clearEvents()
	w.pending, w.pendingExits = append(w.pending, from.pending...), append(w.pendingExits, from.pendingExits...)
	for i := range w.pending {
		w.pending[i].A.world, w.pending[i].B.world = w, w
	}
	for i := range w.pendingExits {
		w.pendingExits[i].Sensor.world, w.pendingExits[i].Visitor.world = w, w
	}
}

func (t *tree) copy(from *tree) {
	t.nodes, t.free = copied(t.nodes, from.nodes), copied(t.free, from.free)
	t.root, t.size = from.root, from.size
}

// copied is a copy of from in the memory of to.
func copied[T any](to, from []T) []T { return append(to[:0], from...) }

// copy makes js a copy of from for the world w.
func (js *joints) copy(from *joints, w *World) {
	js.slots, js.free, js.order = copied(js.slots, from.slots), copied(js.free, from.free), copied(js.order, from.order)
	js.world = from.world
	for i := range js.slots {
		for _, b := range [2]*Body{&js.slots[i].def.A, &js.slots[i].def.B} {
			if b.world != nil {
				b.world = w
			}
		}
	}
}
