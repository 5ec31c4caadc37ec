package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// leastDepth is how deep in the liquid, in edges of its cell, a vertex counts at least. So little moves a still surface's pressure along all of the vertex's edges
// alike, by as little: a bound of their parts that are liquid, customarily .05, would set the liquid moving along those that are aslant to the surface.
const leastDepth = 1e-9

// faceList writes the graph's faces: the open edges with a row on an end.
type faceList struct {
	d      *Discretiser
	faceOf []int32 // per edge: its face, or -1
	walls  []vec   // of the graph, if asked for

	// While it runs.
	gr     *graph.Graph
	phi, u []float64
}

// run fills the graph's faces, what it has of walls, and how parts are connected.
func (l *faceList) run(gr *graph.Graph, phi, u []float64) {
	d := l.d
	l.gr, l.phi, l.u = gr, phi, u
	bases, counts := d.g.Bases(), d.rows.counts
	l.faceOf = arrays.Resize(l.faceOf, d.l.Edges())
	par.Each(d.pool, bases, fillGrain, l, (*faceList).count)
	faces := int32(0)
	for b := range bases {
		c := &counts[b]
		c.faces, faces = faces, faces+c.faces
	}
	counts[bases].faces = faces
	l.resize(int(faces))
	for b, c := range counts {
		gr.Parts[b] = graph.Part{Row: c.rows, Face: c.faces}
	}
	par.Each(d.pool, bases, fillGrain, l, (*faceList).fill)
	first := int32(0)
	for r := range gr.FirstFace { // until here it has how many faces each row has
		gr.FirstFace[r], first = first, first+gr.FirstFace[r]
	}
	gr.RowFaces = arrays.Resize(gr.RowFaces, int(first))
	par.Each(d.pool, bases, fillGrain, l, (*faceList).list)
	l.gr, l.phi, l.u = nil, nil, nil
}

func (l *faceList) resize(faces int) {
	d, gr, bases := l.d, l.gr, l.d.g.Bases()
	gr.Parts, gr.Connectivity = arrays.Resize(gr.Parts, bases+1), arrays.Resize(gr.Connectivity, bases)
	gr.A, gr.B, gr.Slot = arrays.Resize(gr.A, faces), arrays.Resize(gr.B, faces), arrays.Resize(gr.Slot, faces)
	gr.Normals, gr.FaceCentres = arrays.Resize(gr.Normals, faces), arrays.Resize(gr.FaceCentres, faces)
	gr.Area, gr.Dist, gr.Open = arrays.Resize(gr.Area, faces), arrays.Resize(gr.Dist, faces), arrays.Resize(gr.Open, faces)
	gr.Jump, gr.U, gr.Held = arrays.Resize(gr.Jump, faces), arrays.Resize(gr.U, faces), gr.Held[:0]
	gr.FirstFace = arrays.Resize(gr.FirstFace, gr.Rows+1)
	gr.FirstFace[gr.Rows] = 0
	if l.walls = arrays.Resize(l.walls, gr.Rows); d.Walls {
		gr.Walls = l.walls
	} else {
		gr.Walls = nil
	}
}

// count tells which of a base cell's edges are faces, by 0 in faceOf, and counts them.
func (l *faceList) count(_ int, b int32) {
	d, m := l.d, l.d.l
	faces := int32(0)
	for e := m.EdgeRuns[b]; e < m.EdgeRuns[b+1]; e++ {
		p, q := m.Ends[e][0], m.Ends[e][1]
		l.faceOf[e], d.State[e] = none, Idle
		switch {
		case d.Row[p] == none && d.Row[q] == none:
			if d.Open[e] == 0 && (l.phi[p] < 0 || l.phi[q] < 0) {
				d.State[e] = Shut
			}
		case d.Open[e] == 0 || d.Row[p] == none && l.phi[p] < 0 || d.Row[q] == none && l.phi[q] < 0: // shut, or asleep on one end
			d.State[e] = Shut
		default:
			l.faceOf[e], d.State[e] = 0, InGraph
			faces++
		}
	}
	d.rows.counts[b].faces = faces
}

// fill writes a base cell's faces from its place in the list on, and counts those of its rows.
func (l *faceList) fill(worker int, b int32) {
	d, m, gr := l.d, l.d.l, l.gr
	f := d.rows.counts[b].faces
	for e := m.EdgeRuns[b]; e < m.EdgeRuns[b+1]; e++ {
		if l.faceOf[e] == none {
			continue
		}
		p, q := m.Ends[e][0], m.Ends[e][1]
		gr.A[f], gr.B[f] = d.Row[p], d.Row[q]
		theta := 1.
		if d.Row[p] == none {
			gr.A[f], theta = graph.Air, d.wetPart(q, l.phi[q], l.phi[p], leastDepth)
		} else if d.Row[q] == none {
			gr.B[f], theta = graph.Air, d.wetPart(p, l.phi[p], l.phi[q], leastDepth)
		}
		gr.Slot[f], gr.Normals[f], gr.FaceCentres[f] = e, m.Normal(e), d.Middle[e]
		gr.Area[f], gr.Dist[f], gr.Open[f] = m.Area[e], m.Dist[e]*theta, d.Open[e]
		gr.Jump[f], gr.U[f] = 0, 0
		if l.u != nil {
			gr.U[f] = l.u[e]
		}
		l.faceOf[e] = f
		f++
	}
	for r := d.rows.counts[b].rows; r < d.rows.counts[b+1].rows; r++ {
		l.countRow(r)
	}
	gr.Connectivity[b] = l.connectivity(&d.work[worker], b)
}

// wetPart is the part of an edge that is liquid, from a vertex in the liquid, where the surface's distance is negative, to one in air. The vertex counts as deep as least, in edges of
// its cell.
func (d *Discretiser) wetPart(v int32, wet, dry, least float64) float64 {
	wet = min(wet, -least*d.cellEdge(v))
	if theta := wet / (wet - dry); theta > 0 {
		return theta
	}
	return 1 // one of the two is not known
}

// countRow counts a row's faces, and sums up the area of walls in its cell if that is asked for.
func (l *faceList) countRow(r int32) {
	d, m := l.d, l.d.l
	v := d.rows.vertex[r]
	edges := m.VertexEdges[m.VertexEdgeRuns[v]:m.VertexEdgeRuns[v+1]]
	faces := int32(0)
	for _, e := range edges {
		if d.State[e] == InGraph {
			faces++
		}
	}
	if l.gr.FirstFace[r] = faces; d.Walls {
		l.gr.Walls[r] = l.wallsOf(v, edges)
	}
}

// wallsOf is the area of walls in the cell of a vertex, a row. Edges that are shut but not solid, since the liquid on their other end sleeps, count as walls.
func (l *faceList) wallsOf(v int32, edges []int32) (sum vec) {
	d, m := l.d, l.d.l
	if !l.hasWalls(v, edges) {
		return sum
	}
	var all vec
	for _, e := range edges {
		shut, area := d.fixed[e], m.Area[e]
		if d.State[e] != InGraph {
			shut += float64(area * d.Open[e])
		}
		if m.Ends[e][1] == v {
			shut, area = -shut, -area
		}
		for a, n := range m.Normal(e) {
			sum[a] += float64(shut * n)
			all[a] += float64(area * n)
		}
	}
	for a, x := range m.Position[v] { // a side of the layout shuts what the polygons of a cell leave open at it
		if near := d.cellEdge(v); x-d.domain.first[a] < near && all[a] > 0 || d.domain.last[a]-x < near && all[a] < 0 {
			sum[a] -= all[a]
		}
	}
	return sum
}

// hasWalls tells whether something is shut at a vertex's edges, or the vertex is beside a side of the layout.
func (l *faceList) hasWalls(v int32, edges []int32) bool {
	d := l.d
	for _, e := range edges {
		if d.fixed[e] != 0 || d.State[e] != InGraph {
			return true
		}
	}
	near := d.cellEdge(v)
	for a, x := range &d.l.Position[v] {
		if x-d.domain.first[a] < near || d.domain.last[a]-x < near {
			return true
		}
	}
	return false
}

// list lists the faces of a base cell's rows. Faces are in the order of edges.
func (l *faceList) list(_ int, b int32) {
	d, m, gr := l.d, l.d.l, l.gr
	for r := d.rows.counts[b].rows; r < d.rows.counts[b+1].rows; r++ {
		v, to := d.rows.vertex[r], gr.FirstFace[r]
		for _, e := range m.VertexEdges[m.VertexEdgeRuns[v]:m.VertexEdgeRuns[v+1]] {
			if f := l.faceOf[e]; f != none {
				gr.RowFaces[to] = f
				to++
			}
		}
	}
}

// connectivity tells whether a base cell's own faces join all of its rows. As edges lead to base cells on all sides, those of its faces that lead elsewhere are
// looked at one by one.
func (l *faceList) connectivity(s *scratch, b int32) graph.Connectivity {
	gr, counts := l.gr, l.d.rows.counts
	lo, hi := counts[b].rows, counts[b+1].rows
	from, to := counts[b].faces, counts[b+1].faces
	c := graph.Connectivity{Below: [3]int32{-1, -1, -1}, Simple: from == to && lo == hi}
	if lo == hi {
		return c
	}
	s.sets = arrays.Resize(s.sets, int(hi-lo))
	for i := range s.sets {
		s.sets[i] = int32(i)
	}
	left := hi - lo - 1
	for f := from; f < to && left > 0; f++ {
		p, q := gr.A[f]-lo, gr.B[f]-lo
		if p < 0 || q < 0 || p >= hi-lo || q >= hi-lo {
			continue
		}
		if p, q = root(s.sets, p), root(s.sets, q); p != q {
			s.sets[max(p, q)] = min(p, q)
			left--
		}
	}
	c.Connected = left == 0
	return c
}

// root is the representative of a set.
func root(sets []int32, i int32) int32 {
	for sets[i] != i {
		sets[i] = sets[sets[i]]
		i = sets[i]
	}
	return i
}
