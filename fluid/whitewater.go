package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// WhiteWater is spray, foam and bubbles: particles without weight that come where liquid traps air or is torn, and die within four seconds. The liquid
// doesn't know of them. They are for reading only.
type WhiteWater struct {
	Spheres    []float32 // xyz and radius each, m
	Velocities []float32 // xyz each, m/s
	Life       []float32 // the share of each one's life that is left, 1 to 0
	Kind       []uint8   // WhiteSpray, WhiteFoam or WhiteBubble
}

// What particles of white water are: in the air, on the surface, in the liquid.
const (
	WhiteSpray  = whitewater.Spray
	WhiteFoam   = whitewater.Foam
	WhiteBubble = whitewater.Bubble
)

// WhiteWaterReport counts white water.
type WhiteWaterReport struct {
	Spray, Foam, Bubbles int // at the end of the step
	Made                 int // of them, in it
}

// newWhiteWater makes white water without particles.
func newWhiteWater(l *simulation) *whitewater.Water {
	d := &l.def
	return whitewater.New(whitewater.Config{
		Most: d.WhiteWater, Domain: d.Domain, Open: d.Sides.passed(), Gap: float64(walls.Gap * d.CellSize), Liquid: l.can.WhiteWater,
		Solids: func(dst []query.Solid) []query.Solid {
			return l.around.Coupling.Now().AppendAll(l.around.Obstacles.AppendSolids(dst))
		},
	}, l.pool)
}

// advanceWhiteWater moves the white water on, when the step's liquid is as it will be shown.
func (l *simulation) advanceWhiteWater(dt float64) {
	w, r := l.whiteWater, &l.step.report
	if w.Most == 0 || l.step.asleep && w.Now.Len() == 0 {
		return
	}
	l.record.begin(StageWhiteWater)
	step := whitewater.Step{
		Dt: dt, Delay: l.step.told.Delay, Gravity: l.around.Fields.Gravity, Wind: l.around.Wind.Velocity, Most: r.Plan.WhiteWater,
		Still: l.step.asleep || r.Err != nil, Seed: uint64(l.out.steps), Splashes: w.Splashes[:0],
	}
	if l.around.Fields.Index().Any() {
		step.Fields = l.query.acceleration
	}
	for _, s := range l.out.ev.Splashes {
		step.Splashes = append(step.Splashes, whitewater.SplashOf(s.Body.ID, s.Position, l.around.Coupling.Solids[s.Body.Index].Bounds, s.Speed))
	}
	w.Advance(step)
	r.WhiteWater = WhiteWaterReport(w.Report())
	l.out.showWhiteWater()
	l.record.lap(w.Now.Len())
}

// showWhiteWater shows the white water.
func (o *output) showWhiteWater() {
	p := &o.whiteWater.Now
	o.surface.WhiteWater = WhiteWater{p.Spheres, p.Velocities, p.Life, p.Kind}
}
