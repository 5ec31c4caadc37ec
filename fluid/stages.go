package fluid

// advanceSurface moves the surface with the old velocity and lets emitters, sinks and open sides act on it.
func (l *simulation) advanceSurface() {
	l.begin(StageSurface)
	l.step.moved = true
	l.surface.Advance()
	l.accelerateSpray(l.step.drift)
	l.volumes.Note()
	l.advanceDrops(l.step.drift)
	l.applyEmitters()
	l.applyCurrents()
	l.ventSealedSinks()
	l.removeOutflow()
	l.surface.Complete()
	l.lap(l.disc.CellsInUse())
}

// discretise makes the graph of the new surface and solids.
func (l *simulation) discretise() {
	l.begin(StageDiscretise)
	l.disc.Discretise(len(l.coupling.Solids))
	l.lap(l.graph.Faces())
}

// removeOutflow takes away the liquid that has left through open sides.
func (l *simulation) removeOutflow() {
	for _, volume := range l.sources.RemoveOutflow() {
		l.ledger.DrainedL += volume / litre
	}
}
