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
	s.choose(&word, Trackers, name, usage, func(i int) { *p = fluid.Tracker(i) })
}

// choose adds a flag of one of several words, and tells which of them it is.
func (s *Set) choose(word *string, words []string, name, usage string, chosen func(i int)) {
	s.Choice(word, words, name, usage+": "+strings.Join(words, ", "))
	f := s.flags.Lookup(name).Value.(*value)
	set := f.set
	f.set = func(text string) error {
		err := set(text)
		chosen(slices.Index(words, *word))
		return err
	}
}
