package bcc

import "github.com/meniscus3d/meniscus/fluid/internal/layout"

const (
	most      = layout.Edge     // cells along a base cell of the finest level
	beyondOf  = 16              // how far a window's coordinates reach beyond the base cell, in quarters of the finest cells' edge
	wholeEdge = 4 * layout.Edge // of a base cell, in those quarters
	halo      = most + 2        // along a window, with what is beyond
	none      = int32(-1)

	// mostCorners is more corners than a polygon has: four faces with two tetrahedra in each half of an edge, and ends at sides.
	mostCorners = 32
)

// window is what a worker knows of one base cell and of what is next to it. Places are counted from the base cell's low corner: in quarters of the
// finest cells' edge, or in steps, which are as long as the cells of the finest level at the base cell's faces and edges.
type window struct {
	l    *Lattice
	b    int32
	k    *block
	n    int // cells along it
	size int // of its cells, in quarters
	fine int // steps along it: n or 2n
	step int // its length in quarters

	x      [3][wholeEdge + 2*beyondOf + 1]float64 // coordinates, m, per quarter
	corner [(most + 1) * (most + 1) * (most + 1)]int32
	centre [halo * halo * halo]int32
	plain  [3][halo * halo * halo]int32 // per axis and cell: the first tetrahedron of its low face, or none where cells differ in size or edges are bisected

	rings   []int32             // of the chunk
	ring    []int32             // scratch: one
	polygon [mostCorners][3]int // scratch: its corners, in quarters
	faces   faces               // scratch: of a cell
}

// open sets the window to a base cell: everything but plain.
func (w *window) open(l *Lattice, b int32) {
	k := &l.blocks[b]
	w.l, w.b, w.k = l, b, k
	w.n = 1 << k.level()
	w.fine, w.size = w.n, wholeEdge/w.n
	finest := k.level()
	for p := range 27 {
		if !isCorner(p) {
			finest = max(finest, k.around[p])
		}
	}
	w.fine = 1 << finest
	w.step = wholeEdge / w.fine
	lo := l.low(b)
	for a := range 3 {
		for i := range w.x[a] {
			w.x[a][i] = lo[a] + float64(l.quarter*float64(i-beyondOf))
		}
	}
	for p := range 27 {
		w.openCorners(p)
		if !isCorner(p) {
			w.openCentres(p)
		}
	}
}

// isCorner tells whether a part is a corner of the base cell.
func isCorner(p int) bool { return p%3 != 1 && p/3%3 != 1 && p/9 != 1 }

// run are the first step, the last and the stride along an axis of a part's corners.
func (w *window) run(part, stride int) (lo, hi, by int) {
	switch part {
	case 0:
		return 0, 0, 1
	case 2:
		return w.fine, w.fine, 1
	}
	return stride, w.fine - 1, stride
}

// openCorners takes the corners of a part from the base cell that has it.
func (w *window) openCorners(p int) {
	c := [3]int{p % 3, p / 3 % 3, p / 9}
	owner, own := 13, 0
	for a, s := range partStride {
		if c[a] == 2 && w.k.neighbour(a, 1) >= 0 {
			owner += s
		} else {
			own += c[a] * s
		}
	}
	nb := w.l.nearby(w.b)[owner]
	at := w.l.VertexRuns[nb] + w.l.blocks[nb].corner[own]
	stride := 1
	if w.k.finest[p] >= 0 {
		stride = max(1, w.fine>>w.k.finest[p])
	}
	x0, x1, dx := w.run(c[0], stride)
	y0, y1, dy := w.run(c[1], stride)
	z0, z1, dz := w.run(c[2], stride)
	edge := w.fine + 1
	for z := z0; z <= z1; z += dz {
		for y := y0; y <= y1; y += dy {
			for x := x0; x <= x1; x += dx {
				w.corner[x+edge*(y+edge*z)] = at
				at++
			}
		}
	}
}

// openCentres takes the centres of the cells next to a part from the base cell there, or those beyond the layout that it mirrors.
func (w *window) openCentres(p int) {
	var lo, hi [3]int
	from, outside, side := p, 0, 0
	for a, s := range partStride {
		switch p / s % 3 {
		case 0:
			lo[a], hi[a] = -1, -1
		case 1:
			lo[a], hi[a] = 0, w.fine-1
		case 2:
			lo[a], hi[a] = w.fine, w.fine
		}
		if d := p/s%3 - 1; d != 0 && w.k.neighbour(a, (d+1)/2) < 0 {
			outside++
			side = 2*a + (d+1)/2
			from -= d * s
		}
	}
	if outside > 1 {
		w.fillCentres(&lo, &hi, none, 0, 0, 0, 0)
		return
	}
	nb := w.l.nearby(w.b)[from]
	other := &w.l.blocks[nb]
	n := int32(1) << other.level()
	shift := 0
	for w.fine>>shift > int(n) {
		shift++
	}
	at, stride := w.l.VertexRuns[nb], [3]int32{1, n, n * n}
	if outside > 0 {
		a := side / 2
		at += other.beyond[side]
		stride[a], stride[(a+1)%3], stride[(a+2)%3] = 0, 1, n
	}
	w.fillCentres(&lo, &hi, at, shift, stride[0], stride[1], stride[2])
}

func (w *window) fillCentres(lo, hi *[3]int, at int32, shift int, dx, dy, dz int32) {
	edge, mask := w.fine+2, w.fine-1
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			row := w.centre[1+edge*(y+1+edge*(z+1)):]
			if lo[0] < 0 {
				row = w.centre[edge*(y+1+edge*(z+1)):]
			}
			first := at + dy*int32(y&mask>>shift) + dz*int32(z&mask>>shift)
			for x := lo[0]; x <= hi[0]; x++ {
				v := none
				if at >= 0 {
					v = first + dx*int32(x&mask>>shift)
				}
				row[max(x, 0)] = v
			}
		}
	}
}

// cornerAt and centreAt are vertices: the corner at steps, and the centre of the cell that has a step.
func (w *window) cornerAt(x, y, z int) int32 { return w.corner[x+(w.fine+1)*(y+(w.fine+1)*z)] }

func (w *window) centreAt(x, y, z int) int32 {
	return w.centre[x+1+(w.fine+2)*(y+1+(w.fine+2)*(z+1))]
}

// position is that of a place in quarters, m.
func (w *window) position(p *[3]int) [3]float64 {
	return [3]float64{w.x[0][p[0]+beyondOf], w.x[1][p[1]+beyondOf], w.x[2][p[2]+beyondOf]}
}
