package advect

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// room is how many cells a block has at most.
const room = grid.Edge * grid.Edge * grid.Edge

// partGrain is how many blocks make a chunk.
const partGrain = 4

// part is one block's rows and faces.
type part struct {
	b, first int32 // base cell, cell
	bits     uint8
	n        int
	coarser  [3]bool   // beyond the low side of the axis
	old      grid.Tile // NoTile where the block is new
	lo, hi   graph.Part

	// Of the faces, those at hand: of one axis.
	axis     int
	middle   [3]float32 // from the low corner of a face's cell, cells
	from, to int32

	middles grid.Middles // of its cells in the old velocity
	places  grid.Places
	row     [room]int32 // of places, counted from the part's first
}

// each makes a loop over the blocks that have a row or a face.
func (t *Transport) each(f func(*Transport, *part)) par.Body {
	return func(worker, lo, hi int) {
		for b := int32(lo); b < int32(hi); b++ {
			if t.gr.Parts[b] != t.gr.Parts[b+1] {
				p := &t.work[worker]
				t.open(p, b)
				f(t, p)
			}
		}
	}
}

// eachRun makes a loop over the faces of each axis of each block.
func (t *Transport) eachRun(f func(*Transport, *part)) par.Body {
	return t.each(func(t *Transport, p *part) {
		p.to = p.lo.Face
		for p.axis = range 3 {
			p.from, p.to = p.to, runEnd(t.gr, p.axis, p.to, p.hi.Face)
			if p.from == p.to {
				continue
			}
			p.middle = [3]float32{.5, .5, .5}
			p.middle[p.axis] = 0
			f(t, p)
		}
	})
}

// open makes p that of a block.
func (t *Transport) open(p *part, b int32) {
	g := t.g
	p.b, p.lo, p.hi = b, t.gr.Parts[b], t.gr.Parts[b+1]
	p.first, p.bits = g.Cur.First[b], g.Cur.Level[b]
	p.n = 1 << p.bits
	for a := range 3 {
		nb := g.Neighbour[b][2*a]
		p.coarser[a] = nb != grid.None && g.Cur.Level[nb] < p.bits
	}
	p.old = grid.NoTile
	if g.Prev.First[b] == p.first {
		p.old = t.old.Tile(b)
	}
}

// corners are the low corners of a block's cells, in cells from the block's, per level.
var corners = makeCorners()

func makeCorners() (all [grid.MaxLevel + 1][][3]float32) {
	for bits := range all {
		n := 1 << bits
		for c := range n * n * n {
			all[bits] = append(all[bits], [3]float32{float32(c & (n - 1)), float32(c >> bits & (n - 1)), float32(c >> (2 * bits))})
		}
	}
	return all
}

// at is the old velocity at a place.
func (t *Transport) at(p *part, x, y, z float32) (u, v, w float32) {
	if p.old.Holds(x, y, z) {
		return p.old.At(x, y, z)
	}
	s := 1 / float32(p.n)
	tile, x, y, z := t.old.Near(p.b, s*x, s*y, s*z)
	return tile.At(x, y, z)
}

// straight is the way, in cells, up to which the midpoint rule has nothing to add: on a curve of radius R
// cells a straight step is off by way²/2R, .005 cells on the smallest that the grid holds.
const straight = .1

// shifts traces each row's centre back, by the midpoint rule.
func (t *Transport) shifts(p *part) {
	base := float32(t.dt / (t.g.H * grid.Edge))
	half := .5 * base * float32(p.n)
	t.findMiddles(p)
	cells, shift, m, count := t.gr.Cell[p.lo.Row:p.hi.Row], t.shift[p.lo.Row:p.hi.Row], &p.middles, 0
	for r, c := range cells {
		i := (c - p.first) & (room - 1)
		u, v, w := m[0][i], m[1][i], m[2][i]
		shift[r] = [3]float32{base * u, base * v, base * w}
		if float32(half*abs(u))+float32(half*abs(v))+float32(half*abs(w)) >= straight/2 {
			p.row[count&(room-1)] = int32(r)
			count++
		}
	}
	if count > 0 {
		t.bend(p, cells, shift, p.row[:count])
	}
}

// findMiddles sets p.middles in the part's rows.
func (t *Transport) findMiddles(p *part) {
	if p.old.Holds(0, 0, 0) {
		p.old.Middles(&p.middles)
		return
	}
	m, corners := &p.middles, corners[p.bits]
	for _, c := range t.gr.Cell[p.lo.Row:p.hi.Row] {
		i := c - p.first
		at := &corners[i]
		m[0][i], m[1][i], m[2][i] = t.at(p, at[0]+.5, at[1]+.5, at[2]+.5)
	}
}

// bend makes the shifts of some rows those at their midpoints.
func (t *Transport) bend(p *part, cells []int32, shift [][3]float32, rows []int32) {
	base, q, corners := float32(t.dt/(t.g.H*grid.Edge)), &p.places, corners[p.bits]
	half := .5 * base * float32(p.n)
	for k, r := range rows {
		i := cells[r] - p.first
		at, m := &corners[i], &p.middles
		q.X[k], q.Y[k], q.Z[k] = at[0]+.5-float32(half*m[0][i]), at[1]+.5-float32(half*m[1][i]), at[2]+.5-float32(half*m[2][i])
	}
	for a := range 3 {
		q.Sample(p.old.Component(a), len(rows))
		for k, r := range rows {
			shift[r][a] = base * q.Value[k]
		}
	}
	for k := q.Missed(0, len(rows)); k < len(rows); k = q.Missed(k+1, len(rows)) {
		u, v, w := t.at(p, q.X[k], q.Y[k], q.Z[k])
		shift[rows[k]] = [3]float32{base * u, base * v, base * w}
	}
}

// abs is by its bits: the built-in max takes several times as long.
func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// carry samples the old velocity where each face came from.
func (t *Transport) carry(p *part) {
	t.trace(p)
	q, u := &p.places, t.gr.U[p.from:p.to]
	q.SampleSharp(p.old.Component(p.axis), t.low(p), len(u))
	s := 1 / float32(p.n)
	for f := q.Missed(0, len(u)); f < len(u); f = q.Missed(f+1, len(u)) {
		tile, x, y, z := t.old.Near(p.b, s*q.X[f], s*q.Y[f], s*q.Z[f])
		in := tile.Component(p.axis)
		q.Value[f] = q.Sharp(f, &in, x, y, z)
	}
	for f := range u {
		u[f] = float64(q.Value[f])
	}
}

// low is the component at hand in the next block on the low side, empty if that was of another level.
func (t *Transport) low(p *part) (c grid.Component) {
	nb := t.g.Neighbour[p.b][2*p.axis]
	if nb == grid.None || t.g.Prev.Level[nb] != p.bits {
		return c
	}
	tile := t.old.Tile(nb)
	return tile.Component(p.axis)
}

// trace finds the places that the faces at hand came from. Faces at the surface or a solid get no more than
// what is interpolated there: what is around them is not all liquid.
func (t *Transport) trace(p *part) {
	gr, n, q, shift := t.gr, float32(p.n), &p.places, t.shift
	slot, a, b, open := gr.Slot[p.from:p.to], gr.A[p.from:p.to], gr.B[p.from:p.to], gr.Open[p.from:p.to]
	a, b, open = a[:len(slot)], b[:len(slot)], open[:len(slot)]
	corners, middle := corners[p.bits], p.middle
	wide := p.coarser[p.axis] // on the low side, so that a face there is four slots wide
	for f, slot := range slot {
		c := slot - p.first
		at := &corners[c]
		x, y, z := at[0]+middle[0], at[1]+middle[1], at[2]+middle[2]
		if wide && at[p.axis] == 0 {
			x, y, z = x+middle[0], y+middle[1], z+middle[2]
		}
		a, b := a[f], b[f]
		if a|b >= 0 {
			s, u := &shift[a], &shift[b]
			q.X[f&(room-1)], q.Y[f&(room-1)], q.Z[f&(room-1)] = x-float32(n*(.5*(s[0]+u[0]))), y-float32(n*(.5*(s[1]+u[1]))), z-float32(n*(.5*(s[2]+u[2])))
		} else {
			s := t.came(p, a, b, &[3]float32{x, y, z})
			q.X[f&(room-1)], q.Y[f&(room-1)], q.Z[f&(room-1)] = x-float32(n*s[0]), y-float32(n*s[1]), z-float32(n*s[2])
		}
		if a|b < 0 || open[f] != 1 || !t.sharp {
			c = grid.None
		}
		q.Cell[f&(room-1)] = c
	}
}

// came is how far a face at x came, base cells: as far as the mean of the liquid on its two sides,
// or at the surface by a midpoint that the liquid's side gives.
func (t *Transport) came(p *part, a, b int32, x *[3]float32) [3]float32 {
	if a != graph.Air && b != graph.Air {
		s, u := t.mean(a), t.mean(b)
		return [3]float32{.5 * (s[0] + u[0]), .5 * (s[1] + u[1]), .5 * (s[2] + u[2])}
	}
	if a == graph.Air {
		a = b
	}
	s := t.mean(a)
	half := .5 * float32(p.n)
	u, v, w := t.at(p, x[0]-float32(half*s[0]), x[1]-float32(half*s[1]), x[2]-float32(half*s[2]))
	base := float32(t.dt / (t.g.H * grid.Edge))
	return [3]float32{base * u, base * v, base * w}
}

// mean is how far the row on a side of a face came, or the rows of a quad on average.
func (t *Transport) mean(side int32) (s [3]float32) {
	if side >= 0 {
		return t.shift[side]
	}
	n := float32(0)
	for _, r := range t.gr.Quads[^side] {
		if r == graph.Air {
			continue
		}
		for a, v := range t.shift[r] {
			s[a] += v
		}
		n++
	}
	for a := range s {
		s[a] /= n
	}
	return s
}
