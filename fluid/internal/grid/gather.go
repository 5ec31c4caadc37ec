package grid

// Filling the velocity tiles. A component is filled in nine prisms along its axis: from the block's own
// faces and from those of eight neighbours. Most planes of a prism are stored like those inside of
// a block; those of the first and the last are found one by one where levels meet.

func (v *Velocity) gather(b int32, a int) {
	g := v.g
	l := g.Cur.Level[b]
	n := 1 << l
	dst := v.component(l, g.Cur.First[b], a)
	step := [3]int{1, 3, 9}
	p, q := step[(a+1)%3], step[(a+2)%3]
	for _, c := range [9]int{13, 13 - p, 13 + p, 13 - q, 13 + q, 13 - p - q, 13 + p - q, 13 - p + q, 13 + p + q} {
		nb := g.around[b][c]
		if nb == None {
			continue
		}
		nl := g.Cur.Level[nb]
		if nl == l {
			boxes[a][l][c][0].copy(dst, v.faces[a][g.Cur.First[nb]:], n, a)
			beyond := g.Neighbour[nb][2*a+1]
			if beyond != None && g.Cur.Level[beyond] == l && g.stored(nb, a, 0) {
				boxes[a][l][c][1].copy(dst, v.faces[a][g.Cur.First[beyond]:], n, a)
				continue
			}
		}
		k := &patches[a][l][nl][c]
		if nl < l {
			k.blend(dst, v.component(nl, g.Cur.First[nb], a))
			continue
		}
		last := k.plane * n
		if nl > l {
			v.average(dst, k.taken[:last], a, nl, int(g.Cur.First[nb]))
		}
		if !g.stored(nb, a, 0) {
			v.takeCoarse(dst, k.taken[:k.plane], a, nl-l, evenFaces(nl, g.Cur.First[nb]))
		}
		v.takeLast(dst, k.taken[last:], a, nl-l, nb)
	}
	g.seal(b, dst, a, n)
}

// average fills places from faces that lie together from off on, of a finer block of level nl: with the mean
// of the middle four of those that make up one.
func (v *Velocity) average(dst []float32, list []taken, a int, nl uint8, off int) {
	src := v.faces[a][off:]
	p, q := 1<<(int(nl)*((a+1)%3)), 1<<(int(nl)*((a+2)%3))
	for _, e := range list {
		s := src[e.from:]
		dst[e.to] = (s[0] + s[p] + s[q] + s[p+q]) / 4
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
		for _, e := range list {
			dst[e.to] = v.faces[a][first:][e.from]
		}
	case bl == l:
		v.average(dst, list, a, l, int(first))
	case bl > l:
		v.takeCoarse(dst, list, a, finer, coarseFaces{first: int(first), from: l, to: bl, up: 1})
	default:
		v.takeCoarse(dst, list, a, finer, coarseFaces{first: int(first), from: l, to: bl, down: 1})
	}
}

// coarseFaces is how a block of level from finds the faces that it shares with a block of another level: a
// face's coordinates are halved or doubled, or both, in the storage of a block of level to.
type coarseFaces struct {
	first    int
	from, to uint8
	down, up uint8
}

// evenFaces are those on a block's own low side towards a coarser one.
func evenFaces(l uint8, first int32) coarseFaces {
	return coarseFaces{int(first), l, l, 1, 1}
}

// slot is where the face before cell c of the block is stored.
func (k *coarseFaces) slot(c int) int {
	from, to, down, up := k.from&7, k.to&7, k.down&1, k.up&1
	mask := 1<<from - 1
	x, y, z := c&mask>>down<<up, c>>from&mask>>down<<up, c>>from>>from>>down<<up
	return k.first + x + (y+z<<to)<<to
}

// takeCoarse is average for a plane between blocks of different levels.
func (v *Velocity) takeCoarse(dst []float32, list []taken, a int, finer uint8, k coarseFaces) {
	src := v.faces[a]
	p, q := 1<<(int(k.from)*((a+1)%3)), 1<<(int(k.from)*((a+2)%3))
	for _, e := range list {
		c := int(e.from)
		u := src[k.slot(c)]
		if finer > 0 {
			u += src[k.slot(c+p)]
			u += src[k.slot(c+q)]
			u += src[k.slot(c+p+q)]
			u /= 4
		}
		dst[e.to] = u
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
