package transport

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// The surface's distance is known at the centres of cells, and that at a corner is the mean of those around. Where an edge to the air crosses the surface, which its
// velocity is accelerated by, follows from the distances at its two ends: -δφ of the crossing is -(1-θ)δφ of the end in the liquid and -θδφ of the one in air. A wave is
// given just the energy that it gives back if the distances fall by the transpose of that: what passes through the edge raises the surface at the two ends by these parts, at
// a corner that of the cells around, by equal parts. Then of what passes through the surface of a cell seven eighths pass through edges to or from corners. The velocity along the one
// edge between the centres of two cells, with which the distance would move else, is that of an eighth. Rows that come and go would then feed a wave.
//
// All cells across the surface from one another move as one, as their distances differ by what lies between.

// Surface is what WriteFaces needs to know of the liquid's surface.
type Surface struct {
	Phi  []float64 // per vertex: its distance, m, negative in liquid
	Open []float64 // per edge: the part of its polygon that solids leave open
}

// rise finds the velocity of the surface at the centres of cells beside it: across it what passes through edges to the air, along it that of the vertex.
type rise struct {
	*field
	surface *Surface
	some    []bool       // per base cell: it has edges to the air
	through []through    // per vertex; of centres with their corners' parts
	moves   []uint8      // per vertex
	by      [][3]float64 // per vertex that moves with the surface, m/s
}

// through is what passes through edges to the air: how much, m³/s, and the area that it passes through, as a vector out of the liquid, m².
type through struct {
	flux float64
	area [3]float64
}

// add adds a part of what passes elsewhere.
func (t *through) add(o *through, part float64) {
	t.flux += float64(part * o.flux)
	geom.AddScaled(&t.area, part, &o.area)
}

// Whether the centre of a cell moves with the surface.
const (
	apart   uint8 = iota
	nearest       // it does, and no other centre across the surface is nearer to that
	behind        // it moves as one beside it
)

// find finds it on the field's mesh.
func (r *rise) find(pool *par.Pool) {
	n, bases := r.Vertices(), r.grid.Bases()
	r.through, r.moves, r.by = arrays.Resize(r.through, n), arrays.Resize(r.moves, n), arrays.Resize(r.by, n)
	r.some = arrays.Resize(r.some, bases)
	for _, pass := range [5]func(*rise, int, int32){(*rise).findSome, (*rise).pass, (*rise).addCorners, (*rise).moveNearest, (*rise).moveBehind} {
		par.Each(pool, bases, baseGrain, r, pass)
	}
}

// findSome finds out whether a base cell has edges to the air.
func (r *rise) findSome(_ int, b int32) {
	r.some[b] = false
	lo, hi := r.EdgeRuns.Of(b)
	for _, s := range r.state[lo:hi] {
		if s == surface {
			r.some[b] = true
			return
		}
	}
}

// isClose tells whether a base cell or one beside it has edges to the air.
func (r *rise) isClose(b int32) bool {
	for _, nb := range r.grid.Nearby(b) {
		if nb != layout.None && r.some[nb] {
			return true
		}
	}
	return false
}

// pass finds what passes at a base cell's vertices: of corners what a cell around gets of it.
func (r *rise) pass(_ int, b int32) {
	lo, hi := r.VertexRuns.Of(b)
	clear(r.through[lo:hi])
	clear(r.moves[lo:hi])
	if !r.isClose(b) {
		return
	}
	for v := lo; v < hi; v++ {
		var sum through
		some, cells := false, 0.
		for _, e := range r.VertexEdges[r.VertexEdgeRuns[v]:r.VertexEdgeRuns[v+1]] {
			if r.state[e] == surface {
				t, part := r.across(e, v)
				sum.add(&t, part)
				some = true
			}
			if r.surface.Open[e] > 0 && r.Cell[r.other(e, v)] >= 0 {
				cells++
			}
		}
		if some && r.Cell[v] >= 0 {
			r.through[v] = sum
		} else if some && cells > 0 {
			r.through[v].add(&sum, 1/cells)
		}
	}
}

// across is what passes through an edge to the air, and the part of it that is one end's.
func (r *rise) across(e, v int32) (t through, part float64) {
	p, q := r.Ends[e][0], r.Ends[e][1]
	area, phi := r.Area[e]*r.surface.Open[e], r.surface.Phi
	if !(phi[p] < 0) {
		p, q, area = q, p, -area
	}
	if part = phi[p] / (phi[p] - phi[q]); !(part > 0) {
		part = 0
	}
	if v == p {
		part = 1 - part
	}
	t.flux = area * r.u[e]
	geom.AddScaled(&t.area, area, &r.normal[e])
	return t, part
}

// addCorners adds to what passes at the centres of a base cell's cells what they get of their corners'.
func (r *rise) addCorners(_ int, b int32) {
	if !r.isClose(b) {
		return
	}
	lo, hi := r.VertexRuns.Of(b)
	for v := lo; v < hi && r.Cell[v] >= 0; v++ {
		for _, e := range r.VertexEdges[r.VertexEdgeRuns[v]:r.VertexEdgeRuns[v+1]] {
			if k := r.other(e, v); r.Cell[k] < 0 && r.surface.Open[e] > 0 {
				r.through[v].add(&r.through[k], 1)
			}
		}
	}
}

// moveNearest finds the velocity of the centres of a base cell's cells that are nearest to the surface: of theirs and those before and behind.
func (r *rise) moveNearest(_ int, b int32) {
	if !r.isClose(b) {
		return
	}
	lo, hi := r.VertexRuns.Of(b)
	for v := lo; v < hi && r.Cell[v] >= 0; v++ {
		if !r.isNearest(v) {
			continue
		}
		up := r.upwards(v)
		sum := r.through[v]
		for _, e := range r.VertexEdges[r.VertexEdgeRuns[v]:r.VertexEdgeRuns[v+1]] {
			if c := r.other(e, v); r.Cell[c] >= 0 {
				along := geom.Dot(&up, &r.normal[e])
				sum.add(&r.through[c], along*along)
			}
		}
		if area := geom.Dot(&sum.area, &up); area > leastFacing*geom.Norm(&sum.area) {
			r.moves[v], r.by[v] = nearest, r.vertex[v]
			geom.AddScaled(&r.by[v], (sum.flux-geom.Dot(&sum.area, &r.vertex[v]))/area, &up)
		}
	}
}

// leastFacing is the cosine of the angle between the surface's normal and the area that is passed through from which on the latter counts as the surface's.
const leastFacing = .5

// isNearest tells whether the surface is between the centre of a cell and one beside it, and about as near to it as to that.
func (r *rise) isNearest(v int32) bool {
	phi := r.surface.Phi
	for _, e := range r.VertexEdges[r.VertexEdgeRuns[v]:r.VertexEdgeRuns[v+1]] {
		c := r.other(e, v)
		if r.Cell[c] >= 0 && (phi[c] < 0) != (phi[v] < 0) && r.surface.Open[e] > 0 && math.Abs(phi[v]) <= 1.1*math.Abs(phi[c]) {
			return true
		}
	}
	return false
}

// leastSlope is the slope of the distance below which it tells no direction: between two surfaces.
const leastSlope = .5

// upwards is the surface's normal at a vertex, out of the liquid, or 0.
func (r *rise) upwards(v int32) (up [3]float64) {
	var eq normal
	phi := r.surface.Phi
	for _, e := range r.VertexEdges[r.VertexEdgeRuns[v]:r.VertexEdgeRuns[v+1]] {
		if p, q := r.Ends[e][0], r.Ends[e][1]; r.surface.Open[e] > 0 && !r.Beyond[q] {
			eq.add(&r.normal[e], r.Area[e]*r.Dist[e], (phi[q]-phi[p])/r.Dist[e])
		}
	}
	g, ok := eq.solve()
	if slope := geom.Norm(&g); ok && slope > leastSlope {
		geom.AddScaled(&up, 1/slope, &g)
	}
	return up
}

// moveBehind has the centres of a base cell's other cells beside such ones move across the surface as these do.
func (r *rise) moveBehind(_ int, b int32) {
	if !r.isClose(b) {
		return
	}
	lo, hi := r.VertexRuns.Of(b)
	for v := lo; v < hi && r.Cell[v] >= 0; v++ {
		if r.moves[v] == nearest || !r.isBeside(v) {
			continue
		}
		up := r.upwards(v)
		sum, weight := 0., 0.
		for _, e := range r.VertexEdges[r.VertexEdgeRuns[v]:r.VertexEdgeRuns[v+1]] {
			if c := r.other(e, v); r.moves[c] == nearest {
				along := geom.Dot(&up, &r.normal[e])
				sum += float64(along * along * geom.Dot(&up, &r.by[c]))
				weight += float64(along * along)
			}
		}
		if weight > 0 {
			r.moves[v], r.by[v] = behind, r.vertex[v]
			geom.AddScaled(&r.by[v], sum/weight-geom.Dot(&up, &r.vertex[v]), &up)
		}
	}
}

// isBeside tells whether a centre beside a vertex is one that is nearest to the surface.
func (r *rise) isBeside(v int32) bool {
	for _, e := range r.VertexEdges[r.VertexEdgeRuns[v]:r.VertexEdgeRuns[v+1]] {
		if r.moves[r.other(e, v)] == nearest {
			return true
		}
	}
	return false
}

// along is the velocity along an edge that joins two cells' centres. Where both move with the surface, or one does and the other is no inner liquid's, it is the mean of theirs.
func (r *rise) along(e int32) float64 {
	p, q := r.Ends[e][0], r.Ends[e][1]
	if r.moves[p] == apart && r.moves[q] == apart || (r.moves[p] == apart || r.moves[q] == apart) && r.state[e] == inner {
		return r.u[e]
	}
	u, v := r.velocity(p), r.velocity(q)
	return .5 * (geom.Dot(&r.normal[e], u) + geom.Dot(&r.normal[e], v))
}

// velocity is that of a cell's centre.
func (r *rise) velocity(v int32) *[3]float64 {
	if r.moves[v] == apart {
		return &r.vertex[v]
	}
	return &r.by[v]
}
