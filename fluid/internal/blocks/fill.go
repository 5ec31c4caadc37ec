package blocks

import (
	"math/bits"

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
	p := &d.patterns[b]
	rows := negative(d.phi[k.first:][:k.n*k.n*k.n])
	if !d.free(b) {
		d.dropEnclosed(&k, &rows)
	}
	d.counts[b].rows = rows.count()
	if p.first == k.first && p.rows == rows {
		return
	}
	p.rows = rows
	row := d.Row[k.first:][:k.n*k.n*k.n]
	for c := range row {
		row[c] = int32(rows[c>>6]>>(c&63)&1) - 1
	}
}

// dropEnclosed takes the cells out of a block's rows that have no open face.
func (d *Discretiser) dropEnclosed(k *block, rows *mask) {
	var opened mask
	for a := range 3 {
		open := &d.gates[k.b].now.open[a]
		opened.or(open)
		m := open.below(k.bits, a)
		opened.or(&m)
		if nb := d.g.Neighbour[k.b][2*a+1]; d.alike(k, nb) {
			m = d.gates[nb].now.open[a].beneath(k.bits, a)
			opened.or(&m)
		}
	}
	for side := range 6 {
		if nb := d.g.Neighbour[k.b][side]; nb != grid.None && !d.alike(k, nb) {
			d.lookBeyond(k, side, rows, &opened)
		}
	}
	for i, m := range &opened {
		rows[i] &= m
	}
}

// lookBeyond adds the rows to opened that have an open face on a side of the block where cells of another size lie.
func (d *Discretiser) lookBeyond(k *block, side int, rows, opened *mask) {
	at := lowSide[k.bits][side/2]
	if side&1 == 1 {
		at = at.beneath(k.bits, side/2)
	}
	for i, m := range rows {
		for m &= at[i] &^ opened[i]; m != 0; m &= m - 1 {
			if c := i<<6 + bits.TrailingZeros64(m); d.opens(k, side, k.place(c)) {
				opened.set(c)
			}
		}
	}
}

// placeRows numbers a block's rows from its place in the list on. They have no faces yet.
func (d *Discretiser) placeRows(b int32) {
	gr, r := d.gr, d.counts[b].wet
	if d.dry(b) {
		return
	}
	k := d.block(b)
	var centre [3][grid.Edge]float64
	for i := range k.n {
		x := k.centre(i, i, i)
		centre[0][i], centre[1][i], centre[2][i] = x.X, x.Y, x.Z
	}
	row, volume := d.Row[k.first:][:k.n*k.n*k.n], d.Volume[k.first:][:k.n*k.n*k.n]
	for i, w := range d.patterns[b].rows {
		for ; w != 0; w &= w - 1 {
			c := i<<6 + bits.TrailingZeros64(w)
			row[c] = r
			at := k.place(c)
			gr.Cell[r], gr.Size[r], gr.Volume[r] = k.first+int32(c), float32(k.h), volume[c]
			gr.Centre[r] = [3]float64{centre[0][at[0]&7], centre[1][at[1]&7], centre[2][at[2]&7]}
			gr.Sides[r] = [6]int32{-1, -1, -1, -1, -1, -1}
			r++
		}
	}
}

// pattern is which of a block's cells are rows, and what its faces are, in the last Fill. A face is at the cell above it.
type pattern struct {
	first    int32
	rows     mask
	faces    [3]mask // that the graph has
	in, shut [3]mask // whose State is InGraph, Shut
	bonds
}

// countFaces tells what each of the block's faces is and which of them the graph will have.
func (d *Discretiser) countFaces(b int32) {
	k := d.block(b)
	p := &d.patterns[b]
	moved := p.first != k.first
	p.first = k.first
	n := &d.counts[b]
	n.faces, n.quads = 0, 0
	p.bonds = bonds{}
	for a := range 3 {
		in, shut := p.in[a], p.shut[a]
		n.quads += d.meetFaces(&k, a)
		n.faces += p.faces[a].count()
		if moved || in != p.in[a] || shut != p.shut[a] {
			paint(d.State[a][k.first:][:k.n*k.n*k.n], &p.in[a], &p.shut[a])
		}
	}
	p.joined = !d.dry(b) && p.hangsTogether(k.bits)
}

// meetFaces finds the block's faces along an axis and returns how many quads they need.
func (d *Discretiser) meetFaces(k *block, a int) (quads int32) {
	p, gates := &d.patterns[k.b], &d.gates[k.b]
	p.faces[a], p.in[a], p.shut[a] = mask{}, mask{}, mask{}
	if low := d.g.Neighbour[k.b][2*a]; d.dry(k.b) && (low == grid.None || d.dry(low)) {
		return 0
	}
	rows, gate := &p.rows, &gates.now
	wet, buried := rows.above(k.bits, a), gates.fixed.solid.above(k.bits, a) // the cell below is so
	nb := d.g.Neighbour[k.b][2*a]
	var composite mask
	if d.alike(k, nb) {
		m := d.patterns[nb].rows.beyond(k.bits, a)
		wet.or(&m)
		m = d.gates[nb].fixed.solid.beyond(k.bits, a)
		buried.or(&m)
	} else if nb != grid.None {
		composite = lowSide[k.bits][a]
	}
	for i := range words(k.bits) {
		any := (rows[i] | wet[i]) &^ composite[i]
		p.faces[a][i] = any & gate.open[a][i]
		p.in[a][i] = any & gate.wide[a][i]
		p.shut[a][i] = any &^ gate.open[a][i]
	}
	if !d.free(k.b) {
		d.dropFollowers(k, a, &wet, &buried)
	}
	p.link(k.bits, a, &wet)
	return d.meetComposite(k, a, &composite)
}

// dropFollowers takes the surface off cells that are mostly in a static solid or outside of the domain: Extend has
// their φ follow that of the cells beside them, so that what flows through it would come from nowhere. Beside a body,
// which moves, it flows for a step or two. wet and buried tell of the cells below.
func (d *Discretiser) dropFollowers(k *block, a int, wet, buried *mask) {
	p, own := &d.patterns[k.b], &d.gates[k.b].fixed.solid
	for i, m := range &p.faces[a] {
		m &= p.rows[i]&^wet[i]&own[i] | wet[i]&^p.rows[i]&buried[i]
		for ; m != 0; m &= m - 1 {
			if c := i<<6 + bits.TrailingZeros64(m); d.follows(k, a, c, p.rows[i]&m&-m != 0) {
				p.faces[a].drop(c)
				p.in[a].drop(c)
			}
		}
	}
}

// follows tells whether the liquid beside a face, in the cell above or below it, follows that of others.
func (d *Discretiser) follows(k *block, a, c int, above bool) bool {
	own, at := *k, k.place(c)
	if !above {
		if at[a]--; at[a] < 0 {
			own = d.block(d.g.Neighbour[k.b][2*a])
			at[a] = own.n - 1
		}
	}
	return d.led(&own, at)
}

// led tells whether an open face leads from a cell to liquid in one that is mostly open.
func (d *Discretiser) led(k *block, at [3]int) bool {
	for side := range 6 {
		if !d.opens(k, side, at) {
			continue
		}
		if cell, h := d.next(k, side, at); cell >= 0 && d.Row[cell] >= 0 && mostly(d.Volume[cell], h) {
			return true
		}
	}
	return false
}

// meetComposite finds the faces on a low side of the block, beyond which the cells are of another size, and returns
// how many quads they need.
func (d *Discretiser) meetComposite(k *block, a int, side *mask) (quads int32) {
	gate, p := &d.gates[k.b].now, &d.patterns[k.b]
	if *side == (mask{}) {
		return 0
	}
	if d.g.Cur.Level[d.g.Neighbour[k.b][2*a]] < d.g.Cur.Level[k.b] {
		side = &evenSide[k.bits][a] // the other slots are not used
	}
	for i, m := range side {
		for ; m != 0; m &= m - 1 {
			bit := m & -m
			lo, hi := d.sides(k, a, k.place(i<<6+bits.TrailingZeros64(m)))
			below, above := d.rowsOn(&lo), d.rowsOn(&hi)
			switch {
			case below+above == 0:
				continue
			case gate.open[a][i]&bit == 0:
				p.shut[a][i] |= bit
				continue
			}
			p.faces[a][i] |= bit
			p.in[a][i] |= bit & gate.wide[a][i]
			p.linkQuad(a, below, above)
			quads++
		}
	}
	return quads
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

// rowsOn is how many of a side's cells are rows.
func (d *Discretiser) rowsOn(s *side) (n int) {
	for _, c := range s.cells[:s.n] {
		if d.Row[c] >= 0 {
			n++
		}
	}
	return n
}

// fillFaces writes the block's faces from its place in the list on.
func (d *Discretiser) fillFaces(b int32) {
	d.bind(b)
	f, q := d.counts[b].faces, d.counts[b].quads
	if d.counts[b+1].faces == f {
		return
	}
	k := d.block(b)
	for a := range 3 {
		f, q = d.fillAxis(&k, a, f, q)
	}
}

// fillAxis writes the faces along one axis, the first of them f, and returns the next free face and quad.
func (d *Discretiser) fillAxis(k *block, a int, f, q int32) (int32, int32) {
	gr, faces := d.gr, &d.patterns[k.b].faces[a]
	end := f + faces.count()
	fill(gr.Axis[f:end], uint8(a))
	fill(gr.Area[f:end], k.h*k.h)
	fill(gr.Dist[f:end], k.h)
	clear(gr.Jump[f:end])
	stride, low, across := 1<<(k.bits*a), (k.n-1)<<(k.bits*a), d.below(k, a)
	lower, upper, slots, opens, sides := gr.A[:end], gr.B[:end], gr.Slot[:end], gr.Open[:end], gr.Sides
	row, open := d.Row[k.first:][:1<<(3*k.bits)], d.Open[a][k.first:][:1<<(3*k.bits)]
	for i, m := range faces {
		for ; m != 0; m &= m - 1 {
			c := i<<6 + bits.TrailingZeros64(m)
			slot := int(k.first) + c
			below := slot - stride
			if c&low == 0 {
				below = slot + across
			}
			slots[f], opens[f] = int32(slot), open[c]
			if below == slot {
				q = d.fillEdgeFace(k, f, q, a, k.place(c))
				f++
				continue
			}
			lo, hi := d.Row[below], row[c]
			if lo|hi < 0 {
				d.fillFace(f, a, orAir(lo), orAir(hi), d.phi[below], d.phi[slot], k.h)
				f++
				continue
			}
			lower[f], upper[f] = lo, hi
			sides[lo][2*a+1], sides[hi][2*a] = f, f
			f++
		}
	}
	return f, q
}

func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

func orAir(row int32) int32 {
	if row < 0 {
		return graph.Air
	}
	return row
}

// fillFace writes a face between rows or air, where φ is phiLo and phiHi, and enters it at the rows.
func (d *Discretiser) fillFace(f int32, a int, lo, hi int32, phiLo, phiHi float32, dist float64) {
	theta := 1.
	if lo == graph.Air {
		theta = float64(phiHi) / float64(phiHi-phiLo)
	} else if hi == graph.Air {
		theta = float64(phiLo) / float64(phiLo-phiHi)
	}
	d.gr.A[f], d.gr.B[f] = lo, hi
	d.gr.Dist[f] = dist * max(theta, thetaLeast)
	d.meetRows(lo, 2*a+1, f)
	d.meetRows(hi, 2*a, f)
}

// meetRows enters a face at the rows of one side.
func (d *Discretiser) meetRows(rows int32, side int, f int32) {
	switch {
	case rows >= 0:
		d.gr.Sides[rows][side] = f
	case rows != graph.Air:
		for _, r := range &d.gr.Quads[^rows] {
			if r != graph.Air {
				d.gr.Sides[r][side] = f
			}
		}
	}
}

// fillEdgeFace writes a face between blocks of different levels and returns the next free quad.
func (d *Discretiser) fillEdgeFace(k *block, f, q int32, a int, at [3]int) int32 {
	lo, hi := d.sides(k, a, at)
	var id [2]int32
	var phi [2]float32
	for i, s := range [2]*side{&lo, &hi} {
		if s.n == 1 {
			id[i], phi[i] = orAir(d.Row[s.cells[0]]), d.phi[s.cells[0]]
			continue
		}
		// θ asks for the distance of the cells that are what the side is: liquid if any are.
		id[i] = graph.Air
		if d.rowsOn(s) > 0 {
			id[i] = ^q
		}
		n := float32(0)
		for c, cell := range s.cells {
			d.gr.Quads[q][c] = orAir(d.Row[cell])
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
	d.gr.Area[f] = d.area(k, a, at)
	d.fillFace(f, a, id[0], id[1], phi[0], phi[1], dist)
	return q
}

// Touched tells whether a static solid or a body touches a block.
func (d *Discretiser) Touched(b int32) bool { return !d.bare[b] || d.cut[b] }

// free tells whether no solid and no wall touches a block.
func (d *Discretiser) free(b int32) bool { return d.plain[b] && !d.cut[b] }
