package layout

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// Velocity tiles hold the face velocities of the settled layout, m/s, with halos: for axis a
// of a block of n³ cells, n+1 faces along a and n+2 rows across, x fastest.
type Velocity struct {
	tiles
	faces *[3][]float32
}

// NewVelocity makes tiles that are gathered at the end of a step and sampled in the next, when their layout
// has become Prev.
func NewVelocity(g *Grid) *Velocity {
	v := &Velocity{}
	v.init(g)
	for l := range v.size {
		n := 1 << l
		v.size[l] = 3 * (n + 1) * (n + 2) * (n + 2)
	}
	return v
}

func (v *Velocity) gatherBlocks(worker, lo, hi int) {
	for _, b := range v.order[v.level][lo:hi] {
		for a := range 3 {
			v.gather(b, a, &v.same[worker])
		}
	}
}

// Gather copies the face velocities of Cur; faces[a] is indexed by the cell on the face's
// high side.
func (v *Velocity) Gather(pool *par.Pool, faces *[3][]float32) { v.GatherIn(pool, faces, nil) }

// GatherIn is Gather for the blocks that use names, per base cell; the velocity in the others is 0.
// A named block's halo says nothing true where it borders on a coarser one that is not named.
func (v *Velocity) GatherIn(pool *par.Pool, faces *[3][]float32, use []bool) {
	v.faces = faces
	run(pool, v, use, (*Velocity).gatherBlocks)
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
	l := v.g.Prev.Level[b]
	return Tile{v.of(l, v.g.Prev.First[b]), 1 << l}
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

// Sides are the velocities through a cell's sides along an axis, m/s.
func (t *Tile) Sides(axis, i, j, k int) (low, high float32) {
	e, f, third := t.n+2, t.n+1, len(t.t)/3
	switch axis {
	case 0:
		c := t.t[i+f*(j+1+e*(k+1)):]
		return c[0], c[1]
	case 1:
		c := t.t[third+i+1+e*(j+f*(k+1)):]
		return c[0], c[e]
	}
	c := t.t[2*third+i+1+e*(j+1+e*k):]
	return c[0], c[e*e]
}

// Node is the velocity in the middle of the eight cells (i-1..i, j-1..j, k-1..k), m/s: At there.
func (t *Tile) Node(i, j, k int) (x, y, z float32) {
	e, f, third := t.n+2, t.n+1, len(t.t)/3
	c := t.t[i+f*(j+e*k):]
	x = mix(mix(c[0], c[f], .5), mix(c[f*e], c[f*e+f], .5), .5)
	c = t.t[third+i+e*(j+f*k):]
	y = mix(mix(c[0], c[1], .5), mix(c[e*f], c[e*f+1], .5), .5)
	c = t.t[2*third+i+e*(j+e*k):]
	z = mix(mix(c[0], c[1], .5), mix(c[e], c[e+1], .5), .5)
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
	c := t.t[fi+f*(hj+e*hk):]
	u = mix(bilinear(c, f, fu, hv), bilinear(c[f*e:], f, fu, hv), hw)
	c = t.t[third+hi+e*(fj+f*hk):]
	v = mix(bilinear(c, e, hu, fv), bilinear(c[e*f:], e, hu, fv), hw)
	c = t.t[2*third+hi+e*(hj+e*fk):]
	w = mix(bilinear(c, e, hu, hv), bilinear(c[e*e:], e, hu, hv), fw)
	return u, v, w
}

// Component is one component of a tile, for many places.
type Component struct {
	t []float32
	*shape
}

// shape is what the components of an axis have in common in all blocks of a level.
type shape struct {
	dy, dz int32      // strides, of cell fields too
	before [3]float32 // how far the first value lies before the block, cells
	last   [3]int32   // the last cubes of eight values
	edge   float32    // of the block, cells
	along  int32      // stride along the axis
	axis   int32
	inner  int32   // the bits of a cell that are 0 on the block's low side
	face   []int32 // before each cell of the block
}

// shapes are by the number of cells along a block, a power of two, and axis.
var shapes = makeShapes()

func makeShapes() (all [Edge + 1][centred + 1]shape) {
	for n := range all {
		for axis := range all[n] {
			d, last := dims(n, axis), int32(n)
			s := &all[n][axis]
			*s = shape{dy: int32(d[0]), dz: int32(d[0] * d[1]), before: [3]float32{.5, .5, .5}, last: [3]int32{last, last, last}, edge: float32(n)}
			if axis == centred {
				continue
			}
			s.before[axis], s.last[axis] = 0, last-1
			s.axis, s.along = int32(axis), [3]int32{1, s.dy, s.dz}[axis]
			s.inner = int32((n - 1) * [3]int{1, n, n * n}[axis])
			for c := range n * n * n {
				s.face = append(s.face, int32(place(axis, n, [3]int{c % n, c / n % n, c / (n * n)})))
			}
		}
	}
	return all
}

// Component is that of an axis.
func (t *Tile) Component(axis int) Component {
	third := len(t.t) / 3
	return Component{t.t[axis*third:][:third], &shapes[max(t.n, 0)][axis]}
}

// cube is the corner of the eight values around a place, and how far beyond it that is.
func (c *Component) cube(x, y, z float32) (t []float32, u, v, w float32) {
	x, y, z = x+c.before[0], y+c.before[1], z+c.before[2]
	i, j, k := min(int32(x), c.last[0]), min(int32(y), c.last[1]), min(int32(z), c.last[2])
	return c.t[i+c.dy*j+c.dz*k:], x - float32(i), y - float32(j), z - float32(k)
}

// At is the component at a place that the tile holds, m/s.
func (c *Component) At(x, y, z float32) float32 {
	t, u, v, w := c.cube(x, y, z)
	dy := int(c.dy)
	return mix(bilinear(t, dy, u, v), bilinear(t[c.dz:], dy, u, v), w)
}

// Beside is the base cell that holds a place near another, given in base cells from that one's low corner, and
// where in it, 0 to 1. Beyond the grid's sides it is the place at them.
func (g *Grid) Beside(b int32, x, y, z float32) (base int32, fx, fy, fz float32) {
	i, fx := beyond(x)
	j, fy := beyond(y)
	k, fz := beyond(z)
	if uint(i|j|k) < 3 {
		if base = g.around[b][i+3*(j+3*k)]; base != None {
			return base, fx, fy, fz
		}
	}
	at := g.BaseCoords(b)
	base, u, v, w := g.Locate(Point{float64(at[0]) + float64(x), float64(at[1]) + float64(y), float64(at[2]) + float64(z)})
	return base, float32(u), float32(v), float32(w)
}

// beyond is the step, 0 to 2, to the base cell below, at or above, and the place in it; 4 if it is further.
func beyond(x float32) (step int, in float32) {
	switch {
	case x >= 0 && x <= 1:
		return 1, x
	case x >= -1 && x < 0:
		return 0, x + 1
	case x > 1 && x <= 2:
		return 2, x - 1
	}
	return 4, 0
}

// Near is the tile that holds a place near a base cell, given in base cells from its low corner, and where
// in it.
func (v *Velocity) Near(b int32, x, y, z float32) (t Tile, tx, ty, tz float32) {
	in, x, y, z := v.g.Beside(b, x, y, z)
	t = v.Tile(in)
	n := float32(t.n)
	return t, n * x, n * y, n * z
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
	c := t.Component(axis)
	return c.At(x, y, z)
}

// Trace is where a particle at p is after t seconds in the frozen velocity (negative:
// where it was), by the midpoint rule.
func (v *Velocity) Trace(p Point, t float64) Point {
	s := t / (v.g.H * Edge)
	x, y, z := v.At(p)
	x, y, z = v.At(Point{p.X + float64(.5*s*float64(x)), p.Y + float64(.5*s*float64(y)), p.Z + float64(.5*s*float64(z))})
	return Point{p.X + float64(s*float64(x)), p.Y + float64(s*float64(y)), p.Z + float64(s*float64(z))}
}

// Face is the velocity along an axis at the face below the cell (i, j, k), m/s; that coordinate which is along the axis goes up to n.
func (t *Tile) Face(axis, i, j, k int) float32 {
	e, f, third := t.n+2, t.n+1, len(t.t)/3
	switch axis {
	case 0:
		return t.t[i+f*(j+1+e*(k+1))]
	case 1:
		return t.t[third+i+1+e*(j+f*(k+1))]
	}
	return t.t[2*third+i+1+e*(j+1+e*k)]
}
