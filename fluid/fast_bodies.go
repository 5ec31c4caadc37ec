package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// fastBodies is what is known of the thin walls in the liquid that ask for the most substeps.
type fastBodies struct {
	substeps float64
	solid    wallOwner
	told     wallOwner // whom text names
	text     string    // of the warning
}

// wallOwner is a body or an obstacle.
type wallOwner struct {
	body     int    // an index of Bodies, or -1
	id       uint64 // the body's
	obstacle int64  // an ObstacleID
}

// findFastBodies finds the thin walls that move furthest in a step of dt for how thick they are.
func (l *simulation) findFastBodies(dt float64) {
	w, c, o := &l.fastBodies, l.coupling, l.world.obstacles
	w.solid = wallOwner{}
	w.substeps, w.solid.body = c.Now().Fastest(func(thickness float64, box r3.Box, centre r3.Vec, twist [6]float64) float64 {
		return o.Substeps(thickness, box, centre, &twist, dt, l.surface.WetIn)
	})
	if w.solid.body >= 0 {
		w.solid.id = c.Bodies.ID(w.solid.body)
	}
	if n, at := o.Fastest(dt, l.surface.WetIn); n > w.substeps {
		w.substeps, w.solid = n, wallOwner{body: -1, obstacle: l.world.ids.obstacles.IDs[at]}
	}
}

// warnFastBodies names the solid whose walls move further in a substep than they should, and the knob that bounds the substeps. The text is made
// anew only when it is about another.
func (l *simulation) warnFastBodies(knob string) {
	w := &l.fastBodies
	if w.text == "" || w.told != w.solid {
		who := fmt.Sprintf("obstacle %d", w.solid.obstacle)
		if w.solid.body >= 0 {
			who = fmt.Sprintf("body %d (ID %d)", w.solid.body, w.solid.id)
		}
		w.told = w.solid
		w.text = "the thin walls of " + who + " move further in a substep than their thickness and half a cell; what they pass over is carried with them, but moves less exactly"
	}
	l.warn(knob, w.text)
}
