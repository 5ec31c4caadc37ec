package fluid

import (
	"fmt"
	"slices"
)

// crowding is what is known of liquid that solids leave no room for.
type crowding struct {
	obstacle ObstacleID // that takes the most room
	litres   float64    // as warned of
	text     string
}

// leastCrowding is the part of the liquid that must be without room for a warning.
const leastCrowding = 5e-3

// warnOfCrowding names the largest obstacle if there is more liquid than room: it waits until there is some. What the ledger lacks while
// air is left comes back by itself.
func (rec *recorder) warnOfCrowding() {
	l := rec.sim
	g := l.account()
	if g.DriftL > -leastCrowding*(g.HeldL-g.DriftL) || slices.Contains(l.solver.Closed, false) {
		return
	}
	w := &l.world
	at := w.obstacles.Largest()
	if at < 0 {
		return
	}
	id, c := ObstacleID(w.ids.obstacles.IDs[at]), &w.crowding
	if change := c.litres + g.DriftL; c.text == "" || id != c.obstacle || change > .01*c.litres || -change > .01*c.litres {
		*c = crowding{id, -g.DriftL, fmt.Sprintf("obstacle %d leaves no room for %.4g litres; they come back when there is some", id, -g.DriftL)}
	}
	l.warn("AddObstacle", c.text)
}
