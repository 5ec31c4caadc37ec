package geom

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	leafTriangles = 4 // most triangles of a leaf
	bins          = 12
	// Splits by cost may peel off a few triangles each; from maxCostDepth on they are by
	// the median, so that depth ends at maxCostDepth + log₂ of their number < stackSize.
	maxCostDepth = 40
	stackSize    = 72
)

// NewTriangleTree builds a tree of one triangle or more. The same triangles give the same tree.
func NewTriangleTree(vertices []r3.Vec, triangles [][3]int32) *TriangleTree {
	t := &TriangleTree{id: make([]int32, len(triangles)), tris: make([]Triangle, len(triangles))}
	b := builder{TriangleTree: t, centre: make([]r3.Vec, len(triangles)), box: make([]r3.Box, len(triangles))}
	for i, f := range triangles {
		t.id[i] = int32(i)
		b.box[i] = boxes.Around([]r3.Vec{vertices[f[0]], vertices[f[1]], vertices[f[2]]})
		b.centre[i] = reproducible.Scale(0.5, r3.Add(b.box[i].Min, b.box[i].Max))
	}
	t.nodes = make([]triangleNode, 0, len(triangles))
	b.build(0, len(triangles), 0)
	for i, f := range t.id {
		v := triangles[f]
		t.tris[i] = NewTriangle(vertices[v[0]], vertices[v[1]], vertices[v[2]])
	}
	t.far = make([]moments, len(t.nodes))
	for i, n := range t.nodes {
		t.far[i] = momentsOf(t.tris[n.first : n.first+n.count])
	}
	return t
}

type builder struct {
	*TriangleTree
	centre []r3.Vec // by triangle
	box    []r3.Box // likewise
}

// build adds the node of id[first:first+count] and all under it.
func (b *builder) build(first, count, depth int) {
	at := len(b.nodes)
	ids := b.id[first : first+count]
	n := triangleNode{first: int32(first), count: int32(count), box: b.box[ids[0]]}
	for _, f := range ids[1:] {
		n.box = boxes.Union(n.box, b.box[f])
	}
	b.nodes = append(b.nodes, n)
	if count <= leafTriangles {
		return
	}
	mid := 0
	if depth < maxCostDepth {
		mid = b.splitByCost(ids)
	}
	if mid == 0 {
		mid = b.splitByMedian(ids, n.box.Size())
	}
	b.build(first, mid, depth+1)
	b.nodes[at].right = int32(len(b.nodes))
	b.build(first+mid, count-mid, depth+1)
}

// splitByCost partitions ids in two by the binned surface area heuristic and
// returns how many are in the first part, or 0 where all centres fall into one bin.
//
// Source: Wald 2007, On fast construction of SAH-based bounding volume hierarchies.
func (b *builder) splitByCost(ids []int32) int {
	lo, hi := b.centre[ids[0]], b.centre[ids[0]]
	for _, f := range ids[1:] {
		lo, hi = boxes.Min(lo, b.centre[f]), boxes.Max(hi, b.centre[f])
	}
	axis, size := longest(r3.Sub(hi, lo))
	from := component(&lo, axis)
	scale := bins / size
	if !(size > 0) || math.IsInf(scale, 1) {
		return 0
	}
	bin := func(f int32) int { return min(bins-1, int((component(&b.centre[f], axis)-from)*scale)) }
	var bucket [bins]bucket
	for _, f := range ids {
		bucket[bin(f)].add(1, &b.box[f])
	}
	cut := cheapest(&bucket)
	if cut == 0 {
		return 0
	}
	// A stable partition: the tree must not depend on anything but the triangles.
	left := 0
	var rest []int32
	for _, f := range ids {
		if bin(f) < cut {
			ids[left] = f
			left++
		} else {
			rest = append(rest, f)
		}
	}
	copy(ids[left:], rest)
	return left
}

// bucket is n triangles in a box, which is anything for none.
type bucket struct {
	n   int
	box r3.Box
}

func (k *bucket) add(n int, box *r3.Box) {
	switch {
	case n == 0:
	case k.n == 0:
		k.n, k.box = n, *box
	default:
		k.n, k.box = k.n+n, boxes.Union(k.box, *box)
	}
}

// cost is the number of triangles times half the area of their box.
func (k *bucket) cost() float64 {
	s := k.box.Size()
	return float64(float64(k.n) * (float64(s.X*s.Y) + float64(s.Y*s.Z) + float64(s.Z*s.X)))
}

// cheapest is the bin to cut before, or 0.
func cheapest(all *[bins]bucket) int {
	var after [bins]float64 // cost of everything from a bin on
	var sum bucket
	for k := bins - 1; k > 0; k-- {
		sum.add(all[k].n, &all[k].box)
		after[k] = sum.cost()
		if sum.n == 0 {
			after[k] = math.Inf(1)
		}
	}
	cut, best := 0, math.Inf(1)
	sum = bucket{}
	for k := 1; k < bins; k++ {
		sum.add(all[k-1].n, &all[k-1].box)
		if cost := sum.cost() + after[k]; sum.n > 0 && cost < best {
			cut, best = k, cost
		}
	}
	return cut
}

func (b *builder) splitByMedian(ids []int32, size r3.Vec) int {
	axis, _ := longest(size)
	slices.SortFunc(ids, func(f, g int32) int {
		switch x, y := component(&b.centre[f], axis), component(&b.centre[g], axis); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(f - g)
	})
	return len(ids) / 2
}

func longest(v r3.Vec) (axis int, size float64) {
	switch {
	case v.X >= v.Y && v.X >= v.Z:
		return 0, v.X
	case v.Y >= v.Z:
		return 1, v.Y
	}
	return 2, v.Z
}

func component(v *r3.Vec, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}
