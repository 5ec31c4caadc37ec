package option

import (
	"slices"
	"strings"

	"github.com/meniscus3d/meniscus/fluid"
)

// Trackers are the words for the surface trackers, in the order of their numbers.
var Trackers = []string{"levelset", "contour", "mesh"}

// Tracker adds a flag that chooses a surface tracker.
func (s *Set) Tracker(p *fluid.Tracker, name, usage string) {
	word := Trackers[*p]
	s.Choice(&word, Trackers, name, usage+": "+strings.Join(Trackers, ", "))
	f := s.flags.Lookup(name).Value.(*value)
	set := f.set
	f.set = func(text string) error {
		err := set(text)
		*p = fluid.Tracker(slices.Index(Trackers, word))
		return err
	}
}
