package fluid

// advanceSurface moves the surface with the old velocity and lets emitters, sinks and open sides act on it.
func (l *Liquid) advanceSurface() {
	l.begin(StageSurface)
	l.step.moved = true
	l.m.Set.Advance(l.m.Vel, l.m.Drift)
	l.accelerateSpray(l.m.Drift)
	l.m.NoteVolumes()
	l.advanceDrops(l.m.Drift)
	l.applyEmitters()
	l.applyCurrents()
	l.ventSealedSinks()
	l.removeOutflow()
	l.m.Solids.Extend(l.m.Set.Phi)
	l.m.Solids.SeparateAtWalls(l.m.Set.Phi, l.m.Set.ClipBlocks)
	l.m.Foam.Advance(l.m.Set.Phi, l.m.Vel, l.m.Drift)
	l.lap(l.m.Grid.CellsInUse())
}

// discretise makes the graph of the new surface and solids.
func (l *Liquid) discretise() {
	l.begin(StageDiscretise)
	l.m.Solids.Fill(&l.graph, l.m.Set.Phi, len(l.coupling.solid))
	l.lap(l.graph.Faces())
}

// removeOutflow takes away the liquid that has left through open sides.
func (l *Liquid) removeOutflow() {
	for _, volume := range l.m.Exchange.RemoveOutflow() {
		l.ledger.DrainedL += volume / litre
	}
}
