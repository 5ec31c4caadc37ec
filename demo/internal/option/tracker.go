package option

import (
	"strings"

	"github.com/meniscus3d/meniscus/fluid"
)

// Trackers are the words for the surface trackers, in the order of their numbers.
var Trackers = []string{"levelset", "contour", "mesh"}

// Tracker adds a flag that chooses a surface tracker.
func (s *Set) Tracker(p *fluid.Tracker, name, usage string) {
	s.choose(Trackers[*p], Trackers, name, usage+": "+strings.Join(Trackers, ", "), func(i int) { *p = fluid.Tracker(i) })
}
