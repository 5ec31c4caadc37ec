package cutting

// What lies beyond an open side of the domain is air, whatever is around it: liquid that gets there has left.

// outlet has the cells of a block whose middles lie beyond an open side of the domain.
func (d *domain) outlet(k *block) (to mask) {
	for a := range 3 {
		low, high := d.open[2*a], d.open[2*a+1]
		edge := float64(k.h * float64(k.n))
		if !(low && k.lo[a] < d.lo[a]) && !(high && k.lo[a]+edge > d.hi[a]) {
			continue
		}
		layer := lowSide[k.bits][a]
		for i := range k.n {
			x := k.lo[a] + float64((float64(i)+.5)*k.h)
			if low && x < d.lo[a] || high && x > d.hi[a] {
				to.or(&layer)
			}
			layer = layer.above(k.bits, a)
		}
	}
	return to
}
