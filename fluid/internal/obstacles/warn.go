package obstacles

import (
	"fmt"
	"slices"
)

// Fast is the solid, a body or an obstacle, whose thin walls ask for the most substeps.
type Fast struct {
	Substeps float64 // 0: none asks for any
	solid    solidName
	told     solidName // whom text names
	text     string
}

// solidName names a body or an obstacle.
type solidName struct {
	body int    // its index, or -1
	id   uint64 // the body's or the obstacle's
}

// SetBody has it be a body, by its index and identity.
func (f *Fast) SetBody(substeps float64, body int, id uint64) {
	f.Substeps, f.solid = substeps, solidName{body, id}
}

// SetObstacle has it be an obstacle.
func (f *Fast) SetObstacle(substeps float64, id int64) {
	f.Substeps, f.solid = substeps, solidName{-1, uint64(id)}
}

// Text says that its walls move further in a substep than they should. It is made anew only when it is about another solid.
func (f *Fast) Text() string {
	if f.text == "" || f.told != f.solid {
		who := fmt.Sprintf("obstacle %d", f.solid.id)
		if f.solid.body >= 0 {
			who = fmt.Sprintf("body %d (ID %d)", f.solid.body, f.solid.id)
		}
		f.told = f.solid
		f.text = "the thin walls of " + who + " move further in a substep than their thickness and half a cell; what they pass over is carried with them, but moves less exactly"
	}
	return f.text
}

// leastCrowding is the part of the liquid that must be without room for a warning.
const leastCrowding = 5e-3

// Crowded tells whether there is more liquid than room: of what there should be the ledger lacks some, -drift litres, while it holds held, and no
// component of the liquid, of which closed has one entry each, has air. What the ledger lacks while air is left comes back by itself.
func Crowded(held, drift float64, closed []bool) bool {
	return !(drift > -leastCrowding*(held-drift)) && !slices.Contains(closed, false)
}

// Crowding is liquid that solids leave no room for.
type Crowding struct {
	obstacle int64 // that takes the most room
	litres   float64
	text     string
}

// Text says that an obstacle leaves no room for so many litres. It is made anew only when that is another obstacle or, by more than a hundredth,
// another volume.
func (c *Crowding) Text(obstacle int64, litres float64) string {
	if change := c.litres - litres; c.text == "" || obstacle != c.obstacle || change > .01*c.litres || -change > .01*c.litres {
		*c = Crowding{obstacle, litres, fmt.Sprintf("obstacle %d leaves no room for %.4g litres; they come back when there is some", obstacle, litres)}
	}
	return c.text
}
