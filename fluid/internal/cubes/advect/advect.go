// Package advect carries the velocity from the old layout to the faces of the new graph and
// spreads it from the liquid into the band of air and solid around.
//
// Transport is generalised semi-Lagrangian: traced in and interpolated from the old
// layout's tiles (Feldman et al. 2005; Klingner et al. 2006 §3.2), with a bounded one-sided anti-diffusion
// (grid.Places.SampleAntiDiffused, which tells it from the MacCormack scheme).
package advect

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Faces is a velocity per face slot, m/s, for each axis.
type Faces = [3][]float32

// Transport moves velocity.
type Transport struct {
	g    *layout.Grid
	pool *par.Pool
	old  *layout.Velocity

	gr            *graph.Graph
	dst           *Faces
	dt            float64
	antiDiffusion bool
	displacement  [][4]float32 // per row: its backtrace displacement, base cells; the last number is 1 in rows with a face to the air, else 0
	atSurface     []bool       // per base cell: it has such rows
	work          []part       // per worker
}

// New makes a transport that reads the last step's velocity from the tiles old.
func New(g *layout.Grid, pool *par.Pool, old *layout.Velocity) *Transport {
	return &Transport{g: g, pool: pool, old: old, work: make([]part, pool.Workers())}
}

// Advect writes the velocity transported over dt, s, into gr.U. secondOrder adds the anti-diffusion.
func (t *Transport) Advect(gr *graph.Graph, dt float64, secondOrder bool) {
	t.gr, t.dt, t.antiDiffusion = gr, dt, secondOrder
	t.displacement, t.atSurface = arrays.Resize(t.displacement, gr.Rows), arrays.Resize(t.atSurface, t.g.Bases())
	clear(t.atSurface)
	par.Each(t.pool, t.g.Bases(), partGrain, t, (*Transport).backtraceBlock)
	par.Each(t.pool, t.g.Bases(), partGrain, t, (*Transport).advectBlock)
	t.gr = nil
}

// Refresh gives the faces of blocks that are new in Cur the old velocity, and those that a block
// has now for itself, where its neighbour was coarser. It comes before Advect.
func (t *Transport) Refresh(faces *Faces) {
	t.dst = faces
	par.Each(t.pool, t.g.Bases(), 4, t, (*Transport).refresh)
	t.dst = nil
}

func (t *Transport) refresh(_ int, b int32) {
	g := t.g
	l := g.Cur.Level[b]
	n := 1 << l
	for a := range 3 {
		planes := n
		if g.Cur.First[b] == g.Prev.First[b] {
			planes = 0
			if nb := g.Neighbour[b][2*a]; nb != layout.None && g.Prev.Level[nb] < l && g.Cur.Level[nb] >= l {
				planes = 1
			}
		}
		end := [3]int{n, n, n}
		end[a] = planes
		t.sample(b, a, end)
	}
}

// sample gives the faces of an axis of a block, up to end, the old velocity where they are.
func (t *Transport) sample(b int32, a int, end [3]int) {
	at := t.g.BaseCoords(b)
	s := 1 / float64(int(1)<<t.g.Cur.Level[b])
	half := [3]float64{.5, .5, .5}
	half[a] = 0
	for z := range end[2] {
		for y := range end[1] {
			for x := range end[0] {
				p := layout.Point{
					X: float64(at[0]) + float64((float64(x)+half[0])*s),
					Y: float64(at[1]) + float64((float64(y)+half[1])*s),
					Z: float64(at[2]) + float64((float64(z)+half[2])*s),
				}
				t.dst[a][t.g.Cur.Cell(b, x, y, z)] = t.old.Along(a, p)
			}
		}
	}
}

// Store copies the graph's velocities in a block into the face storage, where those that solids shut are 0.
func (t *Transport) Store(b int32, gr *graph.Graph, dst *Faces, states *[3][]uint8) {
	first, cells := t.g.Cur.First[b], 1<<(3*t.g.Cur.Level[b])
	lo, end := gr.Parts[b].Face, gr.Parts[b+1].Face
	for a, u := range dst {
		zeroShut(u[first:][:cells], states[a][first:][:cells])
		hi := runEnd(gr, a, lo, end)
		slot := gr.Slot[lo:hi]
		for f, v := range gr.U[lo:hi] {
			u[slot[f]] = float32(v)
		}
		lo = hi
	}
}

// runEnd is where the faces of an axis end of those of a part, which are sorted by axis, that lie from lo up to end.
func runEnd(gr *graph.Graph, axis int, lo, end int32) int32 {
	n, _ := slices.BinarySearch(gr.Cubes.Axis[lo:end], uint8(axis+1))
	return lo + int32(n)
}

// zeroShut makes the velocity 0 where a block's faces are shut.
func zeroShut(u []float32, state []uint8) {
	c := bytes.IndexByte(state, shut)
	if c < 0 {
		return
	}
	n := min(len(state), 8)
	for c &^= n - 1; c < len(state); c += n {
		for m := equal(word(state[c:], n), shut); m != 0; m &= m - 1 {
			u[c+bits.TrailingZeros64(m)/8] = 0
		}
	}
}
