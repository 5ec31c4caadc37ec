// Package ids gives out the ids by which a game names what it has added.
package ids

import (
	"fmt"
	"math"
	"slices"
)

// Table gives out the ids of the things in a list, which keeps the order in which they were added. An id is the number of a
// slot, and above its low 32 bits how often that slot was used before. Slots of things that were removed are used again, so that ids
// and slots stay as few as there were things at once, and an id of something that was removed names nothing else later.
type Table struct {
	IDs  []int64  // per thing in the list
	used []uint32 // per slot: how often it was used before
	At   []int32  // per slot: the thing's place in the list, or -1
	free []int32  // slots to use next, from the end
}

const slotBits = 32

// Add is the id of what the caller appends to the list.
func (t *Table) Add() (id int64) {
	if len(t.free) == 0 {
		t.free = append(t.free, int32(len(t.At)))
		t.At, t.used = append(t.At, -1), append(t.used, 0)
	}
	slot := t.free[len(t.free)-1]
	t.free = t.free[:len(t.free)-1]
	id = int64(t.used[slot])<<slotBits | int64(slot)
	t.At[slot] = int32(len(t.IDs))
	t.IDs = append(t.IDs, id)
	return id
}

// Find is the place in the list of what an id names. The error of a call says why it names nothing.
func (t *Table) Find(call, kind string, id int64) (int, error) {
	slot, used := id&(1<<slotBits-1), id>>slotBits
	switch {
	case id < 0 || slot >= int64(len(t.At)) || used > int64(t.used[slot]):
		return -1, fmt.Errorf("fluid: %s: there is no %s %d", call, kind, id)
	case used < int64(t.used[slot]):
		return -1, fmt.Errorf("fluid: %s: there is no %s %d any more: it was removed", call, kind, id)
	case t.At[slot] < 0:
		return -1, fmt.Errorf("fluid: %s: there is no %s %d", call, kind, id)
	}
	return int(t.At[slot]), nil
}

// Named is what an id of a call names in the list of a table.
func Named[T any](t *Table, list []*T, call, kind string, id int64) (*T, error) {
	at, err := t.Find(call, kind, id)
	if err != nil {
		return nil, err
	}
	return list[at], nil
}

// Take takes what an id of a call names out of the list of a table, whose id then names nothing.
func Take[T any](t *Table, list *[]*T, call, kind string, id int64) (*T, error) {
	at, err := t.Find(call, kind, id)
	if err != nil {
		return nil, err
	}
	taken := (*list)[at]
	*list = slices.Delete(*list, at, at+1)
	t.Remove(at)
	return taken, nil
}

// Remove ends the id of the thing at a place in the list, from which the caller takes it out.
func (t *Table) Remove(place int) {
	slot := t.IDs[place] & (1<<slotBits - 1)
	t.At[slot] = -1
	if t.used[slot] < math.MaxInt32-1 { // else there is no further id with this slot
		t.used[slot]++
		t.free = append(t.free, int32(slot))
	}
	t.IDs = slices.Delete(t.IDs, place, place+1)
	for i, id := range t.IDs[place:] {
		t.At[id&(1<<slotBits-1)] = int32(place + i)
	}
}

// CopyTo makes dst the same.
func (t *Table) CopyTo(dst *Table) {
	dst.IDs, dst.used = append(dst.IDs[:0], t.IDs...), append(dst.used[:0], t.used...)
	dst.At, dst.free = append(dst.At[:0], t.At...), append(dst.free[:0], t.free...)
}
