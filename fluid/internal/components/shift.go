package components

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// Slack is the part of its volume up to which the source alone makes good what a component
	// misses. More comes of a surface torn finer than the grid follows; there a source would tear on.
	Slack = 0.002
	// leastShifted is the part of the whole below which a component counts as that much: the many
	// small ones of a splash are not worth the measuring.
	leastShifted = 0.2
	// shiftLimit, in cells as they are at the surface, bounds by how much that moves at once.
	shiftLimit = 0.1
	// Shifts is how often it moves in a step: the steps of cubes make the area too large by up to the square root of 3.
	Shifts = 3
)

// shift is scratch of PlanShifts.
type shift struct {
	by   []float64 // per component: by how much its surface moves outwards, m
	area []float64 // per component: of its surface, steps and all, m²
	edge []float64 // likewise: its cells' edge, times the area, m³
}

// leastSurface is how much surface a component has at least that is not as good as closed, as a part of the face of a cube of its volume. In a
// vessel that is full but for some corners of cells all that sources add to the liquid would rush through these.
const leastSurface = .25

// findFreedom finds how much of their sources the components of gr, c, have room for: none of what is closed, all of what has as much surface as the
// face of a cube of its volume.
func (t *Targets) findFreedom(gr *graph.Graph, c *graph.Components) {
	t.freedom = arrays.Resize(t.freedom, len(t.Held))
	s := &t.shift
	s.area = arrays.Resize(s.area, len(t.Held))
	clear(s.area)
	if len(gr.Connectivity) == 0 {
		s.addSurface(gr, c.Label, 0, int32(gr.Faces()))
	}
	for b := range gr.Connectivity {
		if part := &gr.Connectivity[b]; hasSurface(part) {
			s.addSurface(gr, c.Label, gr.Parts[b].Face, gr.Parts[b+1].Face)
		}
	}
	for i, held := range t.Held {
		size := reproducible.Cbrt(held)
		t.freedom[i] = 0
		if held > 0 && !c.Closed[i] {
			t.freedom[i] = max(0, min(1, (s.area[i]/(size*size)-leastSurface)/(1-leastSurface)))
		}
	}
}

// hasSurface tells whether some of a part's own faces may lead to air: those of a part without rows, which leads to rows of others, all do.
func hasSurface(part *graph.Connectivity) bool { return !part.Simple || part.Air || !part.Connected }

// addSurface adds up the faces between liquid and air among some.
func (s *shift) addSurface(gr *graph.Graph, label []int32, from, to int32) {
	for f := from; f < to; f++ {
		if min(gr.A[f], gr.B[f]) != graph.Air {
			continue
		}
		if r := gr.FirstRow(max(gr.A[f], gr.B[f])); r >= 0 {
			s.area[label[r]] += float64(gr.Area[f] * gr.Open[f])
		}
	}
}

// PlanShifts chooses, per component, by how much, m, its surface is to move outwards along its normal: by what is missing over its area, where
// the volume is off by more than a part of it, the slack. It returns nil if there is nothing to shift. c is the components of gr.
func (t *Targets) PlanShifts(gr *graph.Graph, c *graph.Components, slack float64) []float64 {
	s := &t.shift
	n := len(t.Held)
	s.by, s.area, s.edge = arrays.Resize(s.by, n), arrays.Resize(s.area, n), arrays.Resize(s.edge, n)
	clear(s.by)
	clear(s.area)
	clear(s.edge)
	if !t.findGaps(c.Closed, slack) {
		return nil
	}
	s.measureSurface(gr, c.Label)
	for i, volume := range s.by {
		if s.area[i] > 0 {
			most := shiftLimit * s.edge[i]
			s.by[i] = max(-most, min(most, volume)) / s.area[i]
		} else {
			s.by[i] = 0
		}
	}
	return s.by
}

// findGaps writes to shift.by what components miss, m³, that are off by more than the slack, and tells whether there are any.
func (t *Targets) findGaps(closed []bool, slack float64) (any bool) {
	total := 0.
	for _, held := range t.Held {
		total += held
	}
	for c, held := range t.Held {
		if gap := t.Target[c] - held; math.Abs(gap) > slack*max(held, leastShifted*total) && !closed[c] {
			t.shift.by[c], any = gap, true
		}
	}
	return any
}

// measureSurface adds up the faces between liquid and air.
func (s *shift) measureSurface(gr *graph.Graph, label []int32) {
	for f, a := range gr.A {
		if b := gr.B[f]; a == graph.Air || b == graph.Air {
			if r := gr.FirstRow(max(a, b)); r >= 0 {
				c, open := label[r], float64(gr.Area[f]*gr.Open[f])
				s.area[c] += open
				s.edge[c] += float64(open * float64(gr.Size[r]))
			}
		}
	}
}
