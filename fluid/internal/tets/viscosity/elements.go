package viscosity

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// held, in finest edges, is how near to a solid a vertex is held by it. Vertices beyond it in the liquid are free, those within the solid are held though it ends before
// them: on the average over all offsets the two make up for each other.
const held = .25

// findSolids finds the vertices around the liquid that move with solids.
func (s *Solver) findSolids(solids *rigid.NoSlip) {
	s.list, s.at = s.list[:0], s.at[:0]
	l := s.l
	for v := range s.kind {
		near := s.in.Row[v] >= 0
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			near = near || s.in.Row[l.Ends[e][0]+l.Ends[e][1]-int32(v)] >= 0
		}
		if near {
			s.kind[v] = liquid
			s.list, s.at = append(s.list, int32(v)), append(s.at, l.Position[v])
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
		x := l.Position
		slope, sixfold := geom.BarycentricGradients(&x[corner[0]], &x[corner[1]], &x[corner[2]], &x[corner[3]])
		s.elements = append(s.elements, element{corner: corner, weight: part * math.Abs(sixfold) / 6, slope: slope})
	}
	s.stress = arrays.Resize(s.stress, len(s.elements))
	for i := range s.elements {
		e := &s.elements[i]
		for c, v := range e.corner {
			s.mass[v] += float64(e.weight / 4)
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
