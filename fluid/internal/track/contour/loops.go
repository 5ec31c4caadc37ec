package contour

import (
	"math"
	"slices"
)

// Cells with an ambiguous face, or beside finer ones, are contoured along their faces: where the surface cuts a face is found in the
// same way from both sides, from the finest samples along the face's border, so that the mesh is closed. The cuts of a cell's faces
// make loops, which are filled with triangles around their middle.

// crossing is where the border of a face passes the surface, or a node of it in liquid.
type crossing struct {
	corner
	enters, leaves bool     // the liquid, counter-clockwise seen from high along the face's axis
	node           [3]int32 // local units; where it neither enters nor leaves
}

// segment is the surface's cut with a face.
type segment struct {
	from, to corner
}

// triangulateCell contours a cell along its faces.
func (l *layer) triangulateCell(t *tile, p *piece, w *workspace, cell [3]int32) {
	w.segments = w.segments[:0]
	low := [3]int32{cell[0] * t.cell, cell[1] * t.cell, cell[2] * t.cell}
	for face := range 6 {
		a, high := face/2, face%2 == 1
		at, size := low, t.cell
		d := 0
		if high {
			at[a] += t.cell
			if at[a] == l.c.edge {
				d = 1
			}
		} else if at[a] == 0 {
			d = -1
		}
		if d != 0 {
			if s := t.around[13+d*[3]int{1, 3, 9}[a]]; s != none && int(s) < l.active {
				size = min(size, l.tiles[s].cell)
			}
		}
		u, v := (a+1)%3, (a+2)%3
		for j := int32(0); j < t.cell; j += size {
			for i := int32(0); i < t.cell; i += size {
				q := at
				q[u], q[v] = q[u]+i, q[v]+j
				l.cutFace(t, w, a, q, size, high)
			}
		}
	}
	l.fillLoops(p, w)
}

// cutFace adds the segments of a square face with its low corner at local units.
func (l *layer) cutFace(t *tile, w *workspace, axis int, low [3]int32, size int32, high bool) {
	joined := l.walkFace(t, w, axis, low, size, false)
	n := len(w.ring)
	for i, e := range w.ring {
		if !e.enters {
			continue
		}
		other := w.ring[(i+1)%n]
		if joined {
			other = w.ring[(i+n-1)%n]
		}
		if s := (segment{e.corner, other.corner}); high {
			w.segments = append(w.segments, s)
		} else {
			w.segments = append(w.segments, segment{s.to, s.from})
		}
	}
}

// walkFace collects where the border of a square face passes the surface, and with nodes its nodes in liquid, counter-clockwise seen from high along its axis.
// It tells whether the face's liquid is joined where it is cut more than twice.
func (l *layer) walkFace(t *tile, w *workspace, axis int, low [3]int32, size int32, nodes bool) (joined bool) {
	u, v := (axis+1)%3, (axis+2)%3
	w.ring = w.ring[:0]
	var mean float64
	count, cuts := 0, 0
	for side := range 4 {
		along := u
		at, step := low, int32(1)
		switch side {
		case 1:
			along, at[u] = v, low[u]+size
		case 2:
			at[u], at[v], step = low[u]+size, low[v]+size, -1
		case 3:
			along, at[v], step = v, low[v]+size, -1
		}
		edgeLow := at
		edgeLow[along] = low[along]
		fine := l.finestOn(t, edgeLow, along)
		spacing := min(size, fine.cell)
		for d := int32(0); d < size; d += spacing {
			to, begin := at, at
			to[along] += step * spacing
			begin[along] = min(at[along], to[along])
			s0, s1 := l.sampleOf(t, fine, at), l.sampleOf(t, fine, to)
			mean += float64(s0)
			count++
			if nodes && s0 < 0 {
				w.ring = append(w.ring, crossing{node: at})
			}
			if (s0 < 0) != (s1 < 0) {
				w.ring = append(w.ring, crossing{corner: l.vertexOf(t, fine, along, begin), enters: s1 < 0, leaves: s0 < 0})
				cuts++
			}
			at = to
		}
	}
	if cuts <= 2 {
		return false
	}
	if count == 4 {
		return l.joins(t, axis, low, size)
	}
	return mean < 0
}

// joins tells whether an ambiguous face's liquid is in one piece: whether its bilinear function is negative at its saddle.
//
// Source: the asymptotic decider, Nielson and Hamann 1991.
func (l *layer) joins(t *tile, axis int, low [3]int32, size int32) bool {
	u, v := (axis+1)%3, (axis+2)%3
	var f [4]float32
	for k := range f {
		q := low
		q[v] += int32(k>>1) * size
		fine := l.finestOn(t, q, u)
		q[u] += int32(k&1) * size
		f[k] = l.sampleOf(t, fine, q)
	}
	p, q := float64(f[0])*float64(f[3]), float64(f[1])*float64(f[2])
	if f[0] < 0 {
		return p > q
	}
	return q > p
}

// finestOn is the tile with the finest samples on an edge, given by its low end: of those the first.
func (l *layer) finestOn(t *tile, at [3]int32, axis int) *tile {
	var d [3]int
	for a := range 3 {
		switch {
		case a == axis:
		case at[a] == 0:
			d[a] = -1
		case at[a] == l.c.edge:
			d[a] = 1
		}
	}
	best := t
	if d == [3]int{} {
		return t
	}
	for k := 1; k < 8; k++ {
		q, fits := 13, true
		for a, step := range [3]int{1, 3, 9} {
			if k>>a&1 != 0 {
				fits = fits && d[a] != 0
				q += d[a] * step
			}
		}
		if !fits {
			continue
		}
		s := t.around[q]
		if s == none || int(s) >= l.active {
			continue
		}
		if o := &l.tiles[s]; o.cell < best.cell || o.cell == best.cell && o.base < best.base {
			best = o
		}
	}
	return best
}

// within is a place, local to a tile, as another tile has it.
func (l *layer) within(t, other *tile, at [3]int32) [3]int32 {
	for a := range 3 {
		at[a] -= (other.coords[a] - t.coords[a]) * l.c.edge
	}
	return at
}

func (l *layer) sampleOf(t, fine *tile, at [3]int32) float32 {
	if fine.f == none {
		return -1 // of the liquid that fills a block
	}
	q := l.within(t, fine, at)
	n := fine.n + 1
	return l.f[fine.f+q[0]/fine.cell+n*(q[1]/fine.cell+n*(q[2]/fine.cell))]
}

func (l *layer) vertexOf(t, fine *tile, axis int, at [3]int32) corner {
	q := l.within(t, fine, at)
	var shift [3]float32
	for a := range 3 {
		q[a] /= fine.cell
		shift[a] = float32((fine.coords[a] - t.coords[a]) * l.c.edge)
	}
	return l.vertexAt(fine, axis, q, shift)
}

// fillLoops makes triangles of the segments.
func (l *layer) fillLoops(p *piece, w *workspace) {
	for len(w.segments) > 0 {
		last := len(w.segments) - 1
		w.loop = append(w.loop[:0], w.segments[last].from)
		next := w.segments[last].to
		w.segments = w.segments[:last]
		for next.id != w.loop[0].id {
			w.loop = append(w.loop, next)
			k := slices.IndexFunc(w.segments, func(s segment) bool { return s.from.id == next.id })
			if k < 0 {
				break // a run without an end is closed straight
			}
			next = w.segments[k].to
			w.segments[k] = w.segments[len(w.segments)-1]
			w.segments = w.segments[:len(w.segments)-1]
		}
		p.fill(w.loop)
	}
}

// fill closes a loop: with a triangle, or with some around its middle.
func (p *piece) fill(loop []corner) {
	if len(loop) < 3 {
		return
	}
	if len(loop) == 3 {
		p.add(&loop[0], &loop[1], &loop[2])
		return
	}
	var sum, normal [3]float32
	for i := range loop {
		for a := range 3 {
			sum[a] += loop[i].p[a]
			normal[a] += loop[i].n[a]
		}
	}
	length := float32(math.Sqrt(float64(dot(normal, normal))))
	for a := range 3 {
		sum[a] /= float32(len(loop))
		if length > 0 {
			normal[a] /= length
		}
	}
	p.middles = append(p.middles, sum[0], sum[1], sum[2])
	middle := corner{-int32(len(p.middles) / 3), sum, normal}
	for i := range loop {
		p.add(&middle, &loop[i], &loop[(i+1)%len(loop)])
	}
}
