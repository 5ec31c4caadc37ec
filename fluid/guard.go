package fluid

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Panic is what a call of a Liquid panics with when a callback of the game does, an SDF's Eval or a method of Bodies, on whichever
// goroutine: with its message and the stack at which it happened. It is an error; if the callback panicked with one, it wraps that.
//
// After such a panic of Step, Fill or Drain the liquid is what it was before the call, or the call's last substep, but that it may be at
// rest; RemoveObstacle and Couple have done what they were called for. If the game recovers, it can go on with the liquid: the next call
// asks the shapes and bodies anew where they are. Only after a panic within Restore, CopyTo or Prewarm is the state lost: the liquid must
// be restored again, copied to, or closed, and every other call says so.
type Panic = par.Panic

// guard sees that one exported method at a time runs, of a liquid that can be used.
type guard struct{ callguard.Guard }

// enter begins a call; the guard's leave must be deferred. It panics if another call is under way, be it on another goroutine or
// because a callback made this one, and if the liquid can't be used.
func (l *Liquid) enter(c *callguard.Call) *guard {
	claim(l, c)
	l.guard.CompleteUndo(c)
	return &l.guard
}

// claim is enter but for what asks shapes and bodies.
func claim(l *Liquid, c *callguard.Call) {
	mustBeMade(l, c)
	l.guard.Begin(c)
	l.sim.around.Before = l.sim.around.Ledger
}

// mustBeMade panics for a liquid that is nil or zero.
func mustBeMade(l *Liquid, c *callguard.Call) {
	if l == nil || l.sim.pool == nil {
		panic(fmt.Sprintf("fluid: %s: the Liquid is nil or was not made by New", c.Name))
	}
}

// leave ends a call. If a callback panicked it takes back what the call has changed, and panics.
func (g *guard) leave() {
	v := recover()
	g.End(v)
	if v != nil {
		panic(par.Caught(v))
	}
}
