package components

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// StartMatch begins to match old and new components.
func (t *Targets) StartMatch() {
	t.pairs = t.pairs[:0]
	t.loose, t.bound = arrays.Resize(t.loose, len(t.Target)), arrays.Resize(t.bound, len(t.Held))
	clear(t.loose)
	clear(t.bound)
}

// AddLoose adds to the volume, m³, of an old component that is still there but in no new component. Its share of the target is dropped.
func (t *Targets) AddLoose(from int32, volume float64) { t.loose[from] += volume }

// AddBound adds to the volume, m³, of a new component that was in no old component. It adds to the target.
func (t *Targets) AddBound(to int32, volume float64) { t.bound[to] += volume }

// AddShared adds to the volume that an old and a new component share, m³. Successive calls mostly have the same pair, so the last pair is checked first.
func (t *Targets) AddShared(from, to int32, volume float64) {
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

// FindAmbiguous lists the pairs whose old component shares volume with other new ones, and whose new one does with other old ones. A plain split or merger
// has no such pair. It reports whether there are any.
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

// Ambiguous reports whether FindAmbiguous has listed a pair.
func (t *Targets) Ambiguous(from, to int32) bool {
	for i := range t.ambiguous {
		if p := &t.ambiguous[i]; p.From == from && p.To == to {
			return true
		}
	}
	return false
}

// Distribute computes the targets of the new components, of which there are len(Held): the old targets, in proportion to the shared
// volumes, plus the bound volumes. EndMatch makes them the targets.
func (t *Targets) Distribute() {
	n := len(t.Held)
	t.next, t.found, t.known = arrays.Resize(t.next, n), arrays.Resize(t.found, len(t.Target)), arrays.Resize(t.known, n)
	clear(t.next)
	copy(t.found, t.loose)
	clear(t.known)
	for _, p := range t.pairs {
		t.found[p.From] += p.Volume
	}
	for _, p := range t.pairs {
		if t.found[p.From] > 0 {
			t.next[p.To] += t.Target[p.From] * p.Volume / t.found[p.From]
			t.known[p.To] = true
		}
	}
	for to, volume := range t.bound {
		if t.known[to] {
			t.next[to] += volume
		}
	}
}

// AddGain adds the volume, m³, that a new component has gained or lost by flows. A component that shares nothing with an old one consists of gained
// liquid. Gained volume that was also bound counts once.
func (t *Targets) AddGain(to int32, volume float64) {
	if t.known[to] {
		twice := max(0, min(volume, t.bound[to]))
		t.bound[to] -= twice
		t.next[to] = max(0, t.next[to]+(volume-twice))
	} else {
		t.next[to], t.known[to] = t.Held[to], true
	}
}

// Unmatched reports whether some old component shares nothing with a new one, or the other way round.
func (t *Targets) Unmatched() bool {
	return slices.Contains(t.found, 0) || slices.Contains(t.known, false)
}

// IsOrphan reports whether an old component's target has no new component yet.
func (t *Targets) IsOrphan(from int32) bool { return t.found[from] == 0 }

// Known reports whether a new component has a target from an old one.
func (t *Targets) Known(to int32) bool { return t.known[to] }

// Inherit adds the target of an orphaned old component to a new one.
func (t *Targets) Inherit(from, successor int32) {
	t.next[successor] += t.Target[from]
	t.pairs = append(t.pairs, Pair{from, successor, 0})
	t.found[from] = math.Inf(1) // no orphan any more
}

// Split gives a new component part of the target of another one, its parent, which keeps at least half of its own.
func (t *Targets) Split(to, parent int32) {
	t.next[to] = min(t.Held[to], t.next[parent]/2)
	t.next[parent] -= t.next[to]
	t.known[to] = true
	for _, p := range t.pairs {
		if p.To == parent {
			t.pairs = append(t.pairs, Pair{p.From, to, 0})
			break
		}
	}
}

// EndMatch sets the targets to those of the new components. An unmatched one gets its measured volume.
func (t *Targets) EndMatch() {
	for c := range t.next {
		if !t.known[c] {
			t.next[c] = t.Held[c]
		}
	}
	t.Target, t.next = t.next, t.Target
}
