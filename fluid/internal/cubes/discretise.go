package cubes

// Discretise fills the graph with what surface and solids, of which so many may move, leave the liquid.
func (m *Blocks) Discretise(bodies int) {
	m.Surface.BeginDiscretise()
	m.Solids.Fill(m.Graph, m.Set.Phi, bodies)
}

// BeginDiscretise makes φ what the graph's rows are found by.
func (s *Surface) BeginDiscretise() {
	s.sampleGiven()
	s.residual.fillThin()
}
