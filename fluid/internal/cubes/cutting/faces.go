package cutting

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// sliver is the open fraction below which a face's velocity says little about the liquid
// around it: so narrow a slit takes hardly any flux, and a small error in the pressure beside it
// drives a jet. Its velocity is extrapolated like one in the air.
const sliver = .5

// pattern is which of a block's cells are rows, and what its faces are, in the last Fill. A face is at the cell above it.
type pattern struct {
	first     int32
	liquid    mask    // by φ, and voids
	voids     mask    // liquid, though φ says air
	rows      mask    // liquid, but for those that no open face leads to
	faces     [3]mask // that the graph has
	in, shut  [3]mask // whose State is InGraph, Shut
	followers [3]mask // that are the surface of followers
	holes     mask    // cells of air between liquid along two axes
	connectivity
}

// faceSearch finds the faces that the graph will have.
type faceSearch struct{ d *Discretiser }

// countFaces tells what each of the block's faces is and which of them the graph will have.
func (f *faceSearch) countFaces(_ int, b int32) {
	d := f.d
	k := d.block(b)
	p := &d.patterns[b]
	moved := p.first != k.first
	p.first = k.first
	n := &d.counts[b]
	n.faces, n.quads = 0, 0
	p.connectivity, p.holes = connectivity{}, f.holesOf(&k)
	for a := range 3 {
		in, shut := p.in[a], p.shut[a]
		n.quads += f.findFaces(&k, a)
		n.faces += p.faces[a].count()
		if moved || in != p.in[a] || shut != p.shut[a] {
			paint(d.State[a][k.first:][:k.n*k.n*k.n], &p.in[a], &p.shut[a])
		}
	}
	p.connected = !d.dry(b) && p.isConnected(k.bits)
}

// findFaces finds the block's faces along an axis and returns how many quads they need.
func (f *faceSearch) findFaces(k *block, a int) (quads int32) {
	d := f.d
	p, gates := &d.patterns[k.b], &d.masks[k.b]
	p.faces[a], p.in[a], p.shut[a], p.followers[a] = mask{}, mask{}, mask{}, mask{}
	if d.Asleep[k.b] {
		p.shut[a] = everyCell(k.bits)
	}
	if low := d.g.Neighbour[k.b][2*a]; d.dry(k.b) && (low == layout.None || d.dry(low)) {
		return 0
	}
	rows, gate := &p.rows, &gates.now
	wet, buried := rows.above(k.bits, a), gates.static.above(k.bits, a) // the cell below is so
	nb := d.g.Neighbour[k.b][2*a]
	var composite, border mask
	if d.sameLevel(k, nb) {
		m := d.patterns[nb].rows.beyond(k.bits, a)
		wet.or(&m)
		border = f.asleepFaces(k, a, nb, &m)
		m = d.masks[nb].static.beyond(k.bits, a)
		buried.or(&m)
	} else if nb != layout.None {
		composite = lowSide[k.bits][a]
	}
	for i := range words(k.bits) {
		any := (rows[i] | wet[i]) &^ (composite[i] | border[i])
		p.faces[a][i] = any & gate.open[a][i]
		p.in[a][i] = any & gate.wide[a][i]
		p.shut[a][i] = (p.shut[a][i] | any | border[i]) &^ p.faces[a][i]
	}
	if !d.untouched(k.b) {
		f.addNarrow(k, a)
		d.followers.read(k, a, &wet, &buried)
	}
	p.link(k.bits, a, &wet)
	return f.findCompositeFaces(k, a, &composite)
}

// findCompositeFaces finds the faces on a low side of the block, beyond which the cells are of another size, and returns
// how many quads they need.
func (f *faceSearch) findCompositeFaces(k *block, a int, side *mask) (quads int32) {
	d := f.d
	gate, p := &d.masks[k.b].now, &d.patterns[k.b]
	if *side == (mask{}) {
		return 0
	}
	nb := d.g.Neighbour[k.b][2*a]
	beyond := &d.patterns[nb]
	if d.g.Cur.Level[nb] < d.g.Cur.Level[k.b] {
		side = &evenSide[k.bits][a] // the other slots are not used
	}
	for i, m := range side {
		for ; m != 0; m &= m - 1 {
			bit, at := m&-m, k.place(i<<6+bits.TrailingZeros64(m))
			below, above := d.countBeside(k, a, at, &p.rows, &beyond.rows)
			switch {
			case below+above == 0:
				continue
			case gate.open[a][i]&bit == 0 || f.asleepFace(k, a, at):
				p.shut[a][i] |= bit
				continue
			}
			p.faces[a][i] |= bit
			p.shut[a][i] &^= bit
			p.in[a][i] |= bit & gate.wide[a][i]
			p.linkQuad(a, below, above)
			quads++
		}
	}
	return quads
}
