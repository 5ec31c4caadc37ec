package shapes

import (
	"fmt"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// A shape made elsewhere, or a rigid-body engine, may tell a distance that is no number, at a few points or for a while: a division by
// zero, an animation without keys. All distances that are asked for outside of this package pass a guard. It takes such a point for one
// far outside, and remembers what was wrong.

const (
	// absent, m, is told where there is nothing, and is the greatest distance that is told.
	absent = 1e9
	// insane, m, is a distance that is none: in single precision its square is infinite.
	insane = 1e37
)

// Fault is what was wrong with the distances or the bounds of a shape or a body. Check and CheckBounds may be called concurrently.
type Fault struct {
	seen   atomic.Bool // since it was taken in last
	mu     sync.Mutex
	known  bool    // a distance is wrong:
	at     r3.Vec  // the first point of those in which one was, by x, y, z: it depends on no worker
	value  float32 // there
	bounds bool    // they are wrong
	Told   bool    // a warning names what is set aside for it
}

// Seen tells whether something was wrong since the fault was made or forgotten.
func (f *Fault) Seen() bool { return f.seen.Load() }

// Check corrects distances, dst at pts, that no step can take.
func (f *Fault) Check(dst []float32, pts []r3.Vec) {
	for i, d := range dst {
		if d >= -absent && d <= absent {
			continue
		}
		if d > -insane && d < insane {
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

// CheckBounds makes bounds that are none those of nothing.
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

// Take copies what is known of a fault.
func (f *Fault) Take(from *Fault) {
	from.mu.Lock()
	f.known, f.at, f.value, f.bounds, f.Told = from.known, from.at, from.value, from.bounds, from.Told
	from.mu.Unlock()
	f.seen.Store(from.seen.Load())
}

// Text says what is wrong.
func (f *Fault) Text() string {
	if f.known {
		return fmt.Sprintf("its distance is %v m at %.4g m, which is no distance", f.value, f.at)
	}
	return "its bounds are no box"
}

// Forget begins anew.
func (f *Fault) Forget() {
	f.known, f.bounds, f.Told = false, false, false
	f.seen.Store(false)
}

// Gone tells whether a solid with such bounds tells numbers where any shape is tried, and where it did not.
func (f *Fault) Gone(bounds r3.Box, distance func(dst []float32, pts []r3.Vec)) bool {
	if !boxes.Valid(bounds) {
		return false
	}
	around := probes(bounds)
	pts := append(around[:], f.at)
	dst := make([]float32, len(pts))
	distance(dst, pts)
	for _, d := range dst {
		if !(d > -insane && d < insane) {
			return false
		}
	}
	return true
}

// Guarded is a shape made elsewhere whose numbers are checked.
type Guarded struct {
	SDF
	Fault Fault
}

// Guard is a shape the distances of which are numbers: s itself where that is sure.
func Guard(s SDF) SDF {
	if trusted(s) {
		return s
	}
	return &Guarded{SDF: s}
}

// GuardCopy is a copy's own guard of a shape.
func GuardCopy(s SDF) SDF {
	if g, ok := s.(*Guarded); ok {
		return &Guarded{SDF: g.SDF}
	}
	return s
}

// FaultOf is what a shape told that is no number, or nil.
func FaultOf(s SDF) *Fault {
	if g, ok := s.(*Guarded); ok && g.Fault.Seen() {
		return &g.Fault
	}
	return nil
}

// trusted tells whether a shape that is valid can't but tell numbers.
func trusted(s SDF) bool { return allParts(s, trusted) }

// Eval writes the shape's distances, corrected.
func (g *Guarded) Eval(dst []float32, pts []r3.Vec) {
	g.SDF.Eval(dst, pts)
	g.Fault.Check(dst[:len(pts)], pts)
}

// Bounds are the shape's, or those of nothing.
func (g *Guarded) Bounds() r3.Box { return g.Fault.CheckBounds(g.SDF.Bounds()) }

// Thickness is that of the shape, as [Thick] has it.
func (g *Guarded) Thickness() float64 { return ThicknessOf(g.SDF) }

// Sane tells whether the shape tells numbers again.
func (g *Guarded) Sane() bool { return g.Fault.Gone(g.SDF.Bounds(), g.SDF.Eval) }
