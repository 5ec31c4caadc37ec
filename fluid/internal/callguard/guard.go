// Package callguard checks that an object is used by one call at a time, from one goroutine, and by none from a callback that a call makes. It also
// records what is left to do after a call that panicked.
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

// The kinds of call. The kinds from NoCallbacks on are allowed while Guard.Undone is set.
const (
	Reads       Kind = iota // reads the state
	Changes                 // changes the state
	NoCallbacks             // neither changes the state nor evaluates shapes and bodies
	Removes                 // removes things, perhaps the cause of a panic
	Closes                  // closes the object, in any state
	Restores                // replaces the state
)

// Call returns a call of a kind.
func (k Kind) Call(name string) Call { return Call{name, k} }

// closed stands for the call under way in a closed guard, for ever.
var closed = Call{"Close", Removes}

// Guard checks that one call at a time is under way, and that the object can be used. Undo and Remeasure must be set.
type Guard struct {
	// Undo reverts what a call that panicked has changed, without evaluating shapes or bodies. Remeasure completes that, and may panic again.
	Undo, Remeasure func()

	Undone  bool  // Undo was called after a panic; Remeasure is due
	Lost    *Call // the call that panicked and left no valid state, or nil
	Reading bool  // the current call replaces the state

	busy atomic.Pointer[Call] // the current call, or &closed
}

// Current returns the call under way, or nil.
func (g *Guard) Current() *Call { return g.busy.Load() }

// Closed reports whether Close has been called.
func (g *Guard) Closed() bool { return g.busy.Load() == &closed }

// Close ends the call under way and refuses all later calls.
func (g *Guard) Close() { g.busy.Store(&closed) }

// Begin begins a call, which End ends. It panics if another call is under way, on another goroutine or further up this one's stack, or if the object
// can't be used.
func (g *Guard) Begin(c *Call) {
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

// CompleteUndo calls Remeasure if that is due and the call evaluates shapes or bodies. If Remeasure panics, CompleteUndo ends the call and panics.
func (g *Guard) CompleteUndo(c *Call) {
	if !g.Undone || c.Kind >= NoCallbacks {
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

// End ends the call under way. v is the value that it panicked with, or nil; after a panic End reverts what the call has changed.
func (g *Guard) End(v any) {
	if c := g.busy.Load(); v != nil {
		switch c.Kind {
		case Changes, Removes, Closes:
			g.Revert()
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

// Revert reverts what the call under way has changed.
func (g *Guard) Revert() {
	g.Undo()
	g.Undone = true
}
