package scene

import (
	"slices"
	"time"
)

// qualities are those of Draw from the cheapest on.
var qualities = [3]DrawQuality{DrawLow, DrawMedium, DrawHigh}

const (
	paceMean = 30       // pictures whose mean time counts
	paceHold = 120      // pictures before a better quality is tried; twice as many each time that it doesn't last
	paceLong = 32 * 120 // and at most
	paceRoom = .9       // of the budget that a better quality may be expected to take
	paceRise = 2.       // times what a quality takes the next one is expected to take until it is known
)

// pace chooses the quality that keeps Draw's pictures within a time.
type pace struct {
	level int                     // of qualities
	since int                     // pictures at this level
	skip  int                     // pictures to come that were drawn before it
	sum   time.Duration           // of
	count int                     // pictures
	hold  int                     // pictures before a better level is tried
	from  int                     // the level before, to be compared by the first mean
	last  time.Duration           // its mean; 0 once compared
	rise  [len(qualities)]float64 // what a level takes in times of the one below; 0 for unknown
}

// newPace begins with a quality.
func newPace(q DrawQuality) pace {
	return pace{level: max(slices.Index(qualities[:], q), 0), hold: paceHold}
}

// picture takes how long a picture took the graphics card, and returns the quality for the next one: no better than most.
func (p *pace) picture(took, budget time.Duration, most DrawQuality) DrawQuality {
	p.since++
	if p.skip > 0 {
		p.skip--
	} else {
		p.sum += took
		p.count++
	}
	if p.count == paceMean {
		mean := p.sum / paceMean
		p.sum, p.count = 0, 0
		p.learn(mean)
		switch {
		case mean > budget && p.level > 0:
			if p.hold = min(2*p.hold, paceLong); p.since > paceLong {
				p.hold = paceHold
			}
			p.change(p.level-1, mean)
		case mean <= budget && qualities[p.level] != most && p.since >= p.hold && float64(mean)*p.rises() < paceRoom*float64(budget):
			p.change(p.level+1, mean)
		}
	}
	return qualities[p.level]
}

// change goes to a level. The pictures under way were drawn at the one before.
func (p *pace) change(level int, mean time.Duration) {
	p.from, p.last = p.level, mean
	p.level, p.since, p.skip = level, 0, delay
}

// learn compares the first mean of a level with the last one of the level before.
func (p *pace) learn(mean time.Duration) {
	if p.last > 0 && mean > 0 {
		r := float64(mean) / float64(p.last)
		if p.from > p.level {
			r = 1 / r
		}
		p.rise[max(p.from, p.level)] = max(r, 1)
	}
	p.last = 0
}

// rises is what the next level is expected to take in times of this one.
func (p *pace) rises() float64 {
	if r := p.rise[p.level+1]; r > 0 {
		return r
	}
	return paceRise
}
