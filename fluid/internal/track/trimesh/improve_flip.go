package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// flipAll flips edges until each is the better diagonal of its two triangles, or may not be flipped. Most flips of one call are as many as there are edges: on a surface that is
// not flat they need not come to an end.
func (im *Improver) flipAll(m *Mesh, r *ImproveReport) {
	im.queued = arrays.Resize(im.queued, len(m.Edge))
	clear(im.queued)
	im.flips = im.flips[:0]
	for e := range m.Edge {
		if m.Edge[e][0] != Gone && im.fresh(m, int32(e)) && im.unfit(m, int32(e)) {
			im.flips, im.queued[e] = append(im.flips, int32(e)), true
		}
	}
	for i, left := 0, m.Edges(); i < len(im.flips) && left > 0; i++ {
		e := im.flips[i]
		im.queued[e] = false
		if m.Edge[e][0] == Gone || !im.unfit(m, e) {
			continue
		}
		around, ok := im.flip(m, e, r)
		if !ok {
			r.Refused++
			continue
		}
		r.Flips++
		left--
		im.queued = arrays.Lengthen(im.queued, len(m.Edge))
		for _, next := range around {
			if !im.queued[next] && im.unfit(m, next) {
				im.flips, im.queued[next] = append(im.flips, next), true
			}
		}
	}
}

// skew is about the sine of 1°: by so much more than 180° two corners opposite an edge may add up to before it is flipped. Where four vertices are on a circle, as in every
// square, either diagonal is as good, and would else be flipped again and again.
const skew = 0.02

// unfit tells whether the corners opposite an edge of two triangles add up to clearly more than 180°: it is not Delaunay.
func (im *Improver) unfit(m *Mesh, e int32) bool {
	if len(m.EdgeTriangles[e]) != 2 {
		return false
	}
	a, b := m.Position[m.Edge[e][0]], m.Position[m.Edge[e][1]]
	c, d := m.Position[m.Opposite(m.EdgeTriangles[e][0], e)], m.Position[m.Opposite(m.EdgeTriangles[e][1], e)]
	ca, cb, da, db := r3.Sub(a, c), r3.Sub(b, c), r3.Sub(a, d), r3.Sub(b, d)
	cosC, cosD := reproducible.Dot(ca, cb), reproducible.Dot(da, db)
	if cosC >= 0 && cosD >= 0 {
		return false
	}
	sinC, sinD := reproducible.Norm(reproducible.Cross(ca, cb)), reproducible.Norm(reproducible.Cross(da, db))
	sin := float64(sinC*cosD) + float64(cosC*sinD) // of the sum, times the four lengths
	c2, d2 := float64(sinC*sinC)+float64(cosC*cosC), float64(sinD*sinD)+float64(cosD*cosD)
	return sin < 0 && float64(sin*sin) > float64(skew*skew)*float64(c2*d2)
}

// flippable tells whether an edge would be flipped, before anything else of the mesh is looked at.
func (im *Improver) flippable(m *Mesh, e int32) bool {
	return im.unfit(m, e) && im.gatherFlip(m, e)
}

// gatherFlip puts the flip of an edge together, and tells whether it makes the triangles better and keeps the shape.
func (im *Improver) gatherFlip(m *Mesh, e int32) bool {
	t, u := m.EdgeTriangles[e][0], m.EdgeTriangles[e][1]
	a, b := m.Edge[e][0], m.Edge[e][1]
	if !m.Along(t, a, b) {
		a, b = b, a
	}
	c, d := m.Opposite(t, e), m.Opposite(u, e)
	if c == d || m.FindEdge(c, d) != Gone || !m.Along(u, b, a) || m.Label[t] != m.Label[u] {
		return false
	}
	ed := &im.edit
	ed.reset()
	ed.remove(t)
	ed.remove(u)
	ed.add(c, a, d, m.Label[t])
	ed.add(d, b, c, m.Label[t])
	ed.apex = m.Position[c]
	ed.prepare(m)
	return worst(ed.corner) > worst(ed.before) && im.small(5*ed.volume(), im.target(m, e)) && im.blunt() && im.straight()
}

// straight tells whether no triangle that comes leans away from the mean of those that go by more than the limit, beyond what these do themselves.
func (im *Improver) straight() bool {
	ed := &im.edit
	var mean r3.Vec
	for i := range ed.before {
		mean = r3.Add(mean, areaVector(&ed.before[i]))
	}
	mean = reproducible.Unit(mean)
	least := im.limit.turn
	for i := range ed.before {
		if sine2(&ed.before[i]) >= needle2 {
			least = min(least, reproducible.Dot(reproducible.Unit(areaVector(&ed.before[i])), mean))
		}
	}
	for i := range ed.corner {
		if !(reproducible.Dot(reproducible.Unit(areaVector(&ed.corner[i])), mean) >= max(least, 0.1)) {
			return false
		}
	}
	return true
}

// blunt tells whether two triangles that go are no feature: their normals are within the limit. The normal of a needle says nothing.
func (im *Improver) blunt() bool {
	p, q := &im.edit.before[0], &im.edit.before[1]
	if min(sine2(p), sine2(q)) < needle2 {
		return true
	}
	return reproducible.Dot(reproducible.Unit(areaVector(p)), reproducible.Unit(areaVector(q))) >= im.limit.turn
}

// flip replaces an edge by the other diagonal of its two triangles, if that is better and safe. around are the four edges of both.
//
// Source: Brochu 2006, section 3.3.3.
func (im *Improver) flip(m *Mesh, e int32, r *ImproveReport) (around [4]int32, ok bool) {
	if !im.gatherFlip(m, e) || !im.edit.safe(m) {
		return around, false
	}
	n := 0
	for _, t := range m.EdgeTriangles[e] {
		for _, s := range m.Sides[t] {
			if s != e {
				around[n] = s
				n++
			}
		}
	}
	r.Volume += im.edit.volume()
	im.edit.apply(m)
	im.touch()
	return around, true
}
