package advect

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// partGrain is how many blocks make a chunk.
const partGrain = 4

// past is what the correction of a face needs to know of the old velocity: its own, and the range
// around where it came from.
type past struct{ own, least, greatest float32 }

// part is one block's rows and faces.
type part struct {
	b, first int32 // base cell, cell
	bits     uint8
	n        int
	coarser  [3]bool    // beyond the low side of the axis, so that a face there is four slots wide
	corner   [3]float64 // base cells
	old      grid.Tile  // NoTile where the block is new
	lo, hi   graph.Part
}

// each makes a loop over the blocks that have a row or a face.
func (t *Transport) each(f func(*Transport, *part)) par.Body {
	return func(_, lo, hi int) {
		g := t.g
		for b := int32(lo); b < int32(hi); b++ {
			p := part{b: b, lo: t.gr.Parts[b], hi: t.gr.Parts[b+1]}
			if p.lo == p.hi {
				continue
			}
			p.first, p.bits = g.Cur.First[b], g.Cur.Level[b]
			p.n = 1 << p.bits
			at := g.BaseCoords(b)
			for a := range 3 {
				p.corner[a] = float64(at[a])
				nb := g.Neighbour[b][2*a]
				p.coarser[a] = nb != grid.None && g.Cur.Level[nb] < p.bits
			}
			p.old = grid.NoTile
			if g.Prev.First[b] == p.first {
				p.old = t.old.Tile(b)
			}
			f(t, &p)
		}
	}
}

// cell is where a cell stands in the block.
func (p *part) cell(c int32) (i, j, k int) {
	c -= p.first
	m := p.n - 1
	return int(c) & m, int(c) >> p.bits & m, int(c) >> (2 * p.bits)
}

// point turns a place in cells from the block's low corner into one in the grid.
func (p *part) point(x *[3]float32) grid.Point {
	s := 1 / float64(p.n)
	return grid.Point{X: p.corner[0] + s*float64(x[0]), Y: p.corner[1] + s*float64(x[1]), Z: p.corner[2] + s*float64(x[2])}
}

// at is the old velocity at a place.
func (t *Transport) at(p *part, x *[3]float32) (u, v, w float32) {
	if p.old.Holds(x[0], x[1], x[2]) {
		return p.old.At(x[0], x[1], x[2])
	}
	return t.old.At(p.point(x))
}

// shifts traces each row's centre back, by the midpoint rule.
func (t *Transport) shifts(p *part) {
	base := float32(t.dt / (t.g.H * grid.Edge))
	half := .5 * base * float32(p.n)
	for r := p.lo.Row; r < p.hi.Row; r++ {
		i, j, k := p.cell(t.gr.Cell[r])
		x := [3]float32{float32(i) + .5, float32(j) + .5, float32(k) + .5}
		var u, v, w float32
		if p.old.Holds(x[0], x[1], x[2]) {
			u, v, w = p.old.Centre(i, j, k)
		} else {
			u, v, w = t.old.At(p.point(&x))
		}
		x[0], x[1], x[2] = x[0]-half*u, x[1]-half*v, x[2]-half*w
		u, v, w = t.at(p, &x)
		t.shift[r] = [3]float32{base * u, base * v, base * w}
	}
}

// centre is the middle of a face, in cells from the block's low corner.
func (p *part) centre(axis int, slot int32) (x [3]float32) {
	i, j, k := p.cell(slot)
	at := [3]int{i, j, k}
	half := float32(.5)
	if at[axis] == 0 && p.coarser[axis] {
		half = 1
	}
	for a := range x {
		x[a] = float32(at[a]) + half
	}
	x[axis] = float32(at[axis])
	return x
}

// inside tells whether a face is between two rows and not cut.
func (t *Transport) inside(f int32) bool {
	return t.gr.A[f] >= 0 && t.gr.B[f] >= 0 && t.gr.Open[f] == 1
}

// firstOrder samples the old velocity where each face came from and stores it on the grid.
func (t *Transport) firstOrder(p *part) {
	gr := t.gr
	n := float32(p.n)
	for f := p.lo.Face; f < p.hi.Face; f++ {
		axis, slot := int(gr.Axis[f]), gr.Slot[f]
		x := p.centre(axis, slot)
		s := t.came(p, gr.A[f], gr.B[f], &x)
		for a := range x {
			x[a] -= n * s[a]
		}
		to, h := &t.faces[axis][slot], &t.was[f]
		h.own = float32(*to)
		var u float32
		if !p.old.Holds(x[0], x[1], x[2]) {
			u, h.least, h.greatest = t.old.Range(axis, p.point(&x))
		} else if t.inside(f) {
			u, h.least, h.greatest = p.old.Range(axis, x[0], x[1], x[2])
		} else {
			u = p.old.Along(axis, x[0], x[1], x[2])
		}
		gr.U[f] = float64(u)
		*to = gr.U[f]
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
	u, v, w := t.at(p, &[3]float32{x[0] - half*s[0], x[1] - half*s[1], x[2] - half*s[2]})
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
	gr := t.gr
	n, next := .5*float32(p.n), t.next.Tile(p.b)
	for f := p.lo.Face; f < p.hi.Face; f++ {
		if !t.inside(f) {
			continue
		}
		axis := int(gr.Axis[f])
		x := p.centre(axis, gr.Slot[f])
		s, u := &t.shift[gr.A[f]], &t.shift[gr.B[f]]
		for a := range x {
			x[a] += n * (s[a] + u[a])
		}
		var back float32
		if next.Holds(x[0], x[1], x[2]) {
			back = next.Along(axis, x[0], x[1], x[2])
		} else {
			back = t.next.Along(axis, p.point(&x))
		}
		h := &t.was[f]
		gr.U[f] = float64(max(h.least, min(h.greatest, float32(gr.U[f])+.5*(h.own-back))))
	}
}
