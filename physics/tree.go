package physics

import (
	"gonum.org/v1/gonum/spatial/r3"
)

// tree is a dynamic tree of bounding boxes, of one leaf per shape, kept balanced by
// rotations. Its order depends on that of the calls alone.
type tree struct {
	nodes []treeNode
	free  []int32
	root  int32 // none if there are no nodes in use
	size  int   // leaves
}

type treeNode struct {
	box         r3.Box
	parent      int32
	left, right int32 // none of a leaf
	height      int32 // 0 of a leaf
	shape       int32
}

const none = int32(-1)

// insert adds a leaf and returns it.
func (t *tree) insert(box r3.Box, shape int32) int32 {
	leaf := take(&t.nodes, &t.free)
	t.nodes[leaf] = treeNode{box: box, parent: none, left: none, right: none, shape: shape}
	if t.size++; t.size == 1 {
		t.root = leaf
		return leaf
	}
	sibling := t.sibling(&box)
	parent := t.nodes[sibling].parent
	node := take(&t.nodes, &t.free)
	t.nodes[node] = treeNode{box: union(box, t.nodes[sibling].box), parent: parent, left: sibling, right: leaf, height: 1}
	t.nodes[sibling].parent, t.nodes[leaf].parent = node, node
	t.replace(parent, sibling, node)
	t.refit(parent)
	return leaf
}

// remove frees a leaf.
func (t *tree) remove(leaf int32) {
	parent := t.nodes[leaf].parent
	t.free = append(t.free, leaf)
	if t.size--; parent == none {
		return
	}
	sibling := t.nodes[parent].left
	if sibling == leaf {
		sibling = t.nodes[parent].right
	}
	grand := t.nodes[parent].parent
	t.nodes[sibling].parent = grand
	t.replace(grand, parent, sibling)
	t.free = append(t.free, parent)
	t.refit(grand)
}

// replace makes node the child of parent that old was.
func (t *tree) replace(parent, old, node int32) {
	switch {
	case parent == none:
		t.root = node
	case t.nodes[parent].left == old:
		t.nodes[parent].left = node
	default:
		t.nodes[parent].right = node
	}
}

// sibling descends to the leaf beside which the box adds least to the area of the tree, by
// which the cost of a query goes. A leaf, since beside a whole branch it would be too high
// for one rotation.
func (t *tree) sibling(box *r3.Box) int32 {
	i := t.root
	for t.nodes[i].left != none {
		n := &t.nodes[i]
		if t.growth(n.right, box) < t.growth(n.left, box) {
			i = n.right
		} else {
			i = n.left
		}
	}
	return i
}

// growth is what the box adds to the area of node i, a leaf becoming a branch.
func (t *tree) growth(i int32, box *r3.Box) float64 {
	n := &t.nodes[i]
	joint := area(union(n.box, *box))
	if n.left != none {
		joint -= area(n.box)
	}
	return joint
}

// refit restores boxes, heights and balance from node i up.
func (t *tree) refit(i int32) {
	for ; i != none; i = t.nodes[i].parent {
		i = t.balance(i)
		n := &t.nodes[i]
		l, r := &t.nodes[n.left], &t.nodes[n.right]
		n.box, n.height = union(l.box, r.box), 1+max(l.height, r.height)
	}
}

// balance lifts the higher child of node i above it if it is higher by more than one, and
// returns what is in its place then.
func (t *tree) balance(i int32) int32 {
	n := t.nodes[i]
	up, low := n.left, n.right
	if t.nodes[up].height < t.nodes[low].height {
		up, low = low, up
	}
	if t.nodes[up].height-t.nodes[low].height <= 1 {
		return i
	}
	keep, give := t.nodes[up].left, t.nodes[up].right
	if t.nodes[keep].height < t.nodes[give].height {
		keep, give = give, keep
	}
	t.replace(n.parent, i, up)
	t.nodes[up].parent, t.nodes[up].left, t.nodes[up].right = n.parent, i, keep
	t.nodes[i].parent, t.nodes[i].left, t.nodes[i].right = up, low, give
	t.nodes[give].parent = i
	g, l := &t.nodes[give], &t.nodes[low]
	t.nodes[i].box, t.nodes[i].height = union(g.box, l.box), 1+max(g.height, l.height)
	return up
}

// overlapping calls visit with the shapes of the leaves that overlap box.
func (t *tree) overlapping(box *r3.Box, visit func(shape int32)) {
	var s bvhStack
	if t.size > 0 {
		s.push(t.root)
	}
	for s.n > 0 {
		switch n := &t.nodes[s.pop()]; {
		case !overlap(&n.box, box):
		case n.left == none:
			visit(n.shape)
		default:
			s.push(n.right)
			s.push(n.left)
		}
	}
}

// along calls visit with the shapes of the leaves that a box of half extents half meets on
// its way from p to p+t·d, 0 ≤ t ≤ the value that visit last returned, 1 to begin with.
func (t *tree) along(p, d, half r3.Vec, visit func(shape int32) float64) {
	var s bvhStack
	limit := 1.0
	if t.size > 0 {
		s.push(t.root)
	}
	for s.n > 0 {
		n := &t.nodes[s.pop()]
		box := r3.Box{Min: r3.Sub(n.box.Min, half), Max: r3.Add(n.box.Max, half)}
		switch lo, _, ok := clipRay(&box, p, d, limit); {
		case !ok || lo > limit:
		case n.left == none:
			limit = visit(n.shape)
		default:
			s.push(n.right)
			s.push(n.left)
		}
	}
}

// area of the surface of a box.
func area(b r3.Box) float64 {
	s := b.Size()
	return float64(2 * dot3(s.X, s.Y, s.Y, s.Z, s.Z, s.X))
}
