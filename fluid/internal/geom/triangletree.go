package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// TriangleTree is a bounding volume hierarchy of fixed triangles, for distances, rays and winding numbers. It does not change after NewTriangleTree; all methods
// are safe for concurrent calls, and allocate nothing. A triangle's number is its index in NewTriangleTree.
type TriangleTree struct {
	tris  []Triangle // in the order of the leaves
	id    []int32    // number of each triangle
	nodes []triangleNode
	far   []moments // of each node
}

// triangleNode is a box; its left child, if any, is the next node.
type triangleNode struct {
	box          r3.Box
	right        int32 // 0: leaf
	first, count int32 // in TriangleTree.tris
}

// Directions are directions without a pattern that meshes would share, of length 1, for rays.
var Directions = [4]r3.Vec{
	{X: 0.577218, Y: 0.692137, Z: 0.433384},
	{X: -0.817043, Y: 0.318941, Z: 0.480366},
	{X: 0.287651, Y: -0.371925, Z: 0.882572},
	{X: 0.461153, Y: 0.873914, Z: -0.154287},
}

// Distance2 returns the squared distance from p to the nearest triangle, or limit if that is less.
func (t *TriangleTree) Distance2(p r3.Vec, limit float64) float64 {
	best := limit
	var stack [stackSize]int32
	var dist [stackSize]float64
	top := 0
	at, d := int32(0), t.nodes[0].distance2(&p)
	for {
		if d < best {
			n := &t.nodes[at]
			if n.right != 0 {
				near, other := at+1, n.right
				dn, do := t.nodes[near].distance2(&p), t.nodes[other].distance2(&p)
				if do < dn {
					near, other, dn, do = other, near, do, dn
				}
				stack[top], dist[top] = other, do
				top++
				at, d = near, dn
				continue
			}
			for i := n.first; i < n.first+n.count; i++ {
				_, away := t.tris[i].Nearest(&p)
				best = min(best, reproducible.Norm2(away))
			}
		}
		if top == 0 {
			return best
		}
		top--
		at, d = stack[top], dist[top]
	}
}

func (n *triangleNode) distance2(p *r3.Vec) float64 {
	x := max(n.box.Min.X-p.X, p.X-n.box.Max.X, 0)
	y := max(n.box.Min.Y-p.Y, p.Y-n.box.Max.Y, 0)
	z := max(n.box.Min.Z-p.Z, p.Z-n.box.Max.Z, 0)
	return float64(x*x) + float64(y*y) + float64(z*z)
}

// WindingNumber returns the generalised winding number at p of all triangles except number skip. The error is at most .02 for surfaces of many triangles.
//
// Sources: Jacobson et al. 2013, Robust inside-outside segmentation using generalized winding numbers; Barill et al. 2018.
func (t *TriangleTree) WindingNumber(p r3.Vec, skip int32) float64 {
	var stack [stackSize]int32
	top, at := 0, int32(0)
	var near, far float64 // solid angles, and dipoles: 4π w in all
	for {
		m := &t.far[at]
		r := r3.Sub(m.centre, p)
		if r2 := reproducible.Dot(r, r); r2 > m.far2 {
			far += m.solidAngle(r, r2)
		} else if n := &t.nodes[at]; n.right != 0 {
			stack[top] = n.right
			top++
			at++
			continue
		} else {
			for i := n.first; i < n.first+n.count; i++ {
				if t.id[i] != skip {
					near += t.tris[i].SolidAngle(p)
				}
			}
		}
		if top == 0 {
			return (near + far) / (4 * math.Pi)
		}
		top--
		at = stack[top]
	}
}

// Crossings returns the number of triangles, except number skip, that the ray from o along dir passes through.
func (t *TriangleTree) Crossings(o, dir r3.Vec, skip int32) int {
	inv := r3.Vec{X: 1 / dir.X, Y: 1 / dir.Y, Z: 1 / dir.Z}
	var stack [stackSize]int32
	top, at, hits := 0, int32(0), 0
	for {
		if n := &t.nodes[at]; n.crossed(o, inv) {
			if n.right != 0 {
				stack[top] = n.right
				top++
				at++
				continue
			}
			for i := n.first; i < n.first+n.count; i++ {
				if t.id[i] != skip && t.tris[i].Crossed(o, dir, math.Inf(1)) {
					hits++
				}
			}
		}
		if top == 0 {
			return hits
		}
		top--
		at = stack[top]
	}
}

func (n *triangleNode) crossed(o, inv r3.Vec) bool {
	from, to := 0.0, math.Inf(1)
	slab := func(lo, hi, o, inv float64) {
		a, b := (lo-o)*inv, (hi-o)*inv
		from, to = max(from, min(a, b)), min(to, max(a, b))
	}
	slab(n.box.Min.X, n.box.Max.X, o.X, inv.X)
	slab(n.box.Min.Y, n.box.Max.Y, o.Y, inv.Y)
	slab(n.box.Min.Z, n.box.Max.Z, o.Z, inv.Z)
	// One part in 10¹² is above the rounding of flat boxes' slabs.
	return from <= to*(1+1e-12)
}

// Turns returns the winding number at o of all triangles except number skip, which with that one must be closed: the number of triangles through which a ray
// leaves, less the number through which it enters. Where many pieces overlap it visits the triangles along a line, while WindingNumber visits all that are near.
// dir is the direction of the ray. sure is false if each ray of Directions meets an edge, lies in a triangle, or begins on one.
func (t *TriangleTree) Turns(o r3.Vec, skip int32) (n int, dir r3.Vec, sure bool) {
	for _, dir := range Directions {
		if reproducible.Dot(dir, o) < 0 { // away from the middle there is less to meet
			dir = reproducible.Scale(-1, dir)
		}
		if n, sure := t.turnsAlong(o, dir, skip); sure {
			return n, dir, true
		}
	}
	return 0, r3.Vec{}, false
}

func (t *TriangleTree) turnsAlong(o, dir r3.Vec, skip int32) (turns int, sure bool) {
	inv := r3.Vec{X: 1 / dir.X, Y: 1 / dir.Y, Z: 1 / dir.Z}
	var stack [stackSize]int32
	top, at := 0, int32(0)
	for {
		if n := &t.nodes[at]; n.crossed(o, inv) {
			if n.right != 0 {
				stack[top] = n.right
				top++
				at++
				continue
			}
			for i := n.first; i < n.first+n.count; i++ {
				if t.id[i] == skip {
					continue
				}
				turn, sure := t.tris[i].Turn(o, dir)
				if !sure {
					return 0, false
				}
				turns += turn
			}
		}
		if top == 0 {
			return turns, true
		}
		top--
		at = stack[top]
	}
}

// Cut reports whether a triangle that shares no corner with number i passes through it. vertices and triangles are those of NewTriangleTree.
func (t *TriangleTree) Cut(vertices []r3.Vec, triangles [][3]int32, i int) bool {
	c := triangles[i]
	corners := [3]r3.Vec{vertices[c[0]], vertices[c[1]], vertices[c[2]]}
	own, box := NewTriangle(corners[0], corners[1], corners[2]), boxes.Around(corners[:])
	var stack [stackSize]int32
	top, at := 0, int32(0)
	for {
		if n := &t.nodes[at]; boxes.Overlap(n.box, box) {
			if n.right != 0 {
				stack[top] = n.right
				top++
				at++
				continue
			}
			for k := n.first; k < n.first+n.count; k++ {
				if !shareCorner(triangles[t.id[k]], c) && (own.Pierced(&t.tris[k]) || t.tris[k].Pierced(&own)) {
					return true
				}
			}
		}
		if top == 0 {
			return false
		}
		top--
		at = stack[top]
	}
}

func shareCorner(f, g [3]int32) bool {
	for _, v := range f {
		if v == g[0] || v == g[1] || v == g[2] {
			return true
		}
	}
	return false
}
