package contour

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// A node on the border of tiles is a sample in each. The tile of the lowest base cell among those that have it tells the others.

// seams are the borders of a layer's tiles.
type seams struct{ l *layer }

// agree gives each node the same sign in all tiles that have it. Where the first one knows no more of a node than its side, and one after it does, that one tells it.
func (s *seams) agree() {
	l := s.l
	par.Each(l.c.pool, l.active, 4, s, (*seams).synchronise)
	corrected := false
	for i := range l.active {
		corrected = corrected || l.tiles[i].knowsMore
	}
	if !corrected {
		return
	}
	par.Each(l.c.pool, l.active, 4, s, (*seams).askOthers)
	par.Each(l.c.pool, l.active, 4, s, (*seams).synchroniseAgain)
}

// synchronise copies the samples of a tile's border that other tiles own, but where it knows more than these.
func (s *seams) synchronise(_ int, i int32) { s.copyOwned(&s.l.tiles[i], false) }

// synchroniseAgain copies them where some of a tile around have been corrected, those of another sign in any case.
func (s *seams) synchroniseAgain(_ int, i int32) {
	l := s.l
	for _, o := range l.tiles[i].around {
		if o != none && int(o) < l.active && l.tiles[o].corrected {
			s.copyOwned(&l.tiles[i], true)
			return
		}
	}
}

// copyOwned copies the samples of a tile's border that other tiles own. signs: of another sign in any case.
func (s *seams) copyOwned(t *tile, signs bool) {
	t.knowsMore = false
	var others besides
	for r := range 27 {
		if r == 13 {
			continue
		}
		if s.find(&others, t, r); others.before == 0 {
			continue
		}
		lo, hi := borderPart(t.n, r)
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				s.copyOwnedRow(t, &others, lo[0], hi[0], y, z, signs)
			}
		}
	}
}

// copyOwnedRow does that for a row of a part of the border.
func (s *seams) copyOwnedRow(t *tile, others *besides, lo, hi, y, z int32, signs bool) {
	f, n := s.l.f, t.n+1
	dst := s.l.samples(t)[n*(y+n*z):][:n]
	for x := lo; x < hi; x++ {
		k, at := others.first(t, x, y, z)
		if k >= others.before {
			continue
		}
		// Where only one of the two knows more than the side, that one is right.
		switch v, own := f[at], dst[x]; {
		case others.tiles[k].knows(v) || !t.knows(own) || signs && (v < 0) != (own < 0):
			dst[x] = v
		default:
			t.knowsMore = true
		}
	}
}

// askOthers writes the samples that a tile owns and knows no more of than the side, where a tile after it does.
func (s *seams) askOthers(_ int, i int32) {
	l := s.l
	t := &l.tiles[i]
	t.corrected = false
	far := float32(farCells) * float32(t.cell)
	var others besides
	for r := range 27 {
		if r == 13 {
			continue
		}
		if s.find(&others, t, r); !others.knowMore() {
			continue
		}
		lo, hi := borderPart(t.n, r)
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				for x := lo[0]; x < hi[0]; x++ {
					own := &l.samples(t)[x+(t.n+1)*(y+(t.n+1)*z)]
					if t.knows(*own) {
						continue
					}
					if v, known := s.valueElsewhere(t, &others, x, y, z); known {
						*own, t.corrected = max(-far, min(v, far)), true
					}
				}
			}
		}
	}
}

// valueElsewhere is what the first tile that knows more than the side of a node has there. known is false where there is none or the node isn't the tile's own.
func (s *seams) valueElsewhere(t *tile, others *besides, x, y, z int32) (value float32, known bool) {
	for k := range others.count {
		at := others.sampleAt(t, k, x, y, z)
		switch {
		case at < 0:
		case k < others.before:
			return 0, false
		case others.tiles[k].knows(s.l.f[at]):
			return s.l.f[at], true
		}
	}
	return 0, false
}

// besides are the tiles with samples beside a part of a tile's border, up to seven, by base cell.
type besides struct {
	tiles         [7]*tile
	shift         [7][3]int32 // how far they are from the tile, units
	count, before int         // before: of lower base cells than the tile
}

// find makes them those of a part of a tile's border.
func (s *seams) find(others *besides, t *tile, r int) {
	d := partOffset(r)
	others.count, others.before = 0, 0
	for k := 1; k < 8; k++ {
		o, shift := s.besidePart(t, d, k)
		if o == nil {
			continue
		}
		i := others.count
		for ; i > 0 && others.tiles[i-1].base > o.base; i-- {
			others.tiles[i], others.shift[i] = others.tiles[i-1], others.shift[i-1]
		}
		others.tiles[i], others.shift[i] = o, shift
		others.count++
		if o.base < t.base {
			others.before++
		}
	}
}

// knowMore tells whether some of them after the tile know more of a sample than its owner.
func (others *besides) knowMore() bool {
	for _, o := range others.tiles[others.before:others.count] {
		if o.knowsMore {
			return true
		}
	}
	return false
}

// first is the first of those before the tile that has a node of its border, and where its sample is; before where there is none.
func (others *besides) first(t *tile, x, y, z int32) (k int, at int32) {
	for k := range others.before {
		if at := others.sampleAt(t, k, x, y, z); at >= 0 {
			return k, at
		}
	}
	return others.before, -1
}

// sampleAt is where the k-th has the sample of a node of the tile's border; -1 where it has none.
func (others *besides) sampleAt(t *tile, k int, x, y, z int32) int32 {
	return others.tiles[k].sampleAt(t, [3]int32{x, y, z}, others.shift[k])
}

// partOffset is where a part of a tile's border is, -1 to 1 along each axis.
func partOffset(r int) [3]int { return [3]int{r%3 - 1, r/3%3 - 1, r/9 - 1} }

// besidePart is the k-th of seven tiles beside a part of a tile's border, and how far it is from this one, units; nil where there is none with samples.
func (s *seams) besidePart(t *tile, d [3]int, k int) (o *tile, shift [3]int32) {
	l := s.l
	q := 13
	for a, step := range [3]int{1, 3, 9} {
		if k>>a&1 != 0 {
			if d[a] == 0 {
				return nil, shift
			}
			q += d[a] * step
			shift[a] = int32(d[a]) * l.c.edge
		}
	}
	i := t.around[q]
	if i == none || int(i) >= l.active {
		return nil, shift
	}
	return &l.tiles[i], shift
}

// sampleAt is where the sample of a node of another tile's border is, shift units from this one's; -1 where there is none.
func (t *tile) sampleAt(of *tile, node, shift [3]int32) int32 {
	x, y, z := node[0]*of.cell-shift[0], node[1]*of.cell-shift[1], node[2]*of.cell-shift[2]
	if (x|y|z)&(t.cell-1) != 0 {
		return -1
	}
	scale := bits.TrailingZeros32(uint32(t.cell)) & 31
	return t.f + x>>scale + (t.n+1)*(y>>scale+(t.n+1)*(z>>scale))
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
