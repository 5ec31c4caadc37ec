package pressure

import (
	"cmp"
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// chooseBubbles lists the bubbles that keep their volume: all but the largest beside liquid that touches no open air.
func (s *Solver) chooseBubbles() {
	g := s.gr
	comps := len(s.Closed)
	s.cluster.Reset(comps + len(g.Bubbles))
	s.vents = arrays.Resize(s.vents, comps+len(g.Bubbles))
	clear(s.vents)
	for f, a := range g.A {
		if b := g.B[f]; (a == graph.Air || b == graph.Air || a < 0 && g.AirShare(a) > 0 || b < 0 && g.AirShare(b) > 0) && !g.IsHeld(int32(f)) {
			s.vents[s.componentOn(int32(f))]++
		}
	}
	for i := range g.Bubbles {
		for _, f := range g.Bubbles[i].Faces {
			if !g.IsHeld(f.Face) {
				c := s.componentOn(f.Face)
				s.vents[c]--
				s.cluster.Join(c, int32(comps+i))
			}
		}
	}
	for c := range int32(comps) {
		if r := s.cluster.Find(c); r != c {
			s.vents[r] += s.vents[c]
		}
	}
	s.openLargest(comps)
}

// openLargest lists as active all bubbles but, in each cluster without open air, the largest.
func (s *Solver) openLargest(comps int) {
	g := s.gr
	for i := range g.Bubbles {
		s.active = append(s.active, int32(i))
	}
	slices.SortStableFunc(s.active, func(i, j int32) int { return cmp.Compare(g.Bubbles[j].Volume, g.Bubbles[i].Volume) })
	keep := s.active[:0]
	for _, i := range s.active {
		r := s.cluster.Find(int32(comps) + i)
		if r >= int32(comps) { // no face of it is free
			continue
		}
		if s.vents[r] == 0 {
			s.vents[r] = shut // but for this one, which counts as open air
			continue
		}
		if s.vents[r] > 0 && g.Bubbles[i].Small {
			continue
		}
		keep = append(keep, i)
	}
	s.active = keep
}

// takeSources has the bubbles of each cluster that is shut make room for its sources, each by its surface.
func (s *Solver) takeSources() {
	g, comps := s.gr, int32(len(s.Closed))
	s.intake = arrays.Resize(s.intake, len(s.active))
	clear(s.intake)
	if !slices.Contains(s.vents, shut) {
		return
	}
	s.room = arrays.Resize(s.room, len(s.cluster))
	clear(s.room)
	for i := range g.Bubbles {
		s.room[s.cluster.Find(comps+int32(i))] += s.surfaceOf(&g.Bubbles[i])
	}
	for i, b := range s.active {
		if r := s.cluster.Find(comps + b); s.vents[r] == shut && s.room[r] > 0 {
			s.intake[i] = s.surfaceOf(&g.Bubbles[b]) / s.room[r]
		}
	}
	clear(s.room)
	for r, c := range s.Label {
		s.room[s.cluster.Find(c)] += s.source[r]
	}
	for i, b := range s.active {
		s.intake[i] *= s.room[s.cluster.Find(comps+b)]
	}
}

// surfaceOf is the area of a bubble's faces that let liquid through, m².
func (s *Solver) surfaceOf(b *graph.Bubble) (area float64) {
	for _, f := range b.Faces {
		if !s.gr.IsHeld(f.Face) {
			area += float64(s.gr.Area[f.Face] * s.gr.Open[f.Face] * math.Abs(f.Share))
		}
	}
	return area
}

// componentOn is the component of the rows on a face.
func (s *Solver) componentOn(f int32) int32 {
	for _, side := range [2]int32{s.gr.A[f], s.gr.B[f]} {
		if r := s.gr.FirstRow(side); r >= 0 {
			return s.Label[r]
		}
	}
	return 0
}
