package contour

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Fractions writes which part of each cell of a block is liquid, x fastest: the mean of those of its detail³ sample cells.
func (c *Contour) Fractions(base int32, dst []float32) {
	l := c.now
	s := l.slot[base]
	if s == none || int(s) >= l.active {
		v := float32(0)
		if l.liquid[base] {
			v = 1
		}
		for i := range dst {
			dst[i] = v
		}
		return
	}
	t := &l.tiles[s]
	f, n, m, d := l.samples(t), t.n+1, int32(1)<<t.level, int32(c.detail)
	part := 1 / float32(d*d*d)
	clear(dst)
	for z := range t.n {
		for y := range t.n {
			row := dst[m*(y/d+m*(z/d)):][:m]
			for x := range t.n {
				row[x/d] += float32(part * cellFraction(f[x+n*(y+n*z):], n))
			}
		}
	}
}

// cellFraction is the part of a cell that is liquid: of the six tetrahedra around its diagonal, each with the linear function of its corners. f begins
// at the cell's low corner, with n samples to a row.
func cellFraction(f []float32, n int32) float32 {
	return cubeFraction([8]float32{f[0], f[1], f[n], f[n+1], f[n*n], f[n*n+1], f[n*n+n], f[n*n+n+1]})
}

// cubeFraction is cellFraction of a cell with the samples at its corners, x fastest.
func cubeFraction(corners [8]float32) float32 {
	liquid := 0
	for _, v := range corners {
		if v < 0 {
			liquid++
		}
	}
	switch liquid {
	case 0:
		return 0
	case 8:
		return 1
	}
	var sum float32
	for _, way := range [6][2]int{{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}} {
		sum += tetFraction([4]float32{corners[0], corners[way[0]], corners[way[1]], corners[7]})
	}
	return sum * (1. / 6)
}

// tetFraction is the part of a tetrahedron where the linear function of its corners' values is negative.
func tetFraction(f [4]float32) float32 {
	for i := 1; i < 4; i++ { // ascending
		for j := i; j > 0 && f[j] < f[j-1]; j-- {
			f[j], f[j-1] = f[j-1], f[j]
		}
	}
	a, b, c, d := f[0], f[1], f[2], f[3]
	switch {
	case a >= 0:
		return 0
	case d < 0:
		return 1
	case b >= 0:
		return a / (a - b) * (a / (a - c)) * (a / (a - d))
	case c < 0:
		return 1 - float32(d/(d-a)*(d/(d-b))*(d/(d-c)))
	}
	// Two and two: the prism is cut into three tetrahedra.
	ac, ad, bc, bd := a/(a-c), a/(a-d), b/(b-c), b/(b-d)
	return float32(ac*ad) + float32(float32(ad*bc)*(1-ac)) + float32(float32(bc*bd)*(1-ad))
}

// Volume is that of the liquid, m³: of the fractions of all cells.
func (c *Contour) Volume() float64 {
	n := c.g.Bases()
	c.sums = arrays.Resize(c.sums, n)
	par.Each(c.pool, n, 16, c, (*Contour).volumeOf)
	sum := 0.0
	for _, v := range c.sums {
		sum += v
	}
	return float64(sum * float64(c.unit*float64(c.unit*c.unit)))
}

// volumeOf is that of a block, units³.
func (c *Contour) volumeOf(_ int, b int32) {
	l := c.now
	s := l.slot[b]
	if s == none || int(s) >= l.active {
		c.sums[b] = 0
		if l.liquid[b] {
			c.sums[b] = float64(c.edge) * float64(c.edge) * float64(c.edge)
		}
		return
	}
	t := &l.tiles[s]
	c.sums[b] = sampledVolume(l.samples(t), t)
}

// sampledVolume is that of a tile with given samples, units³.
func sampledVolume(f []float32, t *tile) (sum float64) {
	n := t.n + 1
	for z := range t.n {
		for y := range t.n {
			for x := range t.n {
				sum += float64(cellFraction(f[x+n*(y+n*z):], n))
			}
		}
	}
	return float64(sum * float64(t.cell*t.cell*t.cell))
}
