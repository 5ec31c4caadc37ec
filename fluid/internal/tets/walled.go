package tets

import "github.com/meniscus3d/meniscus/fluid/internal/dense"

// ridge bounds the slope of a plane where the places that it is laid through don't tell it, as a part of what they tell elsewhere.
const ridge = 1e-5

// plane is what is summed up to lay one, f(x) = c + g·x, through values at some places near the origin, by least squares.
type plane struct {
	n      float64
	x      [3]float64 // sums of the places
	xx     [9]float64 // of their products, row by row
	f      float64    // of the values
	xf     [3]float64 // of their products
	values [3]float64 // scratch
}

func (p *plane) add(x *[3]float64, f float64) {
	p.n++
	p.f += f
	for a, v := range x {
		p.x[a] += v
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

// besideWalls is the distance of the surface at a corner by those cells around it that no thin wall is in front of, and whether it is by fewer than all: what is
// on the other side of a wall is another surface.
func (m *Lattice) besideWalls(v int32) (phi float64, fewer bool) {
	l := m.now
	var fit plane
	h := m.Grid.CellSize(l.Level[v])
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		other := l.Ends[e][0] + l.Ends[e][1] - v
		c := l.Cell[other]
		if c < 0 {
			continue
		}
		if m.cuts.Walled(e) {
			fewer = true
			continue
		}
		x := l.Position[other]
		for a := range x {
			x[a] = (x[a] - l.Position[v][a]) / h
		}
		fit.add(&x, float64(m.Set.Phi[c]))
	}
	if !fewer || fit.n == 0 {
		return 0, false
	}
	return fit.atOrigin(), true
}
