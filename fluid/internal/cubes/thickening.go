package cubes

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// thickener is a tracker that keeps liquid which is thinner than what it samples.
type thickener interface {
	weighed
	// Volume is that of the liquid, also in solids, m³.
	Volume() float64
	// Thicken adds to thin liquid what its last Advance lost of it, no more than a deficit, m³, and returns how much.
	Thicken(deficit float64) float64
}

// thickening is what is known of the liquid that is thinner than what the tracker samples.
type thickening struct {
	of   thickener // nil without thickening
	held []float64 // per base cell: the tracker's liquid, m³
}

// advance moves the tracker's surface, and gives thin liquid what it lost by that: no more than the surface lost in all, and no more
// than what is there lacks to the components' targets. The first leaves out what bodies displace, the second what sinks have drawn.
//
// Source: Chentanez et al. 2007 §3.4.3.
func (f *Followed) advance() {
	m, x := f.m, &f.thicken
	if x.of == nil {
		f.tracked.Advance(f.velocity, m.Drift)
		return
	}
	before := x.of.Volume()
	f.tracked.Advance(f.velocity, m.Drift)
	if lost := before - x.of.Volume(); lost > 0 {
		if lack := m.Volumes.Targets.Total() - f.heldNow(); lack > 0 {
			x.of.Thicken(min(lost, lack))
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
	f.thicken.of.Fractions(b, own)
	f.thicken.held[b] = Filled(own, m.Solids.Volume[first:][:n])
}
