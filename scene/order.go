package scene

import (
	"cmp"
	"slices"

	"github.com/g3n/engine/math32"
)

// backToFront sorts liquids as an eye sees them, the nearest last. Where a plane along two axes parts the bounds of two, the one on the eye's side is the
// nearer one. Where none does, as with liquids that reach into each other, the bounds' distance from the eye decides.
func backToFront(liquids []*Liquid, eye math32.Vector3) {
	e := [3]float32{eye.X, eye.Y, eye.Z}
	slices.SortStableFunc(liquids, func(a, b *Liquid) int {
		p, q := &a.shared.box, &b.shared.box
		if first, second := mayHide(p, q, e), mayHide(q, p, e); first != second {
			if first {
				return 1
			}
			return -1
		}
		return cmp.Compare(off(q, e), off(p, e))
	})
}

// mayHide reports whether a part of box a can lie before a part of box b. A box is its least and its greatest corner.
func mayHide(a, b *[6]float32, eye [3]float32) bool {
	for k, e := range eye {
		if a[k] >= b[k+3] && e <= a[k] || a[k+3] <= b[k] && e >= a[k+3] {
			return false
		}
	}
	return true
}

// off is the square of the distance of a box from a point.
func off(b *[6]float32, p [3]float32) (square float32) {
	for k, x := range p {
		d := max(b[k]-x, x-b[k+3], 0)
		square += d * d
	}
	return square
}
