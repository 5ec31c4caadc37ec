// Package callguard keeps the calls of one object apart: one at a time, from one goroutine, and none from a callback that a call makes. It also
// keeps what a call that panicked has left to be done.
package callguard

import (
	"fmt"
	"sync/atomic"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Call is an exported method of a Liquid.
type Call struct {
	Name string
	Kind Kind
}

// Kind is what a call does to the state.
type Kind uint8

// The kinds of call. Those from AsksNobody on can do with a state that a panic has left.
const (
	Reads      Kind = iota // what there is
	Changes                // the state
	AsksNobody             // looks at what needs no shape or body to be asked, or notes something for later
	Removes                // what may be the reason of a panic
	Closes                 // the object, in whatever state it is
	Restores               // puts another state in this one's place
)

// Call is a call of a kind.
func (k Kind) Call(name string) Call { return Call{name, k} }

// closed is under way for ever in a guard that is closed.
var closed = Call{"Close", Removes}

// Guard sees that one call at a time is under way, of an object that can be used. Undo and Remeasure must be set.
type Guard struct {
	// Undo takes back what a call that panicked has changed, as far as that can be without asking shapes and bodies. Remeasure does the rest.
	Undo, Remeasure func()

	Undone  bool  // a call that panicked has been taken back, and Remeasure is to do its part
	Lost    *Call // that has left no state
	Reading bool  // the call under way reads another state, in this one's place

	busy atomic.Pointer[Call] // that is under way, or closed
}

// Busy is the call that is under way, or nil.
func (g *Guard) Busy() *Call { return g.busy.Load() }

// Closed tells whether Close was called.
func (g *Guard) Closed() bool { return g.busy.Load() == &closed }

// Close ends the call under way and allows no other ever.
func (g *Guard) Close() { g.busy.Store(&closed) }

// Claim begins a call, which End ends. It panics if another is under way, be it on another goroutine or because a callback made this one,
// and if the object can't be used.
func (g *Guard) Claim(c *Call) {
	if !g.busy.CompareAndSwap(nil, c) {
		other := g.busy.Load()
		switch {
		case other == &closed:
			panic(fmt.Sprintf("fluid: %s: the Liquid is closed", c.Name))
		case other == nil: // it has just ended
			other = c
		}
		panic(fmt.Sprintf("fluid: %s was called while %s of the same Liquid is under way: one call at a time, from one goroutine, and none from a callback",
			c.Name, other.Name))
	}
	if lost := g.Lost; lost != nil && c.Kind != Restores && c.Kind != Closes {
		g.busy.Store(nil)
		panic(fmt.Sprintf("fluid: %s: the Liquid's state was lost when %s panicked; restore it or close it", c.Name, lost.Name))
	}
}

// Ready has shapes and bodies asked anew after a panic, for a call that needs them. If they panic again the call ends.
func (g *Guard) Ready(c *Call) {
	if !g.Undone || c.Kind >= AsksNobody {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			g.busy.Store(nil)
			panic(par.Caught(v))
		}
	}()
	g.Remeasure()
	g.Undone = false
}

// End ends a call that has panicked with v, unless that is nil: then it takes back what the call has changed.
func (g *Guard) End(v any) {
	if c := g.busy.Load(); v != nil {
		switch c.Kind {
		case Changes, Removes, Closes:
			g.TakeBack()
		case Restores:
			if g.Reading {
				g.Lost = c
			}
		}
	} else if g.Reading {
		g.Lost, g.Undone = nil, false
	}
	g.Reading = false
	g.busy.Store(nil)
}

// TakeBack takes back what the call under way has changed.
func (g *Guard) TakeBack() {
	g.Undo()
	g.Undone = true
}
