package blocks

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// Extend gives phi in cells that are mostly solid the mean of the cells beside them that are
// not, two layers deep, so that the surface meets a solid squarely and cells that a moving
// body uncovers are what lies around them. It looks within each block alone.
func (d *Discretiser) Extend(phi []float32) {
	d.phi = phi
	d.pool.For(d.g.Bases(), 8, d.extendChunk)
	d.phi = nil
}

func (d *Discretiser) extend(b int32) {
	if d.plain[b] && !d.cut[b] {
		return
	}
	k := d.block(b)
	n := k.n
	half := float32(.5 * k.h * k.h * k.h)
	var layer [grid.Edge * grid.Edge * grid.Edge]uint8
	phi, volume := d.phi[k.first:][:n*n*n], d.Volume[k.first:][:n*n*n]
	for c, v := range volume {
		if v >= half {
			layer[c] = 1
		}
	}
	for l := uint8(1); l <= 2; l++ {
		for c := range phi {
			if layer[c] != 0 {
				continue
			}
			at := [3]int{c % n, c / n % n, c / (n * n)}
			sum, count := float32(0), float32(0)
			for a, stride := range [3]int{1, n, n * n} {
				if at[a] > 0 && layer[c-stride] != 0 && layer[c-stride] <= l {
					sum, count = sum+phi[c-stride], count+1
				}
				if at[a] < n-1 && layer[c+stride] != 0 && layer[c+stride] <= l {
					sum, count = sum+phi[c+stride], count+1
				}
			}
			if count > 0 {
				phi[c], layer[c] = sum/count, l+1
			}
		}
	}
}
