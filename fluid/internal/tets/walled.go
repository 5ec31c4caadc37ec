package tets

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/dense"
)

// ridge bounds the slope of a plane where the places that it is laid through don't tell it, as a part of what they tell elsewhere.
const ridge = 1e-5

// plane is what is summed up to lay one, f(x) = c + g·x, through values at some places near the origin, by least squares.
type plane struct {
	n      float64    // the sum of weights
	x      [3]float64 // sums of the places
	xx     [9]float64 // of their products, row by row
	f      float64    // of the values
	xf     [3]float64 // of their products
	values [3]float64 // scratch
}

func (p *plane) add(x *[3]float64, f, weight float64) {
	p.n += weight
	p.f += float64(weight * f)
	for a, v := range x {
		v *= weight
		p.x[a] += float64(v)
		p.xf[a] += float64(v * f)
		for b, w := range x {
			p.xx[3*a+b] += float64(v * w)
		}
	}
}

// atOrigin is what the plane has at the origin; along what the places don't tell it is level.
func (p *plane) atOrigin() float64 {
	mean := p.f / p.n
	trace := 0.
	for a := range p.x {
		p.values[a] = p.xf[a] - float64(p.x[a]*mean)
		for b := range p.x {
			p.xx[3*a+b] -= float64(p.x[a] * p.x[b] / p.n)
		}
		trace += p.xx[4*a]
	}
	if !(trace > 0) {
		return mean
	}
	for a := range p.x {
		p.xx[4*a] += float64(ridge * trace)
	}
	dense.Factor(p.xx[:], 3)
	dense.Solve(p.xx[:], p.values[:])
	return mean - dense.Dot(p.values[:], p.x[:])/p.n
}

// further is how much a cell counts that is not at a corner but beside one that is, so that the cells on one side of a wall tell the slope across it.
const further = .1

// isBesideSolid tells whether a vertex's distance may be a mean of what is on both sides of a solid: a corner of cells not all of which its edges lead to, or the middle of a
// cell that is mostly solid.
func (m *Lattice) isBesideSolid(v int32) bool {
	l := m.now
	if c := l.Cell[v]; c >= 0 {
		return m.distances.solid[c]
	}
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		if w := l.Ends[e][0] + l.Ends[e][1] - v; l.Cell[w] >= 0 && !m.leadsTo(e, w) {
			return true
		}
	}
	return false
}

// besideSolid is the distance of the surface at such a vertex, where it is phi as a mean: another only if the cells that the vertex's edges lead to agree that it is well in the
// liquid, or well in the air.
func (m *Lattice) besideSolid(v int32, phi float64) float64 {
	low, high := m.levels(v)
	if low > high {
		low, high = m.levelsBeyond(v)
	}
	switch well := m.Grid.CellSize(m.now.Level[v]) / 2; {
	case low > high:
	case phi >= 0 && high < -well:
		return high
	case phi < 0 && low > well:
		return low
	}
	return phi
}

// levels are the least and the greatest distance of the surface at a vertex as the cells have it that its edges lead to, each taken to go on as a level surface does; low
// exceeds high if there are none.
func (m *Lattice) levels(v int32) (low, high float64) {
	l := m.now
	low, high = math.Inf(1), math.Inf(-1)
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		if w := l.Ends[e][0] + l.Ends[e][1] - v; m.leadsTo(e, w) {
			phi := float64(m.distances.phi[l.Cell[w]]) + m.above(v, w)
			low, high = min(low, phi), max(high, phi)
		}
	}
	return low, high
}

// levelsBeyond is levels by the cells that the vertices lead to that the vertex's edges do.
func (m *Lattice) levelsBeyond(v int32) (low, high float64) {
	l := m.now
	low, high = math.Inf(1), math.Inf(-1)
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		if w := l.Ends[e][0] + l.Ends[e][1] - v; m.cuts.Open[e] > 0 {
			least, most := m.levels(w)
			low, high = min(low, least+m.above(v, w)), max(high, most+m.above(v, w))
		}
	}
	return low, high
}

// above is how far a vertex is above another one, m.
func (m *Lattice) above(v, w int32) (by float64) {
	for a, up := range m.cuts.Up {
		by += float64(up * (m.now.Position[v][a] - m.now.Position[w][a]))
	}
	return by
}

// besideWalls is the distance of the surface at a corner by those cells around it that its edges lead to, and whether these are not all: beyond a thin
// wall is another surface, and so it may be in the wall. As the distance is as small beside a wall between liquid and air as at a surface, it is no less nor more
// than in those cells.
func (m *Lattice) besideWalls(v int32) (phi float64, fewer bool) {
	l := m.now
	edges := l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]]
	for _, e := range edges {
		fewer = fewer || m.cuts.Open[e] == 0 && l.Cell[l.Ends[e][0]+l.Ends[e][1]-v] >= 0
	}
	if !fewer {
		return 0, false
	}
	var fit plane
	low, high := math.Inf(1), math.Inf(-1)
	for _, e := range edges {
		if w := l.Ends[e][0] + l.Ends[e][1] - v; m.cuts.Open[e] > 0 && l.Cell[w] >= 0 {
			of := m.addCell(&fit, v, w, 1)
			low, high = min(low, of), max(high, of)
			for _, e := range l.VertexEdges[l.VertexEdgeRuns[w]:l.VertexEdgeRuns[w+1]] {
				if x := l.Ends[e][0] + l.Ends[e][1] - w; m.cuts.Open[e] > 0 && l.Cell[x] >= 0 {
					m.addCell(&fit, v, x, further)
				}
			}
		}
	}
	if fit.n == 0 {
		return 0, false
	}
	return max(low, min(high, fit.atOrigin())), true
}

// leadsTo tells whether an edge is open and the distance at an end of it is that of a cell which is not mostly solid.
func (m *Lattice) leadsTo(e, end int32) bool {
	c := m.now.Cell[end]
	return m.cuts.Open[e] > 0 && c >= 0 && !m.distances.solid[c]
}

// addCell adds to a plane about a vertex the distance of the surface at another one, the centre of a cell, and returns that.
func (m *Lattice) addCell(fit *plane, v, at int32, weight float64) float64 {
	l, x := m.now, m.now.Position[at]
	h := m.Grid.CellSize(l.Level[v])
	for a := range x {
		x[a] = (x[a] - l.Position[v][a]) / h
	}
	phi := float64(m.distances.phi[l.Cell[at]])
	fit.add(&x, phi, float64(weight*m.trust(v, phi)))
	return phi
}
