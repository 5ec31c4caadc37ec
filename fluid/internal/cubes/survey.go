package cubes

import (
	"math"

	"github.com/kelindar/bitmap"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// HeldIn is the liquid in a cell, m³.
func (i *Survey) HeldIn(c int32) float64 {
	m := i.m
	return float64(m.Fraction[c] * m.Solids.Volume[c])
}

// LiquidOf is the liquid in a block as φ is now, m³.
func (i *Survey) LiquidOf(b int32) float64 {
	m := i.m
	first := m.Grid.Cur.First[b]
	f := m.tally[:1<<(3*m.Grid.Cur.Level[b])]
	if !i.fractions(0, b, f) {
		return 0
	}
	return Filled(f, m.Solids.Volume[first:][:len(f)])
}

// WetIn tells whether there is liquid in the blocks that a box, m, overlaps.
func (i *Survey) WetIn(box r3.Box) bool {
	m := i.m
	lo, hi := m.Grid.BaseRange(box)
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				if m.Survey.Wet.Contains(uint32(m.Grid.BaseAt(x, y, z))) {
					return true
				}
			}
		}
	}
	return false
}

// NearWet tells whether a box, m, comes within a base cell of liquid.
func (i *Survey) NearWet(box r3.Box) bool {
	m := i.m
	if !boxes.Overlap(boxes.Grown(box, m.Grid.H*layout.Edge), m.Domain) { // or it isn't finite
		return false
	}
	lo, hi := m.Grid.BaseRange(box)
	for z := lo[2] - 1; z <= hi[2]+1; z++ {
		for y := lo[1] - 1; y <= hi[1]+1; y++ {
			for x := lo[0] - 1; x <= hi[0]+1; x++ {
				if b := m.Grid.BaseAt(x, y, z); b >= 0 && m.Survey.Wet.Contains(uint32(b)) {
					return true
				}
			}
		}
	}
	return false
}

// Survey is what a survey of the settled grid found, per base cell.
//
// Sets of blocks are of two kinds. A set that one goroutine fills and that is united with others, subtracted or counted is a bitmap: Wet
// and Band here, and those of sizing. Any other is a []bool. Loops over blocks write some of these in parallel, as which blocks the velocity
// reaches and which a sweep has changed: in a bitmap 64 blocks share a word, which two workers must not write at the same time. The rest, as
// which blocks are asleep or near thin walls, is only asked block by block.
type Survey struct {
	m *Blocks

	Nearest  []float32 // least |φ| in the block's cells, m
	Speed    []float32 // greatest of the surface across itself in the block, m/s
	Reach    []float32 // see blocks.Near
	Fraction []float32 // part of the block that is liquid; solids and what is outside of the domain are not
	Volume   []float64 // of the liquid, m³
	Wet      bitmap.Bitmap
	Band     bitmap.Bitmap
	Fresh    []int32        // base cells whose block is new in this substep
	MaxSpeed float64        // m/s
	Demand   sizing.Outcome // the last plan's

	rooms [][]levelset.Room // per worker: scratch
}

func (i *Survey) init(n int) {
	i.rooms = make([][]levelset.Room, i.m.Pool.Workers())
	for w := range i.rooms {
		i.rooms[w] = make([]levelset.Room, 0, layout.Edge*layout.Edge*layout.Edge)
	}
	i.Nearest, i.Speed, i.Reach = make([]float32, n), make([]float32, n), make([]float32, n)
	i.Fraction, i.Volume = make([]float32, n), make([]float64, n)
	i.Wet.Grow(uint32(n))
	i.Band.Grow(uint32(n))
}

// bandReach, in finest cells, is how near to a block the surface must be for the block to count as at
// it: what the level set's band needs around it. What the surface moves in a step is added. bandSeen
// keeps that within what φ tells of.
const (
	bandReach = 2
	bandSeen  = .99
)

// Measure measures the blocks' liquid and surveys them after a change that no step made.
func (i *Survey) Measure() {
	m := i.m
	par.Each(m.Pool, m.Grid.Bases(), measureGrain, &m.Survey, (*Survey).MeasureBlock)
	m.Survey.Update()
}

// Update finds out which blocks of the settled grid are wet, and which are at the surface.
func (i *Survey) Update() {
	m := i.m
	par.Each(m.Pool, m.Grid.Bases(), 4, &m.Survey, (*Survey).surveyBlock)
	for b := range i.Nearest {
		cell := m.Grid.CellSize(m.Grid.Cur.Level[b])
		speed := i.SpeedAround(m.Grid, b)
		// A cell's centre is half a cell from the block's side.
		reach := float64(cell/2) + float64(bandReach*m.CellSize) + float64(float64(speed)*m.Dt)
		reach = min(reach, bandSeen*m.Set.Band*cell)
		Put(i.Wet, b, i.Fraction[b] > 0)
		Put(i.Band, b, float64(i.Nearest[b]) < reach)
	}
}

// Put sets or clears a bit.
func Put(m bitmap.Bitmap, b int, on bool) {
	if on {
		m.Set(uint32(b))
	} else {
		m.Remove(uint32(b))
	}
}

func (i *Survey) surveyBlock(_ int, b int32) {
	m := i.m
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	i.Nearest[b], i.Speed[b] = m.Set.Nearest(b), 0
	if h := float32(m.Grid.CellSize(level)); i.Nearest[b] < h {
		i.Speed[b] = m.Survey.surfaceSpeed(m.Set.Phi[first:][:1<<(3*level)], int(first), int(level), h)
	}
}

// surfaceSpeed is how fast the surface in a block, whose cells are h wide, moves across itself, m/s: the
// greatest of the cells next to it.
func (i *Survey) surfaceSpeed(phi []float32, first, bits int, h float32) float32 {
	m := i.m
	n := 1 << bits
	u, v, w := m.Faces[0][first:][:len(phi)], m.Faces[1][first:][:len(phi)], m.Faces[2][first:][:len(phi)]
	if bits == 0 {
		return float32(min(reproducible.Norm(r3.Vec{X: float64(u[0]), Y: float64(v[0]), Z: float64(w[0])}), math.MaxFloat32))
	}
	// The slope of φ is a difference of two cells, of one at the block's sides, where there is no face beyond.
	inv := [2]float32{.5 / h, .25 / h}
	top := float32(0)
	for c, p := range phi {
		if p > h || p < -h {
			continue
		}
		x0, x1, kx := around(c, 0, n-1, 1)
		y0, y1, ky := around(c, bits, n-1, n)
		z0, z1, kz := around(c, 2*bits, n-1, n*n)
		sum := float32((u[c]+u[x1])*(phi[x1]-phi[x0])*inv[kx]) + float32((v[c]+v[y1])*(phi[y1]-phi[y0])*inv[ky]) + float32((w[c]+w[z1])*(phi[z1]-phi[z0])*inv[kz])
		if sum < 0 {
			sum = -sum
		}
		if sum > top {
			top = sum
		}
	}
	return min(top, math.MaxFloat32)
}

// around is the cells below and above a cell of a block along an axis, as far as they are in the block, and whether both are.
func around(c, shift, last, step int) (low, high, both int) {
	switch c >> shift & last {
	case 0:
		return c, c + step, 0
	case last:
		return c - step, c, 0
	}
	return c - step, c + step, 1
}

// MeasureBlock measures what of each cell of a block, and of the block, is liquid.
func (i *Survey) MeasureBlock(worker int, b int32) {
	m := i.m
	first, n := m.Grid.Cur.First[b], 1<<(3*m.Grid.Cur.Level[b])
	f := m.Fraction[first:][:n]
	volume := 0.
	if i.fractions(worker, b, f) {
		volume = Filled(f, m.Solids.Volume[first:][:n])
	}
	edge := m.Grid.H * layout.Edge
	m.Survey.Fraction[b], m.Survey.Volume[b] = float32(volume/(edge*edge*edge)), volume
}

// fractions writes what of the room that solids leave in each cell of a block is liquid: LevelSet.Fraction with what a tracker that blocks follow
// knows of, but for what of that is in solids.
func (i *Survey) fractions(worker int, b int32, dst []float32) (some bool) {
	m := i.m
	some = m.Set.Fraction(worker, b, dst)
	if m.Surface.residual.weighs {
		some = m.Surface.residual.add(dst, b) || some
	}
	if some && m.Solids.CutsInto(b) {
		levelset.LeaveOpen(m.Set, worker, b, dst, i.findRooms(worker, b, dst))
	}
	return some
}

// findRooms lists what solids leave of those cells of a block that are liquid in part and of which they take a part.
func (i *Survey) findRooms(worker int, b int32, wet []float32) []levelset.Room {
	m := i.m
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	h, n := m.Grid.CellSize(level), 1<<level
	whole, rooms := float32(h*h*h), i.rooms[worker][:0]
	volume := m.Solids.Volume[first:][:len(wet)]
	for c, f := range wet {
		if v := volume[c]; f > 0 && f < 1 && v > 0 && v < fullRoom*whole {
			r := levelset.Room{Cell: int32(c), Part: v / whole}
			at := [3]int{c & (n - 1), c >> level & (n - 1), c >> (2 * level)}
			for a := range at {
				r.Open[a][0] = float32(m.Solids.Open[a][m.Grid.FaceCell(b, a, at)])
				at[a]++
				if slot := m.Grid.FaceCell(b, a, at); slot >= 0 {
					r.Open[a][1] = float32(m.Solids.Open[a][slot])
				}
				at[a]--
			}
			rooms = append(rooms, r)
		}
	}
	i.rooms[worker] = rooms
	return rooms
}

// fullRoom is the part of a cell from which on it counts as whole: what rounding leaves.
const fullRoom = 1 - 1e-5

// Filled sums up cells' liquid, m³, from their liquid fractions and the volume that solids leave open in them.
func Filled(fraction, open []float32) float64 {
	var v [4]float64
	i := 0
	for ; i+4 <= len(fraction); i += 4 {
		a, b := (*[4]float32)(fraction[i:]), (*[4]float32)(open[i:])
		for k := range v {
			v[k] += float64(a[k] * b[k])
		}
	}
	for ; i < len(fraction); i++ {
		v[0] += float64(fraction[i] * open[i])
	}
	return (v[0] + v[1]) + (v[2] + v[3])
}

// WetFraction is the part of a cell of edge h that is liquid, to first order in the distance: for what
// the liquid of a single cell is compared with. LevelSet.Fraction measures.
func WetFraction(phi, h float32) float32 { return max(0, min(1, .5-phi/h)) }

// SpeedAround is the greatest speed of the surface across itself in and beside a block, m/s.
func (i *Survey) SpeedAround(g *layout.Grid, b int) float32 {
	speed := i.Speed[b]
	for _, nb := range g.Neighbour[b] {
		if nb != layout.None {
			speed = max(speed, i.Speed[nb])
		}
	}
	return speed
}

// spare, in cells of a block, is how much further than it moves liquid may come in a step: to the middle of the cell that it comes
// into and across a face of the one beside it; and half a cell for what φ is out by.
const spare = 2

// FindReach finds out where liquid may come in this step: no further than what is on the move in and beside a block, or falls as fields
// accelerate it at most, m/s²; anywhere in blocks that are new, or near an opening, where liquid is put in or taken out.
func (i *Survey) FindReach(strongest float64, openings []r3.Box) {
	m := i.m
	g, dt := m.Grid, m.Dt
	fall, everywhere := float64(dt*dt*strongest), float32(math.Inf(1))
	for b := range i.Reach {
		if g.Cur.First[b] != g.Prev.First[b] {
			i.Reach[b] = everywhere
			continue
		}
		i.Reach[b] = float32(float64(spare*g.CellSize(g.Cur.Level[b])) + float64(dt*float64(i.SpeedAround(g, b))) + fall)
	}
	for _, opening := range openings {
		m.Grid.EachBase(boxes.Grown(opening, movingReach*m.CellSize), func(b int32) { i.Reach[b] = everywhere })
	}
}

// AddReach has liquid in and around a box, m, come further by a distance, m.
func (i *Survey) AddReach(box r3.Box, distance float64) {
	m := i.m
	m.Grid.EachBase(boxes.Grown(box, distance), func(b int32) { m.Survey.Reach[b] += float32(distance) })
}

// Near is what FindReach has found, for solids that need not be measured where no liquid comes.
func (i *Survey) Near() cutting.Near { return cutting.Near{Phi: i.m.Set.Phi, Reach: i.m.Survey.Reach} }
