package bcc

// directions along edges of faces, from corner i to i+1, and from the middle to edge i, along u and v.
var (
	edgeU, edgeV = [4]int{1, 0, -1, 0}, [4]int{0, 1, 0, -1}
	sideU, sideV = [4]int{0, 1, 0, -1}, [4]int{-1, 0, 1, 0}
)

// fillFaces numbers the base cell's tetrahedra: it writes faces.
func (l *Lattice) fillFaces(k *block) {
	n := 1 << k.level()
	at := int32(0)
	faces := l.faces[k.faces:][:k.count.faces]
	f := 0
	for a := range 3 {
		between, low, lowCode := k.bisected(a, 1), k.bisected(a, 0), k.lowCode(a)
		for z := range n {
			for y := range n {
				for x := range n {
					i, j, p := across(a, x, y, z)
					switch {
					case p > 0:
						f, at = l.putFace(faces, f, at, masked(between, n, i, j))
					case lowCode == highSmall:
						faces[f] = uint32(at)<<codeBits | highSmall
						f++
						at += 4
					case lowCode == lowSmall:
						faces[f] = uint32(at)<<codeBits | lowSmall
						f++
						at += 16
					default:
						f, at = l.putFace(faces, f, at, lowCode|masked(low, n, i, j))
					}
				}
			}
		}
	}
	for a := range 3 {
		if k.neighbour(a, 1) < 0 {
			plane := k.bisected(a, 2)
			for j := range n {
				for i := range n {
					f, at = l.putFace(faces, f, at, highGhost<<4|masked(plane, n, i, j))
				}
			}
		}
	}
}

func (l *Lattice) putFace(faces []uint32, f int, at int32, code faceCode) (int, int32) {
	faces[f] = uint32(at)<<codeBits | code
	return f + 1, at + int32(ofCode[code].count)
}

// across are a cell's places along u, v and the axis of a face.
func across(axis, x, y, z int) (i, j, plane int) {
	switch axis {
	case 0:
		return y, z, x
	case 1:
		return z, x, y
	}
	return x, y, z
}

// placed is the other way round.
func placed(axis, i, j, plane int) (p [3]int) {
	p[axis], p[(axis+1)%3], p[(axis+2)%3] = plane, i, j
	return p
}

// addTets writes the base cell's tetrahedra.
func (w *window) addTets() {
	n := w.n
	faces := w.l.faces[w.k.faces:][:w.k.count.faces]
	first := w.l.TetRuns[w.b]
	f := 0
	for a := range 3 {
		for z := range n {
			for y := range n {
				w.addRow(first, faces[f:f+n], a, y, z)
				f += n
			}
		}
	}
	for a := range 3 {
		if w.k.neighbour(a, 1) < 0 {
			for j := range n {
				for i := range n {
					w.addFace(first+int32(faces[f]>>codeBits), faces[f]&(1<<codeBits-1), a, i, j, n)
					f++
				}
			}
		}
	}
}

// addRow writes those of the low faces across an axis of a row of cells.
func (w *window) addRow(first int32, faces []uint32, a, y, z int) {
	steps, half := w.fine/w.n, w.size/2
	edge, halo := w.fine+1, w.fine+2
	c, h := steps*edge*(y+edge*z), 1+halo*(y*steps+1+halo*(z*steps+1))
	d := [3]int{steps, steps * edge, steps * edge * edge}
	du, dv := d[(a+1)%3], d[(a+2)%3]
	dh := [3]int{1, halo, halo * halo}[a]
	at := [3]int{half, y*w.size + half, z*w.size + half}
	at[a] -= half
	for x, face := range faces {
		t, code := first+int32(face>>codeBits), face&(1<<codeBits-1)
		if code < highSmall && code&15 == 0 {
			corner := [4]int32{w.corner[c], w.corner[c+du], w.corner[c+du+dv], w.corner[c+dv]}
			w.addFour(t, a, w.centre[h-dh], w.centre[h], &corner, &at)
		} else {
			i, j, p := across(a, x, y, z)
			w.addFace(t, code, a, i, j, p)
		}
		c += steps
		h += steps
		at[0] += w.size
	}
}

// addFace writes those of a face from the given one on.
func (w *window) addFace(t int32, code faceCode, axis, i, j, plane int) {
	switch code {
	case highSmall:
		quarter := cornerOf[i&1][j&1]
		w.addSmallFace(t, axis, i, j, plane, w.fine/w.n, quarter, true)
	case lowSmall:
		for quarter := range 4 {
			w.addSmallFace(t, axis, 2*i+cornerU[quarter], 2*j+cornerV[quarter], 2*plane, 1, quarter, false)
			t += 4
		}
	default:
		w.addPlainFace(t, code, axis, i, j, plane)
	}
}

// addSmallFace writes the four of a small cell's face on a larger one. Its place is given in lengths of it, which is some steps.
func (w *window) addSmallFace(t int32, axis, i, j, plane, steps, quarter int, highIsSmall bool) {
	l := w.l
	var c [4]int32
	for x := range c {
		p := placed(axis, (i+cornerU[x])*steps, (j+cornerV[x])*steps, plane*steps)
		c[x] = w.cornerAt(p[0], p[1], p[2])
	}
	h := placed(axis, i*steps, j*steps, plane*steps)
	high := w.centreAt(h[0], h[1], h[2])
	h[axis]--
	low := w.centreAt(h[0], h[1], h[2])
	size := steps * w.step
	at := placed(axis, i*size+size/2, j*size+size/2, plane*size)
	lowShape, highShape, lowOff, highOff := Quadrisected, HalfPyramid, -size/2, -size/4
	if !highIsSmall {
		lowShape, highShape, lowOff, highOff = HalfPyramid, Quadrisected, size/4, size/2
	}
	m := quarter ^ 2 // the corner at the larger face's middle
	for half := range 2 {
		p, q, r := c[m], c[(m+1+half)&3], c[(m+2+half)&3]
		l.Corners[t+int32(half)] = [4]int32{low, p, q, r}
		l.Corners[t+2+int32(half)] = [4]int32{high, p, r, q}
		l.Shapes[t+int32(half)], l.Shapes[t+2+int32(half)] = lowShape, highShape
		x, y := at, at
		x[axis] += lowOff
		y[axis] += highOff
		l.Centres[t+int32(half)], l.Centres[t+2+int32(half)] = w.position(&x), w.position(&y)
	}
}

// addPlainFace writes those of a face between cells of one size.
func (w *window) addPlainFace(t int32, code faceCode, axis, i, j, plane int) {
	s := w.fine / w.n
	d := [3]int{1, w.fine + 1, (w.fine + 1) * (w.fine + 1)}
	du, dv := d[(axis+1)%3]*s, d[(axis+2)%3]*s
	at := placed(axis, i*s, j*s, plane*s)
	c := at[0] + at[1]*d[1] + at[2]*d[2]
	corner := [4]int32{w.corner[c], w.corner[c+du], w.corner[c+du+dv], w.corner[c+dv]}
	high := w.centreAt(at[0], at[1], at[2])
	at[axis]--
	low := w.centreAt(at[0], at[1], at[2])
	x := placed(axis, i*w.size+w.size/2, j*w.size+w.size/2, plane*w.size)
	if code&15 == 0 {
		w.addFour(t, axis, low, high, &corner, &x)
		return
	}
	middle := [4]int32{w.corner[c+du/2], w.corner[c+du+dv/2], w.corner[c+dv+du/2], w.corner[c+dv/2]}
	w.addMixed(t, code, axis, low, high, &corner, &middle, &x)
}

// addFour writes four whole tetrahedra around a face with a middle at x, in quarters.
func (w *window) addFour(t int32, axis int, low, high int32, c *[4]int32, x *[3]int) {
	l, r := w.l, w.size/4
	corners, shapes, centres := l.Corners[t:t+4:t+4], l.Shapes[t:t+4:t+4], l.Centres[t:t+4:t+4]
	corners[0] = [4]int32{low, high, c[0], c[1]}
	corners[1] = [4]int32{low, high, c[1], c[2]}
	corners[2] = [4]int32{low, high, c[2], c[3]}
	corners[3] = [4]int32{low, high, c[3], c[0]}
	shapes[0], shapes[1], shapes[2], shapes[3] = Whole, Whole, Whole, Whole
	at := w.position(x)
	u, v := (axis+1)%3, (axis+2)%3
	for i := range centres {
		centres[i] = at
	}
	centres[0][v] = w.x[v][x[v]-r+beyondOf]
	centres[1][u] = w.x[u][x[u]+r+beyondOf]
	centres[2][v] = w.x[v][x[v]+r+beyondOf]
	centres[3][u] = w.x[u][x[u]-r+beyondOf]
}

// addMixed writes those around a face of which edges are bisected.
func (w *window) addMixed(t int32, code faceCode, axis int, low, high int32, corner, middle *[4]int32, x *[3]int) {
	r := w.size / 4
	put := func(shape Shape, c [4]int32, along, u, v int) {
		p := *x
		p[axis] += along * r
		p[(axis+1)%3] += u * r
		p[(axis+2)%3] += v * r
		w.l.Corners[t], w.l.Shapes[t], w.l.Centres[t] = c, shape, w.position(&p)
		t++
	}
	onFace(code, func(shape Shape, i, half int) {
		k, m, before, next := corner[i], middle[i], middle[(i+3)&3], corner[(i+1)&3]
		switch shape {
		case Whole:
			put(Whole, [4]int32{low, high, k, next}, 0, sideU[i], sideV[i])
		case Bisected:
			if half == 0 {
				put(Bisected, [4]int32{low, high, k, m}, 0, -edgeU[i], -edgeV[i])
			} else {
				put(Bisected, [4]int32{low, high, m, next}, 0, edgeU[i], edgeV[i])
			}
		case Core:
			put(Core, [4]int32{low, high, before, m}, 0, 0, 0)
		case Tip:
			u, v := 2*cornerU[i]-1, 2*cornerV[i]-1
			if half == 0 {
				put(Tip, [4]int32{low, before, k, m}, -1, u, v)
			} else {
				put(Tip, [4]int32{high, before, m, k}, 1, u, v)
			}
		}
	})
}
