package grid

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// Velocity tiles hold the face velocities of the settled layout, m/s, with halos: for axis a
// of a block of n³ cells, n+1 faces along a and n+2 rows across, x fastest.
type Velocity struct {
	tiles
	faces *[3][]float64
	m     *Map // the layout that was gathered, by the time it is sampled
}

// NewVelocity makes tiles that are gathered at the end of a step and sampled in the next,
// when their layout has become Prev.
func NewVelocity(g *Grid) *Velocity { return newVelocity(g, &g.Prev) }

// NewVelocityWithin makes tiles that are gathered and sampled within a step, on Cur.
func NewVelocityWithin(g *Grid) *Velocity { return newVelocity(g, &g.Cur) }

func newVelocity(g *Grid, m *Map) *Velocity {
	v := &Velocity{m: m}
	v.g = g
	for l := range v.size {
		n := 1 << l
		v.size[l] = 3 * (n + 1) * (n + 2) * (n + 2)
	}
	v.chunk = func(_, lo, hi int) {
		for _, b := range v.order[v.level][lo:hi] {
			for a := range 3 {
				v.gather(b, a)
			}
		}
	}
	return v
}

// Gather copies the face velocities of Cur; faces[a] is indexed by the cell on the face's
// high side.
func (v *Velocity) Gather(pool *par.Pool, faces *[3][]float64) {
	v.faces = faces
	v.run(pool)
	v.faces = nil
}

// dims are the tile's lengths along x, y and z for a component.
func dims(n, a int) (d [3]int) {
	d = [3]int{n + 2, n + 2, n + 2}
	d[a] = n + 1
	return d
}

func (v *Velocity) component(l uint8, first int32, a int) []float32 {
	t := v.of(l, first)
	s := len(t) / 3
	return t[a*s : (a+1)*s]
}

// Cell is the index of the cell at (i, j, k) of a block.
func (m *Map) Cell(b int32, i, j, k int) int {
	n := 1 << m.Level[b]
	return int(m.First[b]) + i + n*(j+n*k)
}

// FaceCell is the cell that face (i, j, k) of a block in Cur, i..k counted along x..z and up to n
// along the axis, is stored at; -1 for the wall at the grid's high end.
func (g *Grid) FaceCell(b int32, axis int, at [3]int) int {
	m := &g.Cur
	l := m.Level[b]
	n := 1 << l
	switch {
	case at[axis] == n:
		nb := g.Neighbour[b][2*axis+1]
		if nb == None {
			return -1
		}
		at[axis] = 0
		switch nl := m.Level[nb]; {
		case nl > l:
			at[0], at[1], at[2] = at[0]*2, at[1]*2, at[2]*2
		case nl < l:
			at[0], at[1], at[2] = at[0]/2, at[1]/2, at[2]/2
		}
		return m.Cell(nb, at[0], at[1], at[2])
	case at[axis] == 0:
		if nb := g.Neighbour[b][2*axis]; nb != None && m.Level[nb] < l {
			at[0], at[1], at[2] = at[0]&^1, at[1]&^1, at[2]&^1
		}
	}
	return m.Cell(b, at[0], at[1], at[2])
}

func (v *Velocity) face(b int32, a, i, j, k int) float32 {
	c := v.g.FaceCell(b, a, [3]int{i, j, k})
	if c < 0 {
		return 0
	}
	return float32(v.faces[a][c])
}

func (v *Velocity) gather(b int32, a int) {
	g := v.g
	l, first := g.Cur.Level[b], g.Cur.First[b]
	n := 1 << l
	d := dims(n, a)
	dst := v.component(l, first, a)
	src := v.faces[a]
	var lo [3]int // tile place of face (0, 0, 0)
	lo = [3]int{1, 1, 1}
	lo[a] = 0
	for k := range n {
		for j := range n {
			from := src[int(first)+n*(j+n*k):][:n]
			to := dst[lo[0]+d[0]*(j+lo[1]+d[1]*(k+lo[2])):][:n]
			for i := range to {
				to[i] = float32(from[i])
			}
		}
	}
	v.gatherEnds(b, a, n, d, lo, dst)
	p, q := (a+1)%3, (a+2)%3
	for op := -1; op <= 1; op++ {
		for oq := -1; oq <= 1; oq++ {
			if op != 0 || oq != 0 {
				var o [3]int
				o[p], o[q] = op, oq
				v.gatherHalo(dst, d, lo, l, n, a, o, g.region(b, o[0], o[1], o[2]))
			}
		}
	}
}

// gatherEnds fills the first and last plane along the axis, which the neighbours may own.
func (v *Velocity) gatherEnds(b int32, a, n int, d, lo [3]int, dst []float32) {
	p, q := (a+1)%3, (a+2)%3
	for _, end := range [2]int{0, n} {
		for s := range n {
			for t := range n {
				var at [3]int
				at[a], at[p], at[q] = end, s, t
				dst[at[0]+lo[0]+d[0]*(at[1]+lo[1]+d[1]*(at[2]+lo[2]))] = v.face(b, a, at[0], at[1], at[2])
			}
		}
	}
}

func (v *Velocity) gatherHalo(dst []float32, d, lo [3]int, l uint8, n, a int, o [3]int, r region) {
	var from, to [3]int
	for x := range 3 {
		from[x], to[x] = span(o[x], n)
	}
	from[a], to[a] = 0, n+1
	same := v.g.Cur.Level[r.base] == l
	stride := [3]int{1, n, n * n}
	first := int(v.g.Cur.First[r.base])
	for k := from[2]; k < to[2]; k++ {
		for j := from[1]; j < to[1]; j++ {
			i := from[0]
			at := [3]int{i, j, k}
			for x := range 3 {
				if x != a {
					at[x] = clampInt(at[x]-r.o[x]*n, n-1)
				}
			}
			row := dst[i+lo[0]+d[0]*(j+lo[1]+d[1]*(k+lo[2])):]
			for c := range row[:to[0]-i] {
				if same && at[a] > 0 && at[a] < n {
					row[c] = float32(v.faces[a][first+at[0]+stride[1]*at[1]+stride[2]*at[2]])
				} else {
					row[c] = v.beyond(r.base, l, n, a, at)
				}
				if x := i + c + 1; a == 0 {
					at[0] = x
				} else {
					at[0] = clampInt(x-r.o[0]*n, n-1)
				}
			}
		}
	}
}

// beyond is a halo value at a place of a neighbour, counted in faces of the level l of n
// cells an edge.
func (v *Velocity) beyond(base int32, l uint8, n, a int, at [3]int) float32 {
	switch rl := v.g.Cur.Level[base]; {
	case rl == l:
		return v.face(base, a, at[0], at[1], at[2])
	case rl > l:
		return v.mean(base, a, at, 1<<(rl-l))
	}
	f := 1 / float64(n)
	pos := [3]float64{(float64(at[0]) + .5) * f, (float64(at[1]) + .5) * f, (float64(at[2]) + .5) * f}
	pos[a] = float64(at[a]) * f
	return v.in(base, &v.g.Cur, a, pos)
}

// mean averages four fine faces in the middle of the coarse face at.
func (v *Velocity) mean(b int32, a int, at [3]int, r int) float32 {
	p, q := (a+1)%3, (a+2)%3
	h := r/2 - 1
	at[a] *= r
	at[p], at[q] = at[p]*r+h, at[q]*r+h
	sum := float32(0)
	for c := range 4 {
		f := at
		f[p] += c & 1
		f[q] += c >> 1
		sum += v.face(b, a, f[0], f[1], f[2])
	}
	return sum / 4
}

// in is one component within a block, trilinear.
func (v *Velocity) in(b int32, m *Map, a int, f [3]float64) float32 {
	l := m.Level[b]
	n := 1 << l
	d := dims(n, a)
	t := v.component(l, m.First[b], a)
	var at [3]int
	var w [3]float32
	for x := range 3 {
		c := f[x] * float64(n)
		if x != a {
			c += .5
		}
		at[x] = min(int(c), d[x]-2)
		w[x] = float32(c - float64(at[x]))
	}
	return trilinear(t[at[0]+d[0]*(at[1]+d[1]*at[2]):], d[0], d[0]*d[1], w[0], w[1], w[2])
}

// place is where a point stands among a block's faces and centres, and the weights there.
type place struct {
	t          []float32 // the block's tile
	n          int
	fi, fj, fk int // faces below
	hi, hj, hk int // centres below, the halo counted
	fu, fv, fw float32
	hu, hv, hw float32
}

func (v *Velocity) place(p Point) (s place) {
	b, fx, fy, fz := v.g.Locate(p)
	l := v.m.Level[b]
	n := 1 << l
	s.t, s.n = v.of(l, v.m.First[b]), n
	cx, cy, cz := fx*float64(n), fy*float64(n), fz*float64(n)
	s.fi, s.fj, s.fk = min(int(cx), n-1), min(int(cy), n-1), min(int(cz), n-1)
	s.hi, s.hj, s.hk = int(cx+.5), int(cy+.5), int(cz+.5)
	s.fu, s.fv, s.fw = float32(cx-float64(s.fi)), float32(cy-float64(s.fj)), float32(cz-float64(s.fk))
	s.hu, s.hv, s.hw = float32(cx+.5-float64(s.hi)), float32(cy+.5-float64(s.hj)), float32(cz+.5-float64(s.hk))
	return s
}

// cube is the corner of the eight values around the place for a component, and the strides.
func (s *place) cube(axis int) (t []float32, dy, dz int, u, v, w float32) {
	e, f, third := s.n+2, s.n+1, len(s.t)/3
	switch axis {
	case 0:
		return s.t[s.fi+f*(s.hj+e*s.hk) : third], f, f * e, s.fu, s.hv, s.hw
	case 1:
		return s.t[third+s.hi+e*(s.fj+f*s.hk) : 2*third], e, e * f, s.hu, s.fv, s.hw
	}
	return s.t[2*third+s.hi+e*(s.hj+e*s.fk):], e, e * e, s.hu, s.hv, s.fw
}

// At is the velocity at a point, m/s.
func (v *Velocity) At(p Point) (x, y, z float32) {
	s := v.place(p)
	t, dy, dz, a, b, c := s.cube(0)
	x = trilinear(t, dy, dz, a, b, c)
	t, dy, dz, a, b, c = s.cube(1)
	y = trilinear(t, dy, dz, a, b, c)
	t, dy, dz, a, b, c = s.cube(2)
	z = trilinear(t, dy, dz, a, b, c)
	return x, y, z
}

// Along is one component at a point.
func (v *Velocity) Along(axis int, p Point) float32 {
	s := v.place(p)
	return trilinear(s.cube(axis))
}

// Range is one component at a point, and the least and the greatest value it was made from.
func (v *Velocity) Range(axis int, p Point) (value, least, greatest float32) {
	s := v.place(p)
	t, dy, dz, a, b, c := s.cube(axis)
	value = trilinear(t, dy, dz, a, b, c)
	least = min(t[0], t[1], t[dy], t[dy+1], t[dz], t[dz+1], t[dz+dy], t[dz+dy+1])
	greatest = max(t[0], t[1], t[dy], t[dy+1], t[dz], t[dz+1], t[dz+dy], t[dz+dy+1])
	return value, least, greatest
}

// Trace is where a particle at p is after t seconds in the frozen velocity (negative:
// where it was), by the midpoint rule.
func (v *Velocity) Trace(p Point, t float64) Point {
	s := t / (v.g.H * Edge)
	x, y, z := v.At(p)
	x, y, z = v.At(Point{p.X + .5*s*float64(x), p.Y + .5*s*float64(y), p.Z + .5*s*float64(z)})
	return Point{p.X + s*float64(x), p.Y + s*float64(y), p.Z + s*float64(z)}
}
