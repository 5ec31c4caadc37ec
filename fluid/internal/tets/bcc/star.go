package bcc

// starTet is one of the 24 tetrahedra around a vertex of the uniform lattice: on which side along which axis it is, which of the twelve pairs of
// neighbours next to each other along an axis it has, and which tetrahedron of which face it is.
type starTet struct{ side, pair, face, tet uint8 }

// pairs are those neighbours, of eight at the corners of a cube, x fastest.
var pairs = func() (all [12][2]uint8) {
	for a := range 3 {
		for i := range 4 {
			low := uint8(i&1<<((a+1)%3) | i>>1<<((a+2)%3))
			all[4*a+i] = [2]uint8{low, low | 1<<a}
		}
	}
	return all
}()

// centreTets and cornerTets are the tetrahedra around a centre, by its six faces, low and high along each axis; and those around a corner of cells, by
// the twelve faces at it: per axis that they are across those low or high along the next two, the first fastest.
var centreTets, cornerTets = makeStar()

func makeStar() (centre, corner [24]starTet) {
	at := 0
	for c := range 3 { // along which the pair is
		for i := range 4 {
			a, b := (c+1)%3, (c+2)%3
			sides := [2]int{i & 1, i >> 1}
			for k, axis := range [2]int{a, b} {
				side := sides[1-k]
				t := starTet{side: uint8(2*axis + sides[k]), pair: uint8(4*c + i)}
				t.face, t.tet = t.side, uint8(edgeAt(axis, c, side))
				centre[at] = t
				// The tetrahedron around the edge along axis, between two centres along c.
				t.face, t.tet = uint8(4*c+i), uint8(edgeAt(c, axis, 1-side))
				corner[at] = t
				at++
			}
		}
	}
	return centre, corner
}

// plain writes the weights in the cell of a vertex of the uniform lattice at a place relative to it, in halves of a cell's edge.
func (s *Weights) plain(x *[3]float64, faces *[12]int32, tets *[24]starTet) {
	var side [6]float64
	var corner [8]float64
	for a := range 3 {
		side[2*a] = 1 / max(2+float64(2*x[a]), leastFactor)
		side[2*a+1] = 1 / max(2-float64(2*x[a]), leastFactor)
	}
	for i := range corner {
		h := 1.5
		for a := range 3 {
			if i>>a&1 == 1 {
				h -= x[a]
			} else {
				h += x[a]
			}
		}
		corner[i] = 1 / max(h, leastFactor)
	}
	var pair [12]float64
	for i, p := range pairs {
		pair[i] = corner[p[0]] * corner[p[1]]
	}
	sum := 0.
	for _, t := range tets {
		w := float64(side[t.side] * pair[t.pair])
		sum += w
		s.Tets = append(s.Tets, faces[t.face]+int32(t.tet))
		s.W = append(s.W, w)
	}
	s.scale(1 / sum)
}

func (s *Weights) scale(by float64) {
	for i := range s.W {
		s.W[i] *= by
	}
}

// plainAround takes the first tetrahedra of a cell's faces if all have four whole ones.
func (l *Lattice) plainAround(c *cell, faces *[12]int32) bool {
	n := 1 << l.blocks[c.b].level()
	for a := range 3 {
		t, code := l.face(c.b, a, c.x, n)
		if code != 0 {
			return false
		}
		faces[2*a] = t
		high := *c
		if high.x[a]++; high.x[a] == n {
			if l.blocks[c.b].neighbour(a, 1) != l.blocks[c.b].level() {
				return false
			}
			high.b, high.x[a] = l.beside(c.b, a), 0
		}
		if t, code = l.face(high.b, a, high.x, n); code != 0 {
			return false
		}
		faces[2*a+1] = t
	}
	return true
}

// plainCorner takes the faces at the corner of a cell that is nearest to a place relative to its centre, if all have four whole tetrahedra, and gives the place
// relative to that corner.
func (l *Lattice) plainCorner(c *cell, offset *[3]float64, faces *[12]int32) (from [3]float64, ok bool) {
	k := &l.blocks[c.b]
	level, n := k.level(), 1<<k.level()
	var at [3]int // of the cell high along all axes at the corner
	for a := range 3 {
		at[a] = c.x[a]
		from[a] = offset[a] + 1
		if offset[a] >= 0 {
			at[a]++
			from[a] = offset[a] - 1
		}
	}
	if min(at[0], at[1], at[2]) > 0 && max(at[0], at[1], at[2]) < n {
		return from, l.plainWithin(c.b, at, n, faces)
	}
	around := l.nearby(c.b)
	for a := range 3 {
		u, v := (a+1)%3, (a+2)%3
		for i := range 4 {
			x := at
			x[u] += i&1 - 1
			x[v] += i>>1 - 1
			slot := 13
			for d, s := range partStride {
				if x[d] < 0 {
					x[d], slot = n-1, slot-s
				} else if x[d] == n {
					x[d], slot = 0, slot+s
				}
			}
			if k.around[slot] != level {
				return from, false
			}
			t, code := l.face(around[slot], a, x, n)
			if code != 0 {
				return from, false
			}
			faces[4*a+i] = t
		}
	}
	return from, true
}

// plainWithin is plainCorner for a corner that isn't on the base cell's sides; at is the cell that has it for its low corner.
func (l *Lattice) plainWithin(b int32, at [3]int, n int, faces *[12]int32) bool {
	first, strides := l.TetRuns[b], [3]int{1, n, n * n}
	own := l.faces[l.blocks[b].faces:][:3*n*n*n]
	cell := at[0] + n*(at[1]+n*at[2])
	codes := uint32(0)
	for a := range 3 {
		du, dv, f := strides[(a+1)%3], strides[(a+2)%3], a*n*n*n+cell
		for i, k := range [4]int{f - du - dv, f - dv, f - du, f} {
			face := own[k]
			codes |= face
			faces[4*a+i] = first + int32(face>>codeBits)
		}
	}
	return codes&(1<<codeBits-1) == 0
}
