package cubes

// Discretise fills the graph with what surface and solids, of which so many may move, leave the liquid.
func (m *Blocks) Discretise(bodies int) {
	m.Surface.sampleGiven()
	m.Surface.residual.fillThin()
	m.Solids.Fill(m.Graph, m.Set.Phi, bodies)
}
