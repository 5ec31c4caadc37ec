package bcc

// locus is where in the layout a point is: a cell, which of its faces is in front of the point as seen from the cell's centre, which octant of that, and
// how far it is from the centre along the face's axis, that of the face's edge and the third, in halves of the cell's edge, 1 ≥ r[0] ≥ r[1] ≥ r[2] ≥ 0.
type locus struct {
	cell
	level              uint8
	axis, side, octant int
	r                  [3]float64
}

// Locate is the tetrahedron that holds a point, m, and the point's barycentric coordinates in it: by them a value at vertices is interpolated. They are not
// negative, and their sum is 1 but for rounding. At the layout's sides some vertices are centres beyond, which a field needs values at too. A point beyond the
// layout is taken to its side, and a coordinate that is no number to the low one.
//
// There is neither a search nor a walk: comparing coordinates tells cell, face, edge and half of that edge.
func (l *Lattice) Locate(x [3]float64) (tet int32, w [4]float64) {
	var p locus
	l.locus(&p, &x)
	return l.inFace(&p)
}

// locus finds a point's, and its place relative to the cell's centre, in halves of the cell's edge.
func (l *Lattice) locus(p *locus, x *[3]float64) (offset [3]float64) {
	g := l.grid
	bx, fx := split(float64((x[0]-g.Origin[0])*l.perBase), g.Dim[0])
	by, fy := split(float64((x[1]-g.Origin[1])*l.perBase), g.Dim[1])
	bz, fz := split(float64((x[2]-g.Origin[2])*l.perBase), g.Dim[2])
	p.b = int32(bx + g.Dim[0]*(by+g.Dim[1]*bz))
	p.level = l.levels[p.b]
	n := int(1) << (p.level & 3)
	var hx, hy, hz uint8
	p.x[0], offset[0], hx = within(fx, n)
	p.x[1], offset[1], hy = within(fy, n)
	p.x[2], offset[2], hz = within(fz, n)
	r := [4]float64{max(offset[0], -offset[0]), max(offset[1], -offset[1]), max(offset[2], -offset[2])}
	high := hx | hy<<1 | hz<<2
	order := &orders[above(r[1], r[0])|above(r[2], r[0])<<1|above(r[2], r[1])<<2]
	p.axis = int(order.axis & 3)
	p.side, p.octant = int(high>>order.axis&1), int(order.octant[high&7])
	p.r = [3]float64{r[order.axis&3], r[order.second&3], r[order.third&3]}
	return offset
}

// split is the base cell along an axis that holds a place, in base cells, and the place in it.
func split(v float64, most int) (int, float64) {
	if !(v > 0) {
		return 0, 0
	}
	if v >= float64(most) {
		return most - 1, 1
	}
	i := int(v)
	return i, float64(v) - float64(i)
}

// within is the cell of n along an axis that holds a place in a base cell, the place relative to its centre, in halves of its edge, and whether that is up.
func within(f float64, n int) (cell int, offset float64, high uint8) {
	v := float64(f * float64(n))
	cell = min(int(v), n-1)
	offset = float64(2*(v-float64(cell))) - 1
	if offset >= 0 {
		high = 1
	}
	return cell, offset, high
}

// above is 1 if a is greater than b.
func above(a, b float64) (is uint8) {
	if a > b {
		is = 1
	}
	return is
}

// order is which axis a point is farthest away along from its cell's centre, then which, and which octant of the face across the first it is at, by the sides along
// x, y and z.
type order struct {
	axis, second, third uint8
	octant              [8]uint8
}

// orders are by whether a point is farther away along y than along x, along z than along x, and along z than along y.
var orders = func() (all [8]order) {
	for i := range all {
		o := &all[i]
		o.axis, o.second, o.third = 0, 1, 2
		yx, zx, zy := i&1 == 1, i&2 == 2, i&4 == 4
		switch {
		case zx && zy:
			o.axis, o.second, o.third = 2, 0, 1
			if yx {
				o.second, o.third = 1, 0
			}
		case yx:
			o.axis, o.second, o.third = 1, 0, 2
			if zx {
				o.second, o.third = 2, 0
			}
		case zy:
			o.second, o.third = 2, 1
		}
		for high := range o.octant {
			edge := edgeAt(int(o.axis), int(o.third), high>>o.second&1)
			o.octant[high] = uint8(halfAt(edge, high>>o.third&1))
		}
	}
	return all
}()

// clamp takes a point, m, to the layout's sides as locus does.
func (l *Lattice) clamp(x *[3]float64) {
	for a, lo := range l.grid.Origin {
		if !(x[a] > lo) {
			x[a] = lo
		}
		x[a] = min(x[a], lo+float64(8*l.h*float64(l.grid.Dim[a])))
	}
}

// inFace is the tetrahedron at a locus.
func (l *Lattice) inFace(p *locus) (tet int32, w [4]float64) {
	k, level := &l.blocks[p.b], p.level&3
	if p.side == 1 && p.x[p.axis]+1 == 1<<level {
		return l.inHighFace(p, k)
	}
	f := p.x[0] + (p.x[1]+p.x[2]<<level)<<level + p.side<<(level*uint8(p.axis)) + p.axis<<(3*level)
	face := l.faces[int(k.faces)+f]
	t, code := l.TetRuns[p.b]+int32(face>>codeBits), face&(1<<codeBits-1)
	if code < highSmall {
		return p.inPlain(t, code)
	}
	if code == lowSmall {
		return p.inLarge(t + int32(4*((p.octant+1)>>1&3)))
	}
	i, j, _ := across(p.axis, p.x[0], p.x[1], p.x[2])
	return p.inSmall(t, cornerOf[i&1][j&1])
}

// inHighFace is the tetrahedron where the face is on the base cell's high side.
func (l *Lattice) inHighFace(p *locus, k *block) (tet int32, w [4]float64) {
	i, j, _ := across(p.axis, p.x[0], p.x[1], p.x[2])
	n := 1 << p.level
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
	own, other := 1-p.side&1, p.side&1 // of the tetrahedron's two centres
	if code&15>>edge&1 == 0 {
		w[own], w[other] = (1-r[0])+float64((r[0]-r[1])/2), (r[0]-r[1])/2
		w[2+half], w[3-half] = r[2]+float64((r[1]-r[2])/2), (r[1]-r[2])/2
		return t + int32(ofCode[code].inner[p.octant]), w
	}
	corner := (p.octant + 1) >> 1 & 3
	if !tipped(code, corner) {
		w[own], w[other] = (1-r[0])+float64((r[0]-r[1])/2), (r[0]-r[1])/2
		w[2+half], w[3-half] = r[2], r[1]-r[2]
		return t + int32(ofCode[code].inner[p.octant]), w
	}
	// The face's edge that is near is the corner's later one in an even octant.
	if beyond := r[1] + r[2] - r[0]; beyond < 0 {
		w[own], w[other] = (1-r[0])-float64(beyond/2), -beyond/2
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
	c[m] += float64((r[0] - r[1]) / 2)
	c[quarter] += float64((r[0] - r[1]) / 2)
	c[edge] += float64((r[1] - r[2]) / 2)
	c[(edge+1)&3] += float64((r[1] - r[2]) / 2)
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
func Interpolate[T float32 | float64](l *Lattice, field [][3]T, x [3]float64) [3]T {
	t, w := l.Locate(x)
	return Blend(l, field, t, &w)
}

// Blend is the value of a field per vertex in a tetrahedron, by barycentric coordinates.
func Blend[T float32 | float64](l *Lattice, field [][3]T, t int32, w *[4]float64) (u [3]T) {
	for k, v := range l.Corners[t] {
		f, s := &field[v], T(w[k])
		for a := range u {
			u[a] += T(s * f[a])
		}
	}
	return u
}
