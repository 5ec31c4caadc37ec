package bem

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// directFaces is the most faces for which all pairs are treated one by one. Beyond, expansions take less time, and less memory.
	directFaces = 1600
	leafFaces   = 16 // most of a leaf, if there are more
	// opening is the sum of two nodes' radii over the distance of their centres up to which they act on each other by expansions. With at most ½ no two of their panels are near,
	// since a node's radius is that to a centroid and that of its panel.
	opening = .5
)

// node is a part of the panels: those from first on.
type node struct {
	first, count int32
	right        int32 // the second child, 0 for a leaf; the first is the next node
	centre       r3.Vec
	radius       float64
}

// tree is a hierarchy of panels by place, and which nodes act on each other how.
type tree struct {
	nodes    []node
	direct   [][2]int32 // pairs of leaves that are near, or are the same
	expanded [][2]int32 // pairs of nodes that are far, of which no parents are

	moments, local [][terms]float64 // of each node
	ones           []float64        // of each panel, the double layer of the density 1 on what is expanded
	at             []r3.Vec
}

// build sets up the nodes and the order of the faces: one node for up to some number of them.
func (t *tree) build(at []r3.Vec, triangles [][3]int32, face []int32, one int) {
	t.nodes, t.at = t.nodes[:0], arrays.Resize(t.at, len(triangles))
	for i, c := range triangles {
		face[i] = int32(i)
		t.at[i] = r3.Add(at[c[0]], r3.Add(at[c[1]], at[c[2]])) // three times the centroid
	}
	leaf := leafFaces
	if len(triangles) <= one {
		leaf = one
	}
	t.split(face, 0, leaf)
}

// split adds the node of some faces, from first on in order, and those below it: halves along the longest side of their box.
func (t *tree) split(face []int32, first, leaf int) {
	n := len(t.nodes)
	t.nodes = append(t.nodes, node{first: int32(first), count: int32(len(face))})
	if len(face) <= leaf {
		return
	}
	lo, hi := t.at[face[0]], t.at[face[0]]
	for _, f := range face {
		p := t.at[f]
		lo = r3.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = r3.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	size := reproducible.Array(r3.Sub(hi, lo))
	axis := 0
	for k := range size {
		if size[k] > size[axis] {
			axis = k
		}
	}
	slices.SortFunc(face, func(a, b int32) int {
		x, y := reproducible.Array(t.at[a])[axis], reproducible.Array(t.at[b])[axis]
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a - b)
	})
	half := len(face) / 2
	t.split(face[:half], first, leaf)
	t.nodes[n].right = int32(len(t.nodes))
	t.split(face[half:], first+half, leaf)
}

// pair finds where nodes are and how large, and which act on each other how.
func (t *tree) pair(panels []panel) {
	for k := range t.nodes {
		n := &t.nodes[k]
		own := panels[n.first : n.first+n.count]
		var sum r3.Vec
		for i := range own {
			sum = r3.Add(sum, own[i].centre)
		}
		n.centre, n.radius = reproducible.Scale(1/float64(n.count), sum), 0
		for i := range own {
			n.radius = max(n.radius, reproducible.Norm(r3.Sub(own[i].centre, n.centre))+own[i].radius)
		}
	}
	t.direct, t.expanded = t.direct[:0], t.expanded[:0]
	t.meet(0, 0)
	if len(t.expanded) > 0 {
		t.moments, t.local = arrays.Resize(t.moments, len(t.nodes)), arrays.Resize(t.local, len(t.nodes))
		t.ones = arrays.Resize(t.ones, len(panels))
	}
}

// meet adds the pairs of two nodes, or of what is below them.
func (t *tree) meet(i, j int32) {
	a, b := &t.nodes[i], &t.nodes[j]
	switch {
	case i == j && a.right == 0:
		t.direct = append(t.direct, [2]int32{i, j})
	case i == j:
		t.meet(i+1, i+1)
		t.meet(i+1, a.right)
		t.meet(a.right, a.right)
	case a.radius+b.radius <= opening*reproducible.Norm(r3.Sub(a.centre, b.centre)):
		t.expanded = append(t.expanded, [2]int32{i, j})
	case a.right == 0 && b.right == 0:
		t.direct = append(t.direct, [2]int32{i, j})
	case b.right == 0 || a.right != 0 && a.radius >= b.radius:
		t.meet(i+1, j)
		t.meet(a.right, j)
	default:
		t.meet(i, j+1)
		t.meet(i, b.right)
	}
}
