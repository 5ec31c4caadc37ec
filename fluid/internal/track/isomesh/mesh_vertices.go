package isomesh

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

const (
	// meshReach is how far a vertex may be moved onto the surface, in its cell's edges: the mean
	// of the crossings is off by the square of the curvature times the edge, so that a larger
	// move would follow a kink of φ and not the surface.
	meshReach = .25
	// meshFlat is the least square of ∇φ, which is 1 for a distance, that is divided by.
	meshFlat = .1
	// meshBatch is how many cells are placed together: few enough for what is known of them to stay at hand.
	meshBatch = 128
)

// meshPlacer places cells of one block. Places are in cells of the grid from the block's low corner.
type meshPlacer struct {
	m      *Mesh
	block  *meshBlock
	n      int        // cells of the grid along it
	h      float64    // their edge, m
	cells  []meshCell // at most meshBatch
	low    [3]float32 // what is half a cell within the walls
	high   [3]float32
	wall   [3][2]float32
	corner [3]float64 // m

	x      [meshBatch][3]float32
	ghost  [meshBatch][3]int8 // on which walls it is: -1 low, 1 high
	inner  [meshBatch]bool    // no wall is near
	normal [meshBatch][3]float32
	u      [meshBatch][3]float32 // m/s
	foam   [meshBatch]float32
	at     layout.Places // where foam and velocity are asked for

	middle [3][layout.Edge + 2]float32 // m, of the cells, from the one before the block on; see findMiddles

	landing meshLanding
	lands   [meshBatch]uint8 // which cells
}

// parts writes the vertices of the parts lo..hi-1.
func (p *meshPlacer) parts(m *Mesh, lo, hi int) {
	p.m, p.block = m, nil
	for i := lo; i < hi; i++ {
		v := m.parts[i].vertex
		for cells := m.parts[i].cells; len(cells) > 0; {
			n := 1
			for n < min(len(cells), meshBatch) && cells[n].ord == cells[0].ord {
				n++
			}
			p.cells = cells[:n]
			p.enter(&m.active[cells[0].ord])
			p.settle()
			p.findFoam()
			p.findVelocity()
			v = p.write(v)
			cells = cells[n:]
		}
		p.placePanes(m.parts[i].panes, v)
	}
}

// enter moves the placer to a block.
func (p *meshPlacer) enter(b *meshBlock) {
	if p.block == b {
		return
	}
	m := p.m
	p.block, p.corner = b, m.g.Corner(b.base)
	level := m.g.Prev.Level[b.base]
	p.n, p.h = 1<<level, m.g.CellSize(level)
	l := &p.landing
	l.tile, l.edge, l.perMetre = m.phi.Tile(b.base), int32(p.n+2), float32(1/p.h)
	cells := float64(p.n) / layout.Edge
	for a, c := range b.coord {
		corner, half := float64(layout.Edge*c), .5/cells
		p.low[a] = float32((m.box.within(a, math.Inf(-1), half) - corner) * cells)
		p.high[a] = float32((m.box.within(a, math.Inf(1), half) - corner) * cells)
		for side, w := range m.box.wall[a] {
			p.wall[a][side] = float32((w - corner) * cells)
		}
	}
}

// settle puts the cells' vertices at the mean of their crossings and free ones onto the surface.
func (p *meshPlacer) settle() {
	n := 0
	for i := range p.cells {
		c, x := &p.cells[i], &p.x[i]
		p.inner[i] = p.mean(i)
		switch {
		case c.flags&1 == 0:
		case p.inner[i]:
			p.lands[n] = uint8(i)
			p.landing.cube[n] = int32(p.offset(c))
			for a := range x {
				p.landing.place[a][n] = x[a] - float32(c.at[a])
			}
			n++
		default:
			value, grad := p.probeByWall(x)
			p.project(i, x, value, &grad)
		}
	}
	p.land(n)
}

// offset is where the cube of 27 cells around a cell begins in the tile.
func (p *meshPlacer) offset(c *meshCell) int {
	e := p.n + 2
	return int(c.at[0]) + e*(int(c.at[1])+e*int(c.at[2]))
}

// land moves the vertices onto the surface that no wall is near, and gives them their normals.
func (p *meshPlacer) land(n int) {
	l := &p.landing
	for i := n; i%8 != 0; i++ {
		l.cube[i] = l.cube[0]
	}
	landing(l, n)
	for k, i := range p.lands[:n] {
		at := &p.cells[i].at
		for a := range at {
			p.x[i][a], p.normal[i][a] = float32(at[a])+l.place[a][k], l.normal[a][k]
		}
	}
}

// mean puts a vertex at the mean of its cell's crossings, and tells whether no wall is near.
func (p *meshPlacer) mean(i int) (inner bool) {
	c, x := &p.cells[i], &p.x[i]
	scale := float32(p.n) / (layout.Edge * float32(c.n))
	inner = true
	for a := range 3 {
		s, at := p.block.span[a], int(c.at[a])
		x[a] = c.sum[a] * scale
		inner = inner && s.isInner(at)
	}
	p.ghost[i], p.normal[i] = [3]int8{}, [3]float32{}
	if inner {
		return true
	}
	for a := range 3 {
		switch s, at := p.block.span[a], int(c.at[a]); {
		case s.lo && at == s.q0:
			p.ghost[i][a], x[a] = -1, p.wall[a][0]
		case s.hi && at == s.q1:
			p.ghost[i][a], x[a] = 1, p.wall[a][1]
		}
	}
	return false
}

// confine moves a place half a cell within the walls.
func (p *meshPlacer) confine(x *[3]float32) {
	for a := range 3 {
		x[a] = clamp32(x[a], p.low[a], p.high[a])
	}
}

// probeByWall is Mesh.probeByWall.
func (p *meshPlacer) probeByWall(x *[3]float32) (value float32, grad [3]float32) {
	b := p.block
	size := float64(int(layout.Edge) / p.n)
	var at [3]float64
	for a, c := range b.coord {
		at[a] = float64(layout.Edge*c) + float64(float64(x[a])*size)
	}
	return p.m.probeByWall(at, size)
}

// project gives the free vertex of cell i its normal and moves it onto φ = 0 along the gradient, on walls within
// the wall, but keeps it in its cell.
func (p *meshPlacer) project(i int, x *[3]float32, value float32, grad *[3]float32) {
	all, free := float32(0), float32(0)
	ghost := &p.ghost[i]
	for a := range 3 {
		g := float32(grad[a] * grad[a])
		all += g
		if ghost[a] == 0 {
			free += g
		}
	}
	inv := 1 / sqrt32(all)
	for a, g := range grad {
		p.normal[i][a] = meshUnit(g, inv, a)
	}
	if free < meshFlat || free < meshFlat*all {
		return
	}
	if free != all {
		inv = 1 / sqrt32(free)
	}
	limit := meshReach * inv
	step := clamp32(-value*inv*inv*p.landing.perMetre, -limit, limit)
	for a := range 3 {
		if ghost[a] != 0 {
			continue
		}
		at := float32(p.cells[i].at[a])
		x[a] = clamp32(clamp32(x[a]+float32(step*grad[a]), at, at+1), p.wall[a][0], p.wall[a][1])
	}
}

// findFoam samples the foam at the vertices, but half a cell within the walls.
func (p *meshPlacer) findFoam() {
	m, b, n := p.m, p.block, len(p.cells)
	for i := range p.cells {
		x := p.x[i]
		if !p.inner[i] {
			p.confine(&x)
		}
		p.at.X[i], p.at.Y[i], p.at.Z[i] = x[0], x[1], x[2]
	}
	if m.foam == nil || m.foam.Blank(b.base) {
		clear(p.foam[:n])
		return
	}
	p.at.Sample(m.foam.Component(b.base), n)
	copy(p.foam[:n], p.at.Value[:])
	for i := p.at.Missed(0, n); i < n; i = p.at.Missed(i+1, n) {
		p.foam[i] = m.foam.At(p.beyond(i))
	}
}

// findVelocity samples the velocity half a cell into the liquid.
func (p *meshPlacer) findVelocity() {
	m, b, n := p.m, p.block, len(p.cells)
	for i := range p.cells {
		if c := &p.cells[i]; c.flags&1 != 0 {
			p.step(i)
		}
	}
	tile := m.vel.Tile(b.base)
	for a := range 3 {
		p.at.Sample(tile.Component(a), n)
		for i, u := range p.at.Value[:n] {
			p.u[i][a] = u
		}
	}
	for i := p.at.Missed(0, n); i < n; i = p.at.Missed(i+1, n) {
		u := &p.u[i]
		u[0], u[1], u[2] = m.vel.At(p.beyond(i))
	}
}

// step moves a place from the surface half a cell into the liquid, or along the walls that it is on.
func (p *meshPlacer) step(i int) {
	x, normal, ghost := p.x[i], &p.normal[i], &p.ghost[i]
	for a := range 3 {
		if ghost[a] == 0 {
			x[a] -= float32(.5 * normal[a])
		}
	}
	if !p.inner[i] {
		p.confine(&x)
	}
	p.at.X[i], p.at.Y[i], p.at.Z[i] = x[0], x[1], x[2]
}

// beyond is a place in base cells from the grid's corner.
func (p *meshPlacer) beyond(i int) layout.Point {
	b := p.block
	edge := 1 / float64(p.n)
	return layout.Point{
		X: float64(b.coord[0]) + float64(edge*float64(p.at.X[i])),
		Y: float64(b.coord[1]) + float64(edge*float64(p.at.Y[i])),
		Z: float64(b.coord[2]) + float64(edge*float64(p.at.Z[i])),
	}
}

// write writes the cells' vertices from v on: one for the free surface and one for each wall, as their flags say.
func (p *meshPlacer) write(v int) int {
	m := p.m
	for i := range p.cells {
		c, ghost := &p.cells[i], &p.ghost[i]
		m.slots[c.slot] = int32(v)
		for kinds := c.flags; kinds != 0; kinds &= kinds - 1 {
			place, normal := (*[3]float32)(m.Positions[3*v:]), (*[3]float32)(m.Normals[3*v:])
			for a := range place {
				place[a] = float32(p.corner[a] + float64(float64(p.x[i][a])*p.h))
				if ghost[a] != 0 {
					place[a] = m.box.plane[a][(ghost[a]+1)/2]
				}
			}
			*normal = p.normal[i]
			if kind := bits.TrailingZeros8(kinds); kind > 0 {
				*normal = [3]float32{}
				normal[kind-1] = float32(ghost[kind-1])
			}
			*(*[3]float32)(m.Velocities[3*v:]) = p.u[i]
			m.Foam[v] = p.foam[i]
			m.kinds[v] = c.flags
			v++
		}
	}
	return v
}
