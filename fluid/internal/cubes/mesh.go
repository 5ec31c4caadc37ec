package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ExtractMesh makes the surface's mesh at the output time. It is valid until the next one.
func (s *Surface) ExtractMesh() query.Triangles {
	m := s.m
	k := m.Mesh
	k.Extract(m.Set.Tiles, m.Vel, m.Foam.Tiles(), reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max))
	return m.Surface.ExtrapolateMesh(float32(m.OutputDelay()))
}

// ExtrapolateMesh moves the last mesh, which stays in the domain, on by its velocities, dt seconds.
func (s *Surface) ExtrapolateMesh(dt float32) query.Triangles {
	m := s.m
	k := m.Mesh
	extrapolate(k.Positions, k.Velocities, dt, reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max))
	return query.Triangles{Positions: k.Positions, Normals: k.Normals, Velocities: k.Velocities, Foam: k.Foam, Indices: k.Indices, Free: k.Free}
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
