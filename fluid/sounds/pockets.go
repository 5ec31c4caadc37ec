package sounds

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

const (
	// leastAge, s, is how long a pocket must be there, or gone, to be heard: pockets at the limit of the grid's resolution come and go.
	leastAge = .05
	// smallPocket, in cells, is the volume up to which a pocket that is gone has closed; a larger one has opened to the air outside.
	smallPocket = 8
	// remnant is the part of a pocket's volume below which what is enclosed there in the next step is another: the pocket has opened.
	remnant = 1. / 8
	// ringing is the relative change of volume of a ringing pocket.
	ringing = .01
)

// pockets tracks the pockets from step to step.
type pockets struct {
	all  []pocket
	used []bool // scratch
}

type pocket struct {
	Pocket
	age, missing float64 // s
	heard        bool
}

// hear appends the sounds of pockets in a step.
func (p *pockets) hear(s *Step, dst []Source) []Source {
	if s.Asleep {
		return dst
	}
	p.used = append(p.used[:0], make([]bool, len(s.Pockets))...)
	for i := range p.all {
		p.follow(&p.all[i], s)
	}
	for i, used := range p.used {
		if !used {
			p.all = append(p.all, pocket{Pocket: s.Pockets[i], age: s.Dt})
		}
	}
	n := 0
	for i := range p.all {
		k := p.all[i]
		if !k.heard && k.missing == 0 && k.age >= leastAge {
			k.heard = true
			dst = append(dst, k.source(PocketFormed, s))
		}
		if k.missing >= leastAge || k.missing > 0 && !k.heard {
			if k.heard {
				dst = append(dst, k.source(k.end(s), s))
			}
			continue
		}
		p.all[n] = k
		n++
	}
	p.all = p.all[:n]
	return dst
}

// follow updates a pocket with the nearest one of the step that has not much less air.
func (p *pockets) follow(k *pocket, s *Step) {
	best, at := math.Inf(1), -1
	for i := range s.Pockets {
		now := &s.Pockets[i]
		d := reproducible.Norm(r3.Sub(now.Position, k.Position))
		reach := sphereRadius(k.Volume) + sphereRadius(now.Volume) + float64(2*s.CellSize)
		if !p.used[i] && d < best && d <= reach && now.Volume >= remnant*k.Volume {
			best, at = d, i
		}
	}
	if at < 0 {
		k.missing += s.Dt
		return
	}
	p.used[at] = true
	k.Pocket, k.age, k.missing = s.Pockets[at], k.age+s.Dt, 0
}

// end returns the kind of sound at the end of a pocket.
func (k *pocket) end(s *Step) Kind {
	if k.Volume < float64(smallPocket*s.CellSize*s.CellSize*s.CellSize) {
		return PocketClosed
	}
	return PocketSurfaced
}

func (k *pocket) source(kind Kind, s *Step) Source {
	r := sphereRadius(k.Volume)
	return Source{
		Kind: kind, Starts: true, Position: k.Position, Size: r, Spread: r, Energy: ringing * ringing * airHeat * airPressure * k.Volume / 2,
		Litres: k.Volume / litre / s.Dt, Rate: 1 / s.Dt,
	}
}
