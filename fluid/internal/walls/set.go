// Package walls tells what liquid may pass where solids have walls thinner than a cell: how far a trace leads before it meets one, and
// what can be seen past it from where. It works by a wall's signed distance alone, in metres and in batches, and knows no grid.
//
// A wall that moves is met in its own frame: places of before its motion are carried along with it. Solids count as regular closed sets,
// without membranes (shapes.Regularizer).
package walls

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Set is the thin walls of a step. Clear and Add make it. Then several workers may ask at once, each with its own number and about one
// wall at a time, by its index. What a worker gets is valid until it asks again.
type Set struct {
	Walls []Wall // made by Add; to be read only

	domain  r3.Box
	gap     float64 // m
	scratch []scratch
}

// Wall is a solid that has walls thinner than a cell.
type Wall struct {
	Distance shapes.Distance
	Bounds   r3.Box  // m
	Motion   Motion  // since the surface was moved last
	Travel   float64 // by how much at most, anywhere in the part of Bounds that is in the domain, m
}

// Mask is some walls of a set: those beyond the 63rd are in it together or not at all.
type Mask uint64

// Has tells whether a wall is in the mask.
func (k Mask) Has(wall int) bool { return k&maskOf(wall) != 0 }

func maskOf(wall int) Mask { return 1 << min(wall, 63) }

// Gap is how far from a wall, in finest cells, a trace that meets it ends.
const Gap = .02

// creepSteps is enough to go along a wall, gap by gap, for eight cells.
const creepSteps = 400

// scratch is what one worker works with.
type scratch struct {
	Tracer
	normalProber
	inside   []insidePlace
	segments []segment
	moved    []int32
	view     View
}

// NewSet makes an empty set.
//
// domain:  m, outside of which nothing is asked about.
// cell:    m, the finest cells' edge.
// workers: how many ask at once.
// traces:  how many each asks about at a time; more is allowed, but allocates.
func NewSet(domain r3.Box, cell float64, workers, traces int) *Set {
	s := &Set{domain: domain, gap: Gap * cell, scratch: make([]scratch, workers)}
	for w := range s.scratch {
		k := &s.scratch[w]
		rays := max(traces, viewTargets*MaxSamples)
		k.Tracer, k.normalProber = MakeTracer(rays, creepSteps, true), makeNormalProber(rays, cell)
		k.pts, k.dist = make([]r3.Vec, 0, pretests*rays), make([]float32, pretests*rays)
		k.inside, k.segments, k.moved = make([]insidePlace, 0, rays), make([]segment, 0, traces), make([]int32, 0, 2*traces)
		k.view = View{s: k, gap: s.gap, Samples: make([]Sample, 0, MaxSamples), lines: make([]sightLine, 0, viewTargets*MaxSamples)}
	}
	return s
}

// Clear empties the set.
func (s *Set) Clear() { s.Walls = s.Walls[:0] }

// Add appends a wall: its distance and bounds where it is now, m, and how it has come there.
func (s *Set) Add(distance shapes.Distance, bounds r3.Box, motion *Motion) {
	s.Walls = append(s.Walls, Wall{distance, bounds, *motion, motion.Farthest(boxes.Intersection(bounds, s.domain))})
}

// Near tells which walls come nearer to a cube than a distance in the step, or may do so, by the distances in its middle or in those of its
// eighths.
//
// middle, half: of the cube, m; half is half of its edge.
// distance:     m, besides what the walls travel.
func (s *Set) Near(worker int, middle r3.Vec, half, distance float64) (found Mask) {
	k := &s.scratch[worker]
	for i := range s.Walls {
		w := &s.Walls[i]
		near := distance + w.Travel
		k.Solid = w.Distance
		if boxes.Contains(boxes.Grown(w.Bounds, half+near), middle) && k.within(middle, half, near) {
			found |= maskOf(i)
		}
	}
	return found
}

// within tells whether the solid may be nearer than near to a cube.
func (s *scratch) within(middle r3.Vec, half, near float64) bool {
	s.pts = append(s.pts[:0], middle)
	s.ask()
	switch d := float64(s.dist[0]); {
	case d <= half+near:
		return true
	case d > float64(math.Sqrt(3)*half)+near:
		return false
	}
	half /= 2
	s.pts = s.pts[:0]
	for c := range 8 {
		s.pts = append(s.pts, r3.Add(middle, reproducible.Scale(half, r3.Vec{X: float64(2*(c&1) - 1), Y: float64(c&2 - 1), Z: float64(c>>1&2 - 1)})))
	}
	s.ask()
	return float64(slices.Min(s.dist)) <= float64(math.Sqrt(3)*half)+near
}

// carried is where in the wall's frame a place is that was there before the wall moved, if so.
func (w *Wall) carried(x r3.Vec, before bool) r3.Vec {
	if before && w.Motion.moves {
		return w.Motion.Forth(x)
	}
	return x
}
