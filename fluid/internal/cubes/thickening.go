package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// thickening is what is known of the liquid that is thinner than what the tracker samples.
type thickening struct {
	held []float64 // per base cell: the tracker's liquid, m³; nil without thickening
}

// advance moves the tracker's surface, and gives thin liquid what it lost by that: no more than the surface lost in all, and no more
// than what is there lacks to the components' targets. The first leaves out what bodies displace, the second what sinks have drawn.
//
// Source: Chentanez et al. 2007 §3.4.3.
func (f *Followed) advance() {
	m := f.m
	f.motion.Dt, f.motion.MaxSpeed, f.motion.Gravity = m.Drift, m.Survey.MaxSpeed, reproducible.Norm(m.Gravity)
	if f.can.Thicken == nil {
		f.tracker.Advance(&f.motion)
		return
	}
	before := f.can.Volume()
	f.tracker.Advance(&f.motion)
	if lost := before - f.can.Volume(); lost > 0 {
		if lack := m.Volumes.Targets.Total() - f.heldNow(); lack > 0 {
			f.can.Thicken(min(lost, lack))
		}
	}
}

// heldNow is the liquid that the tracker has where solids leave room, m³.
func (f *Followed) heldNow() (sum float64) {
	par.Each(f.m.Pool, f.m.Grid.Bases(), measureGrain, f, (*Followed).holdOf)
	for _, v := range f.thicken.held {
		sum += v
	}
	return sum
}

func (f *Followed) holdOf(worker int, b int32) {
	m := f.m
	n, first := 1<<(3*m.Grid.Cur.Level[b]), m.Grid.Cur.First[b]
	own := f.excess.scratch[worker].own[:n]
	f.can.Fractions(own, m.blockBox(b, 0))
	f.thicken.held[b] = Filled(own, m.Solids.Volume[first:][:n])
}
