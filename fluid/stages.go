package fluid

// advanceSurface moves the surface with the old velocity and lets emitters, sinks and open sides act on it.
func (l *simulation) advanceSurface() {
	l.begin(StageSurface)
	l.step.moved = true
	l.surface.Advance()
	l.world.fields.AccelerateParticles(l.spray.Position, l.spray.Velocity, l.step.drift)
	l.volumes.Note()
	l.flows.Apply(l.solver.Closed)
	l.out.ev.Blocked = l.out.ev.Blocked[:0]
	for _, id := range l.flows.Emitters.Blocked {
		l.out.ev.Blocked = append(l.out.ev.Blocked, EmitterID(id))
	}
	l.surface.Complete()
	l.lap(l.disc.CellsInUse())
}

// discretise makes the graph of the new surface and solids.
func (l *simulation) discretise() {
	l.begin(StageDiscretise)
	l.disc.Discretise(len(l.coupling.Solids))
	l.lap(l.graph.Faces())
}
