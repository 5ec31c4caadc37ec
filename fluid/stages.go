package fluid

// advanceSurface moves the surface with the old velocity and lets emitters, sinks and open sides act on it.
func (l *Liquid) advanceSurface() {
	l.begin(StageSurface)
	l.step.moved = true
	l.m.AdvanceSurface()
	l.accelerateSpray(l.m.Drift)
	l.m.NoteVolumes()
	l.advanceDrops(l.m.Drift)
	l.applyEmitters()
	l.applyCurrents()
	l.ventSealedSinks()
	l.removeOutflow()
	l.m.CompleteSurface()
	l.lap(l.m.CellsInUse())
}

// discretise makes the graph of the new surface and solids.
func (l *Liquid) discretise() {
	l.begin(StageDiscretise)
	l.m.Discretise(len(l.coupling.Solids))
	l.lap(l.graph.Faces())
}

// removeOutflow takes away the liquid that has left through open sides.
func (l *Liquid) removeOutflow() {
	for _, volume := range l.m.Sources.RemoveOutflow() {
		l.ledger.DrainedL += volume / litre
	}
}
