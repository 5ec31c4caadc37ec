package levelset

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// SampleFrom makes Phi the distance to a surface that another tracker has moved by dt seconds through the velocity v: sample writes the distance to it, m, into
// Phi for the cells of some blocks of Cur: those that the surface may come near to, with a nil v all.
//
// Near thin walls, in the blocks that ClipBlocks marks, φ is advanced as a level set's is, without markers: only there the traces
// know of the walls. With a nil v it stays as it is there.
func (s *Field) SampleFrom(v *layout.Velocity, dt float64, sample func(blocks []int32)) {
	s.v, s.dt = v, dt
	t := &s.sampling
	par.For(s.pool, s.g.Bases(), 2, t, (*sampling).choose)
	t.list()
	sample(s.busy)
	par.For(s.pool, len(s.busy), 8, t, (*sampling).bound)
	if v != nil {
		for i := range s.Passes {
			s.findActive(false)
			t.keepClipped()
			s.sweepBusy(i, false)
		}
		s.Tick++
	}
	s.v = nil
}

// Clipped tells whether thin walls are near to a block, so that its φ is its own and no other tracker's.
func (s *Field) Clipped(b int32) bool {
	return s.Clip != nil && int(b) < len(s.ClipBlocks) && s.ClipBlocks[b]
}

// sampling is the loops of SampleFrom.
type sampling struct{ s *Field }

// choose marks in swept the blocks whose φ is to be sampled, and advances the others.
func (t *sampling) choose(worker, lo, hi int) {
	s := t.s
	for b := int32(lo); b < int32(hi); b++ {
		clipped := s.Clipped(b)
		s.swept[b] = !clipped && (s.v == nil || !s.far(b))
		switch {
		case s.swept[b]:
			s.moved[b] = s.motion(b)
		case s.v != nil:
			s.advanceBlock(worker, b)
		}
	}
}

// list lists the blocks that are marked in swept.
func (t *sampling) list() {
	s := t.s
	s.busy = s.busy[:0]
	for b, marked := range s.swept {
		if marked {
			s.busy = append(s.busy, int32(b))
		}
	}
}

// keepClipped leaves of the blocks that are listed those near thin walls.
func (t *sampling) keepClipped() {
	s := t.s
	kept := s.busy[:0]
	for _, b := range s.busy {
		if s.Clipped(b) {
			kept = append(kept, b)
		}
	}
	s.busy = kept
}

// bound bounds the φ that was sampled to the band. What is not a number is air.
func (t *sampling) bound(_, lo, hi int) {
	s := t.s
	for _, b := range s.busy[lo:hi] {
		level := s.g.Cur.Level[b]
		limit, phi := s.limit(level), s.Phi[s.g.Cur.First[b]:][:1<<(3*level)]
		for i, d := range phi {
			phi[i] = keepIn(d, limit, limit)
		}
		s.measure(b)
	}
}
