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
	for t, corner := range l.Corners {
		known, free := true, false
		var phi [4]float64
		for i, v := range corner {
			known, free = known && s.kind[v] != absent, free || s.kind[v] == liquid
			phi[i] = s.in.Phi[v]
		}
		if !known || !free {
			continue
		}
		part := negativePart(phi)
		if part == 0 {
			continue
		}
		e := element{corner: corner}
		whole := s.slopes(&e, int32(t))
		e.weight = part * whole
		s.elements = append(s.elements, e)
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

// slopes sets an element's gradients, and returns its volume, m³.
func (s *Solver) slopes(e *element, t int32) float64 {
	var x [4]vec
	for i, v := range e.corner {
		x[i] = s.l.Position[v]
	}
	var edge [3]vec
	for i := range edge {
		for a := range 3 {
			edge[i][a] = x[i+1][a] - x[0][a]
		}
	}
	normal := [3]vec{geom.Cross(&edge[1], &edge[2]), geom.Cross(&edge[2], &edge[0]), geom.Cross(&edge[0], &edge[1])}
	det := geom.Dot(&edge[0], &normal[0])
	for i := range normal {
		for a := range 3 {
			e.slope[i+1][a] = normal[i][a] / det
			e.slope[0][a] -= e.slope[i+1][a]
		}
	}
	return math.Abs(det) / 6
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

// negativePart is the part of a tetrahedron where a field that is linear in it, given at its corners, is less than 0.
func negativePart(at [4]float64) float64 {
	n := 0
	for i, v := range at { // those below first
		if v < 0 {
			at[n], at[i] = v, at[n]
			n++
		}
	}
	cut := func(in, out int) float64 { return at[in] / (at[in] - at[out]) }
	switch n {
	case 1:
		return cut(0, 1) * cut(0, 2) * cut(0, 3)
	case 2:
		ac, ad, bc, bd := cut(0, 2), cut(0, 3), cut(1, 2), cut(1, 3)
		return float64(ac*ad) + float64(bc*bd*(1-ac)) + float64(ac*bd*(1-ad))
	case 3:
		return 1 - float64(cut(3, 0)*cut(3, 1)*cut(3, 2))
	case 4:
		return 1
	}
	return 0
}
