package meshsdf

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	leafFaces = 4 // most faces of a leaf
	bins      = 12
	// Splits by cost may peel off a few faces each; from maxCostDepth on they are by
	// the median, so that depth ends at maxCostDepth + log₂ MaxTriangles < stackSize.
	maxCostDepth = 40
	stackSize    = 72
	// farFactor is how many radii away a node is seen as a dipole: with the second-order
	// expansion 2 leaves errors of 0.04 beside a coarse torus, 3 of 0.012, for a third
	// more time.
	farFactor = 3
)

// tri is a face as a corner and two sides, with what its closest point needs.
type tri struct {
	a, ab, ac        r3.Vec
	abab, abac, acac float64
}

// node is a box; its left child, if any, is the next node.
type node struct {
	min, max     r3.Vec
	right        int32 // 0: leaf
	first, count int32 // in tree.tris
}

// moments is a node seen from afar: area normals about a centre.
type moments struct {
	centre r3.Vec
	far2   float64 // squared distance from which this holds, m²
	n      r3.Vec  // Σ A·n
	// Σ A·(c - centre)⊗n, symmetric part: XX, YY, ZZ, XY, XZ, YZ
	m [6]float64
}

// tree is a bounding volume hierarchy over faces.
type tree struct {
	tris  []tri
	id    []int32 // face of each tri
	nodes []node
	far   []moments
}

// newTree builds a tree over faces; face i keeps the id i.
func newTree(verts []r3.Vec, faces [][3]int32) *tree {
	t := &tree{id: make([]int32, len(faces)), tris: make([]tri, len(faces))}
	b := builder{tree: t, centre: make([]r3.Vec, len(faces)), lo: make([]r3.Vec, len(faces)), hi: make([]r3.Vec, len(faces))}
	for i, f := range faces {
		v, w, x := verts[f[0]], verts[f[1]], verts[f[2]]
		t.id[i] = int32(i)
		b.lo[i], b.hi[i] = minVec(v, minVec(w, x)), maxVec(v, maxVec(w, x))
		b.centre[i] = reproducible.Scale(0.5, r3.Add(b.lo[i], b.hi[i]))
	}
	t.nodes = make([]node, 0, len(faces))
	b.build(0, len(faces), 0)
	for i, f := range t.id {
		v := verts[faces[f][0]]
		ab, ac := r3.Sub(verts[faces[f][1]], v), r3.Sub(verts[faces[f][2]], v)
		t.tris[i] = tri{v, ab, ac, reproducible.Dot(ab, ab), reproducible.Dot(ab, ac), reproducible.Dot(ac, ac)}
	}
	t.far = make([]moments, len(t.nodes))
	for i, n := range t.nodes {
		t.far[i] = t.measure(n)
	}
	return t
}

type builder struct {
	*tree
	centre, lo, hi []r3.Vec // by face
}

// build adds the node of id[first:first+count] and all under it.
func (b *builder) build(first, count, depth int) {
	at := len(b.nodes)
	ids := b.id[first : first+count]
	n := node{first: int32(first), count: int32(count), min: b.lo[ids[0]], max: b.hi[ids[0]]}
	for _, f := range ids[1:] {
		n.min, n.max = minVec(n.min, b.lo[f]), maxVec(n.max, b.hi[f])
	}
	b.nodes = append(b.nodes, n)
	if count <= leafFaces {
		return
	}
	mid := 0
	if depth < maxCostDepth {
		mid = b.splitByCost(ids)
	}
	if mid == 0 {
		mid = b.splitByMedian(ids, r3.Sub(n.max, n.min))
	}
	b.build(first, mid, depth+1)
	b.nodes[at].right = int32(len(b.nodes))
	b.build(first+mid, count-mid, depth+1)
}

// splitByCost partitions ids in two by the binned surface area heuristic (Wald 2007) and
// returns how many are in the first part, or 0 where all centres fall into one bin.
func (b *builder) splitByCost(ids []int32) int {
	lo, hi := b.centre[ids[0]], b.centre[ids[0]]
	for _, f := range ids[1:] {
		lo, hi = minVec(lo, b.centre[f]), maxVec(hi, b.centre[f])
	}
	axis, size := longest(r3.Sub(hi, lo))
	from := component(lo, axis)
	scale := bins / size
	if !(size > 0) || math.IsInf(scale, 1) {
		return 0
	}
	bin := func(f int32) int { return min(bins-1, int((component(b.centre[f], axis)-from)*scale)) }
	var count [bins]int
	var bmin, bmax [bins]r3.Vec
	for _, f := range ids {
		k := bin(f)
		if count[k] == 0 {
			bmin[k], bmax[k] = b.lo[f], b.hi[f]
		} else {
			bmin[k], bmax[k] = minVec(bmin[k], b.lo[f]), maxVec(bmax[k], b.hi[f])
		}
		count[k]++
	}
	cut := cheapest(&count, &bmin, &bmax)
	if cut == 0 {
		return 0
	}
	// A stable partition: the tree must not depend on anything but the faces.
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

// cheapest is the bin to cut before, or 0.
func cheapest(count *[bins]int, bmin, bmax *[bins]r3.Vec) int {
	var after [bins]float64 // cost of everything from a bin on
	var lo, hi r3.Vec
	n := 0
	for k := bins - 1; k > 0; k-- {
		n, lo, hi = joined(n, lo, hi, count[k], bmin[k], bmax[k])
		after[k] = float64(n) * halfArea(r3.Sub(hi, lo))
		if n == 0 {
			after[k] = math.Inf(1)
		}
	}
	cut, best := 0, math.Inf(1)
	n = 0
	for k := 1; k < bins; k++ {
		n, lo, hi = joined(n, lo, hi, count[k-1], bmin[k-1], bmax[k-1])
		if cost := float64(float64(n)*halfArea(r3.Sub(hi, lo))) + after[k]; n > 0 && cost < best {
			cut, best = k, cost
		}
	}
	return cut
}

func joined(n int, lo, hi r3.Vec, m int, mlo, mhi r3.Vec) (int, r3.Vec, r3.Vec) {
	switch {
	case m == 0:
		return n, lo, hi
	case n == 0:
		return m, mlo, mhi
	}
	return n + m, minVec(lo, mlo), maxVec(hi, mhi)
}

func halfArea(s r3.Vec) float64 { return float64(s.X*s.Y) + float64(s.Y*s.Z) + float64(s.Z*s.X) }

func (b *builder) splitByMedian(ids []int32, size r3.Vec) int {
	axis, _ := longest(size)
	slices.SortFunc(ids, func(f, g int32) int {
		switch x, y := component(b.centre[f], axis), component(b.centre[g], axis); {
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

func component(v r3.Vec, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

// measure sums the moments of a node about its area centroid (Barill et al. 2018, §3.1).
func (t *tree) measure(n node) moments {
	tris := t.tris[n.first : n.first+n.count]
	var out moments
	var area float64
	for i := range tris {
		a := float64(0.5 * reproducible.Norm(reproducible.Cross(tris[i].ab, tris[i].ac)))
		area += a
		out.centre = r3.Add(out.centre, reproducible.Scale(a, tris[i].centroid()))
	}
	if area > 0 {
		out.centre = reproducible.Scale(1/area, out.centre)
	} else {
		out.centre = tris[0].a
	}
	var r2 float64
	for i := range tris {
		f := &tris[i]
		an := reproducible.Scale(0.5, reproducible.Cross(f.ab, f.ac))
		d := r3.Sub(f.centroid(), out.centre)
		out.n = r3.Add(out.n, an)
		out.m[0] += float64(d.X * an.X)
		out.m[1] += float64(d.Y * an.Y)
		out.m[2] += float64(d.Z * an.Z)
		out.m[3] += float64(0.5 * (float64(d.X*an.Y) + float64(d.Y*an.X)))
		out.m[4] += float64(0.5 * (float64(d.X*an.Z) + float64(d.Z*an.X)))
		out.m[5] += float64(0.5 * (float64(d.Y*an.Z) + float64(d.Z*an.Y)))
		a := r3.Sub(f.a, out.centre)
		r2 = max(r2, reproducible.Norm2(a), reproducible.Norm2(r3.Add(a, f.ab)), reproducible.Norm2(r3.Add(a, f.ac)))
	}
	out.far2 = farFactor * farFactor * r2
	return out
}

func (f *tri) centroid() r3.Vec {
	return r3.Add(f.a, reproducible.Scale(1./3, r3.Add(f.ab, f.ac)))
}
