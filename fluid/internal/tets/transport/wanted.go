package transport

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Advect needs the velocities of those tetrahedra alone that are around vertices in whose Voronoi cells traces end. To the second order these follow from the excess of
// edges, which over the mean of tetrahedra is that of inner edges alone, and is 0 elsewhere; around an inner edge all edges are the liquid's. So the first pass takes the
// tetrahedra that are wanted and those in the liquid, and the edges of both.

// How far the velocity of a tetrahedron is needed.
const (
	needless uint8 = iota
	mean           // by the excess of edges over what is linear between vertices
	final
)

// wanted is which velocities are needed.
type wanted struct {
	some  bool    // not all are
	cells []bool  // per vertex: that of its Voronoi cell, and the excess of edges between two such vertices
	near  []bool  // per vertex: it is wanted, or one is that an edge joins to it
	bases []bool  // per base cell: a vertex in it is wanted
	need  []uint8 // per tetrahedron
}

// wantNone begins anew.
func (f *field) wantNone() {
	w := &f.wanted
	w.cells, w.near = arrays.Resize(w.cells, f.Vertices()), arrays.Resize(w.near, f.Vertices())
	w.bases, w.need = arrays.Resize(w.bases, f.grid.Bases()), arrays.Resize(w.need, f.Tets())
	clear(w.cells)
	clear(w.bases)
	w.some, f.has = true, neither
}

// want marks what is around a vertex as needed.
func (f *field) want(v int32) { f.wanted.cells[v], f.wanted.bases[f.base[v]] = true, true }

// findWanted finds what is needed for what is wanted.
func (f *field) findWanted() {
	par.Each(f.pool, f.grid.Bases(), baseGrain, f, (*field).findNear)
	par.Each(f.pool, f.grid.Bases(), baseGrain, f, (*field).findNeeds)
}

func (f *field) findNear(_ int, b int32) {
	w := &f.wanted
	lo, hi := f.VertexRuns.Of(b)
	clear(w.near[lo:hi])
	if !f.isNearWanted(b) {
		return
	}
	for v := lo; v < hi; v++ {
		if w.near[v] = w.cells[v]; w.near[v] {
			continue
		}
		for _, e := range f.VertexEdges[f.VertexEdgeRuns[v]:f.VertexEdgeRuns[v+1]] {
			if w.cells[f.other(e, v)] {
				w.near[v] = true
				break
			}
		}
	}
}

// isNearWanted tells whether something is wanted in a base cell or in those around.
func (f *field) isNearWanted(b int32) bool {
	for _, nb := range f.grid.Nearby(b) {
		if nb != layout.None && f.wanted.bases[nb] {
			return true
		}
	}
	return false
}

func (f *field) findNeeds(_ int, b int32) {
	w := &f.wanted
	lo, hi := f.TetRuns.Of(b)
	for t := lo; t < hi; t++ {
		c := &f.Corners[t]
		switch k := f.edges[t][0]; {
		case f.kind[t] == irregular:
			w.need[t] = needless
		case w.cells[c[0]] || w.cells[c[1]] || w.cells[c[2]] || w.cells[c[3]]:
			w.need[t] = final
		case k >= 0 && f.state[k>>1] >= liquid:
			w.need[t] = mean
		default:
			w.need[t] = needless
		}
	}
}

// needsExcess tells whether an edge's excess over what is linear between vertices is needed.
func (f *field) needsExcess(e int32) bool {
	w := &f.wanted
	switch {
	case !w.some || f.state[e] == inner:
		return true
	case f.state[e] < liquid && !(w.near[f.Ends[e][0]] && w.near[f.Ends[e][1]]):
		return false
	}
	return f.ring[e] != 0 || f.isOfNeeded(e)
}

// isOfNeeded tells whether the velocity of a whole tetrahedron around an edge is needed.
func (f *field) isOfNeeded(e int32) bool {
	for _, t := range f.Ring[f.RingRuns[e]:f.RingRuns[e+1]] {
		if int(t) < f.Tets() && f.kind[t] != irregular && f.wanted.need[t] >= mean {
			return true
		}
	}
	return false
}

// needs tells whether a tetrahedron's velocity is needed, so far at least.
func (f *field) needs(t int32, least uint8) bool { return !f.wanted.some || f.wanted.need[t] >= least }

// needsRest tells whether an edge's excess is needed for Advect.
func (f *field) needsRest(e int32) bool {
	w := &f.wanted
	return !w.some || w.cells[f.Ends[e][0]] && w.cells[f.Ends[e][1]]
}
