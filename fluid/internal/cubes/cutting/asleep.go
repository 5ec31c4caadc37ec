package cutting

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Sleeping liquid is a wall to liquid that is awake: the faces between the two are shut. The pressure of a wave on
// that wall wakes the liquid behind it.

// asleepFaces has the faces on a low side of the block that are shut since there is liquid on both sides, and on one it sleeps. below has the
// faces above rows of the block nb beyond, which is of the same level.
func (f *faceSearch) asleepFaces(k *block, a int, nb int32, below *mask) (to mask) {
	d := f.d
	switch p := &d.patterns[k.b]; {
	case d.Asleep[k.b] == d.Asleep[nb]:
		return mask{}
	case d.Asleep[k.b]:
		return p.liquid.and(below)
	default:
		m := d.patterns[nb].liquid.beyond(k.bits, a)
		return p.rows.and(&m)
	}
}

// asleepFace tells whether a composite face on a low side of the block is shut since there is liquid on both sides, and on one it sleeps.
func (f *faceSearch) asleepFace(k *block, a int, at [3]int) bool {
	d := f.d
	nb := d.g.Neighbour[k.b][2*a]
	if d.Asleep[k.b] == d.Asleep[nb] {
		return false
	}
	below, above := d.countBeside(k, a, at, &d.patterns[k.b].liquid, &d.patterns[nb].liquid)
	return below > 0 && above > 0
}

// Pressed tells whether liquid that is awake presses on a block's liquid, which sleeps, by more than still liquid does:
// whether the difference is more than so much per metre of the way between two cells. pressure is per cell, Pa, and weight
// density times gravity.
func (d *Discretiser) Pressed(b int32, pressure []float64, weight [3]float64, most float64) bool {
	k := d.block(b)
	liquid := &d.patterns[b].liquid
	for side, nb := range d.g.Neighbour[b] {
		if nb == layout.None || d.Asleep[nb] || d.dry(nb) {
			continue
		}
		beyond, at := d.block(nb), cellsAt(k.bits, side)
		for i, m := range &at {
			for m &= liquid[i]; m != 0; m &= m - 1 {
				if d.pressedAt(&k, &beyond, side, i<<6+bits.TrailingZeros64(m), pressure, weight, most) {
					return true
				}
			}
		}
	}
	return false
}

// pressedAt is Pressed for one cell of the block, on a side beyond which another block lies.
func (d *Discretiser) pressedAt(k, beyond *block, side, c int, pressure []float64, weight [3]float64, most float64) bool {
	at := k.place(c)
	own := k.first + int32(c)
	cell, h := d.next(k, side, at)
	if d.Row[cell] < 0 || pressure[own] == 0 || !d.opens(k, side, at) {
		return false
	}
	x, there := k.centre(at[0], at[1], at[2]), beyond.place(int(cell-beyond.first))
	y := beyond.centre(there[0], there[1], there[2])
	more := pressure[cell] - pressure[own] - float64(weight[0]*(y.X-x.X)) - float64(weight[1]*(y.Y-x.Y)) - float64(weight[2]*(y.Z-x.Z))
	return more*more > float64(most*most)*float64((k.h+h)*(k.h+h)/4)
}
