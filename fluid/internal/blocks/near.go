package blocks

import "math"

// Near tells where liquid may be, by φ of before the step. The zero value is everywhere.
type Near struct {
	// Phi is per cell of Cur, m.
	Phi []float32
	// Reach is per base cell, m: no liquid comes into, or beside, a cell where Phi is more. It is infinite where Phi isn't known.
	Reach []float32
}

// dry finds the cells of a block where no liquid can be, and tells whether there are any. For a body that may stay as it
// is measured now there are none.
func (n *Near) dry(cells *mask, k *block, body *Body) (any bool) {
	if *cells = (mask{}); n.Phi == nil || body.Still || body.Fixed {
		return false
	}
	// What is not more than the reach is less than the next number.
	less(n.Phi[k.first:][:1<<(3*k.bits)], math.Nextafter32(n.Reach[k.b], math.MaxFloat32), cells)
	for i, all := range everyCell(k.bits) {
		cells[i] ^= all
	}
	return *cells != mask{}
}
