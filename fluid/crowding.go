package fluid

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
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
	id, c := w.largest(&l.query, l.def.Domain), &w.crowding
	if id < 0 {
		return
	}
	if change := c.litres + g.DriftL; c.text == "" || id != c.obstacle || change > .01*c.litres || -change > .01*c.litres {
		*c = crowding{id, -g.DriftL, fmt.Sprintf("obstacle %d leaves no room for %.4g litres; they come back when there is some", id, -g.DriftL)}
	}
	l.warn("AddObstacle", c.text)
}

// crowdingEdge is at how many places along each axis largest looks.
const crowdingEdge = 4

// largest is the obstacle that fills most of the domain, or -1; it looks at a few places.
func (w *surroundings) largest(q *queries, domain r3.Box) (id ObstacleID) {
	id = -1
	size, most := r3.Sub(domain.Max, domain.Min), 0
	for i := range q.pts[:crowdingEdge*crowdingEdge*crowdingEdge] {
		x, y, z := float64(i%crowdingEdge)+.5, float64(i/crowdingEdge%crowdingEdge)+.5, float64(i/(crowdingEdge*crowdingEdge))+.5
		q.pts[i] = r3.Vec{X: domain.Min.X + float64(x*size.X/crowdingEdge), Y: domain.Min.Y + float64(y*size.Y/crowdingEdge), Z: domain.Min.Z + float64(z*size.Z/crowdingEdge)}
	}
	for i, o := range w.obstacles {
		if o.setAside {
			continue
		}
		o.inPlace().Eval(q.dist[:], q.pts[:])
		count := 0
		for _, d := range q.dist {
			if d < 0 {
				count++
			}
		}
		if count > most {
			id, most = ObstacleID(w.ids.obstacles.ids[i]), count
		}
	}
	return id
}
