package grid

// Filling the velocity tiles. A tile is filled in nine prisms along its axis: the block's own
// faces and, beside them, those of eight neighbours. Most planes of a prism lie together in the
// face storage and are copied in loops; the rest are looked up one by one.

// prism is the part of a block's tile that lies towards one neighbour, across the axis.
type prism struct {
	a, p, q int // the axis and the two across
	n       int // of the tile's block
	r       region
	level   uint8 // of the neighbour
	nb      int   // n of the neighbour
	op, oq  int   // which neighbour
	pLo, pHi,
	qLo, qHi int // its places across, in the tile block's faces
	dst           []float32
	start         int // place in dst of face (0, 0, 0)
	along, sp, sq int // strides in dst
	fromP, fromQ  int // strides in the neighbour's storage
}

func (v *Velocity) gather(b int32, a int) {
	g := v.g
	l, first := g.Cur.Level[b], g.Cur.First[b]
	n := 1 << l
	d := dims(n, a)
	stride := [3]int{1, d[0], d[0] * d[1]}
	k := prism{a: a, p: (a + 1) % 3, q: (a + 2) % 3, n: n, dst: v.component(l, first, a)}
	k.along, k.sp, k.sq = stride[a], stride[k.p], stride[k.q]
	k.start = k.sp + k.sq
	for k.oq = -1; k.oq <= 1; k.oq++ {
		k.qLo, k.qHi = span(k.oq, n)
		for k.op = -1; k.op <= 1; k.op++ {
			k.pLo, k.pHi = span(k.op, n)
			var o [3]int
			o[k.p], o[k.q] = k.op, k.oq
			k.r = g.region(b, o[0], o[1], o[2])
			k.level = g.Cur.Level[k.r.base]
			k.nb = 1 << k.level
			from := [3]int{1, k.nb, k.nb * k.nb}
			k.fromP, k.fromQ = from[k.p], from[k.q]
			whole := k.level == l && k.r.o == o
			if whole {
				v.gatherBlock(&k, d, o)
			}
			for plane := range n + 1 {
				if whole && plane < n && v.g.stored(k.r.base, a, plane) {
					continue
				}
				v.gatherPlane(&k, l, plane)
			}
		}
	}
}

// gatherBlock copies, row by row, the faces in front of the cells of a neighbour of the same level.
func (v *Velocity) gatherBlock(k *prism, d, o [3]int) {
	n, from := k.n, int(v.g.Cur.First[k.r.base])
	lo, hi := [3]int{}, [3]int{n, n, n}
	lo[k.p], hi[k.p], lo[k.q], hi[k.q] = k.pLo, k.pHi, k.qLo, k.qHi
	count := hi[0] - lo[0]
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			src := v.faces[k.a][from+lo[0]-o[0]*n+n*(y-o[1]*n+n*(z-o[2]*n)):][:count]
			dst := k.dst[k.start+lo[0]+d[0]*(y+d[1]*z):][:count]
			for i, u := range src {
				dst[i] = float32(u)
			}
		}
	}
}

// inner is where a place across the prism, -1 to n, lies within the neighbour.
func (k *prism) inner(s, o int) int { return clampInt(s-o*k.n, k.n-1) }

func (v *Velocity) gatherPlane(k *prism, l uint8, plane int) {
	switch {
	case k.level == l:
		if off, ok := v.g.FacePlane(k.r.base, k.a, plane); ok {
			k.copy(plane, v.faces[k.a], off)
			return
		}
	case k.level > l:
		if off, ok := v.g.FacePlane(k.r.base, k.a, plane<<(k.level-l)); ok {
			k.average(plane, v.faces[k.a], off, 1<<(k.level-l))
			return
		}
	default:
		v.blend(k, plane)
		return
	}
	var at [3]int
	for q := k.qLo; q < k.qHi; q++ {
		for p := k.pLo; p < k.pHi; p++ {
			at[k.a], at[k.p], at[k.q] = plane, k.inner(p, k.r.o[k.p]), k.inner(q, k.r.o[k.q])
			to := &k.dst[k.start+plane*k.along+p*k.sp+q*k.sq]
			if k.level == l {
				*to = v.faceValue(k.r.base, k.a, at[0], at[1], at[2])
			} else {
				*to = v.mean(k.r.base, k.a, at, 1<<(k.level-l))
			}
		}
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

// copy takes a plane from a neighbour of the same level, from off in the face storage.
func (k *prism) copy(plane int, faces []float64, off int) {
	for q := k.qLo; q < k.qHi; q++ {
		from := off + k.inner(q, k.r.o[k.q])*k.fromQ
		to := k.start + plane*k.along + q*k.sq
		for p := k.pLo; p < k.pHi; p++ {
			k.dst[to+p*k.sp] = float32(faces[from+k.inner(p, k.r.o[k.p])*k.fromP])
		}
	}
}

// average takes a plane from a neighbour r times finer: of each r² faces the mean of the middle four.
func (k *prism) average(plane int, faces []float64, off, r int) {
	h := r/2 - 1
	for q := k.qLo; q < k.qHi; q++ {
		from := off + (k.inner(q, k.r.o[k.q])*r+h)*k.fromQ
		to := k.start + plane*k.along + q*k.sq
		for p := k.pLo; p < k.pHi; p++ {
			i := from + (k.inner(p, k.r.o[k.p])*r+h)*k.fromP
			k.dst[to+p*k.sp] = float32((faces[i] + faces[i+k.fromP] + faces[i+k.fromQ] + faces[i+k.fromP+k.fromQ]) / 4)
		}
	}
}

// blend samples a plane in the tile of a coarser neighbour, which is full by now.
func (v *Velocity) blend(k *prism, plane int) {
	d := dims(k.nb, k.a)
	stride := [3]int{1, d[0], d[0] * d[1]}
	t := v.component(k.level, v.g.Cur.First[k.r.base], k.a)
	s := float32(k.nb) / float32(k.n)
	x := float32(plane) * s
	i := min(int(x), k.nb-1)
	w := x - float32(i)
	for q := k.qLo; q < k.qHi; q++ {
		y := (float32(k.inner(q, k.r.o[k.q]))+.5)*s + .5
		j := int(y)
		wq := y - float32(j)
		to := k.start + plane*k.along + q*k.sq
		for p := k.pLo; p < k.pHi; p++ {
			z := (float32(k.inner(p, k.r.o[k.p]))+.5)*s + .5
			m := int(z)
			wp := z - float32(m)
			c := t[i*stride[k.a]+j*stride[k.q]+m*stride[k.p]:]
			k.dst[to+p*k.sp] = corner(c, stride[k.p], stride[k.q], stride[k.a], wp, wq, w)
		}
	}
}

// corner blends the cube of eight values that starts at t.
func corner(t []float32, dx, dy, dz int, u, v, w float32) float32 {
	_ = t[dz+dy+dx]
	a := t[0] + u*(t[dx]-t[0])
	b := t[dy] + u*(t[dy+dx]-t[dy])
	c := t[dz] + u*(t[dz+dx]-t[dz])
	d := t[dz+dy] + u*(t[dz+dy+dx]-t[dz+dy])
	a += v * (b - a)
	c += v * (d - c)
	return a + w*(c-a)
}
