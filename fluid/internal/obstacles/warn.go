package obstacles

import (
	"fmt"
	"slices"
)

// Fast is the solid, a body or an obstacle, whose thin walls need the most substeps.
type Fast struct {
	Substeps float64 // 0: none needs any
	Body     int     // the body's index; -1 for an obstacle
	ID       uint64  // the body's or the obstacle's
}

// SetBody sets a body, by its index and ID.
func (f *Fast) SetBody(substeps float64, body int, id uint64) { *f = Fast{substeps, body, id} }

// SetObstacle sets an obstacle, by its ID.
func (f *Fast) SetObstacle(substeps float64, id int64) { *f = Fast{substeps, -1, uint64(id)} }

// Kind returns "body" or "obstacle".
func (f *Fast) Kind() string {
	if f.Body >= 0 {
		return "body"
	}
	return "obstacle"
}

// FastText returns the warning that a solid's thin walls move too far in a substep.
func FastText(who string) string {
	return "the thin walls of " + who + " move further in a substep than their thickness and half a cell; what they pass over is carried with them, but moves less exactly"
}

// leastCrowding is the least share of the liquid without room that is warned of.
const leastCrowding = 5e-3

// Crowded reports whether there is more liquid than room. The ledger must lack liquid, -drift litres, beside the held ones, and no
// component may touch air: closed has an entry for each. Beside air a lack refills by itself.
func Crowded(held, drift float64, closed []bool) bool {
	return !(drift > -leastCrowding*(held-drift)) && !slices.Contains(closed, false)
}

// CrowdingText returns the warning that an obstacle leaves no room for some litres.
func CrowdingText(obstacle int64, litres float64) string {
	return fmt.Sprintf("obstacle %d leaves no room for %.4g litres; they come back when there is some", obstacle, litres)
}
