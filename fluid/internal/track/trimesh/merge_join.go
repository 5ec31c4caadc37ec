package trimesh

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// nearEnd is the weight of an edge's end from which a contact is taken to be at the end: the place is nearer to it than to the middle.
const nearEnd = 0.75

// join joins a contact if that is safe: two edges by zippering, and where it refuses, by what is nearest: a vertex at the end of an edge, or the edge again. To merge the two nearest
// vertices, made by splits where there are none, and to separate the result across is to take the triangles of both away and to join the rims: so no split need be made.
func (g *Merger) join(m *Mesh, c *contact, r *MergeReport) bool {
	if c.vertex {
		if g.fan(m, 0, c.a) && g.triangle(m, 1, c.b) && g.stitch(m, r) {
			r.Snaps++
			return true
		}
		return false
	}
	if g.edge(m, 0, c.a) && g.edge(m, 1, c.b) && g.stitch(m, r) {
		r.Zips++
		return true
	}
	if max(c.weights[0], c.weights[1], -c.weights[2], -c.weights[3]) < nearEnd {
		return false
	}
	w := c.weights
	if g.end(m, 0, c.a, c.ends[0], w[0], w[1]) && g.end(m, 1, c.b, c.ends[1], -w[2], -w[3]) && g.stitch(m, r) {
		r.Snaps++
		return true
	}
	return false
}

// end collects the fan of an edge's end if the contact is near it, and else the triangles of the edge.
func (g *Merger) end(m *Mesh, side int, e int32, ends [3]int32, first, second float64) bool {
	switch {
	case first >= nearEnd:
		return g.fan(m, side, ends[0])
	case second >= nearEnd:
		return g.fan(m, side, ends[1])
	}
	return g.edge(m, side, e)
}

// edge collects the triangles of an edge, which must be two.
func (g *Merger) edge(m *Mesh, side int, e int32) bool {
	list := m.EdgeTriangles[e]
	if len(list) != 2 {
		return false
	}
	g.inner[side] = append(g.inner[side][:0], list...)
	a, b := m.Edge[e][0], m.Edge[e][1]
	if !m.Along(list[0], a, b) {
		a, b = b, a
	}
	g.rim[side] = append(g.rim[side][:0], a, m.Opposite(list[1], e), b, m.Opposite(list[0], e))
	return m.Along(list[1], b, a) && g.rim[side][1] != g.rim[side][3]
}

func (g *Merger) triangle(m *Mesh, side int, t int32) bool {
	g.inner[side] = append(g.inner[side][:0], t)
	v := m.Triangle[t]
	g.rim[side] = append(g.rim[side][:0], v[0], v[1], v[2])
	return true
}

// fan collects the triangles of a vertex, which must go around it once, each edge with two.
func (g *Merger) fan(m *Mesh, side int, v int32) bool {
	list := m.VertexTriangles[v]
	g.inner[side] = append(g.inner[side][:0], list...)
	rim := g.rim[side][:0]
	for _, e := range m.VertexEdges[v] {
		if len(m.EdgeTriangles[e]) != 2 {
			return false
		}
	}
	next := func(a int32) int32 { // on the rim, along the triangle
		for _, t := range list {
			w := m.Triangle[t]
			i := slices.Index(w[:], v)
			if w[(i+1)%3] == a {
				return w[(i+2)%3]
			}
		}
		return Gone
	}
	first := m.Other(m.VertexEdges[v][0], v)
	for a := first; ; {
		rim = append(rim, a)
		if a = next(a); a == first || a == Gone || len(rim) > len(list) {
			break
		}
	}
	g.rim[side] = rim
	return len(rim) == len(list)
}

// stitch replaces the triangles collected on both sides by a band between their rims, if that is safe and the rims have nothing in common and are not connected by one
// edge or two. The paper asks for one. With two a joint beside another would leave a tunnel as thin as an edge; Merger.fill closes the crease there. Where g.close is set, it is enough that no
// edge of the band is there already.
//
// Source: Brochu 2006, section 3.2.1, figures 3.2 to 3.4.
func (g *Merger) stitch(m *Mesh, r *MergeReport) bool {
	label := m.Label[g.inner[0][0]]
	for side := range g.inner {
		for _, t := range g.inner[side] {
			if m.Label[t] != label || label < 0 {
				return false
			}
		}
	}
	for _, a := range g.rim[0] {
		for _, b := range g.rim[1] {
			if a == b || !g.close && (common(m, a, b) > 0 || m.FindEdge(a, b) != Gone) {
				return false
			}
		}
	}
	g.order(m)
	for _, s := range g.starts[:min(len(g.starts), 3)] {
		if g.tryBand(m, s.at, label, r) {
			return true
		}
	}
	return false
}

// order finds the pairs of the two rims that are nearest to each other: for each vertex of the first rim one.
func (g *Merger) order(m *Mesh) {
	g.starts = g.starts[:0]
	for i, a := range g.rim[0] {
		best := start{at: [2]int32{int32(i), 0}}
		for j, b := range g.rim[1] {
			if d := reproducible.Norm2(r3.Sub(m.Position[a], m.Position[b])); j == 0 || d < best.length {
				best.length, best.at[1] = d, int32(j)
			}
		}
		g.starts = append(g.starts, best)
	}
	slices.SortFunc(g.starts, func(p, q start) int { return cmp.Or(cmp.Compare(p.length, q.length), cmp.Compare(p.at[0], q.at[0])) })
}

// tryBand makes the band that begins between two vertices of the rims, and of the two edges that could come next takes the shorter one, unless one
// rim would get ahead of the other by half its length: a band all of whose triangles on one rim have the same vertex of the other is pinched there.
func (g *Merger) tryBand(m *Mesh, at [2]int32, label int32, r *MergeReport) bool {
	ed := &g.edit
	ed.reset()
	ed.apex = r3.Vec{}
	for side := range g.inner {
		for _, t := range g.inner[side] {
			if !ed.remove(t) {
				return false
			}
		}
		for _, v := range g.rim[side] {
			ed.apex = r3.Add(ed.apex, reproducible.Scale(1/float64(len(g.rim[0])+len(g.rim[1])), m.Position[v]))
		}
	}
	n := [2]int{len(g.rim[0]), len(g.rim[1])}
	for i, j := 0, 0; i < n[0] || j < n[1]; {
		a, b := g.rim[0][(int(at[0])+i)%n[0]], g.rim[1][(int(at[1])+2*n[1]-j)%n[1]]
		c, d := g.rim[0][(int(at[0])+i+1)%n[0]], g.rim[1][(int(at[1])+2*n[1]-j-1)%n[1]]
		first := j == n[1]
		switch {
		case i == n[0] || first:
		case 2*((i+1)*n[1]-j*n[0]) >= n[0]*n[1]: // too far ahead
			first = false
		case 2*((j+1)*n[0]-i*n[1]) >= n[0]*n[1]:
			first = true
		default:
			first = reproducible.Norm2(r3.Sub(m.Position[c], m.Position[b])) <= reproducible.Norm2(r3.Sub(m.Position[a], m.Position[d]))
		}
		if g.close && m.FindEdge(a, b) != Gone {
			return false
		}
		if first {
			ed.add(a, c, b, label)
			i++
		} else {
			ed.add(a, d, b, label)
			j++
		}
	}
	ed.prepare(m)
	if !ed.safe(m) {
		return false
	}
	r.Volume += ed.volume()
	ed.apply(m)
	for _, v := range ed.rim {
		if len(m.VertexTriangles[v]) == 0 {
			m.RemoveVertex(v)
		}
	}
	return true
}
