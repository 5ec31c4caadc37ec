package stuffing

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// snapVertices moves vertices of the free surface that are within Snap of a leaf's edge from a solid onto it, orthogonally, where the angles of all
// tetrahedra around keep the bounds (Chentanez et al. 2007 §3.3.1, which does so without a condition). It needs the field's SolidAt.
func (m *Mesher) snapVertices() {
	if m.Snap <= 0 || m.f.SolidAt == nil {
		return
	}
	s := &m.moves
	m.findSnaps()
	if len(s.found) == 0 {
		return
	}
	m.project()
	m.listIncident()
	for i, v := range s.found {
		if m.tryMove(i, v, s.to[i]) {
			m.Mesh.Flags[v] |= OnSolid
		}
	}
}

// findSnaps lists vertices that may be moved: cuts, and vertices that have been moved already. The tetrahedra around others may share their geometry.
func (m *Mesher) findSnaps() {
	s, mesh := &m.moves, &m.Mesh
	s.found = s.found[:0]
	for v, f := range mesh.Flags {
		if f&(OnSurface|OnSolid|InPlace) == OnSurface && m.mayTouch(int32(v)) {
			s.found = append(s.found, int32(v))
		}
	}
}

// mayTouch tells whether a solid may be near a vertex, by its distance from the ends of the edge that the vertex lies on.
func (m *Mesher) mayTouch(v int32) bool {
	a, b := m.edgeOf(v)
	if a < 0 {
		return false
	}
	gap := m.gapAt(a) + m.leaf[m.l.Level[a]]
	return min(m.f.Solid[a], m.f.Solid[b]) < gap
}

// edgeOf is the ends of the lattice's edge that a vertex of the mesh has been moved or cut along, or -1, -1.
func (m *Mesher) edgeOf(v int32) (a, b int32) {
	e, of := int32(-1), m.Mesh.Origin[v]
	switch {
	case of < 0:
		e = ^of
	case !m.l.Beyond[of] && m.snapped[of] != noCut:
		e = m.cuts[m.snapped[of]].edge
	}
	if e < 0 {
		return -1, -1
	}
	return m.l.Ends[e][0], m.l.Ends[e][1]
}

// gapAt is how near to a solid is on it, m, at a vertex of the lattice.
func (m *Mesher) gapAt(v int32) float64 { return float64(m.Snap * m.leaf[m.l.Level[v]]) }

// project finds where vertices are moved to, by two steps along the gradient of the distance from solids. It drops those that are too far from any,
// and those without a gradient. Vertices on sides of the layout stay on them.
func (m *Mesher) project() {
	s, mesh := &m.moves, &m.Mesh
	s.to = s.to[:0]
	for _, v := range s.found {
		s.to = append(s.to, reproducible.Vector(mesh.Position[v]))
	}
	for round := range 2 {
		m.measureAround()
		n := 0
		for i, v := range s.found {
			a, _ := m.edgeOf(v)
			d := s.dist[7*i:][:7]
			if round == 0 && !(d[0] > 0 && d[0] < m.gapAt(a)) {
				continue
			}
			step, ok := descent(d, m.probe(a), mesh.Flags[v])
			if !ok {
				continue
			}
			s.found[n], s.to[n] = v, r3.Add(s.to[i], step)
			n++
		}
		s.found, s.to = s.found[:n], s.to[:n]
	}
}

// probe is how far from a point the distance is measured for its gradient, m.
func (m *Mesher) probe(v int32) float64 { return float64(m.leaf[m.l.Level[v]] / 64) }

// measureAround measures the distance from solids at each place that a vertex is moved to, and on both sides of it along each axis.
func (m *Mesher) measureAround() {
	s := &m.moves
	s.pts = s.pts[:0]
	for i, v := range s.found {
		a, _ := m.edgeOf(v)
		x, e := s.to[i], m.probe(a)
		s.pts = append(s.pts, x,
			r3.Vec{X: x.X - e, Y: x.Y, Z: x.Z}, r3.Vec{X: x.X + e, Y: x.Y, Z: x.Z},
			r3.Vec{X: x.X, Y: x.Y - e, Z: x.Z}, r3.Vec{X: x.X, Y: x.Y + e, Z: x.Z},
			r3.Vec{X: x.X, Y: x.Y, Z: x.Z - e}, r3.Vec{X: x.X, Y: x.Y, Z: x.Z + e})
	}
	s.dist = arrays.Resize(s.dist, len(s.pts))
	for from := 0; from < len(s.pts); from += batch {
		to := min(from+batch, len(s.pts))
		m.f.SolidAt(s.dist[from:to], s.pts[from:to])
	}
}

// descent is the step to where a field is zero, from its values at a place and e on both sides of it along each axis. Along an axis whose sides are
// among the flags it has no part. It is false where the field is too flat there, or no number.
func descent(d []float64, e float64, flags uint16) (r3.Vec, bool) {
	var g [3]float64
	for a := range g {
		if flags&(Side(a, false)|Side(a, true)) == 0 {
			g[a] = (d[2*a+2] - d[2*a+1]) / (2 * e)
		}
	}
	n := reproducible.Vector(g)
	size := reproducible.Norm2(n)
	if !(size > .25 && size < 4) || math.IsNaN(d[0]) {
		return r3.Vec{}, false
	}
	return reproducible.Scale(-d[0]/size, n), true
}
