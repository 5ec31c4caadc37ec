// Package ids allocates the ids of what a game adds to a liquid: emitters, sinks, obstacles, fields and controls.
package ids

import (
	"fmt"
	"math"
	"slices"
)

// Table allocates the ids of the items in a list, which keeps the order in which they were added. The low 32 bits of an id are a slot, and the
// bits above count how often the slot was used before (a generation). Slots of removed items are used again, and the
// id of a removed item never becomes valid again.
type Table struct {
	IDs  []int64  // per item of the list
	used []uint32 // per slot: its generation
	At   []int32  // per slot: the item's index in the list, or -1
	free []int32  // free slots, the next one last
}

const slotBits = 32

// Add returns a new id, for the item that the caller appends to the list.
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

// Find returns the index in the list of the item with an id. The error names the call and the kind of item, and says whether the item was removed.
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

// Named returns the item with an id in the list of a table. The error is that of Find.
func Named[T any](t *Table, list []*T, call, kind string, id int64) (*T, error) {
	at, err := t.Find(call, kind, id)
	if err != nil {
		return nil, err
	}
	return list[at], nil
}

// RemoveFrom removes the item with an id from the list of a table, and returns it. The error is that of Find.
func RemoveFrom[T any](t *Table, list *[]*T, call, kind string, id int64) (*T, error) {
	at, err := t.Find(call, kind, id)
	if err != nil {
		return nil, err
	}
	taken := (*list)[at]
	*list = slices.Delete(*list, at, at+1)
	t.Remove(at)
	return taken, nil
}

// Remove invalidates the id of the item at an index of the list. The caller removes the item itself.
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

// CopyTo copies the table into dst.
func (t *Table) CopyTo(dst *Table) {
	dst.IDs, dst.used = append(dst.IDs[:0], t.IDs...), append(dst.used[:0], t.used...)
	dst.At, dst.free = append(dst.At[:0], t.At...), append(dst.free[:0], t.free...)
}
