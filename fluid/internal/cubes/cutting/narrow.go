package cutting

import "math/bits"

// narrowest is the open fraction from which a face counts that has no wide one beside it.
const narrowest = .1

// addNarrow adds to the faces along an axis whose velocities count those that are slivers between static solids without a wide face beside
// them. In a channel narrower than a cell each face is a sliver. Were all their velocities extrapolated, there would be none to begin from, and
// the liquid would creep as if it had no inertia.
func (f *faceSearch) addNarrow(k *block, a int) {
	d := f.d
	p, gaps := &d.patterns[k.b], &d.masks[k.b].fixed
	var any bool
	narrow := mask{}
	for i, m := range &p.faces[a] {
		narrow[i] = m &^ (p.in[a][i] | gaps.wide[a][i])
		any = any || narrow[i] != 0
	}
	if !any {
		return
	}
	for side := range 6 {
		if side/2 != a {
			beside := f.wideBeside(k, a, side)
			for i := range narrow {
				narrow[i] &^= beside[i]
			}
		}
	}
	open, fixed := d.Open[a][k.first:], d.static.open[a][k.first:]
	for i, m := range &narrow {
		for ; m != 0; m &= m - 1 {
			if c := i<<6 + bits.TrailingZeros64(m); open[c] >= narrowest && open[c] == fixed[c] {
				p.in[a].set(c)
			}
		}
	}
}

// wideBeside has the faces along an axis beside which, on another side, static solids leave a wide one.
func (f *faceSearch) wideBeside(k *block, a, side int) mask {
	d := f.d
	wide := &d.masks[k.b].fixed.wide[a]
	nb := d.g.Neighbour[k.b][side]
	if side&1 == 0 {
		to := wide.above(k.bits, side/2)
		if d.sameLevel(k, nb) {
			m := d.masks[nb].fixed.wide[a].beyond(k.bits, side/2)
			to.or(&m)
		}
		return to
	}
	to := wide.below(k.bits, side/2)
	if d.sameLevel(k, nb) {
		m := d.masks[nb].fixed.wide[a].beneath(k.bits, side/2)
		to.or(&m)
	}
	return to
}
