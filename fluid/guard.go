package fluid

import (
	"fmt"
	"sync/atomic"

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
type guard struct {
	busy    atomic.Pointer[call] // that is under way, or closed
	undone  bool                 // a call that panicked has been taken back; what solids leave open is to be measured anew
	lost    *call                // that has left no state
	reading bool                 // another state, in this one's place
}

// call is an exported method.
type call struct {
	name string
	kind callKind
}

type callKind uint8

const (
	reads      callKind = iota // what there is
	changes                    // the state
	asksNobody                 // looks at what needs no shape or body to be asked, or notes something for later
	removes                    // what may be the reason of a panic
	restores                   // puts another state in this one's place
)

var (
	inAddEmitter        = call{"AddEmitter", changes}
	inAddField          = call{"AddField", changes}
	inAddObstacle       = call{"AddObstacle", changes}
	inAddSink           = call{"AddSink", changes}
	inDrain             = call{"Drain", changes}
	inExplode           = call{"Explode", changes}
	inFill              = call{"Fill", changes}
	inImpulse           = call{"Impulse", changes}
	inMoveEmitter       = call{"MoveEmitter", changes}
	inMoveObstacle      = call{"MoveObstacle", changes}
	inMoveSink          = call{"MoveSink", changes}
	inOthersStep        = call{"Step of another that couples the same bodies", changes}
	inOthersGravity     = call{"SetGravity of another that couples the same bodies", changes}
	inPrewarm           = call{"Prewarm", changes}
	inSetCurrent        = call{"SetCurrent", changes}
	inSetDensity        = call{"SetDensity", changes}
	inSetEmitter        = call{"SetEmitter", changes}
	inSetField          = call{"SetField", changes}
	inSetGravity        = call{"SetGravity", changes}
	inSetMaterial       = call{"SetMaterial", changes}
	inSetSink           = call{"SetSink", changes}
	inSetSurfaceTension = call{"SetSurfaceTension", changes}
	inSetVelocity       = call{"SetVelocity", changes}
	inSetViscosity      = call{"SetViscosity", changes}
	inSetWind           = call{"SetWind", changes}
	inStartEmitter      = call{"StartEmitter", changes}
	inStep              = call{"Step", changes}

	closed           = call{"Close", removes}
	inClose          = call{"Close", removes}
	inCouple         = call{"Couple", removes}
	inRemoveEmitter  = call{"RemoveEmitter", removes}
	inRemoveField    = call{"RemoveField", removes}
	inRemoveObstacle = call{"RemoveObstacle", removes}
	inRemoveSink     = call{"RemoveSink", removes}
	inStopEmitter    = call{"StopEmitter", removes}

	inRestore = call{"Restore", restores}
	intoCopy  = call{"CopyTo", restores}

	inCopyTo    = call{"CopyTo", reads}
	inDensityIn = call{"DensityIn", reads}
	inHash      = call{"Hash", reads}
	inLevels    = call{"Levels", reads}
	inRayCast   = call{"RayCast", reads}
	inSample    = call{"Sample", reads}
	inSave      = call{"Save", reads}
	inSnapshot  = call{"Snapshot", reads}
	inSurface   = call{"Surface", reads}
	inVolumeIn  = call{"VolumeIn", reads}

	inCurrent       = call{"Current", asksNobody}
	inEvents        = call{"Events", asksNobody}
	inLedger        = call{"Ledger", asksNobody}
	inLoad          = call{"BodyLoad", asksNobody}
	inLoadOf        = call{"BodyLoadByID", asksNobody}
	inProfile       = call{"Profile", asksNobody}
	inReplay        = call{"Replay", asksNobody}
	inSetBudget     = call{"SetBudget", asksNobody}
	inSetView       = call{"SetView", asksNobody}
	inSetViews      = call{"SetViews", asksNobody}
	inTrackMomentum = call{"TrackMomentum", asksNobody}
)

// enter begins a call; the liquid's leave must be deferred. It panics if another call is under way, be it on another goroutine or
// because a callback made this one, and if the liquid can't be used.
func (l *Liquid) enter(c *call) *Liquid {
	l.claim(c)
	l.ready(c)
	return l
}

// claim is enter but for what asks shapes and bodies, which ready does.
func (l *Liquid) claim(c *call) {
	l.mustBeMade(c)
	g := &l.guard
	if !g.busy.CompareAndSwap(nil, c) {
		other := g.busy.Load()
		switch {
		case other == &closed:
			panic(fmt.Sprintf("fluid: %s: the Liquid is closed", c.name))
		case other == nil: // it has just ended
			other = c
		}
		panic(fmt.Sprintf("fluid: %s was called while %s of the same Liquid is under way: one call at a time, from one goroutine, and none from a callback",
			c.name, other.name))
	}
	l.ledgerBefore = l.ledger
	if lost := g.lost; lost != nil && c.kind != restores && c != &inClose {
		g.busy.Store(nil)
		panic(fmt.Sprintf("fluid: %s: the Liquid's state was lost when %s panicked; restore it or close it", c.name, lost.name))
	}
}

// mustBeMade panics for a liquid that is nil or zero.
func (l *Liquid) mustBeMade(c *call) {
	if l == nil || l.pool == nil {
		panic(fmt.Sprintf("fluid: %s: the Liquid is nil or was not made by New", c.name))
	}
}

// ready has solids measured anew after a panic. If they panic again the call ends.
func (l *Liquid) ready(c *call) {
	if !l.guard.undone || c.kind >= asksNobody {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			l.guard.busy.Store(nil)
			panic(par.Caught(v))
		}
	}()
	l.remeasure()
	l.guard.undone = false
}

// leave ends a call. If a callback panicked it takes back what the call has changed, and panics.
func (l *Liquid) leave() {
	v := recover()
	l.end(v)
	if v != nil {
		panic(par.Caught(v))
	}
}

// end ends a call that has panicked with v, unless that is nil.
func (l *Liquid) end(v any) {
	g := &l.guard
	if c := g.busy.Load(); v != nil {
		switch c.kind {
		case changes, removes:
			l.undo()
			g.undone = true
		case restores:
			if g.reading {
				g.lost = c
			}
		}
	} else if g.reading {
		g.lost, g.undone = nil, false
	}
	g.reading = false
	g.busy.Store(nil)
}

// undo returns to the state before the substep or edit that a panic has ended, as far as that can be without asking shapes and bodies.
func (l *simulation) undo() {
	l.profile.close()
	l.revert(l.step.spread)
	l.wakeAll()
	l.ledger = l.ledgerBefore
}

// remeasure does what undo has left for when shapes and bodies can be asked again.
func (l *simulation) remeasure() {
	ledger := l.ledger
	l.disc.ForgetSolids()
	l.rereadSolids()
	l.settleLayout()
	l.ledger = ledger
	l.out.stale = true
}

// beginSubstep notes that nothing has been changed yet that revert would have to restore.
func (l *simulation) beginSubstep() {
	l.step.moved, l.step.spread = false, false
	l.ledgerBefore = l.ledger
	l.coupling.BeginSubstep()
	for _, o := range l.world.obstacles {
		o.last = o.seen
	}
}
