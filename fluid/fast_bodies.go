package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// fastBodies is the solid in the liquid whose thin walls ask for the most substeps.
type fastBodies struct {
	substeps float64
	solid    int      // an index of Bodies, or -1
	obstacle int64    // an ObstacleID, or -1
	told     [3]int64 // what text is about: knob, solid and obstacle
	text     string   // of the warning
	identity uint64   // of the solid
	about    uint64   // the identity that text names
}

// findFastBodies finds the thin walls that move furthest in a step of dt for how thick they are.
func (l *simulation) findFastBodies(dt float64) {
	w, c := &l.fastBodies, l.coupling
	w.obstacle = -1
	w.substeps, w.solid = c.Fastest(func(thickness float64, box r3.Box, centre r3.Vec, twist [6]float64) float64 {
		return l.wallSubsteps(thickness, box, centre, &twist, dt)
	})
	if w.solid >= 0 {
		w.identity = c.Bodies.ID(w.solid)
	}
	for i, o := range l.world.obstacles {
		if !o.moves || o.setAside {
			continue
		}
		moved := rigid.Twist(o.motion.Velocity, o.motion.AngularVelocity)
		if n := l.wallSubsteps(shapes.ThicknessOf(o.shape), o.placed.Bounds(), o.motion.Translation, &moved, dt); n > w.substeps {
			w.substeps, w.solid, w.obstacle = n, -1, l.world.ids.obstacles.ids[i]
		}
	}
}

// wallSubsteps is how many substeps a solid asks for by its thinnest wall, m thick: see walls.Substeps. It is 0 if the wall is not at liquid.
func (l *simulation) wallSubsteps(thickness float64, box r3.Box, centre r3.Vec, twist *[6]float64, dt float64) float64 {
	if !boxes.Overlap(box, l.def.Domain) {
		return 0
	}
	box = l.inDomain(box)
	travel := dt * walls.MaxSpeedIn(box, centre, twist)
	if n := walls.Substeps(thickness, travel, l.def.CellSize); n > 0 && l.surface.WetIn(boxes.Grown(box, travel)) {
		return n
	}
	return 0
}

// What ends the substeps.
const (
	bySolver = iota
	byBudget
)

// warnFastBodies names the solid whose walls move further in a substep than they should. The text is made anew only when it is about another.
func (l *simulation) warnFastBodies(end int) {
	w := &l.fastBodies
	if about := [3]int64{int64(end), int64(w.solid), w.obstacle}; w.text == "" || about != w.told || w.identity != w.about {
		w.told, w.about = about, w.identity
		who := fmt.Sprintf("obstacle %d", w.obstacle)
		if w.solid >= 0 {
			who = fmt.Sprintf("body %d (ID %d)", w.solid, w.identity)
		}
		w.text = "the thin walls of " + who + " move further in a substep than their thickness and half a cell; what they pass over is carried with them, but moves less exactly"
	}
	knob := "Solver.MaxSubsteps"
	if end == byBudget {
		knob = "Budget"
	}
	l.warn(knob, w.text)
}
