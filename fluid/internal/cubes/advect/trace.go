package advect

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// starts are where the faces before a block's cells lie, in cells from its low corner: per level, by axis, and for blocks
// with a coarser one on the low side of that, where a face is four slots wide. The last number is 0.
var starts = makeStarts()

func makeStarts() (all [layout.MaxLevel + 1][3][2][][4]float32) {
	for level, corners := range corners {
		for axis := range 3 {
			for wide := range 2 {
				for _, at := range corners {
					middle := float32(.5)
					if wide == 1 && at[axis] == 0 {
						middle = 1
					}
					start := [4]float32{at[0] + middle, at[1] + middle, at[2] + middle}
					start[axis] = at[axis]
					all[level][axis][wide] = append(all[level][axis][wide], start)
				}
			}
		}
	}
	return all
}

// trace finds the places that the faces at hand came from. Faces at a solid, at the surface, or between rows one of which is at the
// surface, get the interpolated value without anti-diffusion: what is around them is not all liquid. Were only those at the surface itself left
// out, a calm pool on coarse cells would oscillate between jets and the holes that they fall into, for a minute.
func (t *Transport) trace(p *part) {
	wide := 0
	if p.coarser[p.axis] {
		wide = 1
	}
	p.starts = starts[p.bits][p.axis][wide]
	clear(p.apart[:])
	traceFaces(t, p)
	t.disableAntiDiffusion(p)
	gr, n, q := t.gr, float32(p.n), &p.places
	for k, set := range p.apart[:(p.to-p.from+7)/8] {
		for ; set != 0; set &= set - 1 {
			f := 8*k + bits.TrailingZeros8(set)
			i := int(p.from) + f
			x := &p.starts[gr.Slot[i]-p.first]
			s := t.backtraceDisplacement(p, gr.A[i], gr.B[i], x)
			q.X[f], q.Y[f], q.Z[f] = x[0]-float32(n*s[0]), x[1]-float32(n*s[1]), x[2]-float32(n*s[2])
		}
	}
}

// disableAntiDiffusion keeps the faces of rows at the surface from being corrected.
func (t *Transport) disableAntiDiffusion(p *part) {
	if low := t.g.Neighbour[p.b][2*p.axis]; !t.atSurface[p.b] && (low == layout.None || !t.atSurface[low]) {
		return
	}
	cell, a, b := p.places.Cell[:p.to-p.from], t.gr.A[p.from:p.to], t.gr.B[p.from:p.to]
	for f := range cell {
		if a, b := a[f], b[f]; a|b >= 0 && t.displacement[a][3]+t.displacement[b][3] > 0 {
			cell[f] = layout.None
		}
	}
}

// traceFaces finds the places that the faces at hand came from whose sides are both rows, and notes which have others; of
// these the places mean nothing. It sets the cells of the places. It exists in plain Go, here, and in assembly for processors
// with AVX2; both give the same bits.
var traceFaces = func(t *Transport, p *part) { t.traceFrom(p, 0) }

// traceFrom is traceFaces in plain Go, from a face on.
func (t *Transport) traceFrom(p *part, from int) {
	gr, n, q := t.gr, float32(p.n), &p.places
	slot, a, b, open := gr.Slot[p.from:p.to], gr.A[p.from:p.to], gr.B[p.from:p.to], gr.Open[p.from:p.to]
	for f := from; f < len(slot); f++ {
		c := slot[f] - p.first
		q.Cell[f] = c
		if a[f]|b[f] < 0 || open[f] != 1 || !t.antiDiffusion {
			q.Cell[f] = layout.None
		}
		if a[f]|b[f] < 0 {
			p.apart[f/8] |= 1 << (f % 8)
			continue
		}
		x, s, u := &p.starts[c], &t.displacement[a[f]], &t.displacement[b[f]]
		q.X[f], q.Y[f], q.Z[f] = x[0]-float32(n*(.5*(s[0]+u[0]))), x[1]-float32(n*(.5*(s[1]+u[1]))), x[2]-float32(n*(.5*(s[2]+u[2])))
	}
}

// backtraceDisplacement is the displacement of the liquid that arrives at a face at x, base cells: that of the mean of the liquid on its two sides,
// or at the surface by a midpoint that the liquid's side gives.
func (t *Transport) backtraceDisplacement(p *part, a, b int32, x *[4]float32) [3]float32 {
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
	base := float32(t.dt / (t.g.H * layout.Edge))
	return [3]float32{base * u, base * v, base * w}
}

// mean is the displacement of the row on a side of a face, or the mean of those of the rows of a quad.
func (t *Transport) mean(side int32) (s [3]float32) {
	if side >= 0 {
		return [3]float32(t.displacement[side][:3])
	}
	n := float32(0)
	for _, r := range t.gr.Cubes.Quads[^side] {
		if r == graph.Air {
			continue
		}
		for a, v := range t.displacement[r][:3] {
			s[a] += v
		}
		n++
	}
	for a := range s {
		s[a] /= n
	}
	return s
}
