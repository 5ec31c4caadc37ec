// Package advect carries the velocity from the old layout to the faces of the new graph and
// spreads it from the liquid into the band of air and solid around.
//
// Transport is generalised semi-Lagrangian: traced in and interpolated from the old
// layout's tiles (Feldman et al. 2005; Klingner et al. 2006 §3.3), with MacCormack's
// correction, clamped (Selle et al. 2008).
package advect

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Faces is a velocity per face slot, m/s, for each axis.
type Faces = [3][]float64

// Transport moves velocity.
type Transport struct {
	g    *grid.Grid
	pool *par.Pool
	old  *grid.Velocity
	next *grid.Velocity // tiles of the first-order result, for the correction

	gr    *graph.Graph
	faces *Faces
	dt    float64
	shift [][3]float32 // per row: how far it came, base cells
	was   []past       // per face
	near  []bool       // per base cell: the correction reads its tile of next
	work  []part       // per worker

	freshBody, shiftBody, firstBody, storeBody, correctBody par.Body
}

// New makes a transport that reads the last step's velocity from the tiles old.
func New(g *grid.Grid, pool *par.Pool, old *grid.Velocity) *Transport {
	t := &Transport{g: g, pool: pool, old: old, next: grid.NewVelocityWithin(g), near: make([]bool, g.Bases()), work: make([]part, pool.Workers())}
	for w := range t.work {
		t.work[w].entered = make([]bool, g.Bases())
	}
	t.freshBody = func(_, lo, hi int) {
		for b := lo; b < hi; b++ {
			t.refresh(int32(b))
		}
	}
	t.shiftBody = t.each((*Transport).shifts)
	t.firstBody = t.eachRun((*Transport).firstOrder)
	t.correctBody = t.eachRun((*Transport).correct)
	t.storeBody = func(_, lo, hi int) { store(t.gr, t.faces, lo, hi) }
	return t
}

const grain = 512

func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+n/4+64)
}

// Carry writes the velocity transported over dt, s, into gr.U. faces is the new layout's
// face storage, which becomes the same where the graph has faces.
func (t *Transport) Carry(gr *graph.Graph, faces *Faces, dt float64, secondOrder bool) {
	t.gr, t.faces, t.dt = gr, faces, dt
	t.shift, t.was = resize(t.shift, gr.Rows), resize(t.was, gr.Faces())
	n := t.g.Bases()
	t.pool.For(n, partGrain, t.shiftBody)
	t.pool.For(n, partGrain, t.firstBody)
	if secondOrder {
		t.nameEntered()
		t.next.GatherIn(t.pool, faces, t.near)
		t.pool.For(n, partGrain, t.correctBody)
	}
	t.gr, t.faces = nil, nil
}

// nameEntered names the blocks that faces go to next, and the coarser ones that their halos are blended from.
func (t *Transport) nameEntered() {
	clear(t.near)
	for w := range t.work {
		for b, in := range t.work[w].entered {
			t.near[b] = t.near[b] || in
		}
		clear(t.work[w].entered)
	}
	for l := uint8(grid.MaxLevel); l > 0; l-- {
		for b, near := range t.near {
			if near && t.g.Cur.Level[b] == l {
				t.nameCoarser(int32(b), l)
			}
		}
	}
}

// nameCoarser names what is coarser around a block, but for its corners: no component reads there.
func (t *Transport) nameCoarser(b int32, l uint8) {
	for c := range 27 {
		x, y, z := c%3-1, c/3%3-1, c/9-1
		if x*y*z != 0 {
			continue
		}
		if nb := t.g.Around(b, x, y, z); nb != grid.None && t.g.Cur.Level[nb] < l {
			t.near[nb] = true
		}
	}
}

// Refresh gives the faces of blocks that are new in Cur the old velocity, and those that a block
// has now for itself, where its neighbour was coarser. It comes before Carry.
func (t *Transport) Refresh(faces *Faces) {
	t.faces = faces
	t.pool.For(t.g.Bases(), 64, t.freshBody)
	t.faces = nil
}

func (t *Transport) refresh(b int32) {
	g := t.g
	l := g.Cur.Level[b]
	n := 1 << l
	for a := range 3 {
		planes := n
		if g.Cur.First[b] == g.Prev.First[b] {
			planes = 0
			if nb := g.Neighbour[b][2*a]; nb != grid.None && g.Prev.Level[nb] < l && g.Cur.Level[nb] >= l {
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
				p := grid.Point{X: float64(at[0]) + (float64(x)+half[0])*s, Y: float64(at[1]) + (float64(y)+half[1])*s, Z: float64(at[2]) + (float64(z)+half[2])*s}
				t.faces[a][t.g.Cur.Cell(b, x, y, z)] = float64(t.old.Along(a, p))
			}
		}
	}
}

// Store copies the graph's velocities into the face storage.
func (t *Transport) Store(gr *graph.Graph, faces *Faces) {
	t.gr, t.faces = gr, faces
	t.pool.For(gr.Faces(), 4*grain, t.storeBody)
	t.gr, t.faces = nil, nil
}

func store(gr *graph.Graph, faces *Faces, lo, hi int) {
	for f := lo; f < hi; f++ {
		faces[gr.Axis[f]][gr.Slot[f]] = gr.U[f]
	}
}
