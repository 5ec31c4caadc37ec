package cubes

import "github.com/meniscus3d/meniscus/fluid/internal/query"

// Surface tracks the liquid's surface by a particle level set on the blocks, with what floats on it and its triangles.
type Surface struct{ m *Blocks }

// Advance moves the surface, droplets with it, with the settled velocity over Drift.
func (s *Surface) Advance() { s.m.Set.Advance(s.m.Vel, s.m.Drift) }

// Report has nothing to tell.
func (s *Surface) Report() query.SurfaceReport { return query.SurfaceReport{} }

// Complete has the surface, which has moved and which emitters and the like have changed, go on in solids, keeps what thin walls part apart,
// and carries the foam along.
func (s *Surface) Complete() {
	m := s.m
	m.Solids.Extend(m.Set.Phi)
	m.Solids.SeparateAtWalls(m.Set.Phi, m.Set.ClipBlocks)
	m.Surface.AdvanceFoam(m.Drift)
}

// Discretise fills the graph with what surface and solids, of which so many may move, leave the liquid.
func (m *Blocks) Discretise(bodies int) {
	m.takeDistance()
	m.fillThin()
	m.Solids.Fill(m.Graph, m.Set.Phi, bodies)
}
