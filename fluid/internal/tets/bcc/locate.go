package bcc

// locus is where in the layout a point is: a cell, which of its faces is in front of the point as seen from the cell's centre, which octant of that, and
// how far it is from the centre along the face's axis, that of the face's edge and the third, in halves of the cell's edge, 1 ≥ r[0] ≥ r[1] ≥ r[2] ≥ 0.
type locus struct {
	cell
	axis, side, octant int
	r                  [3]float64
}

// Locate is the tetrahedron that holds a point, m, and the point's barycentric coordinates in it: by them a value at vertices is interpolated. They are not
// negative, and their sum is 1 but for rounding. A point beyond the layout is taken to its side, and of one that is no number a coordinate counts as the layout's low
// end. There is neither a search nor a walk:
// comparing coordinates tells cell, face, edge and half of that edge.
func (l *Lattice) Locate(x [3]float64) (tet int32, w [4]float64) {
	var p locus
	l.locus(&p, &x)
	return l.inFace(&p)
}

// locus finds a point's, and its place relative to the cell's centre, in halves of the cell's edge.
func (l *Lattice) locus(p *locus, x *[3]float64) (offset [3]float64) {
	s := 1 / (l.h * 8)
	var f [3]float64
	var at [3]int
	for a := range 3 {
		v, most := float64((x[a]-l.grid.Origin[a])*s), l.grid.Dim[a]
		switch {
		case !(v > 0):
		case v >= float64(most):
			at[a], f[a] = most-1, 1
		default:
			at[a] = int(v)
			f[a] = v - float64(at[a])
		}
	}
	p.b = int32(at[0] + l.grid.Dim[0]*(at[1]+l.grid.Dim[1]*at[2]))
	n := 1 << l.blocks[p.b].level()
	var r [3]float64
	var high [3]int
	for a := range 3 {
		v := float64(f[a] * float64(n))
		p.x[a] = min(int(v), n-1)
		r[a] = 2*(v-float64(p.x[a])) - 1
		offset[a] = r[a]
		if r[a] >= 0 {
			high[a] = 1
		} else {
			r[a] = -r[a]
		}
	}
	p.face(&r, &high)
	return offset
}

// clamp takes a point, m, to the layout's sides as locus does.
func (l *Lattice) clamp(x *[3]float64) {
	for a, lo := range l.grid.Origin {
		if !(x[a] > lo) {
			x[a] = lo
		}
		x[a] = min(x[a], lo+float64(8*l.h*float64(l.grid.Dim[a])))
	}
}

// face finds face and octant by a point's distances from a cell's centre along the axes, and by which of these go up.
func (p *locus) face(r *[3]float64, high *[3]int) {
	i, j, k := 0, 1, 2
	if r[j] > r[i] {
		i, j = j, i
	}
	if r[k] > r[i] {
		i, j, k = k, i, j
	} else if r[k] > r[j] {
		j, k = k, j
	}
	p.r = [3]float64{r[i], r[j], r[k]}
	p.axis, p.side = i, high[i]
	p.octant = octantOf[i<<1|((j-i+3)%3-1)][high[j]<<1|high[k]]
}

// octantOf is the octant of a face across an axis, by whether the axis along which the edge is off the face's middle is the second one of the face's, and by
// the sides along that and along the third.
var octantOf = func() (all [6][4]int) {
	for a := range 3 {
		for second := range 2 {
			for s := range 4 {
				edge := edgeAt(a, (a+2-second)%3, s>>1)
				all[2*a+second][s] = halfAt(edge, s&1)
			}
		}
	}
	return all
}()

// inFace is the tetrahedron at a locus.
func (l *Lattice) inFace(p *locus) (tet int32, w [4]float64) {
	k := &l.blocks[p.b]
	n := 1 << k.level()
	i, j, plane := across(p.axis, p.x[0], p.x[1], p.x[2])
	if p.side == 0 {
		t, code := l.face(p.b, p.axis, p.x, n)
		switch code {
		case highSmall:
			return p.inSmall(t, cornerOf[i&1][j&1])
		case lowSmall:
			quarter := (p.octant + 1) >> 1 & 3
			return p.inLarge(t + int32(4*quarter))
		}
		return p.inPlain(t, code)
	}
	if plane+1 < n {
		x := p.x
		x[p.axis]++
		return p.inPlain(l.face(p.b, p.axis, x, n))
	}
	switch nb := k.neighbour(p.axis, 1); {
	case nb < 0:
		return p.inPlain(l.highFace(p.b, p.axis, i, j, n))
	case nb > k.level():
		quarter := (p.octant + 1) >> 1 & 3
		t, _ := l.face(l.beside(p.b, p.axis), p.axis, placed(p.axis, 2*i+cornerU[quarter], 2*j+cornerV[quarter], 0), 2*n)
		return p.inLarge(t)
	case nb < k.level():
		quarter := cornerOf[i&1][j&1]
		t, _ := l.face(l.beside(p.b, p.axis), p.axis, placed(p.axis, i/2, j/2, 0), n/2)
		return p.inSmall(t+int32(4*quarter), quarter)
	}
	return p.inPlain(l.face(l.beside(p.b, p.axis), p.axis, placed(p.axis, i, j, 0), n))
}

// inPlain is the tetrahedron among those of a face between cells of one size.
func (p *locus) inPlain(t int32, code faceCode) (tet int32, w [4]float64) {
	r, edge, half := &p.r, p.octant>>1, p.octant&1
	own, other := 1-p.side, p.side // of the tetrahedron's two centres
	if code&15>>edge&1 == 0 {
		w[own], w[other] = (1-r[0])+(r[0]-r[1])/2, (r[0]-r[1])/2
		w[2+half], w[3-half] = r[2]+(r[1]-r[2])/2, (r[1]-r[2])/2
		return t + int32(ofCode[code].inner[p.octant]), w
	}
	corner := (p.octant + 1) >> 1 & 3
	if !tipped(code, corner) {
		w[own], w[other] = (1-r[0])+(r[0]-r[1])/2, (r[0]-r[1])/2
		w[2+half], w[3-half] = r[2], r[1]-r[2]
		return t + int32(ofCode[code].inner[p.octant]), w
	}
	// The face's edge that is near is the corner's later one in an even octant.
	if beyond := r[1] + r[2] - r[0]; beyond < 0 {
		w[own], w[other] = (1-r[0])-beyond/2, -beyond/2
		w[3-half], w[2+half] = r[1], r[2]
		return t + int32(ofCode[code].inner[p.octant]), w
	} else {
		w[0] = 1 - r[0]
		near, far := r[0]-r[2], r[0]-r[1]
		before, after := near, far
		if half == 0 {
			before, after = far, near
		}
		if p.side == 1 { // of the face's low cell
			w[1], w[2], w[3] = before, beyond, after
			return t + int32(ofCode[code].low[p.octant]), w
		}
		w[1], w[2], w[3] = before, after, beyond
		return t + int32(ofCode[code].high[p.octant]), w
	}
}

// inLarge is the tetrahedron in a large cell among the four of a small face.
func (p *locus) inLarge(t int32) (tet int32, w [4]float64) {
	r := &p.r
	quarter := (p.octant + 1) >> 1 & 3
	half := halfOf(quarter, p.octant>>1)
	w[0], w[1] = 1-r[0], r[0]-r[1]
	second := 2 + half // where the middle of an edge is
	if p.side == 0 {
		t += 2
		second = 3 - half
	}
	w[second], w[5-second] = r[1]-r[2], r[2]
	return t + int32(half), w
}

// inSmall is the tetrahedron in the small cell among the four of its face, which is on a quarter of the larger one's.
func (p *locus) inSmall(t int32, quarter int) (tet int32, w [4]float64) {
	r := &p.r
	var c [4]float64 // at the face's corners
	edge, m := p.octant>>1, quarter^2
	c[m] += (r[0] - r[1]) / 2
	c[quarter] += (r[0] - r[1]) / 2
	c[edge] += (r[1] - r[2]) / 2
	c[(edge+1)&3] += (r[1] - r[2]) / 2
	c[(p.octant+1)>>1&3] += r[2]
	half := halfOf(quarter, edge)
	w[0], w[1] = 1-r[0], c[m]
	w[2], w[3] = c[(m+1+half)&3], c[(m+2+half)&3]
	if p.side == 0 { // it is the face's high cell
		t += 2
		w[2], w[3] = w[3], w[2]
	}
	return t + int32(half), w
}

// Interpolate is the value at a point, m, of a field per vertex: linear within each tetrahedron.
func Interpolate[T float32 | float64](l *Lattice, field [][3]T, x [3]float64) (u [3]T) {
	t, w := l.Locate(x)
	for k, v := range l.Corners[t] {
		f, s := &field[v], T(w[k])
		for a := range u {
			u[a] += T(s * f[a])
		}
	}
	return u
}
