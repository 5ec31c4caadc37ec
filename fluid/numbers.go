package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/warnings"
)

// A game's shape, or its rigid-body engine, may tell a distance that is no number, at a few points or for a while: a division by zero, an
// animation without keys. All distances that are asked for outside of this package pass a guard. It takes such a point for one far
// outside. An obstacle or a body is set aside from the next step on, as long as it is not sane: it is left out, and a warning names it once.
// Bodies with other numbers that are none are set aside by package bodies.

// reviewShapes leaves obstacles and bodies out whose numbers were none in the last step, and takes those back that are sane again.
func (l *simulation) reviewShapes() {
	if l.world.obstacles.ReviewFaults() {
		l.updateStaticObstacles()
	}
	if l.coupling.Sanitizer.ReviewFaults() {
		l.wakeAll()
	}
}

// warnOfFaults names what told numbers that are none: obstacles and bodies as they are set aside, emitters and sinks when they do.
func (rec *recorder) warnOfFaults() {
	l, w := rec.sim, &rec.sim.world
	for i, o := range w.obstacles.All {
		if f := shapes.FaultOf(o.Shape); f != nil && !f.Told {
			f.Told = true
			l.warn("AddObstacle", fmt.Sprintf("obstacle %d: %s; %s", w.ids.obstacles.IDs[i], f.Text(), bodies.SetAsideUntil))
		}
	}
	l.flows.WarnOfFaults()
	l.coupling.Sanitizer.WarnOfFaults()
}

// warnOfCrowding names the largest obstacle if there is more liquid than room: it waits until there is some.
func (rec *recorder) warnOfCrowding() {
	l, w := rec.sim, &rec.sim.world
	g := l.account()
	if !obstacles.Crowded(g.HeldL, g.DriftL, l.solver.Closed) {
		return
	}
	if at := w.obstacles.Largest(); at >= 0 {
		if id := w.ids.obstacles.IDs[at]; rec.causes.New("AddObstacle", "room", uint64(id)) {
			rec.addWarning("AddObstacle", obstacles.CrowdingText(id, -g.DriftL))
		}
	}
}

// warnOfShape has the next report name what is wrong with a shape that a call was given, if something is.
func (rec *recorder) warnOfShape(call string, s SDF) {
	if f := shapes.FaultOf(s); f != nil {
		rec.warnLater(call, fmt.Sprintf("the shape given to %s: %s; nothing is there", call, f.Text()))
	}
}

// warnOfOutside has the next report say that what a call was given is wholly outside of the domain, where it does nothing.
func (rec *recorder) warnOfOutside(knob, what string, b r3.Box) {
	if boxes.Apart(b, rec.sim.def.Domain) {
		rec.warnLater(knob, fmt.Sprintf("%s is wholly outside of the domain: from %.4g to %.4g m", what, b.Min, b.Max))
	}
}

// warnOfFieldOutside names a field that reaches no part of the domain.
func (rec *recorder) warnOfFieldOutside(knob string, f *fields.Field) {
	if f.Radius > 0 && f.Kind != fields.Vortex { // a vortex goes on along its axis
		rec.warnOfOutside(knob, fmt.Sprintf("field %d", f.ID), boxes.Grown(r3.Box{Min: f.Centre, Max: f.Centre}, f.Radius))
	}
}

// forgetWarnings begins steps that are taken back, and returns a function that ends them: what they warned of is to be warned of again.
func (rec *recorder) forgetWarnings() (end func()) {
	causes := rec.causes
	rec.causes = warnings.Causes{}
	return func() { rec.causes = causes }
}

// mostLater is how many warnings wait for a report.
const mostLater = 64

// warnLater has the next report warn.
func (rec *recorder) warnLater(knob, text string) {
	if len(rec.later) < mostLater {
		rec.later = append(rec.later, Warning{knob, text})
	}
}
