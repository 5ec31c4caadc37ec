package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Lattice is cubes that fill space. Node (i, j, k) is at Origin + H (i, j, k); cell (i, j, k) has it as its lowest corner. H is in m.
type Lattice struct {
	Origin r3.Vec
	H      float64
}

// mostIndex bounds the indices of nodes that are asked for: a key has 20 bits for each, half of which are for regions that grow.
const mostIndex = 1 << 18

// plane is where nodes of index i are along an axis.
func (l *Lattice) plane(axis int, i int32) float64 {
	return coordinate(&l.Origin, axis) + float64(l.H*float64(i))
}

// index is that of the cell that holds a coordinate. It agrees with plane whatever is rounded: a coordinate on a plane is above it.
func (l *Lattice) index(axis int, x float64) int32 {
	i := int32(math.Floor((x - coordinate(&l.Origin, axis)) / l.H))
	for x < l.plane(axis, i) {
		i--
	}
	for x >= l.plane(axis, i+1) {
		i++
	}
	return i
}

func (l *Lattice) cell(x *r3.Vec) [3]int32 {
	return [3]int32{l.index(0, x.X), l.index(1, x.Y), l.index(2, x.Z)}
}

func (l *Lattice) node(n [3]int32) r3.Vec {
	return r3.Vec{X: l.plane(0, n[0]), Y: l.plane(1, n[1]), Z: l.plane(2, n[2])}
}

// holds tells whether the lattice has indices for a box.
func (l *Lattice) holds(b *r3.Box) bool {
	most := float64(l.H * mostIndex)
	for axis := range 3 {
		o := coordinate(&l.Origin, axis)
		if !(coordinate(&b.Min, axis)-o > -most && coordinate(&b.Max, axis)-o < most) {
			return false
		}
	}
	return true
}

// coordinate is the coordinate of a point along an axis.
func coordinate(v *r3.Vec, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

func setCoordinate(v *r3.Vec, axis int, x float64) {
	switch axis {
	case 0:
		v.X = x
	case 1:
		v.Y = x
	default:
		v.Z = x
	}
}

// latticeKey is one number for a node or a cell, and, with an axis, for a lattice edge by its lower node or a lattice face by the cell above it.
func latticeKey(axis int, n [3]int32) uint64 {
	const offset = 1 << 19
	return uint64(axis)<<60 | uint64(n[2]+offset)<<40 | uint64(n[1]+offset)<<20 | uint64(n[0]+offset)
}

// shifted is the node or cell a number of places away along an axis.
func shifted(n [3]int32, axis int, by int32) [3]int32 {
	n[axis] += by
	return n
}

// keyed is a hash table from keys to numbers ≥ 0. Its memory stays when it is cleared, which takes as long as what is in it has been long.
type keyed struct {
	slots []keyedSlot
	keys  []uint64 // + 1
}

type keyedSlot struct {
	key   uint64 // + 1; 0: free
	value int32
}

func (k *keyed) clear() {
	if len(k.keys) > len(k.slots)/16 {
		clear(k.slots)
	} else {
		// From the last one: so none is looked for past a slot that has been emptied.
		for i := len(k.keys) - 1; i >= 0; i-- {
			k.slot(k.keys[i] - 1).key = 0
		}
	}
	k.keys = k.keys[:0]
}

// slot is that of a key, or the free one where it belongs.
func (k *keyed) slot(key uint64) *keyedSlot {
	mask := uint64(len(k.slots) - 1)
	h := key * 0x9e3779b97f4a7c15
	for i := (h ^ h>>32) & mask; ; i = (i + 1) & mask {
		if s := &k.slots[i]; s.key == 0 || s.key == key+1 {
			return s
		}
	}
}

// find is the number of a key, or Gone.
func (k *keyed) find(key uint64) int32 {
	if len(k.keys) == 0 {
		return Gone
	}
	if s := k.slot(key); s.key != 0 {
		return s.value
	}
	return Gone
}

// add gives a key a number if it has none, and returns the one it has, and whether it is new.
func (k *keyed) add(key uint64, value int32) (int32, bool) {
	if 2*(len(k.keys)+1) > len(k.slots) {
		old := keyed{slots: k.slots}
		k.slots = make([]keyedSlot, max(1024, 4*len(old.slots)))
		// In the order in which they came, on which clear depends.
		for _, key := range k.keys {
			*k.slot(key - 1) = *old.slot(key - 1)
		}
	}
	s := k.slot(key)
	if s.key != 0 {
		return s.value, false
	}
	*s = keyedSlot{key + 1, value}
	k.keys = append(k.keys, key+1)
	return value, true
}
