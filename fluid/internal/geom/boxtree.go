package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// none stands for a child or a parent that does not exist.
const none int32 = -1

// A child is a node, by its number, or an item: item i is the child -2-i.
func leaf(item int32) int32 { return -2 - item }

// boxNode holds its two children's boxes side by side. Only the root may lack the second child, when there is one item; that box is nothing. A node that is free has no
// children, and the next free one + 1 as its parent.
type boxNode struct {
	box    [2]r3.Box
	child  [2]int32
	parent int32 // twice the node above, + 1 if this one is its second child
}

// nothing is a box that overlaps none and adds nothing to a union.
var nothing = r3.Box{Min: r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, Max: r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}}

// BoxTree is a binary tree of axis-parallel boxes that move, come and go, by the numbers of their items. The same calls give the same tree, and so the same order of
// answers, everywhere. The zero value is empty.
type BoxTree struct {
	nodes []boxNode
	place []int32 // item → as node.parent, + 1; 0: it is not in the tree
	root  int32   // + 1
	free  int32   // + 1
	count int
	// mixed: a node may have a lower number than the one above it.
	mixed  bool
	sorted []middle // scratch of Rebuild and Build
	boxes  []r3.Box // scratch of Rebuild
}

// Len is how many boxes there are.
func (t *BoxTree) Len() int { return t.count }

// Clear takes all boxes out.
func (t *BoxTree) Clear() {
	clear(t.place)
	t.nodes, t.root, t.free, t.count, t.mixed = t.nodes[:0], 0, 0, 0, false
}

// Has tells whether an item has a box.
func (t *BoxTree) Has(item int32) bool { return int(item) < len(t.place) && t.place[item] != 0 }

// Box is an item's.
func (t *BoxTree) Box(item int32) r3.Box { return *t.at(t.place[item] - 1) }

// at is the box at a place.
func (t *BoxTree) at(place int32) *r3.Box { return &t.nodes[place>>1].box[place&1] }

// Bounds is the box of all boxes; ok is false if there are none.
func (t *BoxTree) Bounds() (b r3.Box, ok bool) {
	if t.root == 0 {
		return b, false
	}
	return t.nodes[t.root-1].union(), true
}

// Set gives an item, ≥ 0, a box, its first or another. A box that moves keeps its place in the tree: after many moves Rebuild makes a better one.
func (t *BoxTree) Set(item int32, box r3.Box) {
	t.place = arrays.Lengthen(t.place, int(item)+1)
	if p := t.place[item]; p != 0 {
		*t.at(p - 1) = box
		t.refit((p - 1) >> 1)
		return
	}
	t.count++
	if t.root == 0 {
		t.root = t.take(boxNode{box: [2]r3.Box{box, nothing}, child: [2]int32{leaf(item), none}, parent: none}) + 1
		t.place[item] = 2*(t.root-1) + 1
		return
	}
	t.insert(item, &box)
}

// SetAll gives every item in the tree the box of its number, as Set does: faster than one by one.
func (t *BoxTree) SetAll(box []r3.Box) {
	if t.root == 0 {
		return
	}
	if t.mixed {
		t.setBelow(t.root-1, box)
		return
	}
	// Each node is done after those below, which have higher numbers.
	for at := len(t.nodes) - 1; at >= 0; at-- {
		n := &t.nodes[at]
		for side, c := range n.child {
			if c < none {
				n.box[side] = box[leaf(c)]
			}
		}
		if n.child[0] != none && n.parent != none {
			*t.at(n.parent) = n.union()
		}
	}
}

// setBelow is SetAll for a node and all below it.
func (t *BoxTree) setBelow(at int32, box []r3.Box) {
	n := &t.nodes[at]
	for side, c := range n.child {
		switch {
		case c < none:
			n.box[side] = box[leaf(c)]
		case c != none:
			t.setBelow(c, box)
			n.box[side] = t.nodes[c].union()
		}
	}
}

// Remove takes an item's box out, if it has one.
func (t *BoxTree) Remove(item int32) {
	if !t.Has(item) {
		return
	}
	p := t.place[item] - 1
	t.place[item] = 0
	t.count--
	at := p >> 1
	n := t.nodes[at]
	other := 1 - p&1
	switch sibling := n.child[other]; {
	case sibling == none:
		t.give(at)
		t.root = 0
	case n.parent != none:
		t.give(at)
		t.hang(n.parent, sibling, n.box[other])
		t.refit(n.parent >> 1)
	case sibling < none:
		t.nodes[at].box[1], t.nodes[at].child[1] = nothing, none
		t.hang(2*at, sibling, n.box[other])
	default:
		t.give(at)
		t.nodes[sibling].parent = none
		t.root = sibling + 1
	}
}

// Renumber gives each item in the tree the number, ≥ 0, that there is for it in a list. The tree stays as it is.
func (t *BoxTree) Renumber(number []int32) {
	clear(t.place)
	for at := range t.nodes {
		for side, c := range t.nodes[at].child {
			if c < none {
				item := number[leaf(c)]
				t.nodes[at].child[side] = leaf(item)
				t.place = arrays.Lengthen(t.place, int(item)+1)
				t.place[item] = 2*int32(at) + int32(side) + 1
			}
		}
	}
}

// Overlapping appends the items whose boxes have a point in common with a box.
func (t *BoxTree) Overlapping(dst []int32, box *r3.Box) []int32 {
	if t.root == 0 {
		return dst
	}
	var room [128]int32
	stack := append(room[:0], t.root-1) // grows beyond the room only where inserts have made a list of the tree
	b := *box
	for len(stack) > 0 {
		n := &t.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		for side := range n.box {
			if !boxes.Overlap(n.box[side], b) {
				continue
			}
			if c := n.child[side]; c < none {
				dst = append(dst, leaf(c))
			} else {
				stack = append(stack, c)
			}
		}
	}
	return dst
}

// union is the box of both children.
func (n *boxNode) union() r3.Box { return boxes.Union(n.box[0], n.box[1]) }

// take makes a node of a free one, or a new one.
func (t *BoxTree) take(n boxNode) int32 {
	if t.free == 0 {
		t.nodes = append(t.nodes, n)
		return int32(len(t.nodes) - 1)
	}
	at := t.free - 1
	t.free = t.nodes[at].parent
	t.nodes[at] = n
	return at
}

func (t *BoxTree) give(at int32) {
	t.nodes[at] = boxNode{parent: t.free, child: [2]int32{none, none}}
	t.free = at + 1
}

// hang makes a child of a place.
func (t *BoxTree) hang(place, child int32, box r3.Box) {
	t.nodes[place>>1].child[place&1] = child
	*t.at(place) = box
	if child < none {
		t.place[leaf(child)] = place + 1
	} else {
		t.nodes[child].parent = place
	}
}

// insert hangs an item beside that one which is found by going to the child that grows least by it.
func (t *BoxTree) insert(item int32, box *r3.Box) {
	at := t.root - 1
	for {
		n := &t.nodes[at]
		if n.child[1] == none {
			t.hang(2*at+1, leaf(item), *box)
			return
		}
		side := int32(0)
		if growth(&n.box[1], box) < growth(&n.box[0], box) {
			side = 1
		}
		if n.child[side] > none {
			at = n.child[side]
			continue
		}
		above, old, oldBox := 2*at+side, n.child[side], n.box[side]
		made := t.take(boxNode{parent: above})
		t.mixed = t.mixed || made < at
		t.hang(2*made, old, oldBox)
		t.hang(2*made+1, leaf(item), *box)
		t.hang(above, made, t.nodes[made].union())
		t.refit(at)
		return
	}
}

// refit makes the boxes above a node those of their children, as long as one changes.
func (t *BoxTree) refit(at int32) {
	for {
		n := &t.nodes[at]
		if n.parent == none {
			return
		}
		above := t.at(n.parent)
		box := n.union()
		if box == *above {
			return
		}
		*above = box
		at = n.parent >> 1
	}
}

// growth is by how much the sides of a box grow that another one joins, and then the sides themselves, in a part that decides between equals.
func growth(a, b *r3.Box) float64 {
	d := boxes.Max(a.Max, b.Max)
	e := boxes.Min(a.Min, b.Min)
	sides := (d.X - e.X) + (d.Y - e.Y) + (d.Z - e.Z)
	return float64(2*sides) - (a.Max.X - a.Min.X) - (a.Max.Y - a.Min.Y) - (a.Max.Z - a.Min.Z)
}
