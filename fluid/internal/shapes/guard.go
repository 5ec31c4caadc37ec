package shapes

import (
	"fmt"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// A shape of a game, or a rigid-body engine, may return a distance that is not finite, at a few points or for a while: a division by
// zero, an animation without keys. All distances used outside of this package pass a guard. It treats such a point as far
// outside, and records the fault.

const (
	// absent, m, is the distance where there is nothing, and the greatest distance that a guard returns.
	absent = 1e9
	// leastInvalid, m, is the least invalid distance: its square overflows single precision.
	leastInvalid = 1e37
)

// Fault records invalid distances or bounds of a shape or a body. Check and CheckBounds may be called concurrently.
type Fault struct {
	seen   atomic.Bool // since the last Forget
	mu     sync.Mutex
	known  bool    // a distance is invalid
	at     r3.Vec  // the first such point by x, y, z, so that it does not depend on the order of calls
	value  float32 // the distance at that point
	bounds bool    // the bounds are invalid
	Warned bool    // a warning has named what is set aside for the fault
}

// Seen reports whether there was a fault since Forget.
func (f *Fault) Seen() bool { return f.seen.Load() }

// Check replaces invalid distances, dst at pts, and records them.
func (f *Fault) Check(dst []float32, pts []r3.Vec) {
	for i, d := range dst {
		if d >= -absent && d <= absent {
			continue
		}
		if d > -leastInvalid && d < leastInvalid {
			dst[i] = max(-absent, min(d, absent))
			continue
		}
		dst[i] = absent
		f.note(pts[i], d)
	}
}

func (f *Fault) note(at r3.Vec, value float32) {
	f.mu.Lock()
	if !f.known || before(at, f.at) {
		f.known, f.at, f.value = true, at, value
	}
	f.mu.Unlock()
	f.seen.Store(true)
}

// before orders points by x, y and z.
func before(a, b r3.Vec) bool {
	if a.X != b.X {
		return a.X < b.X
	}
	if a.Y != b.Y {
		return a.Y < b.Y
	}
	return a.Z < b.Z
}

// CheckBounds returns b if it is valid, and otherwise records the fault and returns an empty box.
func (f *Fault) CheckBounds(b r3.Box) r3.Box {
	if boxes.Valid(b) {
		return b
	}
	f.mu.Lock()
	f.bounds = true
	f.mu.Unlock()
	f.seen.Store(true)
	return boxes.Nowhere()
}

// CopyFrom copies a fault.
func (f *Fault) CopyFrom(from *Fault) {
	from.mu.Lock()
	f.known, f.at, f.value, f.bounds, f.Warned = from.known, from.at, from.value, from.bounds, from.Warned
	from.mu.Unlock()
	f.seen.Store(from.seen.Load())
}

// Text returns a description of the fault.
func (f *Fault) Text() string {
	if f.known {
		return fmt.Sprintf("its distance is %v m at %.4g m, which is no distance", f.value, f.at)
	}
	return "its bounds are no box"
}

// Reset clears the fault.
func (f *Fault) Reset() {
	f.known, f.bounds, f.Warned = false, false, false
	f.seen.Store(false)
}

// Cleared reports whether a solid with the given bounds now returns valid distances, at the points that Check in package shapes tries and at the faulty one.
func (f *Fault) Cleared(bounds r3.Box, distance func(dst []float32, pts []r3.Vec)) bool {
	if !boxes.Valid(bounds) {
		return false
	}
	around := probes(bounds)
	pts := append(around[:], f.at)
	dst := make([]float32, len(pts))
	distance(dst, pts)
	for _, d := range dst {
		if !(d > -leastInvalid && d < leastInvalid) {
			return false
		}
	}
	return true
}

// Guarded is a shape of another package whose distances and bounds are checked.
type Guarded struct {
	SDF
	Fault Fault
}

// Guard returns a shape with valid distances: s itself if it is made of this package's shapes.
func Guard(s SDF) SDF {
	if trusted(s) {
		return s
	}
	return &Guarded{SDF: s}
}

// GuardCopy returns the shape with a guard of its own.
func GuardCopy(s SDF) SDF {
	if g, ok := s.(*Guarded); ok {
		return &Guarded{SDF: g.SDF}
	}
	return s
}

// FaultOf returns the fault of a shape, or nil if there is none.
func FaultOf(s SDF) *Fault {
	if g, ok := s.(*Guarded); ok && g.Fault.Seen() {
		return &g.Fault
	}
	return nil
}

// trusted reports whether a valid shape never returns invalid distances.
func trusted(s SDF) bool { return allParts(s, trusted) }

// Eval sets dst to the shape's distances, with invalid ones replaced.
func (g *Guarded) Eval(dst []float32, pts []r3.Vec) {
	g.SDF.Eval(dst, pts)
	g.Fault.Check(dst[:len(pts)], pts)
}

// Bounds returns the shape's bounds, or an empty box if they are invalid.
func (g *Guarded) Bounds() r3.Box { return g.Fault.CheckBounds(g.SDF.Bounds()) }

// Thickness returns the shape's thickness, as [Thick] does.
func (g *Guarded) Thickness() float64 { return ThicknessOf(g.SDF) }

// Valid reports whether the shape now returns valid distances.
func (g *Guarded) Valid() bool { return g.Fault.Cleared(g.SDF.Bounds(), g.SDF.Eval) }
