package surfaceonly

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// An emitter lets out balls, one when so much is due. A ball is as wide as the opening at its narrowest, but no smaller than its triangles can show.

const (
	// leastBall is the least radius of a ball, in edges.
	leastBall = 1.5
	// ballGap is how far from other liquid a ball must be, in edges. It must be more than the distance below which surfaces join.
	ballGap = .75
)

// pour lets emitters add liquid.
func (s *Solver) pour() {
	if s.Around.Flows.Emitters.All == nil {
		return
	}
	s.Times.Begin(solver.StageVolume)
	s.Around.Flows.Pour(s.largest, s.put)
	s.Times.Lap(0)
}

// ballRadius is the radius of the balls that an opening lets out, m.
func (s *Solver) ballRadius(t *flows.Tap) float64 {
	return max(boxes.LeastEdge(t.Bounds)/2, leastBall*s.Settings.CellSize)
}

// largestBall is the volume of the balls that an opening lets out, m³.
func (s *Solver) largestBall(t *flows.Tap) float64 { return ballVolume(s.ballRadius(t)) }

func ballVolume(r float64) float64 { return float64(4. / 3 * math.Pi * r * r * r) }

// putBall puts a ball into the middle of an opening, if so much is due and no other liquid is in its way. The opening is not open if its middle is in a solid, out of the domain, or in
// liquid for as long as two balls take.
func (s *Solver) putBall(t *flows.Tap) (took float64, open bool) {
	centre, r := reproducible.Scale(.5, r3.Add(t.Bounds.Min, t.Bounds.Max)), s.ballRadius(t)
	if !s.solids.open(centre, 0) {
		return 0, false
	}
	if s.reading.inside(centre) {
		return 0, t.Due < float64(2*ballVolume(r)) // the last ball may still be leaving
	}
	if t.Due < ballVolume(r) || !s.reading.clear(centre, r+float64(ballGap*s.Settings.CellSize)) {
		return 0, true
	}
	before := s.Around.Ledger.HeldL
	if err := s.add(shapes.Sphere(centre, r), func(r3.Vec) r3.Vec { return t.Velocity }); err != nil {
		return 0, false
	}
	s.measure()
	return float64((s.Around.Ledger.HeldL - before) * litre), true
}
