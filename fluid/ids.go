package fluid

import (
	"fmt"
	"math"
	"slices"
)

// idTable gives out the ids of the things in a list, which keeps the order in which they were added. An id is the number of a
// slot, and above its low 32 bits how often that slot was used before. Slots of things that were removed are used again, so that ids
// and slots stay as few as there were things at once, and an id of something that was removed names nothing else later.
type idTable struct {
	ids  []int64  // per thing in the list
	used []uint32 // per slot: how often it was used before
	at   []int32  // per slot: the thing's place in the list, or -1
	free []int32  // slots to use next, from the end
}

const slotBits = 32

// add is the id of what the caller appends to the list.
func (t *idTable) add() (id int64) {
	if len(t.free) == 0 {
		t.free = append(t.free, int32(len(t.at)))
		t.at, t.used = append(t.at, -1), append(t.used, 0)
	}
	slot := t.free[len(t.free)-1]
	t.free = t.free[:len(t.free)-1]
	id = int64(t.used[slot])<<slotBits | int64(slot)
	t.at[slot] = int32(len(t.ids))
	t.ids = append(t.ids, id)
	return id
}

// find is the place in the list of what an id names. The error of a call says why it names nothing.
func (t *idTable) find(call, kind string, id int64) (int, error) {
	slot, used := id&(1<<slotBits-1), id>>slotBits
	switch {
	case id < 0 || slot >= int64(len(t.at)) || used > int64(t.used[slot]):
		return -1, fmt.Errorf("fluid: %s: there is no %s %d", call, kind, id)
	case used < int64(t.used[slot]):
		return -1, fmt.Errorf("fluid: %s: there is no %s %d any more: it was removed", call, kind, id)
	case t.at[slot] < 0:
		return -1, fmt.Errorf("fluid: %s: there is no %s %d", call, kind, id)
	}
	return int(t.at[slot]), nil
}

// withID is what an id of a call names in the list of a table.
func withID[T any](t *idTable, list []*T, call, kind string, id int64) (*T, error) {
	at, err := t.find(call, kind, id)
	if err != nil {
		return nil, err
	}
	return list[at], nil
}

// remove ends the id of the thing at a place in the list, from which the caller takes it out.
func (t *idTable) remove(place int) {
	slot := t.ids[place] & (1<<slotBits - 1)
	t.at[slot] = -1
	if t.used[slot] < math.MaxInt32-1 { // else there is no further id with this slot
		t.used[slot]++
		t.free = append(t.free, int32(slot))
	}
	t.ids = slices.Delete(t.ids, place, place+1)
	for i, id := range t.ids[place:] {
		t.at[id&(1<<slotBits-1)] = int32(place + i)
	}
}

// copyTo makes dst the same.
func (t *idTable) copyTo(dst *idTable) {
	dst.ids, dst.used = append(dst.ids[:0], t.ids...), append(dst.used[:0], t.used...)
	dst.at, dst.free = append(dst.at[:0], t.at...), append(dst.free[:0], t.free...)
}
