package transport

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Solids are what Extrapolate needs to know of them.
type Solids struct {
	// Shut are the edges of the new lattice whose polygons moving bodies shut, each once, and Wall the velocity of a body at a place, m/s.
	Shut []ShutEdge
	Wall func(body int32, x r3.Vec) r3.Vec
	// Asleep tells per base cell whether the liquid in it lies still and is none of the graph's; nil: none does.
	Asleep []bool
}

// ShutEdge is an edge that a moving body shuts.
type ShutEdge struct{ Edge, Body int32 }

// spread extends the velocity from the edges where it is known over the vertices around, layer by layer: each takes the mean of its neighbours that were known before it.
// Edges in between follow. As on cubes it reaches every base cell with a known edge in it or beside it, and those beside these: at least one whole base cell beyond
// the liquid's own.
type spread struct {
	*field
	gr     *graph.Graph
	solids *Solids
	row    []uint8 // per vertex: whether it is a row's; see wet
	number []int32 // per vertex that is a row's: which
	layer  []uint8 // per vertex: 0 where nothing is known, in the first the velocity follows from edges; partly: some of it does
	front  []bool  // per vertex: it is of the first layer, and others beside it aren't
	queue  []int32 // vertices by layer: of the first one those that are in front
	from   int     // in queue: the layer at hand
	slopes
}

// sliver is the open part of an edge's polygon below which, where the edge leads to the air, its velocity says little about the liquid around: so narrow a slit takes
// hardly any flux, and as the surface may be next to it a small error in the pressure drives a jet. It goes on from the velocity around, like one in the air. Porous bodies leave more.
const sliver = .08

// Tells tells whether the velocity of a graph's face says something about the liquid around.
func Tells(gr *graph.Graph, f int) bool {
	return gr.Open[f] >= sliver || gr.A[f] != graph.Air && gr.B[f] != graph.Air
}

// What a vertex is to the graph.
const (
	dry  uint8 = iota
	wet        // a row's
	full       // likewise, and all edges' velocities are known around it
	free       // likewise, and the row is neither at the surface nor at a solid
)

const (
	firstLayer = 1
	lastLayer  = 254
	partly     = 255
)

// Extrapolate stores the graph's velocity on the new lattice and extends it beyond the liquid and into solids, along whose walls, by gr.Walls, it slips.
// Elsewhere it is 0.
func (t *Transport) Extrapolate(gr *graph.Graph, solids *Solids) {
	s := &t.spread
	s.field, s.gr, s.solids = t.next(), gr, solids
	s.clear()
	n := s.Vertices()
	s.row, s.number, s.layer = arrays.Resize(s.row, n), arrays.Resize(s.number, n), arrays.Resize(s.layer, n)
	clear(s.row)
	par.For(t.pool, gr.Rows, faceGrain, s, (*spread).findRows)
	par.For(t.pool, gr.Faces(), faceGrain, s, (*spread).store)
	for _, e := range solids.Shut {
		s.shut(e)
	}
	if solids.Asleep != nil {
		par.Each(t.pool, t.grid.Bases(), baseGrain, s, (*spread).stop)
	}
	s.findReached()
	par.Each(t.pool, t.grid.Bases(), baseGrain, s, (*spread).seed)
	s.findSlopes()
	s.front = arrays.Resize(s.front, n)
	par.Each(t.pool, t.grid.Bases(), baseGrain, s, (*spread).findFront)
	s.run()
	par.Each(t.pool, t.grid.Bases(), baseGrain, s, (*spread).extendEdges)
	par.Each(t.pool, t.grid.Bases(), baseGrain, s, (*spread).finishVertices)
	par.Each(t.pool, t.grid.Bases(), baseGrain, s.field, (*field).mirrorIn)
	s.field, s.gr, s.solids = nil, nil, nil
}

// findRows tells what vertices are rows, and of which kind.
func (s *spread) findRows(_, lo, hi int) {
	gr := s.gr
	for r := lo; r < hi; r++ {
		v, faces := gr.Cell[r], gr.FacesOf(int32(r))
		edges := 0
		for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
			if s.Area[e] > 0 {
				edges++
			}
		}
		s.row[v], s.number[v] = wet, int32(r)
		if len(faces) == edges {
			s.row[v] = free
			for _, f := range faces {
				if !Tells(gr, int(f)) {
					s.row[v] = wet
					break
				}
				if gr.A[f] < 0 || gr.B[f] < 0 || gr.Open[f] != 1 {
					s.row[v] = full
				}
			}
		}
	}
}

func (s *spread) store(_, lo, hi int) {
	for i := lo; i < hi; i++ {
		if !Tells(s.gr, i) {
			continue
		}
		e := s.gr.Slot[i]
		s.u[e], s.state[e] = s.gr.U[i], liquid
		if s.row[s.Ends[e][0]] == free && s.row[s.Ends[e][1]] == free {
			s.state[e] = inner
		} else if s.gr.A[i] == graph.Air || s.gr.B[i] == graph.Air {
			s.state[e] = surface
		}
	}
}

func (s *spread) shut(e ShutEdge) {
	x, n := s.Middle[e.Edge], s.normal[e.Edge]
	v := s.solids.Wall(e.Body, r3.Vec{X: x[0], Y: x[1], Z: x[2]})
	s.u[e.Edge], s.state[e.Edge] = geom.Dot(&n, &[3]float64{v.X, v.Y, v.Z}), shut
}

// stop has the edges of a base cell lie still that lead to where the liquid does, but those of the graph.
func (s *spread) stop(_ int, b int32) {
	some := false
	for _, nb := range s.grid.Nearby(b) {
		some = some || nb != layout.None && s.solids.Asleep[nb]
	}
	if !some {
		return
	}
	lo, hi := s.EdgeRuns.Of(b)
	for e := lo; e < hi; e++ {
		if s.state[e] == unknown && (s.solids.Asleep[s.base[s.Ends[e][0]]] || s.solids.Asleep[s.base[s.Ends[e][1]]]) {
			s.state[e] = shut
		}
	}
}

// findReached finds the base cells with a known edge in them or beside them, and those beside these. What is extended doesn't count.
func (f *field) findReached() {
	par.Each(f.pool, f.grid.Bases(), baseGrain, f, (*field).findHolds)
	copy(f.reached, f.holds)
	for range 2 {
		copy(f.beside, f.reached)
		par.Each(f.pool, f.grid.Bases(), baseGrain, f, (*field).reach)
	}
}

func (f *field) findHolds(_ int, b int32) {
	lo, hi := f.EdgeRuns.Of(b)
	f.holds[b] = false
	for _, s := range f.state[lo:hi] {
		if s >= shut {
			f.holds[b] = true
			return
		}
	}
}

// reach has a base cell beside others be reached.
func (f *field) reach(_ int, b int32) {
	for _, nb := range f.grid.Nearby(b) {
		f.reached[b] = f.reached[b] || nb != layout.None && f.beside[nb]
	}
}

// seed finds the vertices of a base cell whose velocity follows from known edges, all of it or some.
func (s *spread) seed(_ int, b int32) {
	lo, hi := s.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		s.layer[v] = 0
		if !s.reached[b] || s.Beyond[v] {
			continue
		}
		if s.isDone(v) {
			s.layer[v], s.vertex[v] = firstLayer, s.closedVertex(v)
			continue
		}
		var eq normal
		s.gatherVertex(&eq, v, shut)
		if eq.xx+eq.yy+eq.zz == 0 {
			continue
		}
		if u, ok := eq.solve(); ok {
			s.slip(v, &u)
			s.slipAlong(v, &u)
			s.layer[v], s.vertex[v] = firstLayer, u
		} else {
			s.layer[v] = partly
		}
	}
}

// isDone tells whether the velocity of a vertex follows from the graph's edges as it will in the end.
func (s *spread) isDone(v int32) bool { return s.row[v] >= full && s.closed[v] == closed }

// finishVertices makes the velocities of a base cell's vertices from all edges, where that is not done.
func (s *spread) finishVertices(_ int, b int32) {
	lo, hi := s.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if !s.isDone(v) {
			s.findVertex(v)
		}
	}
}

// findFront finds the vertices of a base cell that the velocity is extended from.
func (s *spread) findFront(_ int, b int32) {
	lo, hi := s.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		s.front[v] = false
		if s.layer[v] != firstLayer {
			continue
		}
		for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
			if s.layer[s.other(e, v)] != firstLayer {
				s.front[v] = true
				break
			}
		}
	}
}

// run extends the velocity, layer by layer. Vertices where some of it is known, but that nothing known leads to, come last, and begin anew.
func (s *spread) run() {
	s.queue, s.from = s.queue[:0], 0
	for v, front := range s.front {
		if front {
			s.queue = append(s.queue, int32(v))
		}
	}
	s.extendLayers()
	s.from = len(s.queue)
	for v, l := range s.layer {
		if l == partly {
			s.queue = append(s.queue, int32(v))
		}
	}
	par.For(s.pool, len(s.queue)-s.from, faceGrain, s, (*spread).settle)
	for _, v := range s.queue[s.from:] {
		s.layer[v] = firstLayer
	}
	s.extendLayers()
}

// extendLayers extends the velocity from the last layer on.
func (s *spread) extendLayers() {
	for l := uint8(firstLayer + 1); l <= lastLayer && s.from < len(s.queue); l++ {
		to := len(s.queue)
		for _, v := range s.queue[s.from:to] {
			for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
				w := s.other(e, v)
				if k := s.layer[w]; (k == 0 || k == partly) && s.reached[s.base[w]] && !s.Beyond[w] {
					s.layer[w] = l
					s.queue = append(s.queue, w)
				}
			}
		}
		s.from = to
		par.For(s.pool, len(s.queue)-to, faceGrain, s, (*spread).settle)
	}
}

// other is the end of an edge that a vertex isn't.
func (m *mesh) other(e, v int32) int32 {
	ends := &m.Ends[e]
	return ends[0] + ends[1] - v
}

// settle finds the velocities of vertices of the layer at hand: the mean of those around that were known before, but what known edges tell.
func (s *spread) settle(_, lo, hi int) {
	for _, v := range s.queue[s.from+lo : s.from+hi] {
		x, y, z, count, own := 0., 0., 0., 0, s.layer[v]
		known, beside := false, false // some edge, and to a row
		for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
			w := s.other(e, v)
			known, beside = known || s.state[e] >= shut, beside || s.row[w] != dry
			if l := s.layer[w]; l != 0 && l < own && own != partly {
				u := &s.vertex[w]
				if s.continued[w] || s.outer[w] {
					on := s.beyond(w, v)
					u = &on
				}
				x, y, z = x+u[0], y+u[1], z+u[2]
				count++
			}
		}
		by := 1 / float64(max(1, count))
		sum := [3]float64{x * by, y * by, z * by}
		if known {
			var eq normal
			if s.gatherVertex(&eq, v, shut); eq.xx+eq.yy+eq.zz > 0 {
				sum = eq.near(&sum)
			}
		}
		s.slip(v, &sum)
		if beside {
			s.slipAlong(v, &sum)
		}
		s.vertex[v] = sum
	}
}

// slipAlong takes off a velocity at a vertex that is not the liquid's what leads into what stands still there, so that the liquid slips along that: the walls of the rows beside
// that no open edge joins to the vertex.
func (s *spread) slipAlong(v int32, u *[3]float64) {
	if s.gr.Walls == nil || s.row[v] != dry {
		return
	}
	var into [3]float64
	for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
		if w := s.other(e, v); s.row[w] != dry && s.state[e] == unknown {
			geom.AddScaled(&into, 1, &s.gr.Walls[s.number[w]])
		}
	}
	if square := geom.Dot(&into, &into); square > 0 {
		geom.AddScaled(u, -geom.Dot(&into, u)/square, &into)
	}
}

// extendEdges finds the velocity along a base cell's other edges between vertices where it is known.
func (s *spread) extendEdges(_ int, b int32) {
	lo, hi := s.EdgeRuns.Of(b)
	for e := lo; e < hi; e++ {
		p, q := s.Ends[e][0], s.Ends[e][1]
		if s.state[e] == unknown && s.layer[p] != 0 && s.layer[q] != 0 {
			n := &s.normal[e]
			s.u[e], s.state[e] = .5*(geom.Dot(n, &s.vertex[p])+geom.Dot(n, &s.vertex[q])), extended
		}
	}
}
