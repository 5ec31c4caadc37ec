package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// removeTiny removes the closed pieces whose volume is tiny.
func (s *Separator) removeTiny(m *Mesh, tiny float64, dst []RemovedPiece) []RemovedPiece {
	s.findPieces(m)
	s.measurePieces(m)
	removed := len(dst)
	for v := range m.Position {
		if s.count[v] > 0 && math.Abs(s.volume[v]) <= tiny {
			dst = append(dst, RemovedPiece{Centre: s.centre(m, int32(v)), Volume: s.volume[v], Origin: m.Origin[v], Label: m.Label[s.first[v]]})
		}
	}
	if len(dst) == removed {
		return dst
	}
	for t := range m.Triangle {
		if v := m.Triangle[t]; v[0] != Gone && math.Abs(s.volume[s.piece[v[0]]]) <= tiny {
			m.RemoveTriangle(int32(t))
			for _, w := range v {
				if len(m.VertexTriangles[w]) == 0 {
					m.RemoveVertex(w)
				}
			}
		}
	}
	return dst
}

// findPieces makes s.piece of each vertex the lowest one that edges connect it with.
func (s *Separator) findPieces(m *Mesh) {
	s.piece = arrays.Resize(s.piece, len(m.Position))
	for v := range s.piece {
		s.piece[v] = int32(v)
	}
	root := func(v int32) int32 {
		for s.piece[v] != v {
			s.piece[v] = s.piece[s.piece[v]]
			v = s.piece[v]
		}
		return v
	}
	for _, ends := range m.Edge {
		if ends[0] == Gone {
			continue
		}
		if a, b := root(ends[0]), root(ends[1]); a != b {
			s.piece[max(a, b)] = min(a, b)
		}
	}
	for v := range s.piece {
		s.piece[v] = s.piece[s.piece[v]] // that of a lower vertex is its lowest by now
	}
}

// centre is that of a piece's volume. Where much of that cancels it would be far off, and the mean of the vertices is better.
func (s *Separator) centre(m *Mesh, piece int32) r3.Vec {
	if volume := s.volume[piece]; math.Abs(volume) > float64(.5*s.size[piece]) {
		return r3.Add(m.Position[piece], reproducible.Scale(.25/volume, s.moment[piece]))
	}
	return reproducible.Scale(1/float64(s.count[piece]), s.at[piece])
}

// measurePieces adds up the volumes and the vertices of the pieces.
func (s *Separator) measurePieces(m *Mesh) {
	n := len(m.Position)
	s.volume, s.at, s.count, s.first = arrays.Resize(s.volume, n), arrays.Resize(s.at, n), arrays.Resize(s.count, n), arrays.Resize(s.first, n)
	s.size, s.moment = arrays.Resize(s.size, n), arrays.Resize(s.moment, n)
	clear(s.volume)
	clear(s.size)
	clear(s.moment)
	clear(s.at)
	clear(s.count)
	for v := range m.Position {
		if len(m.VertexTriangles[v]) > 0 {
			k := s.piece[v]
			s.at[k] = r3.Add(s.at[k], m.Position[v])
			s.count[k]++
			s.first[k] = m.VertexTriangles[v][0]
		}
	}
	for t := range m.Triangle {
		if m.Triangle[t][0] == Gone {
			continue
		}
		var p [3]r3.Vec
		p[0], p[1], p[2] = m.Corners(int32(t))
		k := s.piece[m.Triangle[t][0]]
		volume := tetrahedron(&p, m.Position[k])
		s.volume[k] += volume
		s.size[k] += math.Abs(volume)
		from := r3.Sub(r3.Add(p[0], r3.Add(p[1], p[2])), reproducible.Scale(3, m.Position[k]))
		s.moment[k] = r3.Add(s.moment[k], reproducible.Scale(volume, from))
	}
}
