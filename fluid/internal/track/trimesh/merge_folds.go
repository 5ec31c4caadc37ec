package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// sharp is the cosine between the normals of two triangles at an edge beyond which they lie on each other: 143° of 180°.
const sharp = -0.8

// fill flips the edges at which the surface is folded on itself, so that its two triangles nearly lie on each other, if that makes the area smaller: the
// tetrahedron between becomes inside if the fold is a crease, and outside if it is a rim. A vertex of three triangles that is so folded goes. So the neck of a joint grows into the crease around it, which no
// other joint can enter since the rims would share vertices.
//
// Source: Brochu 2006, section 3.3.3: flips that reduce the area.
func (g *Merger) fill(m *Mesh, near, thin float64, r *MergeReport) {
	g.queued = arrays.Resize(g.queued, len(m.Edge))
	clear(g.queued)
	g.folds = g.folds[:0]
	for e, list := range m.EdgeTriangles {
		if len(list) == 2 && reproducible.Dot(g.normal[list[0]], g.normal[list[1]]) < 0 && m.Edge[e][0] != Gone && g.folded(m, int32(e), near, thin) {
			g.folds, g.queued[e] = append(g.folds, int32(e)), true
		}
	}
	for i, left := 0, m.Edges(); i < len(g.folds) && left > 0; i++ {
		e := g.folds[i]
		g.queued[e] = false
		if m.Edge[e][0] == Gone || !g.folded(m, e, near, thin) {
			continue
		}
		ed := &g.edit
		if !ed.safe(m) {
			r.Refused++
			continue
		}
		r.Volume += ed.volume()
		ed.apply(m)
		r.Folds++
		left--
		g.queued = arrays.Lengthen(g.queued, len(m.Edge))
		for _, v := range ed.rim {
			if len(m.VertexTriangles[v]) == 0 {
				m.RemoveVertex(v)
				continue
			}
			for _, next := range m.VertexEdges[v] {
				if !g.queued[next] && g.folded(m, next, near, thin) {
					g.folds, g.queued[next] = append(g.folds, next), true
				}
			}
		}
	}
}

// folded tells whether an edge is such a fold, and puts together what fills it.
func (g *Merger) folded(m *Mesh, e int32, near, thin float64) bool {
	list := m.EdgeTriangles[e]
	if len(list) != 2 || m.Label[list[0]] < 0 || m.Label[list[0]] != m.Label[list[1]] {
		return false
	}
	var p, q [3]r3.Vec
	p[0], p[1], p[2] = m.Corners(list[0])
	q[0], q[1], q[2] = m.Corners(list[1])
	n, o := areaVector(&p), areaVector(&q)
	dot := reproducible.Dot(n, o)
	if dot >= 0 || float64(dot*dot) < float64(sharp*sharp)*float64(reproducible.Norm2(n)*reproducible.Norm2(o)) {
		return false
	}
	c, d := m.Opposite(list[0], e), m.Opposite(list[1], e)
	across := r3.Sub(m.Position[d], m.Position[c])
	out, back := reproducible.Dot(across, n), -reproducible.Dot(across, o)
	reach := thin
	if out > 0 {
		reach = near
	}
	if c == d || min(math.Abs(out)/reproducible.Norm(n), math.Abs(back)/reproducible.Norm(o)) > 2*reach { // half of it in the mean
		return false
	}
	return g.gatherFold(m, e, c, d) && g.edit.shrinks()
}

// gatherFold puts the flip of an edge to one from c to d together. If there is such an edge, it has four triangles then, and Separator takes it apart: a tunnel is pinched. If
// that would make a triangle for the second time, it removes the end of the edge that has three triangles, if one has.
func (g *Merger) gatherFold(m *Mesh, e, c, d int32) bool {
	list := m.EdgeTriangles[e]
	a, b := m.Edge[e][0], m.Edge[e][1]
	if !m.Along(list[0], a, b) {
		a, b = b, a
	}
	if !m.Along(list[1], b, a) {
		return false
	}
	ed := &g.edit
	ed.reset()
	ed.remove(list[0])
	ed.remove(list[1])
	label := m.Label[list[0]]
	ed.apex = m.Position[c]
	if across := m.FindEdge(c, d); across == Gone {
		ed.add(c, a, d, label)
		ed.add(d, b, c, label)
	} else {
		for _, t := range m.EdgeTriangles[across] {
			switch v := m.Opposite(t, across); {
			case v == b && len(m.VertexTriangles[b]) == 3 && !m.Heavy[b] && m.Label[t] == label:
				ed.remove(t)
				ed.add(c, a, d, label)
			case v == a && len(m.VertexTriangles[a]) == 3 && !m.Heavy[a] && m.Label[t] == label:
				ed.remove(t)
				ed.add(d, b, c, label)
			}
		}
		if len(ed.gone) != 3 && (m.face(across, a) || m.face(across, b)) {
			return false
		}
		if len(ed.gone) == 2 {
			ed.add(c, a, d, label)
			ed.add(d, b, c, label)
		}
	}
	ed.prepare(m)
	return true
}

// shrinks tells whether an edit makes the area smaller.
func (e *edit) shrinks() bool {
	area := 0.0
	for i := range e.corner {
		area += reproducible.Norm(areaVector(&e.corner[i]))
	}
	for i := range e.before {
		area -= reproducible.Norm(areaVector(&e.before[i]))
	}
	return area < 0
}
