package raytrace

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// node is a box of a tree. The first child of an inner node follows it.
type node struct {
	sides  [8]float32 // the least x, y, z and the greatest from 4 on, rounded outwards
	second int32      // of an inner node's children
	first  int32      // of a leaf's items
	count  int32      // of a leaf's items; 0: an inner node
	axis   int32      // that an inner node's children are parted along
}

// enclose makes the node's box one around b.
func (n *node) enclose(b *r3.Box) {
	for k := range 3 {
		lo, hi := component(&b.Min, k), component(&b.Max, k)
		n.sides[k], n.sides[4+k] = math.Nextafter32(float32(lo), -math.MaxFloat32), math.Nextafter32(float32(hi), math.MaxFloat32)
	}
}

// tree is boxes around boxes, with the items in the order of its leaves.
type tree struct {
	nodes []node
	items []int32
}

const (
	leafItems = 4  // a leaf has at most so many
	bins      = 16 // in which an inner node's items are counted
	stackSize = 64
)

// grower builds a tree.
type grower struct {
	tree
	boxes   []r3.Box
	centres []r3.Vec
}

// newTree is the tree of some boxes, parted where the surfaces of the halves, weighed by their items, are least.
//
// Source: Wald 2007, On fast construction of SAH-based bounding volume hierarchies.
func newTree(boxes []r3.Box) tree {
	g := grower{boxes: boxes, centres: make([]r3.Vec, len(boxes))}
	g.items = make([]int32, len(boxes))
	for i := range boxes {
		g.items[i], g.centres[i] = int32(i), boxes[i].Center()
	}
	if len(boxes) > 0 {
		g.grow(0, len(boxes), 0)
	}
	return g.tree
}

func empty() r3.Box {
	inf := math.Inf(1)
	return r3.Box{Min: r3.Vec{X: inf, Y: inf, Z: inf}, Max: r3.Vec{X: -inf, Y: -inf, Z: -inf}}
}

func include(b *r3.Box, lo, hi r3.Vec) {
	b.Min = r3.Vec{X: min(b.Min.X, lo.X), Y: min(b.Min.Y, lo.Y), Z: min(b.Min.Z, lo.Z)}
	b.Max = r3.Vec{X: max(b.Max.X, hi.X), Y: max(b.Max.Y, hi.Y), Z: max(b.Max.Z, hi.Z)}
}

func area(b *r3.Box) float64 {
	if b.Max.X < b.Min.X {
		return 0
	}
	s := r3.Sub(b.Max, b.Min)
	return s.X*s.Y + s.Y*s.Z + s.Z*s.X
}

// grow adds the node of items lo to hi, and those below it.
func (g *grower) grow(lo, hi, depth int) {
	at := len(g.nodes)
	g.nodes = append(g.nodes, node{})
	box, middles := empty(), empty()
	for _, i := range g.items[lo:hi] {
		include(&box, g.boxes[i].Min, g.boxes[i].Max)
		include(&middles, g.centres[i], g.centres[i])
	}
	g.nodes[at].enclose(&box)
	axis, cut, mid := -1, 0., lo
	if hi-lo > leafItems && depth < stackSize-2 {
		axis, cut = g.best(lo, hi, &middles)
	}
	if axis >= 0 {
		mid = g.part(lo, hi, axis, cut)
	}
	if mid == lo || mid == hi {
		g.nodes[at].first, g.nodes[at].count = int32(lo), int32(hi-lo)
		return
	}
	g.grow(lo, mid, depth+1)
	g.nodes[at].second, g.nodes[at].axis = int32(len(g.nodes)), int32(axis)
	g.grow(mid, hi, depth+1)
}

// best is where to part items: the axis, or -1 where they have one middle, and the place on it.
func (g *grower) best(lo, hi int, middles *r3.Box) (axis int, cut float64) {
	axis, least := -1, math.Inf(1)
	for k := range 3 {
		from, to := component(&middles.Min, k), component(&middles.Max, k)
		if !(to > from) {
			continue
		}
		var boxes [bins]r3.Box
		var counts [bins]int
		for b := range boxes {
			boxes[b] = empty()
		}
		scale := bins / (to - from)
		for _, i := range g.items[lo:hi] {
			b := min(bins-1, int((component(&g.centres[i], k)-from)*scale))
			counts[b]++
			include(&boxes[b], g.boxes[i].Min, g.boxes[i].Max)
		}
		var right [bins]float64
		all, n := empty(), 0
		for b := bins - 1; b > 0; b-- {
			include(&all, boxes[b].Min, boxes[b].Max)
			n += counts[b]
			right[b] = area(&all) * float64(n)
		}
		all, n = empty(), 0
		for b := range bins - 1 {
			include(&all, boxes[b].Min, boxes[b].Max)
			n += counts[b]
			if cost := area(&all)*float64(n) + right[b+1]; n > 0 && n < hi-lo && cost < least {
				axis, cut, least = k, from+float64(b+1)/scale, cost
			}
		}
	}
	return axis, cut
}

// part puts the items whose middles lie below a place on an axis before the others, in their order, and returns how far they go.
func (g *grower) part(lo, hi, axis int, cut float64) int {
	below := func(i int32) bool { return component(&g.centres[i], axis) < cut }
	part := g.items[lo:hi]
	slices.SortStableFunc(part, func(a, b int32) int {
		switch x, y := below(a), below(b); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	mid := lo
	for mid < hi && below(g.items[mid]) {
		mid++
	}
	return mid
}
