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
	v.init(g)
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
func (v *Velocity) Gather(pool *par.Pool, faces *[3][]float64) { v.GatherIn(pool, faces, nil) }

// GatherIn is Gather for the blocks that use names, per base cell; the velocity in the others is 0.
// A named block's halo says nothing true where it borders on a coarser one that is not named.
func (v *Velocity) GatherIn(pool *par.Pool, faces *[3][]float64, use []bool) {
	v.faces = faces
	v.run(pool, use)
	v.faces = nil
}

// dims are the lengths of a tile, or of a velocity tile's component, along x, y and z.
func dims(n, kind int) (d [3]int) {
	d = [3]int{n + 2, n + 2, n + 2}
	if kind != centred {
		d[kind] = n + 1
	}
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

// Tile is the velocity in and around one block. Places in it are in cells from the block's low corner.
type Tile struct {
	t []float32
	n int
}

// Tile is that of a base cell's block.
func (v *Velocity) Tile(b int32) Tile {
	l := v.m.Level[b]
	return Tile{v.of(l, v.m.First[b]), 1 << l}
}

// NoTile holds no place.
var NoTile = Tile{n: -1}

// Holds tells whether a place is in the block.
func (t *Tile) Holds(x, y, z float32) bool {
	n := float32(t.n)
	return x >= 0 && x <= n && y >= 0 && y <= n && z >= 0 && z <= n
}

// Centre is the velocity in the middle of a cell, m/s.
func (t *Tile) Centre(i, j, k int) (x, y, z float32) {
	e, f, third := t.n+2, t.n+1, len(t.t)/3
	c := t.t[i+f*(j+1+e*(k+1)):]
	x = .5 * (c[0] + c[1])
	c = t.t[third+i+1+e*(j+f*(k+1)):]
	y = .5 * (c[0] + c[e])
	c = t.t[2*third+i+1+e*(j+1+e*k):]
	z = .5 * (c[0] + c[e*e])
	return x, y, z
}

// face and half are the faces, and the centres of cells with the halo counted, below a place,
// and how far beyond them it is.
func face(x float32, n int) (int, float32) {
	i := min(int(x), n-1)
	return i, x - float32(i)
}

func half(x float32) (int, float32) {
	x += .5
	i := int(x)
	return i, x - float32(i)
}

// At is the velocity at a place that the tile holds, m/s.
func (t *Tile) At(x, y, z float32) (u, v, w float32) {
	e, f, third := t.n+2, t.n+1, len(t.t)/3
	fi, fu := face(x, t.n)
	fj, fv := face(y, t.n)
	fk, fw := face(z, t.n)
	hi, hu := half(x)
	hj, hv := half(y)
	hk, hw := half(z)
	u = trilinear(t.t[fi+f*(hj+e*hk):], f, f*e, fu, hv, hw)
	v = trilinear(t.t[third+hi+e*(fj+f*hk):], e, e*f, hu, fv, hw)
	w = trilinear(t.t[2*third+hi+e*(hj+e*fk):], e, e*e, hu, hv, fw)
	return u, v, w
}

// cube is the corner of the eight values around a place for a component, and the strides.
func (t *Tile) cube(axis int, x, y, z float32) (c []float32, dy, dz int, u, v, w float32) {
	e, f, third := t.n+2, t.n+1, len(t.t)/3
	var i, j, k int
	if axis == 0 {
		i, u = face(x, t.n)
		j, v = half(y)
		k, w = half(z)
		return t.t[i+f*(j+e*k) : third], f, f * e, u, v, w
	}
	i, u = half(x)
	if axis == 1 {
		j, v = face(y, t.n)
		k, w = half(z)
		return t.t[third+i+e*(j+f*k) : 2*third], e, e * f, u, v, w
	}
	j, v = half(y)
	k, w = face(z, t.n)
	return t.t[2*third+i+e*(j+e*k):], e, e * e, u, v, w
}

// Along is one component at a place that the tile holds.
func (t *Tile) Along(axis int, x, y, z float32) float32 {
	return trilinear(t.cube(axis, x, y, z))
}

// Range is one component at a place that the tile holds, and the least and the greatest value
// it was made from.
func (t *Tile) Range(axis int, x, y, z float32) (value, least, greatest float32) {
	c, dy, dz, u, v, w := t.cube(axis, x, y, z)
	value = trilinear(c, dy, dz, u, v, w)
	least = min(min(c[0], c[1]), min(c[dy], c[dy+1]), min(c[dz], c[dz+1]), min(c[dz+dy], c[dz+dy+1]))
	greatest = max(max(c[0], c[1]), max(c[dy], c[dy+1]), max(c[dz], c[dz+1]), max(c[dz+dy], c[dz+dy+1]))
	return value, least, greatest
}

// in is the tile that holds a point, and where in it.
func (v *Velocity) in(p Point) (t Tile, x, y, z float32) {
	b, fx, fy, fz := v.g.Locate(p)
	t = v.Tile(b)
	n := float64(t.n)
	return t, float32(fx * n), float32(fy * n), float32(fz * n)
}

// At is the velocity at a point, m/s.
func (v *Velocity) At(p Point) (x, y, z float32) {
	t, x, y, z := v.in(p)
	return t.At(x, y, z)
}

// Along is one component at a point.
func (v *Velocity) Along(axis int, p Point) float32 {
	t, x, y, z := v.in(p)
	return t.Along(axis, x, y, z)
}

// Range is one component at a point, and the least and the greatest value it was made from.
func (v *Velocity) Range(axis int, p Point) (value, least, greatest float32) {
	t, x, y, z := v.in(p)
	return t.Range(axis, x, y, z)
}

// Trace is where a particle at p is after t seconds in the frozen velocity (negative:
// where it was), by the midpoint rule.
func (v *Velocity) Trace(p Point, t float64) Point {
	s := t / (v.g.H * Edge)
	x, y, z := v.At(p)
	x, y, z = v.At(Point{p.X + .5*s*float64(x), p.Y + .5*s*float64(y), p.Z + .5*s*float64(z)})
	return Point{p.X + s*float64(x), p.Y + s*float64(y), p.Z + s*float64(z)}
}
