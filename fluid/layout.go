package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/sizing"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

func (l *Liquid) prepare() {
	l.coupling.slideScratch = make([]slideScratch, l.pool.Workers())
	l.world.init(l)
	l.m.Vel.Gather(l.pool, &l.m.Faces)
	l.m.Solids.Solids(nil, blocks.Near{})
	l.resurvey()
}

// resize gives every block the level that surface, view, bodies and budget ask for.
func (l *Liquid) resize() {
	l.begin(StageSizing)
	i, w, plan := &l.m.Survey, &l.world, &l.step.report.Plan
	l.coupling.regions = l.coupling.regions[:0]
	margin := float64(l.def.BodyBand) * l.def.CellSize
	l.coupling.appendRegions(margin, l.def.Domain)
	w.appendRegions(&l.coupling.regions, margin)
	i.Openings, i.Jets = l.appendMouths(i.Openings[:0]), l.appendJets(i.Jets[:0])
	band := float64(l.def.Band) / grid.Edge
	deep, deepest := band, band
	if plan.TargetUnknowns > 0 { // as deep as the budget allows
		deep, deepest = 0, max(band, sizing.DefaultThicknessCap)
	}
	out := l.m.Sizer.Plan(&sizing.Input{
		MinAbs: i.Nearest, Fraction: i.Fraction, Wet: i.Wet, Band: i.Band,
		Bodies: l.coupling.regions, Emitters: i.Openings, Jets: i.Jets,
	}, sizing.Knobs{
		CoarsestLevel: grid.MaxLevel + 1 - l.def.Levels, InvisibleLevel: grid.MaxLevel - plan.InvisibleLevel,
		ViewGain: plan.ViewGain, TargetUnknowns: plan.TargetUnknowns, Thickness: deep, ThicknessCap: deepest, Changes: plan.Changes,
	})
	i.Demand, plan.UnseenCoarser = out, out.UnseenShort
	if out.Knob != "" {
		l.warn(out.Knob, out.Text)
	}
	l.m.Refresh()
	l.lap(out.Refined + out.Coarsened)
}

// relayout carries the state over to levels that were changed outside of a step.
func (l *Liquid) relayout() {
	l.m.Refresh()
	l.readSolids(-l.lag(), (*Liquid).standStill)
	l.readThin()
	l.m.CarryOver()
	l.settleLayout()
}

// settleLayout makes the mesh at hand, and what is on it, the state that the next step begins with.
func (l *Liquid) settleLayout() {
	l.m.Settle()
	l.resurvey()
}

// Levels appends the blocks of the grid, for an overlay, and returns dst.
func (l *Liquid) Levels(dst []LevelBox) []LevelBox {
	defer l.enter(&inLevels).leave()
	g := l.m.Grid
	edge := float64(g.H * grid.Edge)
	for b := range int32(g.Bases()) {
		lo := reproducible.Vector(g.Corner(b))
		dst = append(dst, LevelBox{
			Box:   r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: edge, Y: edge, Z: edge})},
			Level: grid.MaxLevel - int(g.Cur.Level[b]), Wet: l.m.Survey.Wet.Contains(uint32(b)),
		})
	}
	return dst
}

// appendRegions lists where bodies want the grid fine, whatever the camera sees.
func (c *coupling) appendRegions(margin float64, domain r3.Box) {
	for i := range c.count() {
		if c.bodies.Kind(i) == StaticBody {
			continue
		}
		box := c.bodies.Bounds(i)
		if boxes.Overlap(box, domain) && c.takes(i) && c.badPlaceOf(i) == "" {
			size := c.bodies.Thickness(i)
			if !(size >= 0) { // unknown
				size = math.MaxFloat32
			}
			c.regions = append(c.regions, sizing.Region{Box: box, Margin: margin, Size: size, Asleep: !c.bodies.Awake(i)})
		}
	}
}
