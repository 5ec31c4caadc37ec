package advect

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// partGrain is how many blocks make a chunk.
const partGrain = 4

// past is what the correction of a face needs to know: the old velocity there, the range of the old
// velocity around where the face came from, and where it would go next: in a base cell, in cells of its block.
// Only faces between two rows and not cut are corrected; of others the base cell is None.
type past struct {
	own, least, greatest float32
	in                   int32
	x, y, z              float32
}

// part is one block's rows and faces.
type part struct {
	b, first int32 // base cell, cell
	bits     uint8
	n        int
	coarser  [3]bool   // beyond the low side of the axis, so that a face there is four slots wide
	old      grid.Tile // NoTile where the block is new
	lo, hi   graph.Part

	// Of the faces, those at hand: of one axis.
	axis     int
	middle   [3]float32 // from the low corner of a face's cell, cells
	from, to int32

	places  grid.Places
	entered []bool                                   // per base cell: a face goes there next
	face    [grid.Edge * grid.Edge * grid.Edge]int32 // of places, counted from that at hand
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
		axes := t.gr.Axis[:p.hi.Face]
		for p.to = p.lo.Face; p.to < p.hi.Face; {
			p.from, p.axis = p.to, int(axes[p.to])
			for p.to < p.hi.Face && int(axes[p.to]) == p.axis {
				p.to++
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

// shifts traces each row's centre back, by the midpoint rule.
func (t *Transport) shifts(p *part) {
	base := float32(t.dt / (t.g.H * grid.Edge))
	half := .5 * base * float32(p.n)
	cells, shift, q := t.gr.Cell[p.lo.Row:p.hi.Row], t.shift[p.lo.Row:p.hi.Row], &p.places
	corners := corners[p.bits]
	for r, c := range cells {
		at := &corners[c-p.first]
		x, y, z := at[0]+.5, at[1]+.5, at[2]+.5
		var u, v, w float32
		if p.old.Holds(x, y, z) {
			u, v, w = p.old.Centre(int(at[0]), int(at[1]), int(at[2]))
		} else {
			u, v, w = t.at(p, x, y, z)
		}
		q.X[r], q.Y[r], q.Z[r] = x-half*u, y-half*v, z-half*w
	}
	for a := range 3 {
		q.Sample(p.old.Component(a), len(shift))
		for r := range shift {
			shift[r][a] = base * q.Value[r]
		}
	}
	for r := q.Missed(0, len(shift)); r < len(shift); r = q.Missed(r+1, len(shift)) {
		u, v, w := t.at(p, q.X[r], q.Y[r], q.Z[r])
		shift[r] = [3]float32{base * u, base * v, base * w}
	}
}

// firstOrder samples the old velocity where each face came from and stores it on the grid.
func (t *Transport) firstOrder(p *part) {
	t.trace(p)
	faces, q := t.faces[p.axis], &p.places
	slot, u, was := t.gr.Slot[p.from:p.to], t.gr.U[p.from:p.to], t.was[p.from:p.to]
	u, was = u[:len(slot)], was[:len(slot)]
	s := 1 / float32(p.n)
	q.SampleRange(p.old.Component(p.axis), len(slot))
	for f := q.Missed(0, len(slot)); f < len(slot); f = q.Missed(f+1, len(slot)) {
		tile, x, y, z := t.old.Near(p.b, s*q.X[f], s*q.Y[f], s*q.Z[f])
		old := tile.Component(p.axis)
		q.Value[f], q.Least[f], q.Greatest[f] = old.Range(x, y, z)
	}
	for f, slot := range slot {
		was[f].own, was[f].least, was[f].greatest = float32(faces[slot]), q.Least[f], q.Greatest[f]
		u[f] = float64(q.Value[f])
		faces[slot] = u[f]
	}
}

// trace finds the places that the faces at hand came from, and where they would go next.
func (t *Transport) trace(p *part) {
	gr, n, q := t.gr, float32(p.n), &p.places
	slot, a, b, open := gr.Slot[p.from:p.to], gr.A[p.from:p.to], gr.B[p.from:p.to], gr.Open[p.from:p.to]
	was := t.was[p.from:p.to]
	a, b, open, was = a[:len(slot)], b[:len(slot)], open[:len(slot)], was[:len(slot)]
	corners, middle := corners[p.bits], p.middle
	p.entered[p.b] = true
	for f, slot := range slot {
		at := &corners[slot-p.first]
		x, y, z := at[0]+middle[0], at[1]+middle[1], at[2]+middle[2]
		if p.coarser[p.axis] && at[p.axis] == 0 { // four slots wide
			x, y, z = x+middle[0], y+middle[1], z+middle[2]
		}
		var d [3]float32
		rows := a[f]|b[f] >= 0
		if rows {
			s, u := &t.shift[a[f]], &t.shift[b[f]]
			d = [3]float32{n * (.5 * (s[0] + u[0])), n * (.5 * (s[1] + u[1])), n * (.5 * (s[2] + u[2]))}
		} else {
			s := t.came(p, a[f], b[f], &[3]float32{x, y, z})
			d = [3]float32{n * s[0], n * s[1], n * s[2]}
		}
		q.X[f], q.Y[f], q.Z[f] = x-d[0], y-d[1], z-d[2]
		h := &was[f]
		h.in = grid.None
		if rows && open[f] == 1 {
			h.in, h.x, h.y, h.z = p.b, x+d[0], y+d[1], z+d[2]
			if !(h.x >= 0 && h.x <= n && h.y >= 0 && h.y <= n && h.z >= 0 && h.z <= n) {
				t.leave(p, h)
			}
		}
	}
}

// leave finds the block that a face goes to beyond that at hand.
func (t *Transport) leave(p *part, h *past) {
	s := 1 / float32(p.n)
	in, x, y, z := t.g.Beside(p.b, s*h.x, s*h.y, s*h.z)
	n := float32(int(1) << t.g.Cur.Level[in])
	h.in, h.x, h.y, h.z = in, n*x, n*y, n*z
	p.entered[in] = true
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
	u, v, w := t.at(p, x[0]-half*s[0], x[1]-half*s[1], x[2]-half*s[2])
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

// correct takes off half of the error that carrying the result back shows, within the range of
// the values that the result was made from. Faces at the surface or a solid stay first-order:
// what is carried back to them would not be liquid.
func (t *Transport) correct(p *part) {
	tile, q, n := t.next.Tile(p.b), &p.places, 0
	u, was := t.gr.U[p.from:p.to], t.was[p.from:p.to]
	for f := range was {
		switch h := &was[f]; h.in {
		case grid.None:
		case p.b:
			q.X[n], q.Y[n], q.Z[n] = h.x, h.y, h.z
			p.face[n] = int32(f)
			n++
		default:
			tile := t.next.Tile(h.in)
			next := tile.Component(p.axis)
			u[f] = h.corrected(u[f], next.At(h.x, h.y, h.z))
		}
	}
	q.Sample(tile.Component(p.axis), n)
	for i, f := range p.face[:n] {
		u[f] = was[f].corrected(u[f], q.Value[i])
	}
}

// corrected is a face's velocity u, m/s, less half of the error that its result shows, carried back, within
// the range of what the result was made from.
func (h *past) corrected(u float64, back float32) float64 {
	v := float32(u) + .5*(h.own-back)
	if v < h.least {
		v = h.least
	} else if v > h.greatest {
		v = h.greatest
	}
	return float64(v)
}
