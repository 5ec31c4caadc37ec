// Package levelset keeps the distance to the liquid's surface on the cells of a layout: a field with its transport, redistancing and liquid parts of cells,
// which the cells of any tracker have, and a particle level set that moves it and corrects it by markers.
package levelset

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"gonum.org/v1/gonum/spatial/r3"
)

// Field is the signed distance to the liquid's surface on the cells of a grid.
//
// A step: levels of Cur change; a level set advances Phi on Cur from the old tiles, or SampleFrom takes it from another tracker; others may change Phi
// (SetBox, SubtractBox); the layout is settled; Publish gathers the tiles. Between Publish and that Phi must not change.
//
// Source: Kim, Ihm, Cha 2006 §4.
type Field struct {
	// Phi is the signed distance of each cell of Cur, m, negative in liquid. Within Band
	// cells of the surface it is a distance; further out it is ±Band cells of its block.
	Phi []float32
	// Tiles are the published Phi.
	Tiles *layout.Scalar

	// Band is the half width of the distance band in cells of a block's own level. Default 3:
	// two layers for the cubic stencil and one for the step's motion.
	Band float64
	// Passes is how many redistancing passes a step makes. Default 1.
	Passes int
	// Clip shortens trace segments at solids: it may move to[i], which starts as the traced
	// place of from[i], a cell centre of block b, back in time. It is called from several workers, for the blocks that ClipBlocks
	// (by base cell; may be shorter than the grid) has set.
	Clip       func(worker int, b int32, from, to []layout.Point)
	ClipBlocks []bool
	// Moving marks the blocks, by base cell, that are redistanced in every step: where a solid moves, what Phi is in it
	// changes with each. It may be shorter than the grid.
	Moving []bool
	// ClipAhead does the same for what moves forward in time: markers and droplets.
	ClipAhead func(worker int, b int32, from, to []layout.Point)
	// ClipLines moves to[i], no matter where to, if a solid is between it and from[i] at one time.
	ClipLines func(worker int, b int32, from, to []layout.Point)
	// OneSided may replace what was sampled at to[i] by the old φ of the cells that no wall hides from there:
	// interpolation mixes the two sides of a thin wall. Called after Clip, with what that left in to.
	OneSided func(worker int, b int32, to []layout.Point, phi []float32)
	// Whole tells whether solids leave all of cell i of block b, from several workers; nil: of all cells. In a solid φ is only extrapolated.
	Whole func(b int32, i int) bool
	// Tick counts Advance calls; the direction of the sweeps and the random numbers of the seeding follow from it. It is state.
	Tick uint32

	g     *layout.Grid
	pool  *par.Pool
	next  []float32 // cells written by a pass before they replace Phi
	low   []float32 // per base cell: least |φ| of its block in Phi, m
	old   []float32 // the same for the published φ
	moved []float32 // per base cell: how far its liquid may have moved in this step, m
	busy  []int32   // base cells that a pass works on
	swept []bool    // per base cell: whether the pass changed it
	work  []workspace

	sampling sampling

	v      *layout.Velocity // arguments of the loop in progress
	dt     float64
	shape  func(dst []float32, pts []r3.Vec)
	cut    bool
	lo, hi [3]float64
	pass   passArgs
}

// workspace is one worker's scratch.
type workspace struct {
	old     [16 * 16 * 16]float32 // a block of the old φ with half a block of halo
	tile    [10 * 10 * 10]float32 // a block of the new φ with one layer
	first   [27]int32             // see gatherAround
	rows    [10 * 10]bool         // see findRows
	more    [10 * 10]bool
	united  [512]float32 // φ with the spheres of escaped markers
	from    [512]layout.Point
	to      [512]layout.Point
	list    [512]arrival // see drift
	way     ways         // see tracer.trail
	origin  ways         // where the ways begin, cells from the block's low corner
	places  layout.Places
	count   [512]uint8 // see Markers.seedBlock
	smooth  rowBits    // see findSmooth
	near    rowBits
	repairs [512]repair                      // see sweep
	steep   [layout.Edge * layout.Edge]uint8 // see sweep.run
	pts     [512]r3.Vec
	value   [512]float32
	cuts    cuts
}

// NewField makes the field of a grid that is all air.
func NewField(g *layout.Grid, pool *par.Pool) *Field {
	s := &Field{Tiles: layout.NewScalar(g), Band: 3, Passes: 1, g: g, pool: pool}
	s.sampling.s = s
	s.work = make([]workspace, pool.Workers())
	s.low = make([]float32, g.Bases())
	s.old = make([]float32, g.Bases())
	s.moved = make([]float32, g.Bases())
	s.swept = make([]bool, g.Bases())
	s.busy = make([]int32, 0, g.Bases())
	g.OnGrow(func(n int) {
		s.Phi = arrays.Lengthen(s.Phi, n)
		s.next = arrays.Lengthen(s.next, n)
	})
	s.Clear()
	s.Publish()
	return s
}

// limit is the magnitude of φ beyond the band of a level, m.
func (s *Field) limit(level uint8) float32 { return float32(s.Band * s.g.CellSize(level)) }

// Clear makes everything air.
func (s *Field) Clear() {
	for b, l := range s.g.Cur.Level {
		s.fill(int32(b), s.limit(l))
	}
}

// fill sets a block of Cur to one value.
func (s *Field) fill(b int32, v float32) {
	first, l := s.g.Cur.First[b], s.g.Cur.Level[b]
	cells := s.Phi[first : first+1<<(3*l)]
	for i := range cells {
		cells[i] = v
	}
	s.low[b] = abs32(v)
}

// Set adds liquid where f is negative, over the whole grid: φ ← min(φ, f), then restores
// the distance.
//
// f: signed distance, m, at points in metres; 1-Lipschitz, and safe for concurrent calls.
func (s *Field) Set(f func(dst []float32, pts []r3.Vec)) {
	s.SetBox(f, everywhere)
}

var everywhere = r3.Box{
	Min: r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
	Max: r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
}

// SetBox is Set for an f whose inside lies within a box, m: blocks well outside of it are skipped.
func (s *Field) SetBox(f func(dst []float32, pts []r3.Vec), box r3.Box) {
	s.combine(f, box, false)
}

// SetNear is SetBox that restores the distance in the blocks at another box, near, alone: a try that is taken back.
func (s *Field) SetNear(f func(dst []float32, pts []r3.Vec), box, near r3.Box) {
	s.merges(f, box, false)
	for i := range fullPasses {
		s.findActive(true)
		s.keepIn(near)
		s.sweepBusy(i, true)
	}
}

// SubtractBox removes liquid where f is negative, φ ← max(φ, -f), for an f whose inside lies within a box, m.
func (s *Field) SubtractBox(f func(dst []float32, pts []r3.Vec), box r3.Box) {
	s.combine(f, box, true)
}

// fullPasses is how many passes restore the distance after an edit.
const fullPasses = 8

func (s *Field) combine(f func(dst []float32, pts []r3.Vec), box r3.Box, cut bool) {
	s.merges(f, box, cut)
	s.redistance(fullPasses, true)
}

// merges merges a shape into φ, which then is no distance yet.
func (s *Field) merges(f func(dst []float32, pts []r3.Vec), box r3.Box, cut bool) {
	s.shape, s.cut = f, cut
	s.lo = [3]float64{box.Min.X, box.Min.Y, box.Min.Z}
	s.hi = [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
	par.For(s.pool, s.g.Bases(), 4, s, (*Field).shapeBlocks)
	s.shape = nil
}

func (s *Field) shapeBlocks(worker, lo, hi int) {
	for b := lo; b < hi; b++ {
		s.shapeBlock(&s.work[worker], int32(b))
	}
}

// shapeBlock merges the shape into one block. A block whose centre is further from the shape's
// surface than its corners and the band needs only the sign.
func (s *Field) shapeBlock(w *workspace, b int32) {
	l := s.g.Cur.Level[b]
	n, h, band, corner := 1<<l, s.g.CellSize(l), s.limit(l), s.g.Corner(b)
	edge := float64(s.g.H * layout.Edge)
	for a := range 3 {
		if corner[a]-float64(band) > s.hi[a] || corner[a]+edge+float64(band) < s.lo[a] {
			return
		}
	}
	c := float64(edge / 2)
	w.pts[0] = r3.Vec{X: corner[0] + c, Y: corner[1] + c, Z: corner[2] + c}
	s.shape(w.value[:1], w.pts[:1])
	if reach := float32(math.Sqrt(3)*c) + band; abs32(w.value[0]) > reach {
		switch inside := w.value[0] < 0; {
		case inside && s.cut:
			s.fill(b, band)
		case inside:
			s.fill(b, -band)
		}
		return
	}
	i := 0
	for z := range n {
		for y := range n {
			for x := range n {
				w.pts[i] = r3.Vec{X: corner[0] + float64((float64(x)+.5)*h), Y: corner[1] + float64((float64(y)+.5)*h), Z: corner[2] + float64((float64(z)+.5)*h)}
				i++
			}
		}
	}
	s.shape(w.value[:i], w.pts[:i])
	s.merge(b, w.value[:i], band)
}

func (s *Field) merge(b int32, value []float32, band float32) {
	phi := s.Phi[s.g.Cur.First[b]:][:len(value)]
	for i, f := range value {
		v := phi[i]
		if s.cut {
			v = max(v, -f)
		} else {
			v = min(v, f)
		}
		if v != v {
			v = phi[i]
		}
		phi[i] = clamp32(v, -band, band)
	}
	s.measure(b)
}

// Publish makes Phi the old state of the next step. The layout must be settled.
func (s *Field) Publish() {
	s.Tiles.Gather(s.pool, s.Phi)
	par.For(s.pool, s.g.Bases(), 16, s, (*Field).lowBlocks)
}

// Restore makes Phi the old state again, when the layout has been reverted to that.
func (s *Field) Restore() {
	s.Tiles.Restore(s.Phi)
	s.Publish()
}

// lowBlocks measures each block anew, since others may have written Phi.
func (s *Field) lowBlocks(_, lo, hi int) {
	for b := lo; b < hi; b++ {
		s.measure(int32(b))
		s.old[b] = s.low[b]
	}
}

// Nearest is the least |φ| of a block as it was published, m.
func (s *Field) Nearest(b int32) float32 { return s.old[b] }

// Measure must follow where others have written a block's Phi, before Fraction is called.
func (s *Field) Measure(b int32) { s.measure(b) }

// measure updates low.
func (s *Field) measure(b int32) {
	s.low[b] = leastMagnitude(s.Phi[s.g.Cur.First[b]:][:1<<(3*s.g.Cur.Level[b])])
}

// leastMagnitude is the least magnitude, of what are numbers. It exists in plain Go, here, and in assembly for processors with AVX2.
var leastMagnitude = leastMagnitudeGo

func leastMagnitudeGo(cells []float32) float32 {
	low := float32(math.MaxFloat32)
	for _, v := range cells {
		if v = abs32(v); v < low {
			low = v
		}
	}
	return low
}

func abs32(v float32) float32 {
	return math.Float32frombits(math.Float32bits(v) &^ (1 << 31))
}

func clamp32(v, lo, hi float32) float32 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

func sqrt32(v float32) float32 { return float32(math.Sqrt(float64(v))) }
