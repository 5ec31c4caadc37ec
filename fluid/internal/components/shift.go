package components

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// Slack is the relative error of a component's volume up to which the source alone corrects it. A larger error is caused by a surface torn finer
	// than the grid follows, which a source would tear further.
	Slack = 0.002
	// leastShifted is the least volume, as a share of the whole, that slack is relative to: the many
	// small components of a splash are not worth the correction.
	leastShifted = 0.2
	// shiftLimit, in cells at the surface, is the greatest shift at once.
	shiftLimit = 0.1
	// Shifts is the number of shifts in a step: the staircase of cubic cells makes the measured area too large by up to the square root of 3.
	Shifts = 3
)

// shift is the scratch of PlanShifts and findFreedom.
type shift struct {
	by   []float64 // per component: the shift of its surface outwards, m
	area []float64 // per component: area of its surface, with the staircase, m²
	edge []float64 // per component: its surface cells' edge times the area, m³
}

// leastSurface is the surface area below which a component counts as closed, relative to the face of a cube of its volume. In a
// nearly full vessel all that sources add would rush through a few corners of cells.
const leastSurface = .25

// findFreedom sets the components' freedom: 0 for closed ones, 1 for those with as much surface as a
// face of a cube of their volume.
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

// hasSurface reports whether some of a part's own faces may lead to air. All faces of a part without rows may.
func hasSurface(part *graph.Connectivity) bool { return !part.Simple || part.Air || !part.Connected }

// addSurface adds the areas of the faces between liquid and air, of those from from to to-1.
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

// PlanShifts returns, per component, the shift of its surface outwards along the normal, m: the missing volume over the area, where
// the relative error exceeds the slack. It returns nil if there is nothing to shift. c is the components of gr.
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

// findGaps sets shift.by to the missing volumes, m³, of components whose error exceeds the slack, and reports whether there are any.
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

// measureSurface adds up the areas of the faces between liquid and air.
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
