package contour

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// traceTile writes the samples of a tile: the distance to the old surface where the liquid of each came from. It is traced back from
// the corners of the cells and interpolated between them, as the velocity is. Samples that come from away from the surface only take its side.
func (c *Contour) traceTile(worker int, i int32) {
	l, w := c.now, &c.work[worker]
	t := &l.tiles[i]
	m := int32(1) << t.level
	lo, hi := c.trace(t, w, m)
	if int(i) < len(c.moved) {
		c.moved[i] = float32(max(-lo[0], -lo[1], -lo[2], hi[0], hi[1], hi[2]))
	}
	g := group{c: c, t: t, f: l.samples(t), moved: w.moved, m: m, d: int32(c.detail), cells: 1, needs: &w.needs}
	w.needs.reset(t)
	if w.rows.gather(c.from, t, lo, hi) {
		g.traceByRows(&w.rows)
	} else {
		g.traceByGroups()
	}
	if w.needs.any {
		g.traceNeeded()
	}
}

// traceByGroups writes the samples group by group.
func (g *group) traceByGroups() {
	if g.d == 1 {
		g.cells = min(2, g.m)
	}
	for g.at[2] = 0; g.at[2] < g.m; g.at[2] += g.cells {
		for g.at[1] = 0; g.at[1] < g.m; g.at[1] += g.cells {
			for g.at[0] = 0; g.at[0] < g.m; g.at[0] += g.cells {
				g.traceGroup()
			}
		}
	}
}

// traceByRows writes the samples row by row, as traceGroup does.
func (g *group) traceByRows(k *rows) {
	c := g.c
	n := g.t.n + 1
	far := c.from.beyond(false, g.t.level)
	var best closest
	for z := range n {
		for y := range n {
			near, beside, passed, liquid := k.of(y, z)
			row := y + n*z
			f := g.f[n*row:][:n]
			for x := range f {
				f[x] = math.Float32frombits(math.Float32bits(far) | uint32(liquid>>x&1)<<31)
			}
			if near == 0 {
				g.needs.liquid[row] = liquid
				continue
			}
			g.needs.liquid[row], g.needs.left[row], g.needs.beside[row] = liquid&^passed, near&^passed, beside&^passed
			g.needs.any = true
			for m := passed; m != 0; m &= m - 1 {
				g.traceSample(int32(bits.TrailingZeros64(m)), y, z, &best)
			}
		}
	}
}

// group is some cells of the grid, along each axis, in a tile, the samples of which are traced together.
type group struct {
	c     *Contour
	t     *tile
	f     []float32
	moved []r3.Vec // of the corners of the tile's m³ cells
	m, d  int32    // d samples along a cell
	cells int32
	at    [3]int32 // its first cell
	needs *needs   // of the tile
}

// traceGroup writes the samples of a group: those in cells that the surface passes. The others get their side, and are noted.
func (g *group) traceGroup() {
	c := g.c
	from := [3]int32{g.at[0] * g.d, g.at[1] * g.d, g.at[2] * g.d}
	var to [3]int32 // beyond its last sample: the border's belong to the last group
	for a := range 3 {
		if to[a] = from[a] + g.cells*g.d; to[a] == g.t.n {
			to[a]++
		}
	}
	lo, hi := g.bounds(c.edge)
	n := g.t.n + 1
	if empty, liquid := c.from.empty(lo, hi); empty {
		v := c.from.beyond(liquid, g.t.level)
		for z := from[2]; z < to[2]; z++ {
			for y := from[1]; y < to[1]; y++ {
				row := g.f[n*(y+n*z):]
				for x := from[0]; x < to[0]; x++ {
					row[x] = v
				}
				if liquid {
					g.needs.liquid[y+n*z] |= (uint64(2)<<(to[0]-1) - 1) >> from[0] << from[0]
				}
			}
		}
		return
	}
	var best closest // of the sample before, and then of this one
	for z := from[2]; z < to[2]; z++ {
		for y := from[1]; y < to[1]; y++ {
			for x := from[0]; x < to[0]; x++ {
				g.traceSample(x, y, z, &best)
			}
		}
	}
}

// traceSample writes a sample, or its side. best is what was closest to the one before, and then to this.
func (g *group) traceSample(x, y, z int32, best *closest) {
	c := g.c
	row := y + (g.t.n+1)*z
	p := g.origin(c.edge, x, y, z)
	at := c.from.locate(p.X, p.Y, p.Z)
	v := &g.f[x+(g.t.n+1)*row]
	// The ends of an edge that the surface cuts come from both sides of a cell that it passes: where the flow stretches the edge, from beside that cell.
	if at.far > adjacent {
		g.needs.leave(&at, x, row)
		*v = c.from.beyond(at.liquid, at.level)
		return
	}
	*best = c.from.closestAt(&at, best)
	*v = c.ripples.signed(c.from, best, &at)
	g.needs.find(c.from, best, *v < 0, x, row)
}

// bounds is the box, in global units, that the samples of a group come from.
func (g *group) bounds(edge int32) (lo, hi [3]float64) {
	for a := range 3 {
		lo[a], hi[a] = math.Inf(1), math.Inf(-1)
	}
	n, size := g.m+1, edge/g.m
	for z := g.at[2]; z <= g.at[2]+g.cells; z++ {
		for y := g.at[1]; y <= g.at[1]+g.cells; y++ {
			for x := g.at[0]; x <= g.at[0]+g.cells; x++ {
				v := &g.moved[x+n*(y+n*z)]
				for a, p := range [3]float64{float64(x*size) + v.X, float64(y*size) + v.Y, float64(z*size) + v.Z} {
					lo[a], hi[a] = min(lo[a], p), max(hi[a], p)
				}
			}
		}
	}
	for a := range 3 {
		low := float64(g.t.coords[a] * edge)
		lo[a] += low
		hi[a] += low
	}
	return lo, hi
}

// origin is where the liquid at a sample came from, global units: the displacements of the corners of its cell, interpolated.
func (g *group) origin(edge, x, y, z int32) r3.Vec {
	i, j, k, n := x/g.d, y/g.d, z/g.d, g.m+1
	part := 1 / float64(g.d)
	u, v, w := float64(x-i*g.d)*part, float64(y-j*g.d)*part, float64(z-k*g.d)*part
	at := i + n*(j+n*k)
	move := g.along(at, u)
	if v > 0 {
		move = between(move, g.along(at+n, u), v)
	}
	if w > 0 {
		up := g.along(at+n*n, u)
		if v > 0 {
			up = between(up, g.along(at+n*n+n, u), v)
		}
		move = between(move, up, w)
	}
	p := g.t.global(edge, x, y, z)
	return r3.Vec{X: p[0] + move.X, Y: p[1] + move.Y, Z: p[2] + move.Z}
}

// along interpolates from a corner to the next along x.
func (g *group) along(at int32, u float64) r3.Vec {
	if u > 0 {
		return between(g.moved[at], g.moved[at+1], u)
	}
	return g.moved[at]
}

func between(a, b r3.Vec, u float64) r3.Vec {
	return r3.Vec{X: a.X + float64(u*(b.X-a.X)), Y: a.Y + float64(u*(b.Y-a.Y)), Z: a.Z + float64(u*(b.Z-a.Z))}
}

// trace writes the displacements of the corners of a tile's m³ cells to where their liquid was, units, by the midpoint rule, and
// returns between what they are.
func (c *Contour) trace(t *tile, w *workspace, m int32) (lo, hi [3]float64) {
	n := int((m + 1) * (m + 1) * (m + 1))
	w.at, w.mid, w.moved = arrays.Resize(w.at, n), arrays.Resize(w.mid, n), arrays.Resize(w.moved, n)
	size := c.edge / m
	i := 0
	for z := range m + 1 {
		for y := range m + 1 {
			for x := range m + 1 {
				w.at[i] = c.metres(float64(t.coords[0]*c.edge+x*size), float64(t.coords[1]*c.edge+y*size), float64(t.coords[2]*c.edge+z*size))
				i++
			}
		}
	}
	c.velocity(w.moved, w.at)
	half := float64(c.dt / 2)
	for i, v := range w.moved {
		a := w.at[i]
		w.mid[i] = r3.Vec{X: a.X - float64(half*v.X), Y: a.Y - float64(half*v.Y), Z: a.Z - float64(half*v.Z)}
	}
	c.velocity(w.moved, w.mid)
	scale := -c.dt / c.unit
	for a := range 3 {
		lo[a], hi[a] = math.Inf(1), math.Inf(-1)
	}
	for i, v := range w.moved {
		if v = reproducible.Scale(scale, v); v.X-v.X != 0 || v.Y-v.Y != 0 || v.Z-v.Z != 0 {
			v = r3.Vec{} // no number: it stays
		}
		w.moved[i] = v
		lo[0], lo[1], lo[2] = min(lo[0], v.X), min(lo[1], v.Y), min(lo[2], v.Z)
		hi[0], hi[1], hi[2] = max(hi[0], v.X), max(hi[1], v.Y), max(hi[2], v.Z)
	}
	return lo, hi
}
