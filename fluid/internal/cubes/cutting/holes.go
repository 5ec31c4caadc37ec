package cutting

import "github.com/meniscus3d/meniscus/fluid/internal/graph"

// A hole is a cell of air between liquid on both sides along two axes. At its bottom the surface may pass next to a row's middle, but only there: its walls reach further up. A
// face at the surface has the mass of the liquid on the line to the middle of the air, and by that one at a hole's bottom would have next to none: whatever flows
// into the hole would leave it there at once, at any speed, which the walls' liquid takes on. The face gets the mass of what is liquid between both middles instead.

// wholeCell is the part of a cell from which on no solid takes any of it: what rounding leaves.
const wholeCell = 1 - 1e-5

// IsWhole tells whether solids leave all of a cell with an edge of h, m.
func (d *Discretiser) IsWhole(cell int, h float64) bool {
	return float64(d.Volume[cell]) >= wholeCell*h*h*h
}

// holesOf is the holes of a block. Solids may be between them and the liquid.
func (f *faceSearch) holesOf(k *block) (holes mask) {
	d := f.d
	p := &d.patterns[k.b]
	var once mask
	for a := range 3 {
		low, high := p.liquid.above(k.bits, a), p.liquid.below(k.bits, a)
		if nb := d.g.Neighbour[k.b][2*a]; d.sameLevel(k, nb) {
			m := d.patterns[nb].liquid.beyond(k.bits, a)
			low.or(&m)
		}
		if nb := d.g.Neighbour[k.b][2*a+1]; d.sameLevel(k, nb) {
			m := d.patterns[nb].liquid.beneath(k.bits, a)
			high.or(&m)
		}
		for i := range holes {
			between := low[i] & high[i] &^ p.liquid[i]
			holes[i] |= once[i] & between
			once[i] |= between
		}
	}
	return holes
}

// addWalls adds to the distance of a face, between a row and air beside cell c of a block along an axis, what a hole's walls add to its volume, over its area.
func (l *faceList) addWalls(k *block, f int32, a, c int) {
	d := l.d
	air, at := *k, k.place(c)
	if d.gr.B[f] != graph.Air {
		if at[a]--; at[a] < 0 {
			air, at[a] = d.block(d.g.Neighbour[k.b][2*a]), k.n-1
		}
	}
	if d.patterns[air.b].holes.has(air.index(at)) {
		d.gr.Dist[f] = k.h - float64((k.h-d.gr.Dist[f])*l.openPart(&air, at, a))
	}
}

// openPart is the part of a hole's cell that is air in the middle of its sides across an axis: the product of the hole's widths along the other two, in cells. It
// is 1 if liquid isn't on both sides along each of these, or a solid takes some of the cell: what it leaves is no hole in liquid.
func (l *faceList) openPart(k *block, at [3]int, a int) float64 {
	cell, part := int(k.first)+k.index(at), 1.
	if !l.d.IsWhole(cell, k.h) {
		return 1
	}
	own := float64(l.d.phi[cell])
	for _, across := range [2]int{(a + 1) % 3, (a + 2) % 3} {
		low, high := l.liquidBeside(k, 2*across, at), l.liquidBeside(k, 2*across+1, at)
		if low >= 0 || high >= 0 {
			return 1
		}
		part *= min(1, own/(own-low)+own/(own-high))
	}
	return part
}

// liquidBeside is φ of the cell on a side of a block's cell, m; 0 if there is none of the same size, no liquid in it, or a solid between.
func (l *faceList) liquidBeside(k *block, side int, at [3]int) float64 {
	d := l.d
	cell, h := d.next(k, side, at)
	if cell < 0 || h != k.h || !d.opens(k, side, at) {
		return 0
	}
	return min(0, float64(d.phi[cell]))
}
