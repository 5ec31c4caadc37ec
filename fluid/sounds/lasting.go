package sounds

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// pause, s, is the longest silence of a splash that goes on.
const pause = .15

// lasting assigns keys to splashes that go on from step to step.
type lasting struct {
	all  []lastingSplash
	last uint64 // the last key assigned
}

type lastingSplash struct {
	key    uint64
	at     r3.Vec
	reach  float64 // m
	silent float64 // s
}

// begin begins a step of dt seconds.
func (l *lasting) begin(dt float64) {
	n := 0
	for _, p := range l.all {
		if p.silent += dt; p.silent < pause {
			l.all[n] = p
			n++
		}
	}
	l.all = l.all[:n]
}

// key returns the key of a splash, and whether the splash is new. A key is used once per step.
func (l *lasting) key(s *Source) (key uint64, starts bool) {
	best, nearest := -1, math.Inf(1)
	for i := range l.all {
		p := &l.all[i]
		d := reproducible.Norm(r3.Sub(p.at, s.Position))
		if p.silent > 0 && d < nearest && d <= max(p.reach, s.Spread) {
			best, nearest = i, d
		}
	}
	if best < 0 {
		l.last++
		l.all = append(l.all, lastingSplash{l.last, s.Position, s.Spread, 0})
		return l.last, true
	}
	p := &l.all[best]
	p.at, p.reach, p.silent = s.Position, s.Spread, 0
	return p.key, false
}
