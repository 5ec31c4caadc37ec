package bcc

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Weights are what a value at a point is made of: values of tetrahedra, at their circumcentres, times W. The sum of W is 1. One may be used again and again, by one
// goroutine at a time.
type Weights struct {
	Tets []int32
	W    []float64

	// Scratch: of the vertex whose cell it is, per edge.
	ends   []int32   // the other end
	factor []float64 // half the edge's square, less the edge times the point's place relative to the vertex
	slots  [slotted]uint8
}

// slotted is how many places a table of the edges of a vertex has: a power of two, and more than twice the edges.
const slotted = 256

// leastFactor is the least that a point's distance from a Voronoi polygon counts as, as a part of the polygon's from its vertex: a point on a polygon has its
// weights there. It moves the point by less than rounding does.
const leastFactor = 1e-15

// Voronoi writes what interpolates values at circumcentres at a point, m: generalised barycentric coordinates of the Voronoi cell of the nearest vertex,
//
//	w_t = 6 Vol(t) / Π_i e_i·(c_t - x), e_i = p_i - p_v,
//
// for the tetrahedra t around the vertex v, with the circumcentre c_t and the other corners p_i, divided by their sum. They are positive, exact for
// linear fields, and what they interpolate is continuous from cell to cell. Where circumcentres coincide the sum of their weights is that of the cell's
// corner, however tetrahedra divide what is around it.
//
// It reports false, and no weights, for cells at the layout's sides, which no tetrahedra's circumcentres close: there vertices' values are to be interpolated,
// by Locate. A point beyond the layout is taken to its side.
//
// Source: Klingner et al. 2006 eq. 4; Warren, Schaefer, Hirani, Desbrun 2007.
func (l *Lattice) Voronoi(x [3]float64, s *Weights) bool {
	s.Tets, s.W = s.Tets[:0], s.W[:0]
	var p locus
	offset := l.locus(&p, &x)
	var faces [12]int32
	if p.r[0]+p.r[1]+p.r[2] <= 1.5 {
		if l.plainAround(&p.cell, &faces) {
			s.plain(&offset, &faces, &centreTets)
			return true
		}
	} else if corner, ok := l.plainCorner(&p.cell, &offset, &faces); ok {
		s.plain(&corner, &faces, &cornerTets)
		return true
	}
	t, _ := l.inFace(&p)
	l.clamp(&x)
	v := l.nearest(&l.Corners[t], &x, s)
	if l.atSide(v) {
		return false
	}
	l.around(v, s)
	return true
}

// nearest is the vertex that is nearest to a point, m, from some vertices on: in a Delaunay lattice there is a nearer one next to any other. It writes the vertex's
// edges into the scratch.
func (l *Lattice) nearest(some *[4]int32, x *[3]float64, s *Weights) int32 {
	best, least := int32(-1), math.Inf(1)
	for _, v := range some {
		if d := l.away(v, x); d < least && !l.Beyond[v] {
			best, least = v, d
		}
	}
	for {
		v := l.edges(best, x, s)
		if v < 0 {
			return best
		}
		d := l.away(v, x)
		if !(d < least) {
			return best
		}
		best, least = v, d
	}
}

// edges writes the edges of a vertex into the scratch, with their factors at a point, m. It is the end to which the point is the nearest by these, or -1 if the point is
// in the vertex's cell.
func (l *Lattice) edges(v int32, x *[3]float64, s *Weights) (nearer int32) {
	p := l.Position[v]
	at := [3]float64{x[0] - p[0], x[1] - p[1], x[2] - p[2]}
	s.ends, s.factor = s.ends[:0], s.factor[:0]
	nearer = none
	least := 0.
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		q := l.Ends[e][0] + l.Ends[e][1] - v
		y := &l.Position[q]
		a := [3]float64{y[0] - p[0], y[1] - p[1], y[2] - p[2]}
		half := (float64(a[0]*a[0]) + float64(a[1]*a[1]) + float64(a[2]*a[2])) / 2
		f := float64(half) - (float64(a[0]*at[0]) + float64(a[1]*at[1]) + float64(a[2]*at[2]))
		if f < least {
			least, nearer = f, q
		}
		s.ends, s.factor = append(s.ends, q), append(s.factor, max(f, half*leastFactor))
	}
	return nearer
}

// away is the square of a vertex's distance from a point, m².
func (l *Lattice) away(v int32, x *[3]float64) float64 {
	return geom.Distance2(&l.Position[v], x)
}

// atSide tells whether a vertex's cell is at one of the layout's sides: it is a corner there, or the centre of a cell there.
func (l *Lattice) atSide(v int32) bool {
	reach := .75 * l.grid.CellSize(l.Level[v])
	for a, lo := range l.grid.Origin {
		x := l.Position[v][a] - lo
		if x < reach || float64(8*l.h*float64(l.grid.Dim[a]))-x < reach {
			return true
		}
	}
	return false
}

// around writes the weights of the tetrahedra around a vertex whose edges are in the scratch.
func (l *Lattice) around(v int32, s *Weights) {
	for i, q := range s.ends {
		s.factor[i] = 1 / s.factor[i]
		at := uint8(q)
		for s.slots[at] != 0 {
			at++
		}
		s.slots[at] = uint8(i + 1)
	}
	sum := 0.
	for i, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		for _, t := range l.Ring[l.RingRuns[e]:l.RingRuns[e+1]] {
			// Each is around three of the vertex's edges. It counts at the one to the lowest vertex.
			if w, ok := s.weight(&l.Corners[t], v, i); ok {
				w *= volumes[l.Shapes[t]&7] * l.cubes[l.Level[l.Corners[t][0]]&3]
				sum += float64(w)
				s.Tets = append(s.Tets, t)
				s.W = append(s.W, w)
			}
		}
	}
	s.scale(1 / sum)
	clear(s.slots[:])
}

// weight is the product of a tetrahedron's inverse factors at three of a vertex's edges, of which one is given. It is for the edge with the lowest end.
func (s *Weights) weight(c *[4]int32, v int32, edge int) (w float64, ok bool) {
	q := s.ends[edge]
	w = s.factor[edge]
	for _, r := range c {
		if r == v || r == q {
			continue
		}
		if r < q {
			return 0, false
		}
		at := uint8(r)
		for s.ends[s.slots[at]-1] != r {
			at++
		}
		w *= s.factor[s.slots[at]-1]
	}
	return w, true
}

// volumes are six times those of the shapes, by the cube of the edge of the cell whose centre is the first corner.
var volumes = [8]float64{Whole: 1. / 2, Bisected: 1. / 4, Quadrisected: 1. / 8, HalfPyramid: 1. / 2, Tip: 1. / 8, Core: 1. / 4}
