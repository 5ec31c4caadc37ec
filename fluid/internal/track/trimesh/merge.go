package trimesh

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Merger joins parts of the surface that are near each other: two pieces become one, a piece that touches itself gets a handle, and a thin sheet a hole. Only
// triangles of one label, ≥ 0, join. No operation makes an intersection. The zero value has the defaults.
//
// Source: Brochu 2006, section 3.2.1; Da, Batty and Grinspun 2014, section 4.
type Merger struct {
	// MostTries is how many joints one call tries; 0: 4096. What is left over waits for the next call: a larger number merges large areas of contact in
	// fewer steps, at about 20 µs each.
	MostTries int
	// Blunt, the cosine between the normals of two triangles, is that above which they are not taken to face each other or to be back to back; 0: -0.2.
	Blunt float64

	edit     edit
	normal   []r3.Vec   // of triangles
	cones    []r3.Box   // of places of the tree
	pairs    [][2]int32 // of places that are to be looked at
	contacts []contact
	rim      [2][]int32 // around what goes on either side
	inner    [2][]int32 // triangles that go
	starts   []start
	folds    []int32
	tries    int  // that are left
	close    bool // joints may be beside others: a second try where nothing else is to be done
	queued   []bool
}

// MergeReport says what Merge did.
type MergeReport struct {
	// Zips is how many pairs of edges were joined, Snaps how many other pairs that zippering had refused, and Folds how many creases were filled.
	Zips, Snaps, Folds int
	// Refused is how many contacts were left, not joined.
	Refused int
	// Volume is by how much the volume inside has changed, m³: joints add the gap between, holes take the sheet.
	Volume float64
}

// contact is where two edges, or a vertex and a triangle, are near each other.
type contact struct {
	distance float64
	vertex   bool        // and a triangle
	a, b     int32       // their numbers
	ends     [2][3]int32 // the vertices that they had
	weights  [4]float64
}

// start is where a band between two rims begins.
type start struct {
	length float64
	at     [2]int32
}

// Merge joins what is nearer than near, m, with the outside between, and what is nearer than thin, m, with the inside between. The boxes of the mesh must hold its
// triangles where they are; targets of vertices that are touched become their positions.
func (g *Merger) Merge(m *Mesh, near, thin float64) (r MergeReport) {
	g.normals(m)
	g.fill(m, near, thin, &r)
	if r.Folds > 0 {
		g.normals(m)
	}
	g.search(m, near, thin)
	slices.SortFunc(g.contacts, func(p, q contact) int {
		kind := func(vertex bool) int {
			if vertex {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(p.distance, q.distance), cmp.Compare(kind(p.vertex), kind(q.vertex)), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	g.tries = g.MostTries
	if g.tries <= 0 {
		g.tries = 4096
	}
	folds := r.Refused
	g.close = false
	g.joinAll(m, &r)
	if r.Zips+r.Snaps+r.Folds == 0 {
		g.close, r.Refused = true, folds
		g.joinAll(m, &r)
	}
	return r
}

// joinAll tries the contacts in their order. One joint beside others is enough: the crease around it is filled first.
func (g *Merger) joinAll(m *Mesh, r *MergeReport) {
	for i := range g.contacts {
		c := &g.contacts[i]
		if i > 0 && g.contacts[i-1] == *c || !c.stands(m) {
			continue
		}
		if g.tries--; g.tries < 0 || !g.join(m, c, r) {
			r.Refused++
		} else if g.close {
			return
		}
	}
}

// stands tells whether the two things of a contact are still there.
func (c *contact) stands(m *Mesh) bool {
	if c.vertex {
		return m.Triangle[c.b] == c.ends[1] && len(m.VertexTriangles[c.a]) > 0
	}
	return m.Edge[c.a] == [2]int32(c.ends[0][:2]) && m.Edge[c.b] == [2]int32(c.ends[1][:2])
}

// normals are those of all triangles.
func (g *Merger) normals(m *Mesh) {
	g.normal = arrays.Resize(g.normal, len(m.Triangle))
	for t := range m.Triangle {
		if m.Triangle[t][0] == Gone {
			continue
		}
		var p [3]r3.Vec
		p[0], p[1], p[2] = m.Corners(int32(t))
		n := areaVector(&p)
		if l := reproducible.Norm(n); l > 0 {
			n = reproducible.Scale(1/l, n)
		}
		g.normal[t] = n
	}
}

// compare adds the nearest pair of edges of two triangles to the contacts, and the nearest vertex and triangle if they are nearer.
func (g *Merger) compare(m *Mesh, t, u int32, near, thin float64) {
	var p, q [3]r3.Vec
	p[0], p[1], p[2] = m.Corners(t)
	q[0], q[1], q[2] = m.Corners(u)
	a, b := boxes.Around(p[:]), boxes.Around(q[:])
	if !within(&a, &b, max(near, thin)) || g.beyond(t, &p, &q, near, thin) || g.beyond(u, &q, &p, near, thin) {
		return
	}
	best := contact{distance: max(near, thin)}
	found := false
	facing := func(n *predicates.Contact) bool { // the normal leads from the second to the first
		towards := reproducible.Dot(n.Normal, g.normal[u])
		return n.Distance < best.distance && (towards > 0 && n.Distance < near || towards <= 0 && n.Distance < thin)
	}
	for i := range 3 {
		for j := range 3 {
			n := predicates.NearEdgeEdge(p[i], p[(i+1)%3], q[j], q[(j+1)%3])
			if facing(&n) {
				e, f := m.Sides[t][i], m.Sides[u][j]
				best, found = contact{distance: n.Distance, a: e, b: f, weights: n.Weights, ends: [2][3]int32{{m.Edge[e][0], m.Edge[e][1]}, {m.Edge[f][0], m.Edge[f][1]}}}, true
				best.turn(m.Triangle[t][i], m.Triangle[u][j])
			}
		}
	}
	for i := range 3 {
		if n := predicates.NearVertexTriangle(p[i], q[0], q[1], q[2]); facing(&n) {
			best, found = contact{distance: n.Distance, vertex: true, a: m.Triangle[t][i], b: u, ends: [2][3]int32{{}, m.Triangle[u]}}, true
		}
	}
	for i := range 3 {
		n := predicates.NearVertexTriangle(q[i], p[0], p[1], p[2])
		n.Normal = reproducible.Scale(-1, n.Normal)
		if facing(&n) {
			best, found = contact{distance: n.Distance, vertex: true, a: m.Triangle[u][i], b: t, ends: [2][3]int32{{}, m.Triangle[t]}}, true
		}
	}
	if found {
		g.contacts = append(g.contacts, best)
	}
}

// beyond tells whether the corners q are all farther than near in front of the plane of triangle t, with corners p, or all farther than thin behind it.
func (g *Merger) beyond(t int32, p, q *[3]r3.Vec, near, thin float64) bool {
	n := g.normal[t]
	d := reproducible.Dot(n, p[0])
	x, y, z := reproducible.Dot(n, q[0])-d, reproducible.Dot(n, q[1])-d, reproducible.Dot(n, q[2])-d
	return min(x, y, z) > near || max(x, y, z) < -thin
}

// turn makes the weights of a contact of edges those of the edges' ends, lower first, where the edges ran from p and from q. The contact gets the lower edge first.
func (c *contact) turn(p, q int32) {
	if p != c.ends[0][0] {
		c.weights[0], c.weights[1] = c.weights[1], c.weights[0]
	}
	if q != c.ends[1][0] {
		c.weights[2], c.weights[3] = c.weights[3], c.weights[2]
	}
	if c.a > c.b {
		c.a, c.b = c.b, c.a
		c.ends[0], c.ends[1] = c.ends[1], c.ends[0]
		w := c.weights
		c.weights = [4]float64{-w[2], -w[3], -w[0], -w[1]}
	}
}
