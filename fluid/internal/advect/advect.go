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
	shift [][3]float64 // per row: how far it came, base cells
	from  []grid.Point // per face: where it came from

	freshBody, shiftBody, firstBody, storeBody, correctBody par.Body
}

// New makes a transport that reads the last step's velocity from the tiles old.
func New(g *grid.Grid, pool *par.Pool, old *grid.Velocity) *Transport {
	t := &Transport{g: g, pool: pool, old: old, next: grid.NewVelocityWithin(g)}
	t.freshBody = func(_, lo, hi int) {
		for b := lo; b < hi; b++ {
			t.refresh(int32(b))
		}
	}
	t.shiftBody = func(_, lo, hi int) { t.shifts(lo, hi) }
	t.firstBody = func(_, lo, hi int) { t.firstOrder(lo, hi) }
	t.storeBody = func(_, lo, hi int) { store(t.gr, t.faces, lo, hi) }
	t.correctBody = func(_, lo, hi int) { t.correct(lo, hi) }
	return t
}

const grain = 512

func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+n/4)
}

// Carry writes the velocity transported over dt, s, into gr.U. faces is the new layout's
// face storage, which becomes the same where the graph has faces.
func (t *Transport) Carry(gr *graph.Graph, faces *Faces, dt float64, secondOrder bool) {
	t.gr, t.faces, t.dt = gr, faces, dt
	t.shift, t.from = resize(t.shift, gr.Rows), resize(t.from, gr.Faces())
	t.pool.For(gr.Rows, grain, t.shiftBody)
	t.pool.For(gr.Faces(), grain, t.firstBody)
	if secondOrder {
		t.pool.For(gr.Faces(), grain, t.storeBody)
		t.next.Gather(t.pool, faces)
		t.pool.For(gr.Faces(), grain, t.correctBody)
	}
	t.gr, t.faces = nil, nil
}

// Refresh gives the faces of blocks that are new in Cur the old velocity. It comes before Carry.
func (t *Transport) Refresh(faces *Faces) {
	t.faces = faces
	t.pool.For(t.g.Bases(), 64, t.freshBody)
	t.faces = nil
}

// refresh gives the faces of a new block the old velocity where they are.
func (t *Transport) refresh(b int32) {
	g := t.g
	if g.Cur.First[b] == g.Prev.First[b] {
		return
	}
	at := g.BaseCoords(b)
	n := 1 << g.Cur.Level[b]
	s := 1 / float64(n)
	c := int(g.Cur.First[b])
	for z := range n {
		for y := range n {
			for x := range n {
				lo := [3]float64{float64(at[0]) + float64(x)*s, float64(at[1]) + float64(y)*s, float64(at[2]) + float64(z)*s}
				for a := range 3 {
					p := [3]float64{lo[0] + .5*s, lo[1] + .5*s, lo[2] + .5*s}
					p[a] = lo[a]
					t.faces[a][c] = float64(t.old.Along(a, grid.Point{X: p[0], Y: p[1], Z: p[2]}))
				}
				c++
			}
		}
	}
}

// shifts traces each row's centre back.
func (t *Transport) shifts(lo, hi int) {
	for r := lo; r < hi; r++ {
		c := &t.gr.Centre[r]
		p := t.g.ToPoint(c[0], c[1], c[2])
		q := t.old.Trace(p, -t.dt)
		t.shift[r] = [3]float64{p.X - q.X, p.Y - q.Y, p.Z - q.Z}
	}
}

// firstOrder samples the old velocity where each face came from: as far away as the mean
// of the cells on its two sides, or at the surface by a trace of its own.
func (t *Transport) firstOrder(lo, hi int) {
	gr := t.gr
	for f := lo; f < hi; f++ {
		x := gr.FaceCentre(f)
		p := t.g.ToPoint(x[0], x[1], x[2])
		a, b := gr.A[f], gr.B[f]
		if a >= 0 && b >= 0 {
			s, u := &t.shift[a], &t.shift[b]
			p.X -= .5 * (s[0] + u[0])
			p.Y -= .5 * (s[1] + u[1])
			p.Z -= .5 * (s[2] + u[2])
		} else {
			p = t.old.Trace(p, -t.dt)
		}
		t.from[f] = p
		gr.U[f] = float64(t.old.Along(int(gr.Axis[f]), p))
	}
}

// correct takes off half of the error that carrying the result back shows, within the range of
// the values that the result was made from. Faces at the surface or a solid stay first-order:
// what is carried back to them would not be liquid.
func (t *Transport) correct(lo, hi int) {
	gr := t.gr
	for f := lo; f < hi; f++ {
		if gr.A[f] < 0 || gr.B[f] < 0 || gr.Open[f] < 1 {
			continue
		}
		x := gr.FaceCentre(f)
		p, q := t.g.ToPoint(x[0], x[1], x[2]), t.from[f]
		axis := int(gr.Axis[f])
		back := t.next.Along(axis, grid.Point{X: 2*p.X - q.X, Y: 2*p.Y - q.Y, Z: 2*p.Z - q.Z})
		first, least, greatest := t.old.Range(axis, q)
		u := first + .5*(t.old.Along(axis, p)-back)
		gr.U[f] = float64(max(least, min(greatest, u)))
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
