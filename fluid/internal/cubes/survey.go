package cubes

import (
	"math"

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
	f := i.tally[:1<<(3*m.Grid.Cur.Level[b])]
	if !i.fractions(0, b, f) {
		return 0
	}
	return Filled(f, m.Solids.Volume[first:][:len(f)])
}

// Survey measures the blocks of the settled layout, for what is known of the liquid there.
type Survey struct {
	m       *Cells
	surface *Surface
	layout.Survey

	Demand sizing.Outcome // the last plan's
	Gaps   gaps

	rooms [][]levelset.Room                                // per worker: scratch
	tally [layout.Edge * layout.Edge * layout.Edge]float32 // scratch of LiquidOf
}

func (i *Survey) init(m *Cells, surface *Surface) {
	i.m, i.surface = m, surface
	i.Survey = layout.NewSurvey(i.m.Grid, i.m.Domain)
	i.Gaps = gaps{m: m, of: make([][6]uint8, m.Grid.Bases())}
	i.rooms = make([][]levelset.Room, i.m.Pool.Workers())
	for w := range i.rooms {
		i.rooms[w] = make([]levelset.Room, 0, layout.Edge*layout.Edge*layout.Edge)
	}
}

// Measure measures the blocks' liquid and surveys them after a change that no step made.
func (i *Survey) Measure() {
	m := i.m
	par.Each(m.Pool, m.Grid.Bases(), measureGrain, i, (*Survey).MeasureBlock)
	i.Update()
}

// Update finds out which blocks of the settled grid are wet, and which are at the surface.
func (i *Survey) Update() {
	m := i.m
	par.Each(m.Pool, m.Grid.Bases(), 4, i, (*Survey).surveyBlock)
	i.Sort(m.Dt, m.Set.Band)
}

func (i *Survey) surveyBlock(_ int, b int32) {
	m := i.m
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	i.Nearest[b], i.Speed[b] = m.Set.Nearest(b), 0
	if h := float32(m.Grid.CellSize(level)); i.Nearest[b] < h {
		i.Speed[b] = i.surfaceSpeed(m.Set.Phi[first:][:1<<(3*level)], int(first), int(level), h)
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
	i.Fraction[b], i.Volume[b] = float32(volume/(edge*edge*edge)), volume
}

// fractions writes what of the room that solids leave in each cell of a block is liquid: LevelSet.Fraction with what a tracker that blocks follow
// knows of, but for what of that is in solids.
func (i *Survey) fractions(worker int, b int32, dst []float32) (some bool) {
	m := i.m
	some = m.Set.Fraction(worker, b, dst)
	if i.surface.residual.weighs {
		some = i.surface.residual.add(dst, b) || some
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

// Near is what FindReach has found, for solids that need not be measured where no liquid comes.
func (i *Survey) Near() cutting.Near { return cutting.Near{Phi: i.m.Set.Phi, Reach: i.Reach} }
