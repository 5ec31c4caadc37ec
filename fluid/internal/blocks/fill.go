package blocks

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// thetaLeast bounds θ from below. Double precision stands far smaller values than the
// customary .05, and a small bound keeps a tilted still surface exact.
const thetaLeast = 1e-3

// sliver is the open fraction below which a face's velocity says little about the liquid
// around it: so narrow a slit takes hardly any flux, and a small error in the pressure beside it
// drives a jet. Its velocity is extrapolated like one in the air.
const sliver = .5

// side is the one or four cells on a side of a face.
type side struct {
	cells [4]int32
	n     int
}

// sides gives the cells below and above a face slot, which must be even where it is composite.
// A face without cells below (n = 0) is a wall.
func (d *Discretiser) sides(k *block, a int, at [3]int) (lo, hi side) {
	p, q := (a+1)%3, (a+2)%3
	m := &d.g.Cur
	hi = side{[4]int32{int32(m.Cell(k.b, at[0], at[1], at[2]))}, 1}
	if at[a] > 0 {
		at[a]--
		return side{[4]int32{int32(m.Cell(k.b, at[0], at[1], at[2]))}, 1}, hi
	}
	nb := d.g.Neighbour[k.b][2*a]
	if nb == grid.None {
		return side{}, hi
	}
	level, low := m.Level[k.b], m.Level[nb]
	below := at
	below[a] = 1<<low - 1
	switch {
	case low == level:
		lo = side{[4]int32{int32(m.Cell(nb, below[0], below[1], below[2]))}, 1}
	case low < level:
		below[p], below[q] = at[p]/2, at[q]/2
		lo = side{[4]int32{int32(m.Cell(nb, below[0], below[1], below[2]))}, 1}
		hi = quad(m, k.b, at, p, q)
	default:
		below[p], below[q] = 2*at[p], 2*at[q]
		lo = quad(m, nb, below, p, q)
	}
	return lo, hi
}

func quad(m *grid.Map, b int32, at [3]int, p, q int) (s side) {
	for c := range 4 {
		x := at
		x[p] += c & 1
		x[q] += c >> 1
		s.cells[c] = int32(m.Cell(b, x[0], x[1], x[2]))
	}
	s.n = 4
	return s
}

// area is that of the face at a slot, m².
func (d *Discretiser) area(k *block, a int, at [3]int) float64 {
	if at[a] == 0 {
		if nb := d.g.Neighbour[k.b][2*a]; nb != grid.None && d.g.Cur.Level[nb] < d.g.Cur.Level[k.b] {
			return 4 * k.h * k.h
		}
	}
	return k.h * k.h
}

// numberRows marks a block's liquid cells with 0 in Row, others with -1, and counts them.
func (d *Discretiser) numberRows(b int32) {
	k := d.block(b)
	rows := int32(0)
	easy := d.free(b)
	phi := d.phi[k.first:][:k.n*k.n*k.n]
	row := d.Row[k.first:][:len(phi)]
	for c, v := range phi {
		row[c] = -1
		if v < 0 && (easy || d.hasOpenFace(&k, c)) {
			row[c] = 0
			rows++
		}
	}
	d.counts[b].rows = rows
}

func (d *Discretiser) hasOpenFace(k *block, c int) bool {
	slot := int(k.first) + c
	if d.Open[0][slot] > 0 || d.Open[1][slot] > 0 || d.Open[2][slot] > 0 { // nearly always
		return true
	}
	at := k.place(c)
	for a := range 3 {
		for e := range 2 {
			f := at
			f[a] += e
			if s := d.g.FaceCell(k.b, a, f); s >= 0 && d.Open[a][s] > 0 {
				return true
			}
		}
	}
	return false
}

// placeRows numbers a block's rows from its place in the list on. They have no faces yet.
func (d *Discretiser) placeRows(b int32) {
	gr, r := d.gr, d.counts[b].wet
	if d.counts[b+1].wet == r {
		return
	}
	k := d.block(b)
	row := d.Row[k.first:][:k.n*k.n*k.n]
	for i := range row {
		if row[i] != 0 {
			continue
		}
		row[i] = r
		c := k.first + int32(i)
		gr.Cell[r], gr.Size[r], gr.Volume[r] = c, float32(k.h), d.Volume[c]
		m := k.centre(i&(k.n-1), i>>k.bits&(k.n-1), i>>(2*k.bits))
		gr.Centre[r] = [3]float64{m.X, m.Y, m.Z}
		*(*[6]int32)(gr.Inc[6*r:]) = [6]int32{-1, -1, -1, -1, -1, -1}
		r++
	}
}

// countFaces tells what each of the block's faces is and marks those that the graph will have
// with 0, others with -1.
func (d *Discretiser) countFaces(b int32) {
	k := d.block(b)
	cells := 1 << (3 * k.bits)
	dry := d.dry(b)
	row := d.Row[k.first:][:cells]
	faces, quads := int32(0), int32(0)
	for a := range 3 {
		face, state := d.face[a][k.first:][:cells], d.State[a][k.first:][:cells]
		if dry {
			clear(state)
			for c := range face {
				face[c] = -1
			}
		} else {
			faces += countInner(row, d.Open[a][k.first:], face, state, 1<<(k.bits*a), (k.n-1)<<(k.bits*a))
		}
		if nb := d.g.Neighbour[b][2*a]; !dry || nb != grid.None && !d.dry(nb) {
			f, q := d.countLow(&k, a)
			faces, quads = faces+f, quads+q
		}
		if !d.free(b) {
			faces -= d.dropFollowers(&k, a)
		}
	}
	d.counts[b].faces, d.counts[b].quads = faces, quads
}

// dropFollowers takes the surface off cells that are mostly in a static solid or outside of the domain, and
// tells how many faces it was: Extend has their φ follow that of the cells beside them, so that what
// flows through it would come from nowhere. Beside a body, which moves, it flows for a step or two.
func (d *Discretiser) dropFollowers(k *block, a int) (dropped int32) {
	face, state, row := d.face[a][k.first:], d.State[a][k.first:], d.Row[k.first:]
	stride, low := 1<<(k.bits*a), (k.n-1)<<(k.bits*a)
	for c := range k.n * k.n * k.n {
		if face[c] < 0 || c&low != 0 && row[c]|row[c-stride] >= 0 {
			continue // most: no surface
		}
		at := k.place(c)
		lo, hi := d.sides(k, a, at)
		if lo.n != 1 || hi.n != 1 || d.Row[lo.cells[0]]|d.Row[hi.cells[0]] >= 0 {
			continue // where levels meet, or no surface
		}
		own, wet := k, at
		cell := hi.cells[0]
		if d.Row[cell] < 0 {
			cell = lo.cells[0]
			if wet[a]--; wet[a] < 0 {
				below := d.block(d.g.Neighbour[k.b][2*a])
				own, wet[a] = &below, below.n-1
				if below.n != k.n {
					continue
				}
			}
		}
		if h := own.h; float64(d.fixedVolume[cell]) < .5*h*h*h && d.led(own, wet) {
			face[c], state[c] = -1, Idle
			dropped++
		}
	}
	return dropped
}

// led tells whether an open face leads from a cell to liquid in one that is mostly open.
func (d *Discretiser) led(k *block, at [3]int) bool {
	for side := range 6 {
		if !d.opens(k, side, at) {
			continue
		}
		if cell, h := d.next(k, side, at); cell >= 0 && d.Row[cell] >= 0 && d.mostlyOpen(cell, h) {
			return true
		}
	}
	return false
}

// countInner marks the faces between two cells of a block and counts those that the graph will have. stride
// is the way to the cell below a face, low the bits of a cell's place that are 0 on the block's low side.
func countInner(row []int32, open []float64, face []int32, state []uint8, stride, low int) (faces int32) {
	open, face, state = open[:len(row)], face[:len(row)], state[:len(row)]
	for c, r := range row {
		face[c], state[c] = -1, Idle
		if c&low != 0 && r&row[c-stride] >= 0 { // not both dry: a dry cell's row has all bits set
			face[c], state[c] = mark(open[c])
			faces += face[c] + 1
		}
	}
	return faces
}

// mark tells what a face with liquid on a side is, by the fraction of it that is open.
func mark(open float64) (face int32, state uint8) {
	switch {
	case open == 0:
		return -1, Shut
	case open < sliver:
		return 0, Idle
	}
	return 0, InGraph
}

// countLow marks the faces on a low side of the block, where the neighbour's level counts, and counts those that
// the graph will have and their quads.
func (d *Discretiser) countLow(k *block, a int) (faces, quads int32) {
	open, face, state, row := d.Open[a][k.first:], d.face[a][k.first:], d.State[a][k.first:], d.Row[k.first:]
	p, q := k.bits*((a+1)%3), k.bits*((a+2)%3)
	below := d.below(k, a)
	for v := range k.n {
		for u := range k.n {
			c := u<<p + v<<q
			face[c], state[c] = -1, Idle
			quad := int32(0)
			switch {
			case below == alien:
				at := k.place(c)
				if d.covered(k, a, at) {
					continue
				}
				lo, hi := d.sides(k, a, at)
				if !d.anyRow(&lo) && !d.anyRow(&hi) {
					continue
				}
				if lo.n == 4 || hi.n == 4 {
					quad = 1
				}
			case row[c]&d.Row[int(k.first)+c+below] < 0:
				continue
			}
			face[c], state[c] = mark(open[c])
			faces, quads = faces+face[c]+1, quads+quad*(face[c]+1)
		}
	}
	return faces, quads
}

// alien is below and above where there is no cell or one of another size.
const alien = 0

// below is the way from a cell on a low side of the block to the one across it.
func (d *Discretiser) below(k *block, a int) int {
	return d.beside(k, 2*a, (k.n-1)<<(k.bits*a))
}

// beside is the way to the block across a side, and shift cells on in it.
func (d *Discretiser) beside(k *block, side, shift int) int {
	m := &d.g.Cur
	nb := d.g.Neighbour[k.b][side]
	if nb == grid.None || m.Level[nb] != m.Level[k.b] {
		return alien
	}
	return int(m.First[nb]-k.first) + shift
}

func (d *Discretiser) dry(b int32) bool { return d.counts[b+1].wet == d.counts[b].wet }

// covered tells whether a slot on a block's low side is one of the three that a composite
// face leaves unused.
func (d *Discretiser) covered(k *block, a int, at [3]int) bool {
	nb := d.g.Neighbour[k.b][2*a]
	return nb != grid.None && d.g.Cur.Level[nb] < d.g.Cur.Level[k.b] && (at[(a+1)%3]|at[(a+2)%3])&1 == 1
}

func (d *Discretiser) anyRow(s *side) bool {
	for _, c := range s.cells[:s.n] {
		if d.Row[c] >= 0 {
			return true
		}
	}
	return false
}

// fillFaces writes the block's faces from its place in the list on.
func (d *Discretiser) fillFaces(b int32) {
	f, q := d.counts[b].faces, d.counts[b].quads
	if d.counts[b+1].faces == f {
		return
	}
	k := d.block(b)
	for a := range 3 {
		stride, low, across := 1<<(k.bits*a), (k.n-1)<<(k.bits*a), d.below(&k, a)
		face := d.face[a][k.first:][:1<<(3*k.bits)]
		for c, mark := range face {
			if mark < 0 {
				continue
			}
			face[c] = f
			slot := int(k.first) + c
			below := slot - stride
			if c&low == 0 {
				below = slot + across
			}
			if below == slot {
				q = d.fillEdgeFace(&k, f, q, a, k.place(c), slot)
			} else {
				d.fillFace(f, a, slot, d.orAir(d.Row[below]), d.orAir(d.Row[slot]), d.phi[below], d.phi[slot], k.h*k.h, k.h)
			}
			f++
		}
	}
}

func (d *Discretiser) orAir(row int32) int32 {
	if row < 0 {
		return graph.Air
	}
	return row
}

func (d *Discretiser) fillFace(f int32, a, slot int, lo, hi int32, phiLo, phiHi float32, area, dist float64) {
	gr := d.gr
	theta := 1.
	if lo == graph.Air {
		theta = float64(phiHi) / float64(phiHi-phiLo)
	} else if hi == graph.Air {
		theta = float64(phiLo) / float64(phiLo-phiHi)
	}
	gr.A[f], gr.B[f] = lo, hi
	gr.Axis[f], gr.Slot[f] = uint8(a), int32(slot)
	gr.Area[f], gr.Open[f] = area, d.Open[a][slot]
	gr.Dist[f] = dist * max(theta, thetaLeast)
	gr.Jump[f] = 0
	d.meetRows(lo, int32(2*a+1), f<<1)
	d.meetRows(hi, int32(2*a), f<<1|1)
}

// meetRows enters a face at the rows of one side, in Inc with six entries a row: one for each side of its cell.
func (d *Discretiser) meetRows(side, at, entry int32) {
	switch inc := d.gr.Inc; {
	case side >= 0:
		inc[6*side+at] = entry
	case side != graph.Air:
		for _, r := range &d.gr.Quads[^side] {
			if r != graph.Air {
				inc[6*r+at] = entry
			}
		}
	}
}

// fillEdgeFace writes a face between blocks of different levels and returns the next free quad.
func (d *Discretiser) fillEdgeFace(k *block, f, q int32, a int, at [3]int, slot int) int32 {
	lo, hi := d.sides(k, a, at)
	var id [2]int32
	var phi [2]float32
	for i, s := range [2]*side{&lo, &hi} {
		if s.n == 1 {
			id[i], phi[i] = d.orAir(d.Row[s.cells[0]]), d.phi[s.cells[0]]
			continue
		}
		// θ asks for the distance of the cells that are what the side is: liquid if any are.
		id[i] = graph.Air
		if d.anyRow(s) {
			id[i] = ^q
		}
		n := float32(0)
		for c, cell := range s.cells {
			d.gr.Quads[q][c] = d.orAir(d.Row[cell])
			if id[i] == graph.Air || d.Row[cell] >= 0 {
				phi[i] += d.phi[cell]
				n++
			}
		}
		phi[i] /= n
	}
	if lo.n == 4 || hi.n == 4 {
		d.junctions[q] = junction{f, k.b}
		d.gr.Tied[q] = d.Touched(k.b) || d.Touched(d.g.Neighbour[k.b][2*a])
		q++
	}
	dist := k.h
	switch {
	case lo.n == 4:
		dist = .75 * k.h
	case hi.n == 4:
		dist = 1.5 * k.h
	}
	d.fillFace(f, a, slot, id[0], id[1], phi[0], phi[1], d.area(k, a, at), dist)
	return q
}

// Touched tells whether a static solid or a body touches a block.
func (d *Discretiser) Touched(b int32) bool { return !d.bare[b] || d.merged[b].hits > 0 }

// free tells whether no solid and no wall touches a block.
func (d *Discretiser) free(b int32) bool { return d.plain[b] && d.merged[b].hits == 0 }

// compactIncidence drops the entries without a face.
func (d *Discretiser) compactIncidence() {
	gr := d.gr
	at := int32(0)
	for r := range gr.Rows {
		gr.Ptr[r] = at
		for _, e := range gr.Inc[6*r : 6*r+6] {
			gr.Inc[at] = e
			at += 1 + e>>31 // -1 is written over
		}
	}
	gr.Ptr[gr.Rows] = at
	gr.Inc = gr.Inc[:at]
}

// Face is the graph's face at a slot of an axis, or -1.
func (d *Discretiser) Face(axis int, slot int32) int32 { return d.face[axis][slot] }
