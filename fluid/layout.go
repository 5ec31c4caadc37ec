package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
)

// prepare makes a liquid that New has put together ready for its first step.
func (l *simulation) prepare() {
	l.world.init(l)
	l.flows = newFlows(l)
	l.controls.Config = newControls(l)
	l.whiteWater = newWhiteWater(l)
	l.disc.Start()
	if l.def.Sounds {
		l.hearing.Begin(&l.graph, l.pool, l.disc.Tiles(), l.def.CellSize, l.def.Density, l.def.SurfaceTension)
	}
	l.resurvey()
	if l.def.Tracker == NoSurface { // the domain is full from the start
		l.ledger.FilledL = l.ledger.HeldL
	}
}

// resize gives every part of the mesh the resolution that surface, view, bodies and budget ask for.
func (l *simulation) resize() {
	l.record.begin(StageSizing)
	w, plan := &l.world, &l.step.report.Plan
	margin := float64(l.def.BodyBand) * l.def.CellSize
	l.regions = w.obstacles.AppendRegions(l.coupling.Now().AppendRegions(l.regions[:0], margin), margin)
	w.openings, w.jets = l.controls.AppendSeeds(l.flows.AppendOpenings(w.openings[:0])), l.flows.Emitters.AppendJets(w.jets[:0])
	w.steered = l.controls.AppendBoxes(w.steered[:0])
	l.step.wishes = sizing.Wishes{
		Bodies: l.regions, Emitters: w.openings, Jets: w.jets, Controls: w.steered, Band: l.def.Band,
		Invisible: plan.InvisibleLevel, ViewGain: plan.ViewGain, TargetUnknowns: plan.TargetUnknowns, Changes: plan.Changes,
	}
	out := l.disc.Resize(&l.step.wishes)
	plan.InvisibleCoarser = out.UnseenShort
	if out.Knob != "" {
		l.warn(out.Knob, out.Text)
	}
	l.record.lap(out.Refined + out.Coarsened)
}

// relayout carries the state over to levels that were changed outside of a step.
func (l *simulation) relayout() {
	l.disc.Refresh()
	l.readSolids(-l.disc.OutputDelay(), false)
	l.readThinWalls()
	l.disc.CarryOver()
	l.settleLayout()
}

// settleLayout makes the mesh at hand, and what is on it, the state that the next step begins with.
func (l *simulation) settleLayout() {
	l.disc.Settle()
	l.resurvey()
}

// Levels appends the blocks of the grid, for an overlay, and returns dst.
func (l *Liquid) Levels(dst []LevelBox) []LevelBox {
	defer l.enter(&callguard.Levels).leave()
	l.sim.query.parts = l.sim.disc.AppendParts(l.sim.query.parts[:0])
	for _, p := range l.sim.query.parts {
		dst = append(dst, LevelBox(p))
	}
	return dst
}
