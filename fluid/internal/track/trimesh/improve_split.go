package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// splitLong splits the edges that are too long, and those opposite a corner that is too large if their halves are not too short.
func (im *Improver) splitLong(m *Mesh, r *ImproveReport) {
	for range splitRounds {
		im.queue = im.queue[:0]
		for e := range m.Edge {
			if m.Edge[e][0] == Gone || !im.fresh(m, int32(e)) {
				continue
			}
			if ratio := im.ratio(m, int32(e)); ratio > im.limit.longest {
				im.queue = append(im.queue, candidate{-ratio, int32(e), m.Edge[e]})
			}
		}
		im.queueObtuse(m)
		im.order()
		splits := 0
		for i, c := range im.queue {
			if m.Edge[c.edge] != c.ends || i > 0 && im.queue[i-1] == c {
				continue
			}
			if im.split(m, c.edge, r) {
				splits++
			} else {
				r.Refused++
			}
		}
		r.Splits += splits
		if splits == 0 {
			return
		}
	}
}

// queueObtuse queues the edges opposite corners that are too large.
func (im *Improver) queueObtuse(m *Mesh) {
	for t := range m.Triangle {
		if m.Triangle[t][0] == Gone || !im.freshTriangle(m, t) {
			continue
		}
		l := m.sides(int32(t))
		i := longest(&l)
		c := l[(i+1)%3] + l[(i+2)%3] - l[i] // twice the cosine times the two sides
		if c >= 0 || float64(c*c) < float64(4*im.limit.obtuse*im.limit.obtuse)*float64(l[(i+1)%3]*l[(i+2)%3]) {
			continue
		}
		e := m.Sides[t][i]
		if ratio := im.ratio(m, e); ratio > 2*im.limit.shortest && ratio <= im.limit.longest && !im.flippable(m, e) {
			im.queue = append(im.queue, candidate{-ratio, e, m.Edge[e]})
		}
	}
}

func longest(l *[3]float64) int {
	switch {
	case l[0] >= l[1] && l[0] >= l[2]:
		return 0
	case l[1] >= l[2]:
		return 1
	}
	return 2
}

// split puts a vertex on an edge, whatever number of triangles it has, or beside it if the surface is curved and that is wanted and safe.
func (im *Improver) split(m *Mesh, e int32, r *ImproveReport) bool {
	if m.Vertices() >= im.limit.vertices {
		return false
	}
	a, b := m.Edge[e][0], m.Edge[e][1]
	middle := reproducible.Scale(0.5, r3.Add(m.Position[a], m.Position[b]))
	w := m.AddVertex(middle, m.Origin[a])
	m.Heavy[w] = m.Heavy[a] && m.Heavy[b]
	im.Length, im.touched = arrays.Lengthen(im.Length, len(m.Position)), arrays.Lengthen(im.touched, len(m.Position))
	im.touched[w] = 0
	im.Length[w] = (im.Length[a] + im.Length[b]) / 2
	if im.Curved && len(m.EdgeTriangles[e]) == 2 && !m.Heavy[w] {
		if x, ok := im.curved(m, a, b, middle); ok && im.trySplit(m, e, w, x, r) {
			return true
		}
	}
	if im.trySplit(m, e, w, middle, r) {
		return true
	}
	m.RemoveVertex(w)
	return false
}

// curved is where the cubic curve between two vertices that is at right angles to their normals has its middle. ok is false where the normals differ so much that the edge is
// a feature, and where the surface turns one way at one end and the other way at the other.
func (im *Improver) curved(m *Mesh, a, b int32, middle r3.Vec) (x r3.Vec, ok bool) {
	na, nb := reproducible.Unit(m.fanArea(a)), reproducible.Unit(m.fanArea(b))
	d := r3.Sub(m.Position[b], m.Position[a])
	da, db := reproducible.Dot(d, na), reproducible.Dot(d, nb)
	if !(reproducible.Dot(na, nb) > im.limit.turn) || float64(da*db) >= 0 {
		return middle, false
	}
	return r3.Add(middle, reproducible.Scale(0.125, r3.Sub(reproducible.Scale(db, nb), reproducible.Scale(da, na)))), true
}

// fanArea is twice the sum of the areas of the triangles of a vertex along their normals. Its length is by how much the volume inside grows six-fold per
// length by which the vertex moves along it.
func (m *Mesh) fanArea(v int32) (n r3.Vec) {
	for _, t := range m.VertexTriangles[v] {
		var p [3]r3.Vec
		p[0], p[1], p[2] = m.Corners(t)
		n = r3.Add(n, areaVector(&p))
	}
	return n
}

// trySplit splits an edge by a vertex that has no triangles yet, at a place, if that is safe.
func (im *Improver) trySplit(m *Mesh, e, w int32, x r3.Vec, r *ImproveReport) bool {
	ed := &im.edit
	ed.reset()
	ed.move(w, x)
	ed.apex = x
	a, b := m.Edge[e][0], m.Edge[e][1]
	for _, t := range m.EdgeTriangles[e] {
		c := m.Opposite(t, e)
		ed.remove(t)
		p, q := a, b
		if !m.Along(t, a, b) {
			p, q = b, a
		}
		ed.add(p, w, c, m.Label[t])
		ed.add(w, q, c, m.Label[t])
	}
	ed.prepare(m)
	v := ed.volume()
	if !im.small(v, im.target(m, e)) || !ed.safe(m) {
		return false
	}
	ed.apply(m)
	for _, v := range ed.rim {
		if im.touched[v] != held {
			im.touched[v] = max(im.touched[v], 0)
		}
	}
	r.Volume += v
	return true
}

// small tells whether a change of the volume is within the limit of one operation.
func (im *Improver) small(v, target float64) bool {
	most := float64(im.limit.volume*target) * float64(target*target)
	return v <= most && -v <= most
}
