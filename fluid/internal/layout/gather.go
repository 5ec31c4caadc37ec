package layout

// Filling the velocity tiles. A component is filled in nine prisms along its axis: from the block's own
// faces and from those of eight neighbours. Most planes of a prism are stored like those inside of
// a block; those of the first and the last are found one by one where levels meet.

func (v *Velocity) gather(b int32, a int, same *copies) {
	g := v.g
	l := g.Cur.Level[b]
	n := 1 << l
	dst := v.component(l, g.Cur.First[b], a)
	step := [3]int{1, 3, 9}
	p, q := step[(a+1)%3], step[(a+2)%3]
	var rest [9]int // neighbours that not all is copied from
	count := 0
	for _, c := range [9]int{13, 13 - p, 13 + p, 13 - q, 13 + q, 13 - p - q, 13 + p - q, 13 - p + q, 13 + p + q} {
		nb := g.around[b][c]
		if nb == None {
			continue
		}
		if g.Cur.Level[nb] == l {
			same.add(&runs[a][l][c][0], v.faces[a], g.Cur.First[nb], n)
			beyond := g.Neighbour[nb][2*a+1]
			if beyond != None && g.Cur.Level[beyond] == l && g.stored(nb, a, 0) {
				same.add(&runs[a][l][c][1], v.faces[a], g.Cur.First[beyond], n)
				continue
			}
		}
		rest[count], count = c, count+1
	}
	same.fill(dst, n, a)
	for _, c := range rest[:count] {
		v.take(dst, b, c, a)
	}
	g.seal(b, dst, a, n)
}

// take fills what can't be copied of what a block's tile takes from a neighbour.
func (v *Velocity) take(dst []float32, b int32, c, a int) {
	g, nb := v.g, v.g.around[b][c]
	l, nl := g.Cur.Level[b], g.Cur.Level[nb]
	k := &patches[a][l][nl][c]
	if nl < l {
		k.blend(dst, v.component(nl, g.Cur.First[nb], a))
		return
	}
	last := k.plane << l
	if nl > l {
		v.average(dst, k.taken[:last], a, nl, int(g.Cur.First[nb]))
	}
	if !g.stored(nb, a, 0) {
		v.takeCoarse(dst, k.taken[:k.plane], a, nl-l, nl, nl, g.Cur.First[nb])
	}
	v.takeLast(dst, k.taken[last:], a, nl-l, nb)
}

// average fills places from faces that lie together from off on, of a finer block of level nl: with the mean
// of the middle four of those that make up one.
func (v *Velocity) average(dst []float32, list []taken, a int, nl uint8, off int) {
	src := v.faces[a][off:]
	p, q := 1<<(int(nl)*((a+1)%3)), 1<<(int(nl)*((a+2)%3))
	for _, e := range list {
		s := src[e.from:][:p+q+1]
		dst[e.to] = (s[0] + s[p] + s[q] + s[p+q]) * .25
	}
}

// takeLast fills the last plane, which is stored in the block beyond.
func (v *Velocity) takeLast(dst []float32, list []taken, a int, finer uint8, nb int32) {
	beyond := v.g.Neighbour[nb][2*a+1]
	if beyond == None {
		for _, e := range list {
			dst[e.to] = 0
		}
		return
	}
	first, l, bl := v.g.Cur.First[beyond], v.g.Cur.Level[nb], v.g.Cur.Level[beyond]
	switch {
	case bl == l && finer == 0:
		src := v.faces[a][first:]
		for _, e := range list {
			dst[e.to] = src[e.from]
		}
	case bl == l:
		v.average(dst, list, a, l, int(first))
	default:
		v.takeCoarse(dst, list, a, finer, l, bl, first)
	}
}

// coarseSlots tell where the face before a cell on a block's low side is stored, by the level of the block, that of the
// block it is stored in, and the cell. Between levels a face has the coarser block's size and lies at the even cells of a
// finer one; of equal levels the block's own are meant, towards a coarser neighbour.
var coarseSlots = makeCoarseSlots()

func makeCoarseSlots() (all [MaxLevel + 1][MaxLevel + 1][]uint16) {
	for from := range all {
		for to := range all[from] {
			down, up := 0, 0
			if to <= from {
				down = 1
			}
			if to >= from {
				up = 1
			}
			mask := 1<<from - 1
			for c := range 1 << (3 * from) {
				x, y, z := c&mask>>down<<up, c>>from&mask>>down<<up, c>>from>>from>>down<<up
				all[from][to] = append(all[from][to], uint16(x+(y+z<<to)<<to))
			}
		}
	}
	return all
}

// takeCoarse is average for a plane between blocks of different levels, whose faces are a block's of level from, stored
// from first on in one of level to.
func (v *Velocity) takeCoarse(dst []float32, list []taken, a int, finer, from, to uint8, first int32) {
	src, slot := v.faces[a][first:], coarseSlots[from][to]
	if finer == 0 {
		for _, e := range list {
			dst[e.to] = src[slot[e.from]]
		}
		return
	}
	p, q := 1<<(int(from)*((a+1)%3)), 1<<(int(from)*((a+2)%3))
	for _, e := range list {
		s := slot[e.from:][:p+q+1]
		dst[e.to] = (src[s[0]] + src[s[p]] + src[s[q]] + src[s[p+q]]) * .25
	}
}

// stored tells whether a plane below n is stored in front of the block's own cells.
func (g *Grid) stored(b int32, axis, plane int) bool {
	nb := g.Neighbour[b][2*axis]
	return plane > 0 || nb == None || g.Cur.Level[nb] >= g.Cur.Level[b]
}

// FacePlane tells whether the faces of a plane, 0 to n along the axis of a block in Cur, are
// stored like those inside of the block, and if so in front of which cell.
func (g *Grid) FacePlane(b int32, axis, plane int) (off int, ok bool) {
	m := &g.Cur
	l := m.Level[b]
	switch n := 1 << l; plane {
	case 0:
		return int(m.First[b]), g.stored(b, axis, 0)
	case n:
		nb := g.Neighbour[b][2*axis+1]
		if nb == None || m.Level[nb] != l {
			return 0, false
		}
		return int(m.First[nb]), true
	}
	return int(m.First[b]) + plane<<(int(l)*axis), true
}
