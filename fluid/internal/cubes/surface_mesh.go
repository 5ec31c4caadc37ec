package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ExtractMesh makes the surface's mesh at the output time, of the tracker's triangles if it has some, else of φ. It is valid until the next one.
func (s *Surface) ExtractMesh() query.Triangles {
	m, t := s.m, &s.triangles
	switch {
	case s.can.TrianglesLater != nil:
		s.can.TrianglesLater(t, m.Domain, s.velocity, m.OutputDelay())
		s.addAttributes()
		return *t
	case s.can.Triangles != nil:
		s.can.Triangles(t, m.Domain)
		s.addAttributes()
	default:
		s.mesh.Extract(m.Set.Tiles, m.Vel, s.foam.Tiles(), reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max))
	}
	return s.ExtrapolateMesh(float32(m.OutputDelay()))
}

// ExtrapolateMesh moves the last mesh, which stays in the domain, on by its velocities, dt seconds. Of a tracker whose triangles never cross it makes that of the
// settled state: whether they would cross on their way costs more than to make them.
func (s *Surface) ExtrapolateMesh(dt float32) query.Triangles {
	m, t := s.m, &s.triangles
	switch {
	case s.can.TrianglesLater != nil:
		s.can.TrianglesLater(t, m.Domain, s.velocity, 0)
		s.addAttributes()
		return *t
	case s.can.Triangles == nil:
		k := s.mesh
		*t = query.Triangles{Positions: k.Positions, Normals: k.Normals, Velocities: k.Velocities, Foam: k.Foam, Indices: k.Indices, Free: k.Free}
	}
	extrapolate(t.Positions, t.Velocities, dt, reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max))
	return *t
}

// extrapolate moves vertices, xyz in m, on by their velocities, m/s, for dt seconds. They stay within a box from lo to hi.
func extrapolate(positions, velocities []float32, dt float32, lo, hi [3]float64) {
	for a := range 3 {
		least, most := float32(lo[a]), float32(hi[a])
		for i := a; i < len(positions); i += 3 {
			positions[i] = max(least, min(positions[i]+float32(velocities[i]*dt), most))
		}
	}
}

// addAttributes gives the vertices of the tracker's triangles the velocity half a finest cell within the liquid, and the foam: see track.Surroundings.Under.
func (s *Surface) addAttributes() {
	m, t := s.m, &s.triangles
	n := len(t.Positions) / 3
	t.Velocities, t.Foam = arrays.Resize(t.Velocities, 3*n), arrays.Resize(t.Foam, n)
	foam, around := s.foam.Tiles(), track.Surroundings{Domain: m.Domain, CellSize: m.CellSize}
	for i := range n {
		x, normal := t.Positions[3*i:][:3], t.Normals[3*i:][:3]
		under := around.Under(
			r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])}, r3.Vec{X: float64(normal[0]), Y: float64(normal[1]), Z: float64(normal[2])})
		at := m.Grid.ToPoint(under.X, under.Y, under.Z)
		t.Velocities[3*i], t.Velocities[3*i+1], t.Velocities[3*i+2] = m.Vel.At(at)
		t.Foam[i] = foam.At(at)
	}
}
