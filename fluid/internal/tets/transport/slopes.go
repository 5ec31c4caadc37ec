package transport

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Constant extrapolation has the surface of a wave move slower than the liquid under it, by the velocity's gradient times the way from the last known edge, and holds back
// liquid that turns along a wall. Vertices one layer beyond the known ones therefore get the velocity as it goes on with the gradient of the liquid inside, and so do those
// whose known edges lie all on one side. Source: Chan, Street 1970 (the velocity beyond the surface follows from that below).

// steepest bounds what the gradient adds, relative to the velocity: a surface that breaks up has gradients that no wave has.
const steepest = .5

// keptSlope is the part of the gradient that goes on. With all of it liquid that turns along a wall gains energy there: a velocity that goes on too fast comes back into the liquid.
const keptSlope = .9

// slopes are gradients of the velocity, near where it is extrapolated from.
type slopes struct {
	slope [][3][3]float64 // per vertex: the gradient of each component, 1/s
	// Per vertex: it has a gradient from the velocities around; it is a row's that has such a one or the mean of those beside it; it is another one that has the mean of the latter.
	measured, continued, outer []bool
}

// findSlopes finds the gradients of the first layer, and corrects the velocities of those of its vertices that known edges are on one side of.
func (s *spread) findSlopes() {
	n := s.Vertices()
	s.slope, s.measured = arrays.Resize(s.slope, n), arrays.Resize(s.measured, n)
	s.continued, s.outer = arrays.Resize(s.continued, n), arrays.Resize(s.outer, n)
	for _, pass := range [4]func(*spread, int, int32){(*spread).measureSlopes, (*spread).continueSlopes, (*spread).continueOuter, (*spread).correctOuter} {
		par.Each(s.pool, s.grid.Bases(), baseGrain, s, pass)
	}
}

// measureSlopes measures the gradient at a base cell's vertices that are full or free, beside others, by what fits the differences to the neighbours best that are.
func (s *spread) measureSlopes(_ int, b int32) {
	lo, hi := s.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		s.measured[v] = s.row[v] >= full && s.atRim(v) && s.measureSlope(v)
	}
}

// atRim tells whether some vertex beside a vertex is no inner one.
func (s *spread) atRim(v int32) bool {
	for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
		if s.row[s.other(e, v)] != free {
			return true
		}
	}
	return false
}

// measureSlope measures the gradient at a vertex. Where neighbours are left out on one side it is that of some way inside across that side, while along the side it is that of the
// vertex: what leads out follows from there being no divergence.
func (s *spread) measureSlope(v int32) bool {
	var eq normal
	var rhs [3][3]float64
	var out [3]float64
	for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
		w := s.other(e, v)
		d := geom.Sub(&s.Position[w], &s.Position[v])
		if s.row[w] < full {
			geom.AddScaled(&out, 1, &d)
			continue
		}
		eq.add(&d, s.Area[e], 0)
		u := geom.Sub(&s.vertex[w], &s.vertex[v])
		for a := range rhs {
			geom.AddScaled(&rhs[a], s.Area[e]*u[a], &d)
		}
	}
	g := &s.slope[v]
	for a := range rhs {
		eq.rhs = rhs[a]
		var ok bool
		if g[a], ok = eq.solve(); !ok {
			return false
		}
	}
	if square := geom.Dot(&out, &out); square > 0 {
		divergence := g[0][0] + g[1][1] + g[2][2]
		for a := range g {
			geom.AddScaled(&g[a], -divergence*out[a]/square, &out)
		}
	}
	return true
}

// continueSlopes gives a base cell's other rows too the mean of the measured gradients beside them, continueOuter other vertices of the first layer that of those.
func (s *spread) continueSlopes(_ int, b int32) {
	lo, hi := s.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		s.continued[v] = s.measured[v] || s.row[v] != dry && s.meanSlope(v, s.measured)
	}
}

func (s *spread) continueOuter(_ int, b int32) {
	lo, hi := s.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		s.outer[v] = s.row[v] == dry && s.layer[v] == firstLayer && s.meanSlope(v, s.continued)
	}
}

// meanSlope gives a vertex the mean of the gradients of those around it that have one, and tells whether there are any.
func (s *spread) meanSlope(v int32, has []bool) bool {
	var sum [3][3]float64
	count := 0
	for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
		if w := s.other(e, v); has[w] {
			for a := range sum {
				geom.AddScaled(&sum[a], 1, &s.slope[w][a])
			}
			count++
		}
	}
	for a := range sum {
		geom.Scale(&sum[a], 1/float64(max(count, 1)))
	}
	s.slope[v] = sum
	return count > 0
}

// correctOuter takes off a base cell's vertices of the first layer what the gradient makes edges on one side of them tell.
func (s *spread) correctOuter(_ int, b int32) {
	lo, hi := s.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if !s.outer[v] && (!s.continued[v] || s.row[v] != wet) {
			continue
		}
		var eq normal
		for _, e := range s.VertexEdges[s.VertexEdgeRuns[v]:s.VertexEdgeRuns[v+1]] {
			if s.state[e] >= shut {
				n, d := s.normal[e], s.change(v, &s.Middle[e], &s.vertex[v])
				eq.add(&n, s.Area[e]*s.Dist[e], s.u[e]-geom.Dot(&n, &d))
			}
		}
		if u, ok := eq.solve(); ok {
			s.slip(v, &u)
			s.slipAlong(v, &u)
			s.vertex[v] = u
		}
	}
}

// change is by how much the velocity changes from a vertex, where it is u, to a place; 0 if the gradient is not known.
func (s *spread) change(v int32, x, u *[3]float64) (d [3]float64) {
	way := geom.Sub(x, &s.Position[v])
	for a := range d {
		d[a] = keptSlope * geom.Dot(&s.slope[v][a], &way)
	}
	if most, long := steepest*geom.Norm(u), geom.Norm(&d); long > most {
		geom.Scale(&d, most/long)
	}
	return d
}

// beyond is the velocity at a vertex as it goes on from one beside it that has a gradient.
func (s *spread) beyond(from, to int32) [3]float64 {
	u := s.vertex[from]
	d := s.change(from, &s.Position[to], &u)
	return [3]float64{u[0] + d[0], u[1] + d[1], u[2] + d[2]}
}
