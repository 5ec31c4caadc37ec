// Package warnings decides which warnings of a step are new, and formats those about substeps.
package warnings

import (
	"fmt"
	"math"
	"slices"
)

// Causes are the causes of recent warnings. A cause is reported once, and again only after it has been absent for a while: a limit that is reached in every
// other step is one cause.
type Causes struct{ all []cause }

type cause struct {
	knob, what string
	id         uint64
	gone       float64 // s since it last occurred
}

// forgotten is how long, s, a cause must be absent to be reported again.
const forgotten = 1

// New reports whether a cause that occurs now has to be reported. knob, what and id identify it.
func (c *Causes) New(knob, what string, id uint64) bool {
	for i := range c.all {
		if k := &c.all[i]; k.knob == knob && k.what == what && k.id == id {
			k.gone = 0
			return false
		}
	}
	c.all = append(c.all, cause{knob: knob, what: what, id: id})
	return true
}

// Pass advances the time by a step of dt seconds. It follows the calls of New for that step.
func (c *Causes) Pass(dt float64) {
	c.all = slices.DeleteFunc(c.all, func(k cause) bool { return k.gone >= forgotten })
	for i := range c.all {
		c.all[i].gone += dt
	}
}

// CopyTo copies the causes into dst.
func (c *Causes) CopyTo(dst *Causes) { dst.all = append(dst.all[:0], c.all...) }

// TooFewSubsteps returns the text of a warning that a step of dt seconds needs more substeps than are allowed, with the number that would do.
//
// why:    what needs the substeps, and the consequence.
// wanted: substeps, > most.
// most:   the largest number that can be allowed.
func TooFewSubsteps(why string, wanted, dt float64, most int) string {
	if n := math.Ceil(wanted); n <= float64(most) {
		return fmt.Sprintf("%s; %.0f would do", why, n)
	}
	return fmt.Sprintf("%s; not even %d would do: take steps of %.2g s or less, or larger cells", why, most, dt*float64(most)/wanted)
}
