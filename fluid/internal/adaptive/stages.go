package adaptive

// AdvanceSurface moves the surface, droplets with it, with the settled velocity over Drift.
func (m *Blocks) AdvanceSurface() { m.Set.Advance(m.Vel, m.Drift) }

// CompleteSurface has the surface, which has moved and which emitters and the like have changed, go on in solids, keeps what thin walls part apart,
// and carries the foam along.
func (m *Blocks) CompleteSurface() {
	m.Solids.Extend(m.Set.Phi)
	m.Solids.SeparateAtWalls(m.Set.Phi, m.Set.ClipBlocks)
	m.AdvanceFoam(m.Drift)
}

// Discretise fills the graph with what surface and solids, of which so many may move, leave the liquid.
func (m *Blocks) Discretise(bodies int) { m.Solids.Fill(m.Graph, m.Set.Phi, bodies) }

// CellsInUse is the number of cells, liquid or not.
func (m *Blocks) CellsInUse() int { return m.Grid.CellsInUse() }
