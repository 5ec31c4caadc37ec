package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Near tells where liquid may be, by φ of before the step. The zero value is everywhere.
type Near struct {
	// Phi is per cell of Cur, m.
	Phi []float32
	// Reach is per base cell, m: no liquid comes into a cell where Phi is more. It is infinite where Phi isn't known.
	Reach []float32
}

// findDry finds the cells of a block where no liquid can be, nor below them along any axis, across the face that they hold: in a solid
// φ may leap from wet to dry. It tells whether there are any. For a body that may stay as it is measured now there are none.
func (cuts *bodyCuts) findDry(s *scratch, k *block, body *rigid.Solid) (any bool) {
	if s.dry = (mask{}); cuts.near.Phi == nil || body.Still || body.Fixed {
		return false
	}
	cuts.near.findWet(s, k.b, k.first, k.bits)
	reached := s.wet
	for a := range 3 {
		above := s.wet.above(k.bits, a)
		reached.or(&above)
	}
	for a := range 3 {
		if nb := cuts.g.Neighbour[k.b][2*a]; cuts.sameLevel(k, nb) { // else the face is composite, and measured anyhow
			cuts.near.findWet(s, nb, cuts.g.Cur.First[nb], k.bits)
			above := s.wet.beyond(k.bits, a)
			reached.or(&above)
		}
	}
	for i, all := range everyCell(k.bits) {
		s.dry[i] = all &^ reached[i]
	}
	return s.dry != mask{}
}

// findWet finds the cells of a block where liquid may come.
func (n *Near) findWet(s *scratch, b, first int32, bits int) {
	// What is not more than the reach is less than the next number.
	less(n.Phi[first:][:1<<(3*bits)], math.Nextafter32(n.Reach[b], math.MaxFloat32), &s.wet)
}
