package physics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// leafItems is the most that a leaf of a bvh holds.
const leafItems = 4

// bvh is a static tree of bounding boxes over items: a node's first child follows it. Halves
// of equal number keep its depth within 32.
type bvh struct {
	nodes []bvhNode
	items []int32 // in the order of the leaves
}

type bvhNode struct {
	box    r3.Box
	second int32 // of the children; 0 for a leaf
	first  int32 // of a leaf's items
	count  int32
}

// newBVH sorts the items, which have the given boxes, into a tree.
func newBVH(boxes []r3.Box) bvh {
	t := bvh{items: make([]int32, len(boxes))}
	for i := range t.items {
		t.items[i] = int32(i)
	}
	t.split(boxes, 0, len(boxes))
	return t
}

func (t *bvh) split(boxes []r3.Box, lo, hi int) {
	items := t.items[lo:hi]
	box := boxes[items[0]]
	for _, i := range items[1:] {
		box = union(box, boxes[i])
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, bvhNode{box: box, first: int32(lo), count: int32(hi - lo)})
	if hi-lo <= leafItems {
		return
	}
	size, axis := box.Size(), 0
	for k := range 3 {
		if component(size, k) > component(size, axis) {
			axis = k
		}
	}
	slices.SortFunc(items, func(i, j int32) int {
		a, b := &boxes[i], &boxes[j]
		return cmp.Or(cmp.Compare(component(a.Min, axis)+component(a.Max, axis), component(b.Min, axis)+component(b.Max, axis)), cmp.Compare(i, j))
	})
	t.split(boxes, lo, (lo+hi)/2)
	t.nodes[at].second = int32(len(t.nodes))
	t.split(boxes, (lo+hi)/2, hi)
}

// bvhStack is deep enough for every tree.
type bvhStack struct {
	n    int
	node [64]int32
}

func (s *bvhStack) push(i int32) { s.node[s.n] = i; s.n++ }

func (s *bvhStack) pop() int32 { s.n--; return s.node[s.n] }

// overlapping calls visit with each item of each leaf whose box overlaps box.
func (t *bvh) overlapping(box *r3.Box, visit func(item int32)) {
	var s bvhStack
	s.push(0)
	for s.n > 0 {
		i := s.pop()
		n := &t.nodes[i]
		switch {
		case !overlap(&n.box, box):
		case n.second != 0:
			s.push(n.second)
			s.push(i + 1)
		default:
			for _, item := range t.items[n.first : n.first+n.count] {
				visit(item)
			}
		}
	}
}

// nearest calls visit with the items of the leaves that may be nearer to p than the distance
// that visit last returned, limit to begin with, near ones first.
func (t *bvh) nearest(p r3.Vec, limit float64, visit func(item int32) float64) {
	var s bvhStack
	s.push(0)
	for s.n > 0 {
		i := s.pop()
		n := &t.nodes[i]
		if boxGap(&n.box, p) >= limit {
			continue
		}
		if n.second != 0 {
			a, b := i+1, n.second
			if boxGap(&t.nodes[a].box, p) < boxGap(&t.nodes[b].box, p) {
				a, b = b, a
			}
			s.push(a)
			s.push(b)
			continue
		}
		for _, item := range t.items[n.first : n.first+n.count] {
			limit = visit(item)
		}
	}
}

// along calls visit with the items of the leaves that the segment from p to p+t·d meets,
// 0 ≤ t ≤ the value that visit last returned, 1 to begin with.
func (t *bvh) along(p, d r3.Vec, visit func(item int32) float64) {
	var s bvhStack
	limit := 1.0
	s.push(0)
	for s.n > 0 {
		i := s.pop()
		n := &t.nodes[i]
		switch lo, _, ok := clipRay(&n.box, p, d, limit); {
		case !ok || lo > limit:
		case n.second != 0:
			a, b := i+1, n.second
			if reproducible.Dot(d, r3.Sub(t.nodes[a].box.Min, t.nodes[b].box.Min)) < 0 {
				a, b = b, a
			}
			s.push(a)
			s.push(b)
		default:
			for _, item := range t.items[n.first : n.first+n.count] {
				limit = visit(item)
			}
		}
	}
}

// boxGap is the distance of p from the box, 0 inside.
func boxGap(b *r3.Box, p r3.Vec) float64 {
	d := maxVec(r3.Vec{}, maxVec(r3.Sub(b.Min, p), r3.Sub(p, b.Max)))
	return reproducible.Norm(d)
}

// clipRay is the part lo ≤ t ≤ hi of p+t·d, 0 ≤ t ≤ limit, in the box.
func clipRay(b *r3.Box, p, d r3.Vec, limit float64) (lo, hi float64, ok bool) {
	lo, hi = 0, limit
	for k := range 3 {
		x, u := component(p, k), component(d, k)
		near, far := component(b.Min, k)-x, component(b.Max, k)-x
		if u == 0 {
			if near > 0 || far < 0 {
				return 0, 0, false
			}
			continue
		}
		near, far = near/u, far/u
		lo, hi = max(lo, min(near, far)), min(hi, max(near, far))
	}
	return lo, hi, lo <= hi && !math.IsNaN(lo)
}
