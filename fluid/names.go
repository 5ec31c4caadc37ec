package fluid

import (
	"fmt"
	"math"
	"slices"
)

// names gives out the ids of the things in a list, which keeps the order in which they were added. An id is the number of a
// slot, and above its low 32 bits how often that slot was used before. Slots of things that were removed are used again, so that ids
// and slots stay as few as there were things at once, and an id of something that was removed names nothing else later.
type names struct {
	ids  []int64  // per thing in the list
	used []uint32 // per slot: how often it was used before
	at   []int32  // per slot: the thing's place in the list, or -1
	free []int32  // slots to use next, from the end
}

const slotBits = 32

// add names what is appended to the list.
func (n *names) add() (id int64) {
	if len(n.free) == 0 {
		n.free = append(n.free, int32(len(n.at)))
		n.at, n.used = append(n.at, -1), append(n.used, 0)
	}
	slot := n.free[len(n.free)-1]
	n.free = n.free[:len(n.free)-1]
	id = int64(n.used[slot])<<slotBits | int64(slot)
	n.at[slot] = int32(len(n.ids))
	n.ids = append(n.ids, id)
	return id
}

// find is the place in the list of what an id names. The error of a call says why it names nothing.
func (n *names) find(call, kind string, id int64) (int, error) {
	slot, used := id&(1<<slotBits-1), id>>slotBits
	switch {
	case id < 0 || slot >= int64(len(n.at)) || used > int64(n.used[slot]):
		return -1, fmt.Errorf("fluid: %s: there is no %s %d", call, kind, id)
	case used < int64(n.used[slot]):
		return -1, fmt.Errorf("fluid: %s: there is no %s %d any more: it was removed", call, kind, id)
	case n.at[slot] < 0:
		return -1, fmt.Errorf("fluid: %s: there is no %s %d", call, kind, id)
	}
	return int(n.at[slot]), nil
}

// remove forgets the name of the thing at a place in the list, from which the caller takes it out.
func (n *names) remove(place int) {
	slot := n.ids[place] & (1<<slotBits - 1)
	n.at[slot] = -1
	if n.used[slot] < math.MaxInt32-1 { // else there is no further id with this slot
		n.used[slot]++
		n.free = append(n.free, int32(slot))
	}
	n.ids = slices.Delete(n.ids, place, place+1)
	for i, id := range n.ids[place:] {
		n.at[id&(1<<slotBits-1)] = int32(place + i)
	}
}

// copyTo makes dst the same.
func (n *names) copyTo(dst *names) {
	dst.ids, dst.used = append(dst.ids[:0], n.ids...), append(dst.used[:0], n.used...)
	dst.at, dst.free = append(dst.at[:0], n.at...), append(dst.free[:0], n.free...)
}
