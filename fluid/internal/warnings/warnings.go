// Package warnings says which warnings of a liquid's steps are new, and what some of them say.
package warnings

import (
	"fmt"
	"math"
	"slices"
)

// Causes are what has been warned of. A cause is warned of once, until it has been gone for a while: a limit that is reached in every other step
// is one cause.
type Causes struct{ all []cause }

type cause struct {
	knob, what string
	id         uint64
	gone       float64 // s since it was there last
}

// forgotten is for how long, s, a cause must be gone to be warned of again.
const forgotten = 1

// New tells whether a cause, which is there now, is to be warned of. knob, what and id name it.
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

// Pass has dt seconds go by, the step in which causes were there included.
func (c *Causes) Pass(dt float64) {
	c.all = slices.DeleteFunc(c.all, func(k cause) bool { return k.gone >= forgotten })
	for i := range c.all {
		c.all[i].gone += dt
	}
}

// CopyTo makes dst know the same causes.
func (c *Causes) CopyTo(dst *Causes) { dst.all = append(dst.all[:0], c.all...) }

// TooFewSubsteps is why a step of dt seconds needs more substeps than it may have, and how many would do.
//
// why:    what needs them, and what becomes of it.
// wanted: substeps, > most.
// most:   the greatest that can be allowed.
func TooFewSubsteps(why string, wanted, dt float64, most int) string {
	if n := math.Ceil(wanted); n <= float64(most) {
		return fmt.Sprintf("%s; %.0f would do", why, n)
	}
	return fmt.Sprintf("%s; not even %d would do: take steps of %.2g s or less, or larger cells", why, most, dt*float64(most)/wanted)
}
