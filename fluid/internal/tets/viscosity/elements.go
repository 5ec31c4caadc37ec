package viscosity

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// held, in finest edges, is how near to a solid a vertex is held by it. Vertices beyond it in the liquid are free, those within the solid are held though it ends before
// them: on the average over all offsets the two make up for each other.
const held = .25

// findSolids finds the vertices around the liquid that move with solids.
func (s *Solver) findSolids(solids *rigid.NoSlip) {
	s.findNear()
	s.list, s.at = s.list[:0], s.at[:0]
	for v, kind := range s.kind {
		if kind != absent {
			s.list, s.at = append(s.list, int32(v)), append(s.at, s.place(int32(v)))
		}
	}
	if solids == nil || solids.Near == nil {
		return
	}
	s.away, s.which = arrays.Resize(s.away, len(s.list)), arrays.Resize(s.which, len(s.list))
	reach := float64(held * s.in.Finest)
	solids.Near(0, 4*s.in.Finest, s.at, s.away, s.which)
	for i, v := range s.list {
		d, of := s.away[i], s.which[i]
		if solids.Within != nil {
			if side := solids.Within(s.at[i]); side < d {
				d, of = side, -1
			}
		}
		if d < reach {
			s.kind[v], s.solid[v] = solid, of
		}
	}
}

// findNear finds the vertices that liquid is around. Centres beyond the layout, which no edge leads to, are there for the elements that they have with the centres that
// they mirror.
func (s *Solver) findNear() {
	l := s.l
	s.low, s.high = l.Position[0], l.Position[0]
	for v := range s.kind {
		if l.Beyond[v] {
			continue
		}
		for a, x := range l.Position[v] {
			s.low[a], s.high[a] = min(s.low[a], x), max(s.high[a], x)
		}
		near := s.in.Row[v] >= 0
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			near = near || s.in.Row[l.Ends[e][0]+l.Ends[e][1]-int32(v)] >= 0
		}
		if near {
			s.kind[v] = liquid
		}
	}
	for i := range l.Corners {
		corner := &l.Corners[i]
		for _, v := range corner {
			if l.Beyond[v] && s.kind[v] == absent && s.kind[mirrored(l, corner)] != absent {
				s.kind[v] = liquid
			}
		}
	}
}

// mirrored is the centre within the layout that a tetrahedron with one beyond has.
func mirrored(l *bcc.Lattice, corner *[4]int32) int32 {
	for _, v := range corner {
		if l.Cell[v] >= 0 {
			return v
		}
	}
	return corner[0]
}

// place is where a vertex is, m. A centre beyond the layout stands for the place on the side that it is across from: of its elements no more counts than is within.
func (s *Solver) place(v int32) vec {
	x := s.l.Position[v]
	if s.l.Beyond[v] {
		for a := range x {
			x[a] = max(s.low[a], min(s.high[a], x[a]))
		}
	}
	return x
}

// listElements lists the tetrahedra with liquid in them, of whose corners all are known.
func (s *Solver) listElements() {
	l := s.l
	s.elements = s.elements[:0]
	for _, corner := range l.Corners {
		known, free := true, false
		var phi [4]float64
		for i, v := range corner {
			known, free = known && s.kind[v] != absent, free || s.kind[v] == liquid
			phi[i] = s.in.Phi[v]
		}
		if !known || !free {
			continue
		}
		part := geom.PartBelow(&phi)
		if part == 0 {
			continue
		}
		var x [4]vec
		for i, v := range corner {
			x[i] = s.place(v)
		}
		slope, sixfold := geom.BarycentricGradients(&x[0], &x[1], &x[2], &x[3])
		s.elements = append(s.elements, element{corner: corner, weight: part * math.Abs(sixfold) / 6, slope: slope})
	}
	s.stress = arrays.Resize(s.stress, len(s.elements))
	for i := range s.elements {
		e := &s.elements[i]
		for c, v := range e.corner {
			s.diag[v] += float64(e.weight * 4. / 3 * geom.Dot(&e.slope[c], &e.slope[c]))
		}
	}
}

// listUses lists the elements around each vertex, in their order.
func (s *Solver) listUses() {
	n := len(s.kind)
	s.first, s.uses = arrays.Resize(s.first, n+2), arrays.Resize(s.uses, 4*len(s.elements))
	clear(s.first)
	for i := range s.elements {
		for _, v := range s.elements[i].corner {
			s.first[v+2]++
		}
	}
	for v := range n {
		s.first[v+2] += s.first[v+1]
	}
	for i := range s.elements {
		for c, v := range s.elements[i].corner {
			s.uses[s.first[v+1]] = int32(4*i + c)
			s.first[v+1]++
		}
	}
}
