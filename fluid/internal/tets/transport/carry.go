package transport

import (
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// CarryOver makes a lattice of other levels the settled one, with the velocity that the old one had there. It is for a layout that changes outside of a step.
func (t *Transport) CarryOver(l *bcc.Lattice) {
	t.Begin(l)
	t.settled().findTets(second)
	par.Each(t.pool, t.grid.Bases(), baseGrain, t, (*Transport).carryBase)
	t.next().findReached()
	t.next().findVertices()
	t.Publish()
}

// carryBase gives a base cell's edges the velocity that the old lattice has along them: what it has at the same edges, where levels are the same there and around.
func (t *Transport) carryBase(_ int, b int32) {
	from, to := t.settled(), t.next()
	lo, hi := to.EdgeRuns.Of(b)
	if old, end := from.EdgeRuns.Of(b); end-old == hi-lo && sameAround(from.mesh, to.mesh, b) {
		copy(to.u[lo:hi], from.u[old:end])
		copy(to.state[lo:hi], from.state[old:end])
		return
	}
	if !from.reached[b] {
		return
	}
	known := extended
	if from.holds[b] {
		known = liquid
	}
	for e := lo; e < hi; e++ {
		n, u := to.normal[e], from.accurate(&to.Middle[e])
		to.u[e], to.state[e] = geom.Dot(&n, &u), known
	}
}

// sameAround tells whether a base cell and all around it have the same levels in two meshes, so that the base cell has the same edges.
func sameAround(m, o *mesh, b int32) bool {
	for _, nb := range m.grid.Nearby(b) {
		if nb != layout.None && m.level(nb) != o.level(nb) {
			return false
		}
	}
	return true
}

func (m *mesh) level(b int32) uint8 { return m.Level[m.VertexRuns[b]] }

// WriteFaces writes the new velocity, extrapolated, on the faces of the cells of the grid's Cur, m/s; see layout.Velocity. Between cells of one size a face is across the edge
// between their centres, and has its velocity; where sizes change it has the velocity in its middle, and on the layout's sides none.
// At the surface, unless that is nil, faces move across it as fast as liquid passes through: see rise.
func (t *Transport) WriteFaces(dst *[3][]float32, is *Surface) {
	t.faces, t.rise.surface = dst, is
	if is != nil {
		t.rise.field = t.next()
		t.rise.find(t.pool)
	}
	par.Each(t.pool, t.grid.Bases(), baseGrain, t, (*Transport).writeSides)
	par.Each(t.pool, t.grid.Bases(), baseGrain, t, (*Transport).writeEdges)
	t.faces, t.rise.field, t.rise.surface = nil, nil, nil
}

// writeEdges writes the velocity along the edges of a base cell that join the centres of cells of one size.
func (t *Transport) writeEdges(_ int, b int32) {
	f := t.next()
	lo, hi := f.EdgeRuns.Of(b)
	for e := lo; e < hi; e++ {
		p, q := f.Ends[e][0], f.Ends[e][1]
		if f.Cell[p] < 0 || f.Cell[q] < 0 || f.Level[p] != f.Level[q] {
			continue
		}
		u := f.u[e]
		if t.rise.surface != nil {
			u = t.rise.along(e)
		}
		for a, n := range &f.normal[e] {
			switch {
			case n > .5:
				t.faces[a][f.Cell[q]] = float32(u)
			case n < -.5:
				t.faces[a][f.Cell[p]] = float32(-u)
			}
		}
	}
}

// writeSides writes a block's faces on its low sides where another size is beyond, and clears the others.
func (t *Transport) writeSides(_ int, b int32) {
	g, f := t.grid, t.next()
	level := g.Cur.Level[b]
	n, s := 1<<level, 1/float64(int(1)<<level)
	first, at := g.Cur.First[b], g.BaseCoords(b)
	for a := range 3 {
		clear(t.faces[a][first:][:n*n*n])
		nb := g.Neighbour[b][2*a]
		if !f.reached[b] || nb == layout.None || g.Cur.Level[nb] == level {
			continue
		}
		wide := 1
		if g.Cur.Level[nb] < level {
			wide = 2
		}
		var cell [3]int
		for k := 0; k < n; k += wide {
			for j := 0; j < n; j += wide {
				cell[(a+1)%3], cell[(a+2)%3] = j, k
				var p [3]float64
				for i := range p {
					p[i] = float64(at[i]) + float64((float64(cell[i])+float64(float64(wide)/2))*s)
				}
				p[a] = float64(at[a])
				var x [3]float64
				x[0], x[1], x[2] = g.ToMetres(layout.Point{X: p[0], Y: p[1], Z: p[2]})
				t.faces[a][g.Cur.Cell(b, cell[0], cell[1], cell[2])] = float32(f.linear(&x)[a])
			}
		}
	}
}
