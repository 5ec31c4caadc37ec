package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// A game's shape, or its rigid-body engine, may tell a distance that is no number, at a few points or for a while: a division by zero, an
// animation without keys. All distances that are asked for outside of this package pass a guard. It takes such a point for one far
// outside. An obstacle or a body is set aside from the next step on, as long as it is not sane: it is left out, and a warning names it once.
// Bodies with other numbers that are none are set aside by package bodies.

// reviewShapes leaves obstacles and bodies out whose numbers were none in the last step, and takes those back that are sane again.
func (l *simulation) reviewShapes() {
	if l.around.Obstacles.ReviewFaults() {
		l.updateStaticObstacles()
	}
	if l.around.Coupling.Sanitizer.ReviewFaults() {
		l.sleep.wakeAll()
	}
}

// warnOfFaults names what told numbers that are none: obstacles and bodies as they are set aside, emitters and sinks when they do.
func (l *simulation) warnOfFaults() {
	for i, o := range l.around.Obstacles.All {
		if f := shapes.FaultOf(o.Shape); f != nil && !f.Warned {
			f.Warned = true
			l.record.warn("AddObstacle", fmt.Sprintf("obstacle %d: %s; %s", l.ids.obstacles.IDs[i], f.Text(), bodies.SetAsideUntil))
		}
	}
	l.around.Flows.WarnOfFaults()
	l.around.Coupling.Sanitizer.WarnOfFaults()
}

// warnOfCrowding names the largest obstacle if there is more liquid than room: it waits until there is some.
func (l *simulation) warnOfCrowding() {
	g := l.account()
	if !obstacles.Crowded(g.HeldL, g.DriftL, l.step.told.Closed) {
		return
	}
	if at := l.around.Obstacles.Largest(); at >= 0 {
		if id := l.ids.obstacles.IDs[at]; l.record.causes.New("AddObstacle", "room", uint64(id)) {
			l.record.addWarning("AddObstacle", obstacles.CrowdingText(id, -g.DriftL))
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
func (l *simulation) warnOfOutside(knob, what string, b r3.Box) {
	if boxes.Apart(b, l.def.Domain) {
		l.record.warnLater(knob, fmt.Sprintf("%s is wholly outside of the domain: from %.4g to %.4g m", what, b.Min, b.Max))
	}
}

// warnOfFieldOutside names a field that reaches no part of the domain.
func (l *simulation) warnOfFieldOutside(knob string, f *fields.Field) {
	if f.Radius > 0 && f.Kind != fields.Vortex { // a vortex goes on along its axis
		l.warnOfOutside(knob, fmt.Sprintf("field %d", f.ID), boxes.Grown(r3.Box{Min: f.Centre, Max: f.Centre}, f.Radius))
	}
}
