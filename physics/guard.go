package physics

import (
	"fmt"
	"sync/atomic"
)

// guard ensures that one call at a time changes a world or uses its scratch. A further one, on another goroutine or from
// a function of SDF, panics.
type guard struct{ busy atomic.Pointer[string] }

var (
	inStep, inSave, inRestore, inCopyTo, inHash = "Step", "Save", "Restore", "CopyTo", "Hash"
	inSetGravity, inAddBody                     = "SetGravity", "AddBody"
	inHoldLoads, inReleaseLoads                 = "HoldLoads", "ReleaseLoads"
	inAddJoint, inJoint                         = "AddJoint", "a call that changes a Joint"
	inBody, inShape                             = "a call that changes a Body", "a call that changes a Shape"
	inRayCast, inRayCastAll, inRayCasts         = "RayCast", "RayCastAll", "RayCasts"
	inShapeCast, inOverlap                      = "ShapeCast", "Overlap"
	inClosestPoint, inClosestPoints             = "ClosestPoint", "ClosestPoints"
)

// enter begins a call; the world's leave must be deferred.
func (w *World) enter(call *string) *World {
	if w == nil || w.guard == nil {
		panic(fmt.Sprintf("physics: %s: the World is nil or was not made by NewWorld", *call))
	}
	if !w.guard.busy.CompareAndSwap(nil, call) {
		other := w.guard.busy.Load()
		if other == nil { // it has just ended
			other = call
		}
		panic(fmt.Sprintf("physics: %s was called while %s of the same World is under way: one call at a time, from one goroutine, and none from a function of SDF",
			*call, *other))
	}
	return w
}

func (w *World) leave() { w.guard.busy.Store(nil) }

// restoreStart restores poses and velocities as at the start of a step that a function of SDF ended by a panic.
// The loads for the step are lost.
func (w *World) restoreStart() {
	for _, s := range w.order {
		b := &w.bodies[s]
		b.x, b.q, b.v, b.w = b.startX, b.startQ, b.startV, b.startW
		b.clearLoads()
		w.updateShapes(s)
	}
}
