package geom

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// middle is an item with the number of its box and twice the middle of that.
type middle struct {
	at        [3]float64
	item, box int32
}

func (m *middle) set(item, number int32, b *r3.Box) {
	m.at = [3]float64{b.Min.X + b.Max.X, b.Min.Y + b.Max.Y, b.Min.Z + b.Max.Z}
	m.item, m.box = item, number
}

// Rebuild makes the tree of the same boxes anew, balanced: each node's items are halved by the middles of their boxes along the axis in which these are spread most.
func (t *BoxTree) Rebuild() {
	t.sorted, t.boxes = arrays.Resize(t.sorted, t.count), arrays.Resize(t.boxes, t.count)
	n := int32(0)
	for item, place := range t.place {
		if place != 0 {
			t.boxes[n] = *t.at(place - 1)
			t.sorted[n].set(int32(item), n, &t.boxes[n])
			n++
		}
	}
	t.build(t.boxes)
}

// Build replaces all boxes by those of some items, each ≥ 0 and named once: box[i] is that of items[i]. It is faster than one by one and then Rebuild, and
// the tree is the same.
func (t *BoxTree) Build(items []int32, box []r3.Box) {
	t.sorted = arrays.Resize(t.sorted, len(items))
	for i, item := range items {
		t.sorted[i].set(item, int32(i), &box[i])
	}
	t.build(box)
}

// build makes the tree of what is in sorted.
func (t *BoxTree) build(box []r3.Box) {
	t.Clear()
	n := len(t.sorted)
	if n == 0 {
		return
	}
	t.count = n
	last := int32(0)
	for i := range t.sorted {
		last = max(last, t.sorted[i].item)
	}
	t.place = arrays.Lengthen(t.place, int(last)+1)
	t.root = 1
	if n == 1 {
		t.nodes = append(t.nodes, boxNode{box: [2]r3.Box{box[t.sorted[0].box], nothing}, child: [2]int32{leaf(t.sorted[0].item), none}, parent: none})
		t.place[t.sorted[0].item] = 1
		return
	}
	t.halve(t.sorted, none, box)
}

// halve makes the node of two or more items, and those below it, which get higher numbers, and returns its box.
func (t *BoxTree) halve(m []middle, parent int32, boxes []r3.Box) r3.Box {
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, boxNode{parent: parent})
	half := len(m) / 2
	divide(m, half, widest(m))
	for side, part := range [2][]middle{m[:half], m[half:]} {
		place := 2*at + int32(side)
		if len(part) == 1 {
			t.hang(place, leaf(part[0].item), boxes[part[0].box])
			continue
		}
		child := int32(len(t.nodes))
		box := t.halve(part, place, boxes)
		t.hang(place, child, box)
	}
	return t.nodes[at].union()
}

// widest is the axis in which middles are spread most.
func widest(m []middle) (axis int) {
	low, high := m[0].at, m[0].at
	for i := range m {
		for k, x := range m[i].at {
			low[k], high[k] = min(low[k], x), max(high[k], x)
		}
	}
	for k := 1; k < 3; k++ {
		if high[k]-low[k] > high[axis]-low[axis] {
			axis = k
		}
	}
	return axis
}

// divide brings the k lowest along an axis, of equals those with the lower items, before the others. Which these are does not depend on the order before.
//
// Source: Hoare 1961, Algorithm 65: Find.
func divide(m []middle, k, axis int) {
	less := func(a, b *middle) bool {
		return a.at[axis] < b.at[axis] || a.at[axis] == b.at[axis] && a.item < b.item
	}
	low, high := 0, len(m)-1
	for low < high {
		// The middle one of three, so that sorted input is halved.
		a, b, c := &m[low], &m[(low+high)/2], &m[high]
		if less(b, a) {
			a, b = b, a
		}
		if less(c, b) {
			b = c
			if less(b, a) {
				b = a
			}
		}
		pivot := middle{at: b.at, item: b.item}
		i, j := low, high
		for i <= j {
			for less(&m[i], &pivot) {
				i++
			}
			for less(&pivot, &m[j]) {
				j--
			}
			if i <= j {
				m[i], m[j] = m[j], m[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return
		}
	}
}
