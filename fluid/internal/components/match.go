package components

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// StartMatch begins to match old and new components by what they share.
func (t *Targets) StartMatch() {
	t.pairs = t.pairs[:0]
	t.loose, t.bound = arrays.Resize(t.loose, len(t.Target)), arrays.Resize(t.bound, len(t.Held))
	clear(t.loose)
	clear(t.bound)
}

// Loosen adds to what of an old component's liquid, m³, is still there but of no component: that part of its target goes with it.
func (t *Targets) Loosen(from int32, volume float64) { t.loose[from] += volume }

// Bind adds to what of a new component's liquid, m³, was of no component: it is to hold that, too.
func (t *Targets) Bind(to int32, volume float64) { t.bound[to] += volume }

// Share adds to what an old and a new component share, m³. Calls come in runs of the same two, so that the last pair is nearly always the one.
func (t *Targets) Share(from, to int32, volume float64) {
	last := len(t.pairs) - 1
	for i := last; i >= 0; i-- {
		if p := &t.pairs[i]; p.From == from && p.To == to {
			p.Volume += volume
			t.pairs[i], t.pairs[last] = t.pairs[last], t.pairs[i]
			return
		}
	}
	t.pairs = append(t.pairs, Pair{from, to, volume})
}

// FindAmbiguous lists the pairs of which the old component went on elsewhere, too, and the new one was elsewhere before: where components part or
// meet, one of the two is not so. It tells whether there are any.
func (t *Targets) FindAmbiguous() bool {
	t.ambiguous = t.ambiguous[:0]
	for _, p := range t.pairs {
		parted, met := false, false
		for _, q := range t.pairs {
			parted = parted || q.From == p.From && q.To != p.To
			met = met || q.To == p.To && q.From != p.From
		}
		if parted && met {
			t.ambiguous = append(t.ambiguous, p)
		}
	}
	return len(t.ambiguous) > 0
}

// Ambiguous tells whether FindAmbiguous has listed a pair.
func (t *Targets) Ambiguous(from, to int32) bool {
	for i := range t.ambiguous {
		if p := &t.ambiguous[i]; p.From == from && p.To == to {
			return true
		}
	}
	return false
}

// Distribute hands the old components' targets to the new ones, of which there are as many as Held has, in proportion to the volumes that
// they share, and adds what those hold that was of none. EndMatch makes them the targets.
func (t *Targets) Distribute() {
	n := len(t.Held)
	t.next, t.seen, t.known = arrays.Resize(t.next, n), arrays.Resize(t.seen, len(t.Target)), arrays.Resize(t.known, n)
	clear(t.next)
	copy(t.seen, t.loose)
	clear(t.known)
	for _, p := range t.pairs {
		t.seen[p.From] += p.Volume
	}
	for _, p := range t.pairs {
		if t.seen[p.From] > 0 {
			t.next[p.To] += t.Target[p.From] * p.Volume / t.seen[p.From]
			t.known[p.To] = true
		}
	}
	for to, volume := range t.bound {
		if t.known[to] {
			t.next[to] += volume
		}
	}
}

// Gain books liquid, m³, that came or went at a new component. What one holds that shares nothing with an old one is what came. What is
// bound may have come, too: it counts once.
func (t *Targets) Gain(to int32, volume float64) {
	if t.known[to] {
		twice := max(0, min(volume, t.bound[to]))
		t.bound[to] -= twice
		t.next[to] = max(0, t.next[to]+(volume-twice))
	} else {
		t.next[to], t.known[to] = t.Held[to], true
	}
}

// Unmatched tells whether there are old components that share nothing with a new one, or the other way round.
func (t *Targets) Unmatched() bool {
	return slices.Contains(t.seen, 0) || slices.Contains(t.known, false)
}

// Orphaned tells whether an old component's target is still to be handed on.
func (t *Targets) Orphaned(from int32) bool { return t.seen[from] == 0 }

// Known tells whether a new component has its target from an old one.
func (t *Targets) Known(to int32) bool { return t.known[to] }

// Inherit hands the target of an orphaned old component to a new one, its successor.
func (t *Targets) Inherit(from, successor int32) {
	t.next[successor] += t.Target[from]
	t.seen[from] = math.Inf(1) // it is handed on
}

// Split takes the target of a new component from another one, its parent, which keeps at least half of its own.
func (t *Targets) Split(to, parent int32) {
	t.next[to] = min(t.Held[to], t.next[parent]/2)
	t.next[parent] -= t.next[to]
	t.known[to] = true
}

// EndMatch makes the targets those of the new components. What one holds that came from nowhere is its target.
func (t *Targets) EndMatch() {
	for c := range t.next {
		if !t.known[c] {
			t.next[c] = t.Held[c]
		}
	}
	t.Target, t.next = t.next, t.Target
}
