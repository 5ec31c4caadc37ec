// Package walls keeps liquid from passing through solids thinner than a cell: it clips traces at walls, and finds which
// places a wall hides from others. It uses a wall's signed distance alone, in metres and in batches, and does not depend on a grid.
//
// Traces are clipped in the frame of a moving wall, into which places before the wall's motion are transformed. Solids count as regular closed sets,
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

// Set is the thin walls of a step, filled by Clear and Add. Afterwards several workers may use it at once, each with its own index and for one
// wall at a time. What a method returns is valid until the same worker's next call.
type Set struct {
	Walls []Wall // read-only

	domain  r3.Box
	gap     float64 // m
	scratch []scratch
}

// Wall is a solid with parts thinner than a cell.
type Wall struct {
	Distance shapes.Distance
	Bounds   r3.Box  // m
	Motion   Motion  // since the surface last moved
	Travel   float64 // greatest distance moved by the part of Bounds in the domain, m
}

// Gap is the distance from a wall, in finest cells, at which a trace that meets it ends.
const Gap = .02

// creepSteps is enough for a ray to go eight cells along a wall, gap by gap.
const creepSteps = 400

// scratch is the memory of one worker.
type scratch struct {
	Tracer
	normalProber
	inside   []insidePlace
	segments []segment
	moved    []int32
	view     View
}

// NewSet returns an empty set.
//
// domain:  m; walls outside of it are not used.
// cell:    m, the finest cells' edge.
// workers: how many use the set at once.
// traces:  how many traces each worker passes at a time; more is allowed, but allocates.
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

// Add appends a wall: its current distance and bounds, m, and its motion.
func (s *Set) Add(distance shapes.Distance, bounds r3.Box, motion *Motion) {
	s.Walls = append(s.Walls, Wall{distance, bounds, *motion, motion.Farthest(boxes.Intersection(bounds, s.domain))})
}

// IsNear reports whether a wall may come nearer to a cube than a distance within the step, by its distances at the middle of the cube or of its
// eighths.
//
// middle, half: of the cube, m; half is half of its edge.
// distance:     m, besides the wall's travel.
func (s *Set) IsNear(worker, wall int, middle r3.Vec, half, distance float64) bool {
	k, w := &s.scratch[worker], &s.Walls[wall]
	near := distance + w.Travel
	k.Solid = w.Distance
	return boxes.Contains(boxes.Grown(w.Bounds, half+near), middle) && k.within(middle, half, near)
}

// within reports whether the solid may be nearer than near to a cube.
func (s *scratch) within(middle r3.Vec, half, near float64) bool {
	s.pts = append(s.pts[:0], middle)
	s.evaluate()
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
	s.evaluate()
	return float64(slices.Min(s.dist)) <= float64(math.Sqrt(3)*half)+near
}

// inFrame returns x in the wall's frame. before marks x as a place before the wall's motion.
func (w *Wall) inFrame(x r3.Vec, before bool) r3.Vec {
	if before && w.Motion.moves {
		return w.Motion.Forward(x)
	}
	return x
}
