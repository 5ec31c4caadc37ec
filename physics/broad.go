package physics

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// leafMargin, m, enlarges the leaf of a movable body beyond its fat bounds, so that its leaf is seldom reinserted.
const leafMargin = 0.05

// neighbours are two shapes whose leaves overlap and which may meet.
type neighbours struct {
	key          uint64 // pairKey of the shapes
	bodyA, bodyB int32
}

// broadPhase finds the pairs of parts that may touch within dt seconds. Only moved leaves query the tree; other
// neighbours persist.
func (w *World) broadPhase(dt float64) {
	w.updateFatBounds(dt)
	w.updateNeighbours()
	w.updatePairs()
}

// updateFatBounds updates the fat bounds of shapes: their bounds, half the speculative distance and their motion within
// the step. The other half belongs to the other shape.
func (w *World) updateFatBounds(dt float64) {
	if n := len(w.bodies); cap(w.dirty) < n {
		w.dirty = make([]bool, n, 2*n)
	} else {
		w.dirty = w.dirty[:n]
	}
	for _, s := range w.order {
		b := &w.bodies[s]
		moving := b.moving()
		w.dirty[s] = moving || b.poseChanged
		if !w.dirty[s] {
			continue
		}
		d := speculation / 2
		if moving {
			d += float64(dt * reproducible.Norm(b.v))
		}
		b.poseChanged = false
		for _, sh := range b.shapes {
			w.shapes[sh].fat = grow(w.shapes[sh].bounds, d)
			w.updateLeaf(sh, &w.shapes[sh].fat)
		}
	}
}

// updateLeaf reinserts the leaf of a shape unless it encloses box.
func (w *World) updateLeaf(slot int32, box *r3.Box) {
	s := &w.shapes[slot]
	if s.leaf != none {
		if encloses(&w.tree.nodes[s.leaf].box, box) {
			return
		}
		w.tree.remove(s.leaf)
	}
	fat := *box
	if w.bodies[s.body].kind != Static {
		fat = grow(fat, leafMargin)
	}
	s.leaf = w.tree.insert(fat, slot)
	w.markMoved(slot)
}

// markMoved schedules a shape for a search of its neighbours in the next step.
func (w *World) markMoved(slot int32) {
	if s := &w.shapes[slot]; !s.moved {
		s.moved = true
		w.movedShapes = append(w.movedShapes, slot)
	}
}

// markBodyMoved schedules the shapes of a body for a search of their neighbours, since its filter changed.
func (w *World) markBodyMoved(slot int32) {
	for _, s := range w.bodies[slot].shapes {
		w.markMoved(s)
	}
}

// updateNeighbours replaces the neighbours of moved shapes.
func (w *World) updateNeighbours() {
	if len(w.movedShapes) == 0 {
		return
	}
	slices.Sort(w.movedShapes)
	w.fresh = w.fresh[:0]
	for _, i := range w.movedShapes {
		if s := &w.shapes[i]; s.live {
			w.tree.overlapping(&w.tree.nodes[s.leaf].box, func(j int32) {
				if other := &w.shapes[j]; w.mayMeet(s, other) && (i < j || !other.moved) {
					lo, hi := min(i, j), max(i, j)
					w.fresh = append(w.fresh, neighbours{pairKey(lo, hi, 0, 0), w.shapes[lo].body, w.shapes[hi].body})
				}
			})
		}
	}
	slices.SortFunc(w.fresh, compareNeighbours)
	w.merged = w.merged[:0]
	k := 0
	for _, n := range w.near {
		if w.shapes[n.key>>40].moved || w.shapes[n.key>>16&(maxSlots-1)].moved {
			continue
		}
		for ; k < len(w.fresh) && w.fresh[k].key < n.key; k++ {
			w.merged = append(w.merged, w.fresh[k])
		}
		w.merged = append(w.merged, n)
	}
	w.merged = append(w.merged, w.fresh[k:]...)
	w.near, w.merged = w.merged, w.near
	for _, i := range w.movedShapes {
		w.shapes[i].moved = false
	}
	w.movedShapes = w.movedShapes[:0]
}

func compareNeighbours(a, b neighbours) int {
	switch {
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return 0
}

// updatePairs makes w.pairs the contacts of neighbouring parts that may touch: old ones persist, new ones begin, the
// rest end. Pairs of sleeping bodies persist with their impulses, for warm starting when they wake.
func (w *World) updatePairs() {
	crowded, tested := w.findCrowds()
	if tested > cap(w.contacts) { // at once, and not step by step
		w.contacts = slices.Grow(w.contacts, tested-len(w.contacts))
	}
	out, i := slices.Grow(w.spare[:0], tested), 0
	for _, n := range w.near {
		if crowded && w.skips(&n) {
			continue
		}
		for ; i < len(w.pairs) && w.pairs[i].key < n.key; i++ {
			w.freeContacts = append(w.freeContacts, w.pairs[i].contact)
		}
		end := i
		for end < len(w.pairs) && shapePair(w.pairs[end].key) == n.key {
			end++
		}
		if w.dirty[n.bodyA] || w.dirty[n.bodyB] {
			out = w.matchParts(out, w.pairs[i:end], n.key)
		} else {
			out = append(out, w.pairs[i:end]...)
		}
		i = end
	}
	for ; i < len(w.pairs); i++ {
		w.freeContacts = append(w.freeContacts, w.pairs[i].contact)
	}
	w.pairs, w.spare = out, w.pairs
}

// matchParts appends the pairs of parts of two shapes that may touch; old are the present ones.
func (w *World) matchParts(out, old []pair, key uint64) []pair {
	a, b := &w.shapes[key>>40], &w.shapes[key>>16&(maxSlots-1)]
	i := 0
	if overlap(&a.fat, &b.fat) {
		for k := range a.parts {
			box := a.partBounds(k)
			for l := range b.parts {
				if other := b.partBounds(l); !overlap(&box, &other) {
					continue
				}
				id := key | uint64(k)<<8 | uint64(l)
				for ; i < len(old) && old[i].key < id; i++ {
					w.freeContacts = append(w.freeContacts, old[i].contact)
				}
				if i < len(old) && old[i].key == id {
					out = append(out, old[i])
					i++
				} else {
					out = append(out, pair{id, w.newContact(id)})
				}
			}
		}
	}
	for ; i < len(old); i++ {
		w.freeContacts = append(w.freeContacts, old[i].contact)
	}
	return out
}

// partBounds is the fat bounds of part k.
func (s *shape) partBounds(k int) r3.Box {
	if len(s.parts) == 1 {
		return s.fat
	}
	p := &s.parts[k] // of an open box
	box := turnedBox(r3.Add(s.pos, mulVec(&s.rot, p.offset)), &s.rot, p.half)
	return grow(box, s.fat.Max.X-s.bounds.Max.X)
}
