package trimesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// cutTubes cuts the surface along three short edges in a loop that are no triangle, and closes both sides: a thin tube pinches off, and
// a thin hole closes. For a hole one short edge is enough: it is flat, such as what is left between two joints. A tube that is flat is a ribbon, and holds. Improver makes such loops of thin tubes by collapses, and leaves them.
func (s *Separator) cutTubes(m *Mesh, thin float64, r *SeparateReport) {
	for e := range int32(len(m.Edge)) {
		if !m.thin(e, thin) {
			continue
		}
		a, b := m.Edge[e][0], m.Edge[e][1]
		s.neighbour = s.neighbour[:0]
		for _, f := range m.VertexEdges[a] {
			if c := m.Other(f, a); c != b && len(m.EdgeTriangles[f]) == 2 {
				s.neighbour = append(s.neighbour, c)
			}
		}
		for _, c := range s.neighbour {
			g := m.FindEdge(b, c)
			if g == Gone || len(m.EdgeTriangles[g]) != 2 || m.face(e, c) {
				continue
			}
			s.narrow = m.thin(g, thin) && m.thin(m.FindEdge(a, c), thin)
			if s.narrow && c < b {
				continue // it is found at another edge
			}
			if s.cut(m, [3]int32{a, b, c}, r) {
				r.Cuts++
				break
			}
			r.Refused++
		}
	}
}

// thin tells whether an edge has two triangles and is shorter than a length.
func (m *Mesh) thin(e int32, length float64) bool {
	if m.Edge[e][0] == Gone || len(m.EdgeTriangles[e]) != 2 {
		return false
	}
	return reproducible.Norm2(r3.Sub(m.Position[m.Edge[e][0]], m.Position[m.Edge[e][1]])) < float64(length*length)
}

// face tells whether a vertex and an edge are a triangle.
func (m *Mesh) face(e, v int32) bool {
	for _, t := range m.EdgeTriangles[e] {
		if m.Opposite(t, e) == v {
			return true
		}
	}
	return false
}

// cut separates the surface along a loop, if that is safe.
func (s *Separator) cut(m *Mesh, loop [3]int32, r *SeparateReport) bool {
	if !s.sides(m, loop) {
		return false
	}
	s.copies = s.copies[:0]
	for _, v := range loop {
		s.addCopy(m, v)
	}
	for _, part := range nudges {
		if s.tryCut(m, loop, part, r) {
			return true
		}
	}
	s.giveBack(m, s.copies)
	return false
}

// sides collects the triangles around a loop on either side of it: on the first, those that run along it. It returns false if they are not apart at the
// loop, or not all of one label, or if one side is the three triangles of a vertex.
func (s *Separator) sides(m *Mesh, loop [3]int32) bool {
	for i := range s.side {
		s.side[i] = s.side[i][:0]
	}
	for i, a := range loop {
		b := loop[(i+1)%3]
		for _, t := range m.EdgeTriangles[m.FindEdge(a, b)] {
			k := 1
			if m.Along(t, a, b) {
				k = 0
			}
			if !slices.Contains(s.side[k], t) {
				s.side[k] = append(s.side[k], t)
			}
		}
	}
	for k := range s.side {
		if !s.spread(m, loop, k) || len(s.side[k]) == 3 {
			return false
		}
	}
	label := m.Label[s.side[0][0]]
	for _, t := range s.side[1] {
		if slices.Contains(s.side[0], t) {
			return false
		}
	}
	for _, v := range loop {
		for _, t := range m.VertexTriangles[v] {
			if m.Label[t] != label || !slices.Contains(s.side[0], t) && !slices.Contains(s.side[1], t) {
				return false
			}
		}
	}
	return true
}

// spread adds to the triangles of one side what they touch across edges that end at the loop. It returns false at an edge of more than two triangles.
func (s *Separator) spread(m *Mesh, loop [3]int32, k int) bool {
	for i := 0; i < len(s.side[k]); i++ {
		t := s.side[k][i]
		for _, e := range m.Sides[t] {
			first, second := slices.Contains(loop[:], m.Edge[e][0]), slices.Contains(loop[:], m.Edge[e][1])
			if first == second {
				continue // of the loop, or away from it
			}
			list := m.EdgeTriangles[e]
			if len(list) != 2 {
				return false
			}
			if u := list[0] + list[1] - t; !slices.Contains(s.side[k], u) {
				s.side[k] = append(s.side[k], u)
			}
		}
	}
	return true
}

// tryCut gives the second side its copies of the loop, closes both sides by a triangle, and moves the two apart across the loop, by a part of
// what is wanted.
func (s *Separator) tryCut(m *Mesh, loop [3]int32, part float64, r *SeparateReport) bool {
	ed := &s.edit
	ed.reset()
	p := [3]r3.Vec{m.Position[loop[0]], m.Position[loop[1]], m.Position[loop[2]]}
	ed.apex = reproducible.Scale(1.0/3, r3.Add(p[0], r3.Add(p[1], p[2])))
	normal := reproducible.Unit(areaVector(&p))
	length := (reproducible.Norm(r3.Sub(p[1], p[0])) + reproducible.Norm(r3.Sub(p[2], p[1])) + reproducible.Norm(r3.Sub(p[0], p[2]))) / 3
	// The first side is behind the triangle of the loop where the inside is around it, and in front where it is in the loop.
	gap := s.Outside
	if !(reproducible.Dot(normal, r3.Sub(s.middle(m, loop, 0), s.middle(m, loop, 1))) >= 0) {
		normal, gap = reproducible.Scale(-1, normal), s.Inside
	} else if !s.narrow {
		return false
	}
	shift := reproducible.Scale(part*max(float64(length*orDefault(s.Nudge, defaultNudge)), gap/2), normal)
	for i, v := range loop {
		ed.move(v, r3.Add(p[i], shift))
		ed.move(s.copies[i], r3.Sub(p[i], shift))
	}
	label := m.Label[s.side[0][0]]
	for k := range s.side {
		for _, t := range s.side[k] {
			ed.remove(t)
			w := m.Triangle[t]
			for i := range loop {
				if k == 1 {
					w = replaced(w, loop[i], s.copies[i])
				}
			}
			ed.add(w[0], w[1], w[2], label)
		}
	}
	ed.add(loop[0], loop[2], loop[1], label)
	ed.add(s.copies[0], s.copies[1], s.copies[2], label)
	ed.prepare(m)
	if !ed.safe(m) {
		return false
	}
	r.Volume += ed.volume()
	ed.apply(m)
	return true
}

// middle is the mean of the corners of one side that are not of the loop.
func (s *Separator) middle(m *Mesh, loop [3]int32, k int) (x r3.Vec) {
	n := 0.0
	for _, t := range s.side[k] {
		for _, v := range m.Triangle[t] {
			if !slices.Contains(loop[:], v) {
				x = r3.Add(x, m.Position[v])
				n++
			}
		}
	}
	return reproducible.Scale(1/n, x)
}
