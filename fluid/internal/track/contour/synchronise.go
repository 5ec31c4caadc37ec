package contour

import "github.com/meniscus3d/meniscus/fluid/internal/par"

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
	l := s.l
	dst, n := l.samples(t), t.n+1
	t.knowsMore = false
	for r := range 27 {
		if r == 13 || !s.ownedElsewhere(t, r) {
			continue
		}
		lo, hi := borderPart(t.n, r)
		var o *tile
		var at, first int32
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				for x := lo[0]; x < hi[0]; x++ {
					if t.mixed || o == nil {
						o, at = s.nodeOwner(t, r, [3]int32{x, y, z})
						first = at - (x + n*(y+n*z))
					}
					if o == nil {
						continue
					}
					if !t.mixed {
						at = first + x + n*(y+n*z) // tiles of one level have their nodes in the same order
					}
					// Where only one of the two knows more than the side, that one is right.
					switch v, own := l.f[at], &dst[x+n*(y+n*z)]; {
					case o.knows(v) || !t.knows(*own) || signs && (v < 0) != (*own < 0):
						*own = v
					default:
						t.knowsMore = true
					}
				}
			}
		}
	}
}

// askOthers writes the samples that a tile owns and knows no more of than the side, where a tile after it does.
func (s *seams) askOthers(_ int, i int32) {
	l := s.l
	t := &l.tiles[i]
	t.corrected = false
	for r := range 27 {
		if r == 13 || !s.knownElsewhere(t, r) {
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
					if v, known := s.valueElsewhere(t, r, [3]int32{x, y, z}); known {
						far := float32(farCells) * float32(t.cell)
						*own, t.corrected = max(-far, min(v, far)), true
					}
				}
			}
		}
	}
}

// knownElsewhere tells whether a tile after this one is beside a part of its border and knows more of some sample than its owner.
func (s *seams) knownElsewhere(t *tile, r int) bool {
	d := partOffset(r)
	for k := 1; k < 8; k++ {
		if o, _ := s.besidePart(t, d, k); o != nil && o.base > t.base && o.knowsMore {
			return true
		}
	}
	return false
}

// valueElsewhere is what the first tile that knows more than the side of a node has there. known is false where there is none or the node isn't the tile's own.
func (s *seams) valueElsewhere(t *tile, r int, node [3]int32) (value float32, known bool) {
	d := partOffset(r)
	var best *tile
	for k := 1; k < 8; k++ {
		o, shift := s.besidePart(t, d, k)
		if o == nil {
			continue
		}
		at := o.sampleAt(t, node, shift)
		switch {
		case at < 0:
		case o.base < t.base:
			return 0, false
		case o.knows(s.l.f[at]) && (best == nil || o.base < best.base):
			best, value = o, s.l.f[at]
		}
	}
	return value, best != nil
}

// ownedElsewhere tells whether a tile before this one is beside a part of its border.
func (s *seams) ownedElsewhere(t *tile, r int) bool {
	d := partOffset(r)
	for k := 1; k < 8; k++ {
		if o, _ := s.besidePart(t, d, k); o != nil && o.base < t.base {
			return true
		}
	}
	return false
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
	return t.f + x/t.cell + (t.n+1)*(y/t.cell+(t.n+1)*(z/t.cell))
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
func (s *seams) nodeOwner(t *tile, r int, node [3]int32) (owner *tile, at int32) {
	d := partOffset(r)
	best := t
	for k := 1; k < 8; k++ {
		o, shift := s.besidePart(t, d, k)
		if o == nil || o.base >= best.base {
			continue
		}
		if i := o.sampleAt(t, node, shift); i >= 0 {
			best, at = o, i
		}
	}
	if best == t {
		return nil, 0
	}
	return best, at
}
