package trimesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// collapseShort collapses the edges that are too short, and the shortest sides of triangles with an angle that is too small.
func (im *Improver) collapseShort(m *Mesh, r *ImproveReport) {
	im.queue = im.queue[:0]
	for e := range m.Edge {
		if m.Edge[e][0] == Gone || !im.fresh(m, int32(e)) {
			continue
		}
		if ratio := im.ratio(m, int32(e)); ratio < im.limit.shortest {
			im.queue = append(im.queue, candidate{ratio, int32(e), m.Edge[e]})
		}
	}
	im.queueNeedles(m)
	im.order()
	for i, c := range im.queue {
		if m.Edge[c.edge] != c.ends || i > 0 && im.queue[i-1] == c || im.ratio(m, c.edge) > max(c.key, im.limit.shortest) {
			continue
		}
		if im.collapse(m, c.edge, r) {
			r.Collapses++
		} else {
			r.Refused++
		}
	}
}

// queueNeedles queues the shortest sides of triangles with an angle that is too small, if they are shorter than they should be.
func (im *Improver) queueNeedles(m *Mesh) {
	for t := range m.Triangle {
		if m.Triangle[t][0] == Gone || !im.freshTriangle(m, t) {
			continue
		}
		var p [3]r3.Vec
		p[0], p[1], p[2] = m.Corners(int32(t))
		if sine2(&p) >= im.limit.sine2 {
			continue
		}
		l := m.sides(int32(t))
		for i := range l {
			l[i] = -l[i]
		}
		e := m.Sides[t][longest(&l)]
		if ratio := im.ratio(m, e); ratio >= im.limit.shortest && ratio < 1 && im.fresh(m, e) {
			im.queue = append(im.queue, candidate{ratio, e, m.Edge[e]})
		}
	}
}

// collapse makes one vertex of the two of an edge, if that is safe. It tries three places, moved so that the volume stays or, if that is wanted, onto the
// curve between the ends, in the order of how far the surface comes beside where it was.
func (im *Improver) collapse(m *Mesh, e int32, r *ImproveReport) bool {
	a, b := m.Edge[e][0], m.Edge[e][1]
	if !im.gather(m, e) {
		return false
	}
	target := im.target(m, e)
	length := reproducible.Norm(r3.Sub(m.Position[b], m.Position[a]))
	least := im.limit.sine2
	if length < float64(im.limit.shortest*target)/2 {
		least = min(least, tight2)
	}
	onCurve, round := r3.Vec{}, false
	if im.Curved {
		onCurve, round = im.curved(m, a, b, reproducible.Scale(0.5, r3.Add(m.Position[a], m.Position[b])))
	}
	type place struct {
		x   r3.Vec
		far float64
	}
	var places [3]place
	n := 0
	for i, x := range [3]r3.Vec{reproducible.Scale(0.5, r3.Add(m.Position[a], m.Position[b])), m.Position[a], m.Position[b]} {
		both := m.Heavy[a] && m.Heavy[b] && im.JoinHeavy
		if !both && (m.Heavy[a] && i != 1 || m.Heavy[b] && i != 2) {
			continue
		}
		switch {
		case m.Heavy[a] || m.Heavy[b]:
		case !round:
			x = im.keepVolume(m, a, x, length/2)
		case i == 0:
			x = onCurve
		}
		if far := im.deviation(x); far <= float64(im.limit.deviation*target) {
			places[n] = place{x, far}
			n++
		}
	}
	slices.SortStableFunc(places[:n], func(p, q place) int {
		switch {
		case p.far < q.far:
			return -1
		case p.far > q.far:
			return 1
		}
		return 0
	})
	for _, p := range places[:n] {
		if im.tryCollapse(m, a, b, p.x, target, least, r) {
			return true
		}
	}
	return false
}

// gather collects the triangles around an edge for its collapse to the vertex with the lower number. It returns false if the surface would not be the same
// afterwards: the edge has not two triangles, its ends have other neighbours in common than the two of these, or a triangle would be there twice.
func (im *Improver) gather(m *Mesh, e int32) bool {
	if len(m.EdgeTriangles[e]) != 2 || common(m, m.Edge[e][0], m.Edge[e][1]) != 2 {
		return false
	}
	a, b := m.Edge[e][0], m.Edge[e][1]
	ed := &im.edit
	ed.reset()
	ed.move(a, m.Position[a])
	for _, t := range m.VertexTriangles[a] {
		ed.remove(t)
		if v := m.Triangle[t]; !slices.Contains(v[:], b) {
			ed.replace(v, m.Label[t])
		}
	}
	for _, t := range m.VertexTriangles[b] {
		if v := m.Triangle[t]; ed.remove(t) {
			ed.replace(replaced(v, b, a), m.Label[t])
		}
	}
	ed.prepare(m)
	return true
}

// common counts the vertices that two have both as neighbours.
func common(m *Mesh, a, b int32) (n int) {
	for _, e := range m.VertexEdges[a] {
		if c := m.Other(e, a); c != b && m.FindEdge(c, b) != Gone {
			n++
		}
	}
	return n
}

// keepVolume is the place nearest to x at which the collapse that is gathered changes no volume, unless that is farther than most. The volume is linear in the place of the
// one vertex, with a third of the area around as its gradient.
//
// Source: Lindstrom and Turk 1998, section 4.1.
func (im *Improver) keepVolume(m *Mesh, a int32, x r3.Vec, most float64) r3.Vec {
	ed := &im.edit
	ed.to[0], ed.apex = x, x
	v := 0.0
	for i := range ed.before {
		v -= tetrahedron(&ed.before[i], x)
	}
	var area r3.Vec // twice
	for i := range ed.come {
		p := ed.corner[i]
		p[slices.Index(ed.come[i][:], a)] = x
		area = r3.Add(area, areaVector(&p))
	}
	n := reproducible.Norm2(area)
	if n == 0 {
		return x
	}
	step := reproducible.Scale(-6*v/n, area)
	if !(reproducible.Norm(step) <= most) {
		return x
	}
	return r3.Add(x, step)
}

// deviation is how far a place is from the farthest of the planes of the triangles that go, m. Those without area have no plane.
func (im *Improver) deviation(x r3.Vec) (far float64) {
	for i := range im.edit.before {
		p := &im.edit.before[i]
		if sine2(p) < needle2 {
			continue
		}
		far = max(far, math.Abs(reproducible.Dot(reproducible.Unit(areaVector(p)), r3.Sub(x, p[0]))))
	}
	return far
}

// tryCollapse makes the collapse that is gathered, to a place, if it is safe and makes no triangle worse than one of those before and than least, the squared sine of an angle.
func (im *Improver) tryCollapse(m *Mesh, a, b int32, x r3.Vec, target, least float64, r *ImproveReport) bool {
	ed := &im.edit
	ed.to[0], ed.apex = x, x
	ed.prepare(m)
	v := ed.volume()
	if !im.small(v, target) || worst(ed.corner) < min(least, worst(ed.before)) {
		return false
	}
	for i := range ed.corner {
		for j := range 3 {
			if d := r3.Sub(ed.corner[i][(j+1)%3], ed.corner[i][j]); reproducible.Norm(d) > float64(im.limit.longest*target) && worst(ed.before) > poor2 {
				return false
			}
		}
	}
	if !im.kept() || !ed.safe(m) {
		return false
	}
	heavy := m.Heavy[a] || m.Heavy[b]
	ed.apply(m)
	im.touch()
	m.RemoveVertex(b)
	m.Heavy[a] = heavy
	im.Length[a] = target
	r.Volume += v
	return true
}

// kept tells whether no triangle turns by more than the limit. The normals of poor ones say little of the surface.
func (im *Improver) kept() bool {
	ed := &im.edit
	for i := range ed.corner {
		p := &ed.before[ed.from[i]]
		if sine2(p) < im.limit.sine2/2 {
			continue
		}
		n, o := areaVector(&ed.corner[i]), areaVector(p)
		if !(reproducible.Dot(n, o) >= float64(im.limit.turn*reproducible.Norm(n))*reproducible.Norm(o)) {
			return false
		}
	}
	return true
}
