package adaptive

import (
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ExtractMesh makes the surface's mesh at the output time. It is valid until the next one.
func (s *Surface) ExtractMesh() query.Triangles {
	m := s.m
	k := m.Mesh
	k.Extract(m.Set.Tiles, m.Vel, m.Foam.Tiles(), reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max))
	m.Surface.ExtrapolateMesh(float32(m.OutputDelay()))
	return query.Triangles{Positions: k.Positions, Normals: k.Normals, Velocities: k.Velocities, Foam: k.Foam, Indices: k.Indices, Free: k.Free}
}

// ExtrapolateMesh moves the last mesh, which stays in the domain, on by its velocities, dt seconds.
func (s *Surface) ExtrapolateMesh(dt float32) {
	m := s.m
	k := m.Mesh
	lo, hi := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	for a := range 3 {
		least, most := float32(lo[a]), float32(hi[a])
		for i := a; i < len(k.Positions); i += 3 {
			k.Positions[i] = max(least, min(k.Positions[i]+float32(k.Velocities[i]*dt), most))
		}
	}
}
