package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// advanceSurface moves the surface with the old velocity and lets taps and open sides act on it.
func (l *Liquid) advanceSurface() {
	l.begin(StageSurface)
	l.step.moved = true
	l.m.Set.Advance(l.m.Vel, l.m.Drift)
	l.accelerateDroplets(l.m.Drift)
	l.m.NoteVolumes()
	l.dropsFall(l.m.Drift)
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
	g := l.m.Grid
	lo, hi := reproducible.Array(l.def.Domain.Min), reproducible.Array(l.def.Domain.Max)
	open := l.openSides()
	if open == [6]bool{} {
		return
	}
	for b := range int32(g.Bases()) {
		c := g.Corner(b)
		e := float64(g.H * grid.Edge)
		outside := false
		for a := range 3 {
			outside = outside || open[2*a] && c[a] < lo[a]-float64(1e-9*e) || open[2*a+1] && c[a]+e > hi[a]+float64(1e-9*e)
		}
		if outside {
			l.removeOutflowOf(b, lo, hi, open)
		}
	}
}

func (l *Liquid) removeOutflowOf(b int32, lo, hi [3]float64, open [6]bool) {
	g, v := l.m.Grid, &l.m.Volumes
	h := g.CellSize(g.Cur.Level[b])
	first, band := g.Cur.First[b], float64(l.m.Set.Band*h)
	from, before, roughly := v.Gains(), l.m.LiquidOf(b), 0.
	for i, p := range l.m.Centres(b) {
		x := reproducible.Array(p)
		beyond := math.Inf(-1)
		back := x
		for a := range 3 {
			if d := lo[a] - x[a]; open[2*a] && d > beyond {
				beyond = d
				back[a] = lo[a] + float64(h/2)
			}
			if d := x[a] - hi[a]; open[2*a+1] && d > beyond {
				beyond = d
				back[a] = hi[a] - float64(h/2)
			}
		}
		beyond = min(beyond, band) // all that is further out is as far
		c := first + int32(i)
		phi := &l.m.Set.Phi[c]
		if beyond <= 0 || *phi >= float32(beyond) {
			continue
		}
		lost := float64((adaptive.WetFraction(*phi, float32(h)) - adaptive.WetFraction(float32(beyond), float32(h))) * l.m.Solids.Volume[c])
		*phi = float32(beyond)
		if lost > 0 {
			roughly += lost
			v.Gain(l.m.CellAt(back), -lost)
		}
	}
	l.m.Set.Measure(b)
	lost := max(0, before-l.m.LiquidOf(b))
	v.ScaleGains(from, lost/roughly)
	v.Spill(b, lost)
	l.ledger.DrainedL += lost / litre
}
