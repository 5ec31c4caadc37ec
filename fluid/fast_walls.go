package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
)

// findFastWalls finds the thin walls that move furthest in a step of dt for how thick they are.
func (l *simulation) findFastWalls(dt float64) {
	f, c, o := &l.fastWalls, l.around.Coupling, l.around.Obstacles
	n, body := c.Now().Fastest(func(thickness float64, box r3.Box, centre r3.Vec, twist [6]float64) float64 {
		return o.Substeps(thickness, box, centre, &twist, dt, l.solver.WetIn)
	})
	id := uint64(0)
	if body >= 0 {
		id = c.Bodies.ID(body)
	}
	f.SetBody(n, body, id)
	if n, at := o.Fastest(dt, l.solver.WetIn); n > f.Substeps {
		f.SetObstacle(n, l.ids.obstacles.IDs[at])
	}
}

// warnOfFastWalls names the solid whose thin walls ask for more substeps than there are.
func (l *simulation) warnOfFastWalls(knob string) {
	f := &l.fastWalls
	if !l.record.causes.New(knob, f.Kind(), f.ID) {
		return
	}
	who := fmt.Sprintf("obstacle %d", f.ID)
	if f.Body >= 0 {
		who = l.around.Coupling.Called(f.Body)
	}
	l.record.addWarning(knob, obstacles.FastText(who))
}
