package contour

// A node on the border of tiles is a sample in each. The tile of the lowest base cell among those that have it tells the others.

// synchronise copies the samples of a tile's border that other tiles own.
func (c *Contour) synchronise(_ int, i int32) {
	l := c.now
	t := &l.tiles[i]
	dst, n := l.samples(t), t.n+1
	for r := range 27 {
		if r == 13 || !l.ownedElsewhere(t, r) {
			continue
		}
		lo, hi := borderPart(t.n, r)
		var o *tile
		var at, first int32
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				for x := lo[0]; x < hi[0]; x++ {
					if t.mixed || o == nil {
						o, at = l.nodeOwner(t, r, [3]int32{x, y, z})
						first = at - (x + n*(y+n*z))
					}
					if o != nil {
						if !t.mixed {
							at = first + x + n*(y+n*z) // tiles of one level have their nodes in the same order
						}
						// Where only one of the two knows more than the side, that one is right.
						if v, own := l.f[at], &dst[x+n*(y+n*z)]; o.knows(v) || !t.knows(*own) {
							*own = v
						}
					}
				}
			}
		}
	}
}

// ownedElsewhere tells whether a tile before this one is beside a part of its border.
func (l *layer) ownedElsewhere(t *tile, r int) bool {
	d := [3]int{r%3 - 1, r/3%3 - 1, r/9 - 1}
	for k := 1; k < 8; k++ {
		q := 13
		for a, step := range [3]int{1, 3, 9} {
			if k>>a&1 != 0 {
				q += d[a] * step
			}
		}
		if s := t.around[q]; q != 13 && s != none && int(s) < l.active && l.tiles[s].base < t.base {
			return true
		}
	}
	return false
}

// borderPart is the range of nodes of a part of the border of n³ cells, without those of other parts.
func borderPart(n int32, r int) (lo, hi [3]int32) {
	for a, d := range [3]int{r % 3, r / 3 % 3, r / 9} {
		switch d {
		case 0:
			hi[a] = 1
		case 1:
			lo[a], hi[a] = 1, n
		default:
			lo[a], hi[a] = n, n+1
		}
	}
	return lo, hi
}

// part is where a coordinate from 0 to n is: 0 at the low border, 1 between, 2 at the high one.
func part(x, n int32) int32 {
	switch x {
	case 0:
		return 0
	case n:
		return 2
	}
	return 1
}

// nodeOwner is the tile before this one that has a node of its border, and where its sample is; nil where there is none. r is the part of the border.
func (l *layer) nodeOwner(t *tile, r int, node [3]int32) (owner *tile, at int32) {
	d := [3]int{r%3 - 1, r/3%3 - 1, r/9 - 1}
	best := t
	for k := 1; k < 8; k++ {
		q, shift, fits := 13, [3]int32{}, true
		for a, step := range [3]int{1, 3, 9} {
			if k>>a&1 != 0 {
				fits = fits && d[a] != 0
				q += d[a] * step
				shift[a] = int32(d[a]) * l.c.edge
			}
		}
		if !fits {
			continue
		}
		s := t.around[q]
		if s == none || int(s) >= l.active || l.tiles[s].base >= best.base {
			continue
		}
		o := &l.tiles[s]
		x, y, z := node[0]*t.cell-shift[0], node[1]*t.cell-shift[1], node[2]*t.cell-shift[2]
		if (x|y|z)&(o.cell-1) != 0 {
			continue
		}
		best, at = o, o.f+x/o.cell+(o.n+1)*(y/o.cell+(o.n+1)*(z/o.cell))
	}
	if best == t {
		return nil, 0
	}
	return best, at
}
