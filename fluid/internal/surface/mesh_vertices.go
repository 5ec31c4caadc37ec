package surface

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

const (
	// meshReach is how far a vertex may be moved onto the surface, in its cell's edges: the mean
	// of the crossings is off by the square of the curvature times the edge, so that a larger
	// move would follow a kink of φ and not the surface.
	meshReach = .25
	// meshFlat is the least square of ∇φ, which is 1 for a distance, that is divided by.
	meshFlat = .1
)

// meshPlace is where a cell's vertices go.
type meshPlace struct {
	block  *meshBlock
	corner [3]float64 // the block's, H from the grid's
	size   float64    // a cell's edge, H
	phi    []float32  // the block's tiles
	vel    grid.Tile
	foam   []float32 // nil if there is none

	cell   *meshCell
	x      [3]float64 // H from the grid's corner
	ghost  [3]int     // on which walls it is: -1 low, 1 high
	normal [3]float32
}

// placeParts writes the vertices of parts.
func (m *Mesh) placeParts(lo, hi int) {
	for i := lo; i < hi; i++ {
		part := &m.parts[i]
		v := part.vertex
		var p meshPlace
		for c := range part.cells {
			p.cell = &part.cells[c]
			if b := &m.active[p.cell.ord]; p.block != b {
				m.enter(&p, b)
			}
			v = m.placeCell(&p, v)
		}
	}
}

// enter moves the place to a block.
func (m *Mesh) enter(p *meshPlace, b *meshBlock) {
	p.block = b
	p.size = float64(int(grid.Edge) >> b.level)
	for a, c := range b.coord {
		p.corner[a] = float64(grid.Edge * c)
	}
	p.phi, p.vel = m.phi.Tile(b.base), m.vel.Tile(b.base)
	p.foam = nil
	if m.foam != nil && !m.foam.Blank(b.base) {
		p.foam = m.foam.Tile(b.base)
	}
}

// placeCell writes a cell's vertices from v on: one for the free surface and one for each
// wall, as its flags say.
func (m *Mesh) placeCell(p *meshPlace, v int) int {
	c := p.cell
	m.slots[c.slot] = int32(v)
	m.settle(p)
	if c.flags&1 != 0 {
		value, grad := m.probe(p)
		m.project(p, value, &grad)
		p.normal = meshUnit(grad)
	}
	var metres [3]float32
	for a := range 3 {
		metres[a] = float32(m.g.Origin[a] + p.x[a]*m.g.H)
		if p.ghost[a] != 0 {
			metres[a] = m.box.plane[a][(p.ghost[a]+1)/2]
		}
	}
	u, foam := m.carried(p)
	for kind := range 4 {
		if c.flags>>kind&1 == 0 {
			continue
		}
		n := p.normal
		if kind > 0 {
			n = [3]float32{}
			n[kind-1] = float32(p.ghost[kind-1])
		}
		*(*[3]float32)(m.Positions[3*v:]) = metres
		*(*[3]float32)(m.Normals[3*v:]) = n
		*(*[3]float32)(m.Velocities[3*v:]) = u
		m.Foam[v] = foam
		m.kinds[v] = c.flags
		v++
	}
	return v
}

// settle puts the place at the mean of its cell's crossings.
func (m *Mesh) settle(p *meshPlace) {
	c, b := p.cell, p.block
	p.ghost, p.normal = [3]int{}, [3]float32{}
	inv := 1 / float64(c.n)
	for a := range 3 {
		s := b.span[a]
		p.x[a] = p.corner[a] + float64(c.sum[a])*inv
		switch {
		case s.lo && int(c.at[a]) == s.q0:
			p.ghost[a], p.x[a] = -1, m.box.wall[a][0]
		case s.hi && int(c.at[a]) == s.q1:
			p.ghost[a], p.x[a] = 1, m.box.wall[a][1]
		}
	}
}

// project moves a free vertex onto φ = 0 along the gradient, on walls within the wall, and
// keeps it in its cell.
func (m *Mesh) project(p *meshPlace, value float32, grad *[3]float32) {
	all, free := 0., 0.
	for a := range 3 {
		g := float64(grad[a])
		all += g * g
		if p.ghost[a] == 0 {
			free += g * g
		}
	}
	if free < meshFlat || free < meshFlat*all {
		return
	}
	step := -float64(value) / (free * m.g.H)
	if limit := meshReach * p.size / math.Sqrt(free); math.Abs(step) > limit {
		step = math.Copysign(limit, step)
	}
	for a := range 3 {
		if p.ghost[a] != 0 {
			continue
		}
		s, i := p.block.span[a], p.cell.at[a]
		low, high := p.corner[a]+float64(s.at[i+1]), p.corner[a]+float64(s.at[i+2])
		p.x[a] = max(low, min(p.x[a]+step*float64(grad[a]), high))
	}
}

// carried samples the velocity half a cell into the liquid, m/s, and the foam at the vertex. In a calm
// block both are away from the walls.
func (m *Mesh) carried(p *meshPlace) (u [3]float32, foam float32) {
	in, on := p.x, p.x
	for a := range 3 {
		if p.ghost[a] == 0 {
			in[a] -= .5 * p.size * float64(p.normal[a])
		}
		if !p.block.calm {
			on[a], in[a] = m.box.within(a, on[a], .5*p.size), m.box.within(a, in[a], .5*p.size)
		}
	}
	if x, y, z, own := p.inBlock(&in); own {
		u[0], u[1], u[2] = p.vel.At(x, y, z)
	} else {
		u[0], u[1], u[2] = m.vel.At(grid.Point{X: in[0] / grid.Edge, Y: in[1] / grid.Edge, Z: in[2] / grid.Edge})
	}
	if p.foam == nil {
		return u, 0
	}
	if x, y, z, own := p.inBlock(&on); own {
		return u, linearAt(p.foam, p.block.n+2, x+.5, y+.5, z+.5)
	}
	return u, m.foam.At(grid.Point{X: on[0] / grid.Edge, Y: on[1] / grid.Edge, Z: on[2] / grid.Edge})
}

// inBlock is a place, H from the grid's corner, in cells from the block's, and whether it is in the block.
func (p *meshPlace) inBlock(at *[3]float64) (x, y, z float32, own bool) {
	cells := 1 / p.size
	x = float32((at[0] - p.corner[0]) * cells)
	y = float32((at[1] - p.corner[1]) * cells)
	z = float32((at[2] - p.corner[2]) * cells)
	return x, y, z, p.vel.Holds(x, y, z)
}

// probe is φ, m, and its gradient at a place, both quadratic in the 27 cells around: φ by
// Lagrange's polynomials, exact to the third order where a mean would shrink curved surfaces, the
// gradient by B-splines, which join without kinks from cell to cell.
func (m *Mesh) probe(p *meshPlace) (value float32, grad [3]float32) {
	b, cell := p.block, &p.cell.at
	if !b.calm {
		return m.probeByWall(p.x, p.size)
	}
	var w [3]meshWeights
	for a := range 3 {
		centre := p.corner[a] + (float64(cell[a])+.5)*p.size
		w[a].set(float32((p.x[a] - centre) / p.size))
	}
	e := b.n + 2
	value, grad = meshStencil(p.phi[int(cell[0])+e*(int(cell[1])+e*int(cell[2])):], e, &w)
	perMetre := float32(1 / (p.size * m.g.H))
	for a := range 3 {
		grad[a] *= perMetre
	}
	return value, grad
}

// probeByWall is probe, at a place in H from the grid's corner, with the 27 nearest cells that lie within the walls; beyond the last
// centre it goes on straight, but leaves the nearest cell's value no faster than a distance does.
func (m *Mesh) probeByWall(x [3]float64, size float64) (value float32, grad [3]float32) {
	var coord, at [3]int
	var f, q [3]float64
	for a := range 3 {
		r := m.box.within(a, x[a], meshCalm*size) * (1. / grid.Edge)
		coord[a] = min(int(r), m.g.Dim[a]-1)
		f[a] = r - float64(coord[a])
		q[a] = m.box.within(a, x[a], .5*size)
	}
	b := m.g.BaseAt(coord[0], coord[1], coord[2])
	n := 1 << m.g.Prev.Level[b]
	edge := float64(int(grid.Edge) >> m.g.Prev.Level[b])
	e := n + 2
	var w [3]meshWeights
	nearest, way := 0, 0.
	for a, stride := range [3]int{1, e, e * e} {
		at[a] = min(int(f[a]*float64(n)), n-1)
		centre := float64(grid.Edge*coord[a]) + (float64(at[a])+.5)*edge
		s := max(-1, min((q[a]-centre)/edge, 1))
		w[a].set(float32(s))
		q[a] = centre + s*edge
		near := math.Round(s)
		nearest += stride * (1 + int(near))
		d := x[a] - centre - near*edge
		way += d * d
	}
	tile := m.phi.Tile(b)[at[0]+e*(at[1]+e*at[2]):]
	value, grad = meshStencil(tile, e, &w)
	perMetre := float32(1 / (edge * m.g.H))
	for a := range 3 {
		grad[a] *= perMetre
		value += grad[a] * float32((x[a]-q[a])*m.g.H)
	}
	reach := float32(math.Sqrt(way) * m.g.H)
	return max(tile[nearest]-reach, min(value, tile[nearest]+reach)), grad
}

// meshWeights are the shares of three cells in a row, by distance from the middle one's centre.
type meshWeights struct{ value, smooth, slope [3]float32 }

func (w *meshWeights) set(s float32) {
	w.value = [3]float32{.5 * s * (s - 1), 1 - s*s, .5 * s * (s + 1)}
	w.smooth = [3]float32{.5 * (.5 - s) * (.5 - s), .75 - s*s, .5 * (.5 + s) * (.5 + s)}
	w.slope = [3]float32{s - .5, -2 * s, s + .5}
}

// meshStencil applies weights to the cube of 27 values that starts at t; grad is per cell.
func meshStencil(t []float32, e int, w *[3]meshWeights) (value float32, grad [3]float32) {
	x, y, z := &w[0], &w[1], &w[2]
	v0, v1, v2 := x.value[0], x.value[1], x.value[2]
	m0, m1, m2 := x.smooth[0], x.smooth[1], x.smooth[2]
	d0, d1, d2 := x.slope[0], x.slope[1], x.slope[2]
	for k := range 3 {
		var v, gx, gy, b float32
		for j := range 3 {
			r := t[e*(j+e*k):][:3]
			v += y.value[j] * (v0*r[0] + v1*r[1] + v2*r[2])
			gx += y.smooth[j] * (d0*r[0] + d1*r[1] + d2*r[2])
			s := m0*r[0] + m1*r[1] + m2*r[2]
			gy += y.slope[j] * s
			b += y.smooth[j] * s
		}
		value += z.value[k] * v
		grad[0] += z.smooth[k] * gx
		grad[1] += z.smooth[k] * gy
		grad[2] += z.slope[k] * b
	}
	return value, grad
}

// meshUnit gives a vector the length 1; no vector gives one along y.
func meshUnit(v [3]float32) [3]float32 {
	l := float32(math.Sqrt(float64(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])))
	if !(l > 1e-6) {
		return [3]float32{0, 1, 0}
	}
	return [3]float32{v[0] / l, v[1] / l, v[2] / l}
}
