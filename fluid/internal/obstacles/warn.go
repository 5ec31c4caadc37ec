package obstacles

import (
	"fmt"
	"slices"
)

// Fast is the solid, a body or an obstacle, whose thin walls ask for the most substeps.
type Fast struct {
	Substeps float64 // 0: none asks for any
	Body     int     // its index, or -1: it is an obstacle
	ID       uint64  // the body's or the obstacle's
}

// SetBody has it be a body, by its index and identity.
func (f *Fast) SetBody(substeps float64, body int, id uint64) { *f = Fast{substeps, body, id} }

// SetObstacle has it be an obstacle.
func (f *Fast) SetObstacle(substeps float64, id int64) { *f = Fast{substeps, -1, uint64(id)} }

// Kind is what kind of solid it is.
func (f *Fast) Kind() string {
	if f.Body >= 0 {
		return "body"
	}
	return "obstacle"
}

// FastText says that the thin walls of a solid move further in a substep than they should.
func FastText(who string) string {
	return "the thin walls of " + who + " move further in a substep than their thickness and half a cell; what they pass over is carried with them, but moves less exactly"
}

// leastCrowding is the part of the liquid that must be without room for a warning.
const leastCrowding = 5e-3

// Crowded tells whether there is more liquid than room: of what there should be the ledger lacks some, -drift litres, while it holds held, and no
// component of the liquid, of which closed has one entry each, has air. What the ledger lacks while air is left comes back by itself.
func Crowded(held, drift float64, closed []bool) bool {
	return !(drift > -leastCrowding*(held-drift)) && !slices.Contains(closed, false)
}

// CrowdingText says that an obstacle leaves no room for so many litres.
func CrowdingText(obstacle int64, litres float64) string {
	return fmt.Sprintf("obstacle %d leaves no room for %.4g litres; they come back when there is some", obstacle, litres)
}
