package controls

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A refill is a source of the rows in a shape. Where there are none, or so few that they would burst, what they can't bring is put into the deepest
// place of the shape before the rows are made: a seed.

// seed is liquid that is to be put into a shape in this substep.
type seed struct {
	ball shapes.Ball // what may be filled
	due  float64     // m³; 0: no seed
	put  float64     // what came of it, m³
}

// planSeed finds what a shape's rows, as they were measured in the last substep, can't bring of its refill.
func (c *Control) planSeed(s *Set) {
	c.seed.due, c.seed.put = 0, 0
	if !c.acts() || c.awaits || c.Def.Refill.Rate == 0 {
		return
	}
	rate := min(float64(c.Def.Refill.Rate*litre), float64((c.Told.WantedL-c.Told.HeldL)*litre/refillTime))
	short := rate - mostFrom(float64(c.Told.HeldL*litre))
	if !(short > 0) || !c.findDeepest(s) {
		return
	}
	enough := reproducible.Cbrt(float64(rate*refillTime*3)/(4*math.Pi)) + s.CellSize
	c.seed.ball.Radius = min(c.seed.ball.Radius, enough)
	c.seed.due = float64(short * s.dt)
}

// mostFrom is how much rows bring at most, m³/s, that hold so much, m³: they double no faster than a shape is filled.
func mostFrom(held float64) float64 { return float64(held / refillTime) }

// AppendSeeds lists where liquid is put into shapes in this substep, m.
func (s *Set) AppendSeeds(dst []r3.Box) []r3.Box {
	for _, c := range s.All {
		if c.seed.due > 0 {
			dst = append(dst, c.seed.ball.Bounds())
		}
	}
	return dst
}

// Seed puts seeds into the shapes, once the surface has moved, with the shapes' mean velocity. The substep is the nth of all, about: of what is so
// little that the cells don't keep it, as much as they do comes in one of some substeps.
func (s *Set) Seed(nth int) {
	for _, c := range s.All {
		k := &c.seed
		if !(k.due > 0) || c.Def.Refill.From != nil && len(s.Cells.RowsIn(s.list[:0], c.Def.Refill.From)) == 0 {
			continue
		}
		v := reproducible.Vector(c.mean.velocity)
		took, needed := s.Cells.Put(&k.ball, k.due, v)
		if part := k.due / needed; needed > 0 && math.Floor(float64(part*float64(nth+1))) > math.Floor(float64(part*float64(nth))) {
			took, _ = s.Cells.Put(&k.ball, needed, v)
		}
		if k.put = took; c.Def.Refill.From == nil {
			s.Ledger.FilledL += took / litre
		}
	}
}

// drawSeed takes what was put into a shape off the rows that it comes from. What they don't have counts as filled.
func (c *Control) drawSeed(s *Set, rows []float64) {
	if c.seed.put == 0 || c.Def.Refill.From == nil {
		return
	}
	came := -float64(s.Cells.SpreadOver(c.givers(s), -c.seed.put/s.dt, rows) * s.dt)
	s.Ledger.FilledL += (c.seed.put - came) / litre
}

// Steps of a chamfer distance, in cells: along an axis, across two and across three.
var chamfer = [4]float64{0, 1, math.Sqrt2, 1.7320508075688772}

// findDeepest sets the ball of a control's seed to the largest in what of the shape solids leave open, and tells whether there is one.
func (c *Control) findDeepest(s *Set) bool {
	c.measureDepths(s)
	best := -1
	for i, d := range s.depth {
		if d > 0 && (best < 0 || d > s.depth[best]) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	c.seed.ball = shapes.Ball{Centre: c.centre(best), Radius: float64(float64(s.depth[best]) * s.CellSize)}
	return true
}

// measureDepths measures how far the centres of the lattice's cells are from the nearest that is not in the shape or not open, in cells, less half a
// cell: as chamfer distances, within 8 %.
func (c *Control) measureDepths(s *Set) {
	r := &c.raster
	s.depth = arrays.Resize(s.depth, len(r.Inside))
	s.pts = s.pts[:0]
	for i, in := range r.Inside {
		if in {
			s.pts = append(s.pts, c.centre(i))
		}
	}
	_, open := s.measure()
	k := 0
	for i, in := range r.Inside {
		s.depth[i] = 0
		if in {
			if x := s.pts[k]; open[k] > .5 && boxes.Contains(s.Domain, x) {
				s.depth[i] = math.MaxFloat32
			}
			k++
		}
	}
	c.sweepDepths(s, 0, len(s.depth), 1)
	c.sweepDepths(s, len(s.depth)-1, -1, -1)
	for i := range s.depth {
		s.depth[i] -= .5
	}
}

// sweepDepths goes through a lattice either way and takes for each cell the shortest of its own way and those over the cells before it.
func (c *Control) sweepDepths(s *Set, from, to, way int) {
	for i := from; i != to; i += way {
		if s.depth[i] == 0 {
			continue
		}
		at := c.cell(i)
		for k := range 13 {
			step := [3]int{k%3 - 1, k/3%3 - 1, k/9 - 1}
			d, axes := float32(0), 0
			for a := range step {
				axes += step[a] * step[a]
				step[a] = at[a] + way*step[a]
			}
			if j := c.index(step); j >= 0 {
				d = s.depth[j]
			}
			s.depth[i] = min(s.depth[i], d+float32(chamfer[axes]))
		}
	}
}
