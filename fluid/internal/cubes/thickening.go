package cubes

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// thickening is scratch of a tracker that keeps liquid thinner than its samples.
type thickening struct {
	held []float64 // per base cell: the tracker's liquid, m³; nil without thickening
}

// advanceCopied moves the tracker's surface, and gives thin liquid back what it lost by that: at most what the surface lost in all, and at most what is missing to the
// components' targets. The first bound leaves out what bodies displace, the second what sinks have drawn.
//
// Source: Chentanez et al. 2007 §3.4.3.
func (s *Surface) advanceCopied() {
	m := s.m
	by := s.motionOver(m.Drift)
	if s.can.Thicken == nil {
		s.tracker.Advance(by)
		return
	}
	before := s.can.Volume()
	s.tracker.Advance(by)
	if lost := before - s.can.Volume(); lost > 0 {
		if lack := s.volumes.Targets.Total() - s.heldNow(); lack > 0 {
			s.can.Thicken(min(lost, lack))
		}
	}
}

// heldNow is the liquid that the tracker has where solids leave room, m³.
func (s *Surface) heldNow() (sum float64) {
	par.Each(s.m.Pool, s.m.Grid.Bases(), measureGrain, s, (*Surface).holdOf)
	for _, v := range s.thicken.held {
		sum += v
	}
	return sum
}

func (s *Surface) holdOf(worker int, b int32) {
	m := s.m
	n, first := 1<<(3*m.Grid.Cur.Level[b]), m.Grid.Cur.First[b]
	own := s.residual.scratch[worker].own[:n]
	s.can.Fractions(own, m.blockBox(b, 0))
	s.thicken.held[b] = Filled(own, m.Solids.Volume[first:][:n])
}
