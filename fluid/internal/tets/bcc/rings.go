package bcc

// cell is one of the layout's cells: its base cell and its places in that.
type cell struct {
	b int32
	x [3]int
}

// facing is a face as one of its cells sees it.
type facing struct {
	first [4]int32  // its first tetrahedron; of a larger face per quarter
	tets  *[8]uint8 // of faces between cells of one size: per octant the one next to the edge
	inner *[8]uint8 // and the one next to the face's middle
	own   int32     // of small faces: 2 if the cell is the high one
	small uint8     // of a small cell's face: its quarter of the larger one
	large bool      // it is the larger cell's
}

// at are the tetrahedra that fill an octant: next to the face's edge, and next to its middle.
func (f *facing) at(octant int) (outer, inner int32) {
	if f.tets != nil {
		return f.first[0] + int32(f.tets[octant&7]), f.first[0] + int32(f.inner[octant&7])
	}
	quarter := int(f.small)
	if f.large {
		quarter = (octant + 1) >> 1 & 3
	}
	t := f.first[quarter&3] + f.own + int32(halfOf(quarter, octant>>1))
	return t, t
}

// plain is a face between cells of one size.
func (f *facing) plain(t int32, code faceCode, high bool) {
	tets := &ofCode[code]
	f.first[0], f.tets, f.inner = t, &tets.low, &tets.inner
	if high {
		f.tets = &tets.high
	}
}

// look is the face of a cell across an axis, on its low or high side.
func (l *Lattice) look(c *cell, axis, side int) (f facing) {
	k := &l.blocks[c.b]
	n := 1 << k.level()
	i, j, plane := across(axis, c.x[0], c.x[1], c.x[2])
	if side == 0 {
		t, code := l.face(c.b, axis, c.x, n)
		f.own = 2
		switch code {
		case highSmall:
			f.small = uint8(cornerOf[i&1][j&1])
			f.first[f.small&3] = t
		case lowSmall:
			f.large, f.first = true, [4]int32{t, t + 4, t + 8, t + 12}
		default:
			f.plain(t, code, true)
		}
		return f
	}
	if plane+1 < n {
		x := c.x
		x[axis]++
		t, code := l.face(c.b, axis, x, n)
		f.plain(t, code, false)
		return f
	}
	switch nb := k.neighbour(axis, 1); {
	case nb < 0:
		t, code := l.highFace(c.b, axis, i, j, n)
		f.plain(t, code, false)
	case nb > k.level():
		f.large = true
		for q := range 4 {
			f.first[q], _ = l.face(l.beside(c.b, axis), axis, placed(axis, 2*i+cornerU[q], 2*j+cornerV[q], 0), 2*n)
		}
	case nb < k.level():
		f.small = uint8(cornerOf[i&1][j&1])
		t, _ := l.face(l.beside(c.b, axis), axis, placed(axis, i/2, j/2, 0), n/2)
		f.first[f.small&3] = t + 4*int32(f.small)
	default:
		t, code := l.face(l.beside(c.b, axis), axis, placed(axis, i, j, 0), n)
		f.plain(t, code, false)
	}
	return f
}

// tetAt is the tetrahedron next to the edge at an octant of a cell's face across an axis.
func (l *Lattice) tetAt(c *cell, axis, side, octant int) int32 {
	f := l.look(c, axis, side)
	t, _ := f.at(octant)
	return t
}

// face are the first tetrahedron and the code of the low face of a cell of a base cell with n along it.
func (l *Lattice) face(b int32, axis int, x [3]int, n int) (int32, faceCode) {
	f := l.faces[int(l.blocks[b].faces)+axis*n*n*n+x[0]+n*(x[1]+n*x[2])]
	return l.TetRuns[b] + int32(f>>codeBits), f & (1<<codeBits - 1)
}

// highFace is that of a face on the layout's high side.
func (l *Lattice) highFace(b int32, axis, i, j, n int) (int32, faceCode) {
	f := l.faces[l.highFaces(b, axis, n)+i+n*j]
	return l.TetRuns[b] + int32(f>>codeBits), f & (1<<codeBits - 1)
}

// highFaces is the first entry of faces of those on the layout's high side.
func (l *Lattice) highFaces(b int32, axis, n int) int {
	k := &l.blocks[b]
	at := int(k.faces) + 3*n*n*n
	for a := range axis {
		if k.neighbour(a, 1) < 0 {
			at += n * n
		}
	}
	return at
}

// beside is the base cell on the high side along an axis.
func (l *Lattice) beside(b int32, axis int) int32 { return l.nearby(b)[13+partStride[axis]] }

// turn is an octant of one of a cell's faces, low and high along each axis.
type turn struct{ axis, side, octant int }

// aroundCorner are the octants around the line from a cell's centre to its corners, x fastest, counter-clockwise as the corner sees it.
var aroundCorner = makeAroundCorner()

func makeAroundCorner() (all [8][6]turn) {
	for c := range all {
		s := [3]int{c & 1, c >> 1 & 1, c >> 2}
		for i, p := range [6][2]int{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 0}, {0, 2}} {
			at := i
			if (s[0]+s[1]+s[2])%2 == 0 { // an odd number of low sides mirrors it
				at = 5 - i
			}
			a, along := p[0], p[1]
			corner := cornerOf[s[(a+1)%3]][s[(a+2)%3]]
			// The octant at the corner next to the edge on the side along the second axis.
			edge := [2][2]int{{3, 1}, {0, 2}}[(along-a+2)%3][s[along]]
			octant := 2 * corner
			if edge != corner {
				octant = (2*corner + 7) & 7
			}
			all[c][at] = turn{a, s[a], octant}
		}
	}
	return all
}

// put appends a tetrahedron to a ring if it isn't the last there.
func put(ring []int32, t int32) []int32 {
	if len(ring) > 0 && ring[len(ring)-1] == t {
		return ring
	}
	return append(ring, t)
}

// closed is a ring without a last one that is the first again.
func closed(ring []int32) []int32 {
	if n := len(ring); n > 1 && ring[n-1] == ring[0] {
		return ring[:n-1]
	}
	return ring
}

// faces are those of a cell, low and high along each axis.
type faces [6]facing

// lookAround finds all faces of a cell.
func (l *Lattice) lookAround(c *cell, f *faces) {
	for i := range f {
		f[i] = l.look(c, i/2, i%2)
	}
}

// cornerRing is that around the line from a cell's centre to a corner.
func (f *faces) cornerRing(ring []int32, corner int) []int32 {
	for _, t := range &aroundCorner[corner] {
		outer, _ := f[2*t.axis+t.side].at(t.octant)
		ring = put(ring, outer)
	}
	return closed(ring)
}

// edgeRing is that around the line from a cell's centre to the middle of an edge along an axis, at sides along the next two.
func (f *faces) edgeRing(ring []int32, axis, su, sv int) []int32 {
	u, v := (axis+1)%3, (axis+2)%3
	onU, onV := edgeAt(u, axis, sv), edgeAt(v, axis, su)
	around := [4]turn{
		{u, su, halfAt(onU, 1)}, {u, su, halfAt(onU, 0)}, {v, sv, halfAt(onV, 0)}, {v, sv, halfAt(onV, 1)},
	}
	mirrored := su != sv
	for i := range 4 {
		t := around[i]
		if mirrored {
			t = around[3-i]
		}
		outer, inner := f[2*t.axis+t.side].at(t.octant)
		if i%2 == 0 {
			ring = put(put(ring, outer), inner)
		} else {
			ring = put(put(ring, inner), outer)
		}
	}
	return closed(ring)
}

// ring is that around the line from a cell's centre through the middle of a face, counter-clockwise as the high side sees it.
func (f *facing) ring(ring []int32) []int32 {
	for o := range 8 {
		_, inner := f.at(o)
		ring = put(ring, inner)
	}
	return closed(ring)
}

// edgeAt is the edge of a face across an axis that is along another, on the low or high side of the third.
func edgeAt(face, along, side int) int {
	if along == (face+1)%3 {
		return 2 * side
	}
	return 3 - 2*side
}

// halfAt is the octant at the low or high half of an edge.
func halfAt(edge, high int) int {
	if edge >= 2 {
		high = 1 - high
	}
	return 2*edge + high
}
