package advect

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// partGrain is how many blocks make a chunk.
const partGrain = 4

// past is what the correction of a face needs to know: the old velocity there, the range of the old
// velocity around where the face came from, and where it would go next, in cells of its block.
type past struct {
	own, least, greatest float32
	x, y, z              float32
	inside               bool // between two rows and not cut; only such faces are corrected
}

// part is one block's rows and faces.
type part struct {
	b, first int32 // base cell, cell
	bits     uint8
	n        int
	coarser  [3]bool    // beyond the low side of the axis, so that a face there is four slots wide
	corner   [3]float64 // base cells
	old      grid.Tile  // NoTile where the block is new
	lo, hi   graph.Part

	// Of the faces, those at hand: of one axis.
	axis     int
	middle   [3]float32 // from the low corner of a face's cell, cells
	from, to int32
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
}

// cell is where a cell stands in the block.
func (p *part) cell(c int32) (i, j, k int32) {
	c -= p.first
	m, bits := int32(p.n-1), p.bits&7
	return c & m, c >> bits & m, c >> bits >> bits
}

// point turns a place in cells from the block's low corner into one in the grid.
func (p *part) point(x, y, z float32) grid.Point {
	s := 1 / float64(p.n)
	return grid.Point{X: p.corner[0] + s*float64(x), Y: p.corner[1] + s*float64(y), Z: p.corner[2] + s*float64(z)}
}

// at is the old velocity at a place.
func (t *Transport) at(p *part, x, y, z float32) (u, v, w float32) {
	if p.old.Holds(x, y, z) {
		return p.old.At(x, y, z)
	}
	return t.old.At(p.point(x, y, z))
}

// shifts traces each row's centre back, by the midpoint rule.
func (t *Transport) shifts(p *part) {
	base := float32(t.dt / (t.g.H * grid.Edge))
	half := .5 * base * float32(p.n)
	for r := p.lo.Row; r < p.hi.Row; r++ {
		i, j, k := p.cell(t.gr.Cell[r])
		x, y, z := float32(i)+.5, float32(j)+.5, float32(k)+.5
		var u, v, w float32
		if p.old.Holds(x, y, z) {
			u, v, w = p.old.Centre(int(i), int(j), int(k))
		} else {
			u, v, w = t.old.At(p.point(x, y, z))
		}
		u, v, w = t.at(p, x-half*u, y-half*v, z-half*w)
		t.shift[r] = [3]float32{base * u, base * v, base * w}
	}
}

// centre is the middle of a face, in cells from the block's low corner.
func (p *part) centre(slot int32) (x, y, z float32) {
	i, j, k := p.cell(slot)
	x, y, z = float32(i)+p.middle[0], float32(j)+p.middle[1], float32(k)+p.middle[2]
	if p.coarser[p.axis] && [3]int32{i, j, k}[p.axis] == 0 {
		x, y, z = x+p.middle[0], y+p.middle[1], z+p.middle[2]
	}
	return x, y, z
}

// firstOrder samples the old velocity where each face came from and stores it on the grid.
func (t *Transport) firstOrder(p *part) {
	gr := t.gr
	n, old, faces := float32(p.n), p.old.Component(p.axis), t.faces[p.axis]
	slot, a, b, open := gr.Slot[p.from:p.to], gr.A[p.from:p.to], gr.B[p.from:p.to], gr.Open[p.from:p.to]
	u, was := gr.U[p.from:p.to], t.was[p.from:p.to]
	a, b, open, u, was = a[:len(slot)], b[:len(slot)], open[:len(slot)], u[:len(slot)], was[:len(slot)]
	for f, slot := range slot {
		x, y, z := p.centre(slot)
		var d [3]float32
		rows := a[f] >= 0 && b[f] >= 0
		if rows {
			s, u := &t.shift[a[f]], &t.shift[b[f]]
			d = [3]float32{n * (.5 * (s[0] + u[0])), n * (.5 * (s[1] + u[1])), n * (.5 * (s[2] + u[2]))}
		} else {
			s := t.came(p, a[f], b[f], &[3]float32{x, y, z})
			d = [3]float32{n * s[0], n * s[1], n * s[2]}
		}
		h := &was[f]
		h.own, h.x, h.y, h.z = float32(faces[slot]), x+d[0], y+d[1], z+d[2]
		h.inside = rows && open[f] == 1
		x, y, z = x-d[0], y-d[1], z-d[2]
		var v float32
		switch {
		case !p.old.Holds(x, y, z):
			v, h.least, h.greatest = t.old.Range(p.axis, p.point(x, y, z))
		case h.inside:
			v, h.least, h.greatest = old.Range(x, y, z)
		default:
			v = old.At(x, y, z)
		}
		u[f] = float64(v)
		faces[slot] = u[f]
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
	tile := t.next.Tile(p.b)
	next := tile.Component(p.axis)
	u, was := t.gr.U[p.from:p.to], t.was[p.from:p.to]
	for f := range was {
		h := &was[f]
		if !h.inside {
			continue
		}
		var back float32
		if tile.Holds(h.x, h.y, h.z) {
			back = next.At(h.x, h.y, h.z)
		} else {
			back = t.next.Along(p.axis, p.point(h.x, h.y, h.z))
		}
		v := float32(u[f]) + .5*(h.own-back)
		if v < h.least {
			v = h.least
		} else if v > h.greatest {
			v = h.greatest
		}
		u[f] = float64(v)
	}
}
