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

// addCell adds to a plane about a vertex the distance of the surface at another one, the centre of a cell, and returns that.
func (m *Lattice) addCell(fit *plane, v, at int32, weight float64) float64 {
	l, x := m.now, m.now.Position[at]
	h := m.Grid.CellSize(l.Level[v])
	for a := range x {
		x[a] = (x[a] - l.Position[v][a]) / h
	}
	phi := float64(m.distances.phi[l.Cell[at]])
	fit.add(&x, phi, weight*m.trust(v, phi))
	return phi
}
