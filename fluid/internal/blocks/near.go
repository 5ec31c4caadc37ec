package blocks

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
	*cells = mask{}
	if n.Phi == nil || body.Still || body.Fixed {
		return false
	}
	reach, count := n.Reach[k.b], min(64, 1<<(3*k.bits))
	for i := range words(k.bits) {
		word := uint64(0)
		for _, phi := range n.Phi[int(k.first)+64*i:][:count] {
			word = word>>1 | uint64(bit(phi > reach))<<63
		}
		cells[i] = word >> (64 - count)
	}
	return *cells != mask{}
}

// bit is 1 or 0.
func bit(set bool) (b uint32) {
	if set {
		b = 1
	}
	return b
}
