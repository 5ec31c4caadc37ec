package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/sizing"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

func (l *Liquid) prepare() {
	n := l.m.Grid.Bases()
	v := &l.volumes
	v.shared, v.shores = make([]share, n), make([]blocks.Shores, l.pool.Workers())
	for w := range v.shores {
		v.shores[w] = blocks.MakeShores()
	}
	v.swept.reserve()
	v.losses.init(l)
	v.origins = make([][]origin, l.pool.Workers())
	l.world.init(l)
	l.m.Vel.Gather(l.pool, &l.m.Faces)
	l.m.Solids.Solids(nil, blocks.Near{})
	l.resurvey()
}

// resurvey is survey for a φ that was not metered.
func (l *Liquid) resurvey() {
	par.Each(l.pool, l.m.Grid.Bases(), measureGrain, l.m, (*adaptive.Blocks).MeasureBlock)
	l.sumVolume()
	l.m.SurveyBlocks()
}

// measureGrain is how many blocks workers take at a time to measure.
const measureGrain = 2

// sumVolume sums up what blocks, droplets and drops hold.
func (l *Liquid) sumVolume() {
	total := 0.
	for _, v := range l.m.Survey.Volume {
		total += v
	}
	l.volumes.ledger.HeldL = (total + l.m.Set.Markers.Droplets.Volume + l.world.drops.volume) / litre
}

// resize gives every block the level that surface, view, bodies and budget ask for.
func (l *Liquid) resize() {
	l.begin(StageSizing)
	i, w, plan := &l.m.Survey, &l.world, &l.step.report.Plan
	l.regions = l.regions[:0]
	margin := float64(l.def.BodyBand) * l.def.CellSize
	l.appendBodyRegions(margin)
	w.appendRegions(&l.regions, margin)
	i.Openings, i.Jets = l.appendMouths(i.Openings[:0]), l.appendJets(i.Jets[:0])
	band := float64(l.def.Band) / grid.Edge
	deep, deepest := band, band
	if plan.TargetUnknowns > 0 { // as deep as the budget allows
		deep, deepest = 0, max(band, sizing.DefaultThicknessCap)
	}
	out := l.m.Sizer.Plan(&sizing.Input{
		MinAbs: i.Nearest, Fraction: i.Fraction, Wet: i.Wet, Band: i.Band,
		Bodies: l.regions, Emitters: i.Openings, Jets: i.Jets,
	}, sizing.Knobs{
		CoarsestLevel: grid.MaxLevel + 1 - l.def.Levels, InvisibleLevel: grid.MaxLevel - plan.InvisibleLevel,
		ViewGain: plan.ViewGain, TargetUnknowns: plan.TargetUnknowns, Thickness: deep, ThicknessCap: deepest, Changes: plan.Changes,
	})
	i.Demand, plan.UnseenCoarser = out, out.UnseenShort
	if out.Knob != "" {
		l.warn(out.Knob, out.Text)
	}
	l.refresh()
	l.lap(out.Refined + out.Coarsened)
}

// refresh gives the blocks that are new in Cur the old velocity and pressure.
func (l *Liquid) refresh() {
	g, i := l.m.Grid, &l.m.Survey
	i.Fresh = i.Fresh[:0]
	for b := range int32(g.Bases()) {
		if g.Cur.First[b] != g.Prev.First[b] {
			i.Fresh = append(i.Fresh, b)
		}
	}
	if len(i.Fresh) > 0 {
		par.Each(l.pool, len(i.Fresh), 1, l, (*Liquid).refreshBlock)
		l.m.Carrier.Refresh(&l.m.Faces)
		l.wakeFresh()
	}
}

// refreshBlock gives the cells of a new block what the old cells at their middles had.
func (l *Liquid) refreshBlock(_ int, i int32) {
	b := l.m.Survey.Fresh[i]
	g := l.m.Grid
	now, was := g.Cur.Level[b], g.Prev.Level[b]
	first, old := g.Cur.First[b], g.Prev.First[b]
	at := func(i int32) int32 { return (2*i + 1) << was >> (now + 1) }
	n := int32(1) << now
	to := first
	for z := range n {
		for y := range n {
			row := old + (at(y)+at(z)<<was)<<was
			for x := range n {
				from := row + at(x)
				l.m.Press[to], l.volumes.label[to] = l.m.Press[from], l.volumes.label[from]
				to++
			}
		}
	}
}

// relayout carries the state over to levels that were changed outside of a step.
func (l *Liquid) relayout() {
	l.refresh()
	l.readSolids(-l.lag(), (*Liquid).standStill)
	l.readThin()
	l.m.Set.Advance(l.m.Vel, 0)
	l.m.Foam.Advance(l.m.Set.Phi, l.m.Vel, 0)
	l.settleLayout()
}

func (l *Liquid) settleLayout() {
	l.m.Grid.Settle()
	l.m.Vel.Gather(l.pool, &l.m.Faces)
	l.m.Set.Publish()
	l.m.Foam.Publish()
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

// appendBodyRegions lists where bodies want the grid fine, whatever the camera sees.
func (l *Liquid) appendBodyRegions(margin float64) {
	c := l.coupling
	c.EachTaken(func(i int, box r3.Box) {
		if c.Bodies.Kind(i) == StaticBody || !boxes.Overlap(box, l.def.Domain) {
			return
		}
		size := c.Bodies.Thickness(i)
		if !(size >= 0) { // unknown
			size = math.MaxFloat32
		}
		l.regions = append(l.regions, sizing.Region{Box: box, Margin: margin, Size: size, Asleep: !c.Bodies.Awake(i)})
	})
}
