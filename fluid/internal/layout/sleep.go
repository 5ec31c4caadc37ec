package layout

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
)

// Sleep is the sleep of parts of the liquid. A block sleeps when nothing has moved in it and in those around it for a while. It wakes when the
// liquid beside it moves, or presses on it otherwise than still liquid would, and when a body, an emitter, a sink, a field
// or a drop comes near.
type Sleep struct {
	grid   *Grid
	survey *Survey

	Slow   []float32 // per base cell: for how long its liquid was slow, s, up to sleep.SlowTime
	Calm   []float32 // per base cell: for how long it was calm, s, up to sleep.CalmTime
	Asleep []bool    // per base cell
	Count  int       // of those that are asleep
	Any    bool      // some may fall asleep, or are
}

// NewSleep is the sleep of a grid's blocks, all of which are awake. asleep: len base cells, all false; it is written to.
func NewSleep(g *Grid, survey *Survey, asleep []bool) Sleep {
	n := g.Bases()
	return Sleep{grid: g, survey: survey, Slow: make([]float32, n), Calm: make([]float32, n), Asleep: asleep}
}

// MaySleep tells whether some block sleeps or may fall asleep.
func (s *Sleep) MaySleep() bool { return s.Any }

// CountUp brings Count and Any up to date.
func (s *Sleep) CountUp() {
	s.Count, s.Any = 0, false
	for b, calm := range s.Calm {
		if s.Asleep[b] {
			s.Count++
		}
		s.Any = s.Any || calm >= sleep.CalmTime || s.Asleep[b]
	}
}

// Stir has the liquid count as neither slow nor calm anywhere.
func (s *Sleep) Stir() {
	clear(s.Slow)
	clear(s.Calm)
}

// Advance has a block count as slow and as calm for dt seconds more, or from now on.
func (s *Sleep) Advance(b int32, dt float32, slow, calm bool) {
	s.Slow[b], s.Calm[b] = min(s.Slow[b]+dt, sleep.SlowTime), min(s.Calm[b]+dt, sleep.CalmTime)
	if !slow {
		s.Slow[b] = 0
	}
	if !calm {
		s.Calm[b] = 0
	}
}

// SlowAround tells whether the liquid of a block and of those around it has been slow for a while.
func (s *Sleep) SlowAround(b int32) bool {
	for _, nb := range s.grid.Nearby(b) {
		if nb != None && s.Slow[nb] < sleep.SlowTime && s.survey.IsWet(nb) {
			return false
		}
	}
	return true
}

// Rests tells whether a block holds liquid, and all that are wet around it are calm as it is.
func (s *Sleep) Rests(b int32) bool {
	if !s.survey.IsWet(b) {
		return false
	}
	for _, nb := range s.grid.Nearby(b) {
		if nb != None && s.Calm[nb] < sleep.CalmTime && s.survey.IsWet(nb) {
			return false
		}
	}
	return true
}

// KeepAwake keeps all blocks awake for a while, and wakes those that sleep.
func (s *Sleep) KeepAwake() { clear(s.Calm) }

// KeepAwakeIn keeps the blocks awake that come near some of the boxes, m.
func (s *Sleep) KeepAwakeIn(list []r3.Box) {
	for _, box := range list {
		s.KeepAwakeAt(box)
	}
}

// KeepAwakeAt keeps the blocks awake that come near a box, m.
func (s *Sleep) KeepAwakeAt(box r3.Box) {
	if box = boxes.Grown(box, 2*s.grid.H); boxes.Overlap(box, s.survey.domain) { // else it isn't finite, or far away
		s.grid.EachBase(box, func(b int32) { s.Calm[b] = 0 })
	}
}

// SleepsIn reports whether some block that comes near a box, m, sleeps.
func (s *Sleep) SleepsIn(box r3.Box) (sleeps bool) {
	if box = boxes.Grown(box, 2*s.grid.H); s.Count > 0 && boxes.Overlap(box, s.survey.domain) {
		s.grid.EachBase(box, func(b int32) { sleeps = sleeps || s.Asleep[b] })
	}
	return sleeps
}

// KeepAwakeBelowAir keeps the blocks awake between one that is and the air on a side of it, -x, +x, -y, …: what liquid has no surface can't give way to
// bodies.
func (s *Sleep) KeepAwakeBelowAir(side int) {
	for b := range int32(len(s.Calm)) {
		if s.Calm[b] >= sleep.CalmTime || !s.survey.IsWet(b) {
			continue
		}
		for up := s.grid.Neighbour[b][side]; up != None && s.survey.IsWet(up); up = s.grid.Neighbour[up][side] {
			s.Calm[up] = 0
		}
	}
}

// CodeSleep codes what sleeps, and what may soon.
func (s *Sleep) CodeSleep(c *codec.Codec) {
	n := s.grid.Bases()
	if c.Version() >= 5 {
		c.Float32s(s.Slow, n, 0, sleep.SlowTime)
		s.codeCalm(c, n)
		c.Bools(s.Asleep, n)
	} else if c.Reading() {
		s.Stir()
		clear(s.Asleep)
	}
	if c.Reading() {
		s.CountUp()
	}
}

// codeCalm codes for how long n blocks were calm. Before version 7 that was up to 30 steps, at an assumed 60 a second.
func (s *Sleep) codeCalm(c *codec.Codec, n int) {
	if c.Version() >= 7 {
		c.Float32s(s.Calm, n, 0, sleep.CalmTime)
		return
	}
	const most = 30
	steps := make([]uint8, n)
	c.Uint8s(steps, n, 0, most)
	if c.Reading() {
		for b, k := range steps {
			s.Calm[b] = sleep.CalmTime * float32(k) / most
		}
	}
}
