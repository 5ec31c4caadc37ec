package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

const (
	// volumeSlack is the part of its volume up to which the source alone makes good what a component
	// misses. More comes of a surface torn finer than the grid follows; there a source would tear on.
	volumeSlack = 0.002
	// leastShifted is the part of the whole below which a component counts as that much: the many
	// small ones of a splash are not worth the measuring.
	leastShifted = 0.2
	// shiftLimit, in cells as they are at the surface, bounds by how much that moves at once, and shifts
	// is how often it does in a step: steps make the area too large by up to the square root of 3.
	shiftLimit = 0.1
	shifts     = 3
)

// shifter is scratch of shiftSurface.
type shifter struct {
	slack float64   // volumeSlack or more
	by    []float64 // per component: by how much its surface moves outwards, m
	area  []float64 // per component: of its surface, steps and all, m²
	edge  []float64 // likewise: its cells' edge, times the area, m³
	done  []bool    // per cell
	cells []int32   // those that are done
	air   func(row, cell int32)
}

// shiftSurface moves the surface of each component whose volume is off by more than the source shall
// make good along its normal, by what is missing over its area.
func (l *Liquid) shiftSurface() {
	v, gr, label := &l.volumes, &l.graph, l.solver.Label
	s := &v.shift
	if !l.chooseShifts() {
		return
	}
	for r, c := range gr.Cell {
		if phi := &l.m.Set.Phi[c]; *phi > -2*gr.Size[r] {
			*phi -= float32(s.by[label[r]])
		}
	}
	if s.air == nil {
		s.air = l.shiftAir
	}
	l.m.Solids.AirBeside(gr, s.air)
	for _, c := range s.cells {
		s.done[c] = false
	}
	s.cells = s.cells[:0]
	l.weigh(false)
}

// shiftAir takes a cell of air along with the row beside it.
func (l *Liquid) shiftAir(row, cell int32) {
	if s := &l.volumes.shift; !s.done[cell] {
		s.done[cell] = true
		s.cells = append(s.cells, cell)
		l.m.Set.Phi[cell] -= float32(s.by[l.solver.Label[row]])
	}
}

// chooseShifts tells whether there is anything to shift.
func (l *Liquid) chooseShifts() (any bool) {
	v, gr := &l.volumes, &l.graph
	s := &v.shift
	s.by, s.area, s.edge = arrays.Resize(s.by, len(v.held)), arrays.Resize(s.area, len(v.held)), arrays.Resize(s.edge, len(v.held))
	clear(s.by)
	clear(s.area)
	clear(s.edge)
	total := 0.
	for _, held := range v.held {
		total += held
	}
	for c, held := range v.held {
		if gap := v.target[c] - held; math.Abs(gap) > s.slack*max(held, leastShifted*total) && !l.solver.Closed[c] {
			s.by[c], any = gap, true
		}
	}
	if !any {
		return false
	}
	for f, a := range gr.A {
		if b := gr.B[f]; a == graph.Air || b == graph.Air {
			if r := l.oneRow(max(a, b)); r >= 0 {
				c, open := l.solver.Label[r], float64(gr.Area[f]*gr.Open[f])
				s.area[c] += open
				s.edge[c] += float64(open * float64(gr.Size[r]))
			}
		}
	}
	for c, volume := range s.by {
		if s.area[c] > 0 {
			most := shiftLimit * s.edge[c]
			s.by[c] = max(-most, min(most, volume)) / s.area[c]
		} else {
			s.by[c] = 0
		}
	}
	return true
}

// oneRow is a row on a side of a face, the first of four, or -1.
func (l *Liquid) oneRow(side int32) int32 {
	if side >= 0 || side == graph.Air {
		return side
	}
	for _, r := range l.graph.Quads[^side] {
		if r >= 0 {
			return r
		}
	}
	return -1
}
