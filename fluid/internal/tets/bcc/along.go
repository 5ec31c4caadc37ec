package bcc

// Around an edge along an axis, with u and v the next two, are four cells: high along both, low along u, low along both, low along v. Between each and the next is
// the face in direction v, -u, -v and u from the edge.
var quadU, quadV = [4]int{0, -1, -1, 0}, [4]int{0, 0, -1, -1}

// addAlong writes the edges along an axis on a part of the base cell.
func (w *window) addAlong(e int32, a, p int, s *sizes) int32 {
	stride := w.fine >> w.k.finest[p]
	var lo, hi [3]int
	for i := range 3 {
		lo[i], hi[i], _ = w.run(p/partStride[i]%3, stride)
	}
	lo[a], hi[a] = 0, w.fine-1
	own := w.k.finest[p] == w.k.level()
	for z := lo[2]; z <= hi[2]; z += stride {
		for y := lo[1]; y <= hi[1]; y += stride {
			for x := lo[0]; x <= hi[0]; x += stride {
				at := [3]int{x, y, z}
				if !own || !w.addPlainAlong(e, a, at, stride, s) {
					w.addMixedAlong(e, a, at, stride)
				}
				e++
			}
		}
	}
	return e
}

// addPlainAlong writes an edge between plain faces, if it is, and tells whether.
func (w *window) addPlainAlong(e int32, a int, at [3]int, stride int, s *sizes) bool {
	u, v := (a+1)%3, (a+2)%3
	x := [3]int{at[0] / stride, at[1] / stride, at[2] / stride}
	if x[u] == w.n || x[v] == w.n {
		return false
	}
	xu, xv := x, x
	xu[u]--
	xv[v]--
	t0, t1 := w.plainAt(u, x[0], x[1], x[2]), w.plainAt(v, xu[0], xu[1], xu[2])
	t2, t3 := w.plainAt(u, xv[0], xv[1], xv[2]), w.plainAt(v, x[0], x[1], x[2])
	if min(t0, t1, t2, t3) < 0 {
		return false
	}
	p := [3]int{x[0] * w.size, x[1] * w.size, x[2] * w.size}
	p[a] += w.size / 2
	to := at
	to[a] += stride
	l := w.l
	l.Ends[e] = [2]int32{w.cornerAt(at[0], at[1], at[2]), w.cornerAt(to[0], to[1], to[2])}
	l.Dist[e], l.Area[e], l.Middle[e] = s.along, s.square, w.position(&p)
	l.RingRuns[e] = int32(len(w.rings))
	w.rings = append(w.rings, t0+3, t1+2, t2+1, t3)
	return true
}

// around is a cell next to an edge.
type around struct {
	cell
	level  int8
	centre int32
	within bool // the layout
}

// addMixedAlong writes any edge, from a place in steps.
func (w *window) addMixedAlong(e int32, a int, at [3]int, stride int) {
	u, v := (a+1)%3, (a+2)%3
	var cells [4]around
	for i := range cells {
		x := at
		x[u] += quadU[i]
		x[v] += quadV[i]
		cells[i] = w.around(x)
	}
	first := 0 // the face that an open ring begins at
	for i := range cells {
		if !between(&cells[(i+3)&3], &cells[i]) && between(&cells[i], &cells[(i+1)&3]) {
			first = i
		}
	}
	w.ring = w.ring[:0]
	for i := range cells {
		i = (i + first) & 3
		if p, q := &cells[i], &cells[(i+1)&3]; between(p, q) && p.centre != q.centre {
			w.addTurn(p, q, a, i, at, stride)
		}
	}
	w.ring = closed(w.ring)
	if u, v := sideAt(w, u, at), sideAt(w, v, at); u >= 0 && v >= 0 {
		w.ring = append(w.ring, w.l.onEdge(w.b, a, u, v, at[a]/stride))
	}
	to := at
	to[a] += stride
	p, q := at, to
	for i := range 3 {
		p[i] *= w.step
		q[i] *= w.step
	}
	w.addEdge(e, [2]int32{w.cornerAt(at[0], at[1], at[2]), w.cornerAt(to[0], to[1], to[2])}, &p, &q)
}

// sideAt is the layout's side along an axis that a place in steps is on, or -1.
func sideAt(w *window, axis int, at [3]int) int {
	for side := range 2 {
		if at[axis] == side*w.fine && w.k.neighbour(axis, side) < 0 {
			return side
		}
	}
	return -1
}

// between tells whether there are tetrahedra between two cells: each is there, and one is within the layout.
func between(p, q *around) bool { return p.centre >= 0 && q.centre >= 0 && (p.within || q.within) }

// around is the cell that has a step.
func (w *window) around(x [3]int) (c around) {
	c.centre = w.centreAt(x[0], x[1], x[2])
	slot := 13
	for a, s := range partStride {
		if x[a] < 0 {
			slot -= s
		} else if x[a] == w.fine {
			slot += s
		}
	}
	if c.b = w.l.nearby(w.b)[slot]; c.b < 0 {
		return c
	}
	c.within, c.level = true, w.k.around[slot]
	for a := range 3 {
		c.x[a] = x[a] & (w.fine - 1) << c.level / w.fine
	}
	return c
}

// turns are the faces around an edge: across which of the next two axes each is, on which side of the first cell it is, on which of the second, and which of its
// edges the edge is.
var turns = [4]struct{ across, first, second, edge int }{{1, 0, 1, 3}, {2, 0, 1, 2}, {1, 1, 0, 1}, {2, 1, 0, 0}}

// addTurn appends the tetrahedra of the face between two cells to the ring around an edge along an axis at a place in steps; turn is which of the four faces it is.
func (w *window) addTurn(p, q *around, a, turn int, at [3]int, stride int) {
	l, on := w.l, &turns[turn]
	axis := (a + on.across) % 3
	level := p.level
	if !p.within {
		level = q.level
	}
	high := 0 // half of the cells' edge, where that is bisected
	if w.fine>>level > stride {
		high = at[a] / stride & 1
	}
	octant := halfAt(on.edge, high)
	switch {
	case !p.within:
		t := l.tetAt(&q.cell, axis, on.second, octant)
		if l.Shapes[t] == Tip {
			w.ring = append(w.ring, l.belowTip(q.b, 2*axis+on.second, (octant+1)>>1&3))
		}
		w.ring = put(w.ring, t)
	case !q.within:
		t := l.tetAt(&p.cell, axis, on.first, octant)
		w.ring = put(w.ring, t)
		if l.Shapes[t] == Tip {
			w.ring = append(w.ring, l.belowTip(p.b, 2*axis+on.first, (octant+1)>>1&3))
		}
	case p.level > q.level:
		t := l.tetAt(&p.cell, axis, on.first, octant)
		w.ring = put(put(w.ring, t), t+partner(on.first))
	case p.level < q.level:
		t := l.tetAt(&q.cell, axis, on.second, octant)
		w.ring = put(put(w.ring, t+partner(on.second)), t)
	default:
		t := l.tetAt(&p.cell, axis, on.first, octant)
		w.ring = put(w.ring, t)
		if l.Shapes[t] == Tip {
			w.ring = append(w.ring, l.tetAt(&q.cell, axis, on.second, octant))
		}
	}
}

// partner is from a small cell's tetrahedron at a face, on the cell's low or high side, to that of the larger cell.
func partner(side int) int32 {
	if side == 0 {
		return -2
	}
	return 2
}

// addDiagonals writes the edges across faces: from larger faces' middles to their corners, and between the middles of two edges of a face.
func (w *window) addDiagonals(e int32) int32 {
	n := w.n
	faces := w.l.faces[w.k.faces:][:w.k.count.faces]
	f := 0
	for a := range 3 {
		for z := range n {
			for y := range n {
				for x := range n {
					i, j, p := across(a, x, y, z)
					e = w.addDiagonalsOf(e, faces[f], a, i, j, p)
					f++
				}
			}
		}
	}
	for a := range 3 {
		if w.k.neighbour(a, 1) < 0 {
			for j := range n {
				for i := range n {
					e = w.addDiagonalsOf(e, faces[f], a, i, j, n)
					f++
				}
			}
		}
	}
	return e
}

// addDiagonalsOf writes those of a face.
func (w *window) addDiagonalsOf(e int32, face uint32, axis, i, j, plane int) int32 {
	t, code := w.l.TetRuns[w.b]+int32(face>>codeBits), face&(1<<codeBits-1)
	switch {
	case code&15 == 0 && code < highSmall:
	case code == highSmall:
		w.addDiagonal(e, t, axis, i, j, plane, w.fine/w.n, cornerOf[i&1][j&1])
		e++
	case code == lowSmall:
		for quarter := range 4 {
			w.addDiagonal(e, t, axis, 2*i+cornerU[quarter], 2*j+cornerV[quarter], 2*plane, 1, quarter)
			t += 4
			e++
		}
	default:
		for corner := range 4 {
			if tipped(code, corner) {
				w.addAcross(e, t, code, axis, i, j, plane, corner)
				e++
			}
		}
	}
	return e
}

// addDiagonal writes that of a small face, whose place is given in lengths of it, which is some steps.
func (w *window) addDiagonal(e, t int32, axis, i, j, plane, steps, quarter int) {
	m := quarter ^ 2
	p := placed(axis, (i+cornerU[m])*steps, (j+cornerV[m])*steps, plane*steps)
	q := placed(axis, (i+cornerU[quarter])*steps, (j+cornerV[quarter])*steps, plane*steps)
	ends := [2]int32{w.cornerAt(p[0], p[1], p[2]), w.cornerAt(q[0], q[1], q[2])}
	for x := range 3 {
		p[x] *= w.step
		q[x] *= w.step
	}
	w.ring = append(w.ring[:0], t, t+1, t+3, t+2)
	w.addEdge(e, ends, &p, &q)
}

// addAcross writes the edge between the middles of the two edges of a face at one of its corners.
func (w *window) addAcross(e, t int32, code faceCode, axis, i, j, plane, corner int) {
	h := w.size / 2
	x := placed(axis, i*w.size+h, j*w.size+h, plane*w.size)
	p, q := x, x
	u, v, before := (axis+1)%3, (axis+2)%3, (corner+3)&3
	p[u] += sideU[before] * h
	p[v] += sideV[before] * h
	q[u] += sideU[corner] * h
	q[v] += sideV[corner] * h
	d := w.step
	ends := [2]int32{w.cornerAt(p[0]/d, p[1]/d, p[2]/d), w.cornerAt(q[0]/d, q[1]/d, q[2]/d)}
	tets := &ofCode[code]
	core, low, high := t+int32(tets.inner[2*corner]), t+int32(tets.low[2*corner]), t+int32(tets.high[2*corner])
	switch code >> 4 {
	case lowGhost:
		w.ring = append(w.ring[:0], core, high, w.l.belowTip(w.b, 2*axis, corner))
	case highGhost:
		w.ring = append(w.ring[:0], w.l.belowTip(w.b, 2*axis+1, corner), low, core)
	default:
		w.ring = append(w.ring[:0], core, high, low)
	}
	w.addEdge(e, ends, &p, &q)
}
