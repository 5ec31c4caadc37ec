package fluid

import (
	"slices"
)

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
	l.warn("AddObstacle", w.crowding.Text(w.ids.obstacles.IDs[at], -g.DriftL))
}
