package par

import "time"

// exclusion is how many helpers are left out of loops. A helper whose processor another process wants stops in the middle of a chunk for
// milliseconds, and the caller waits for it. Where that happens often, the caller alone is faster, and its time varies less.
type exclusion struct {
	out         int           // helpers left out
	excess      time.Duration // the caller's waits for stopped helpers, less toleratedShare of the time
	waited      time.Time     // the last such wait
	excludedFor int           // loops for which a helper is left out
	since       int           // loops since a helper was left out or readmitted
	back        bool          // the last change was a readmission
}

const (
	// leastWait is the shortest wait that counts: no chunk takes so long.
	leastWait = 300 * time.Microsecond
	// mostWait is what of one wait counts at most: a machine may be suspended.
	mostWait = 5 * time.Millisecond
	// toleratedShare is the part of its time that a caller waits for helpers without leaving one out, since a host takes that much away now
	// and then. mostExcess is what it waits beyond that before it leaves one out: four waits in half a second.
	toleratedShare = .02
	mostExcess     = 12 * time.Millisecond
	// firstExclusion and longestExclusion are how many loops a helper is left out for, one to sixteen seconds of steps in a game. The number
	// doubles where it is soon left out again.
	firstExclusion, longestExclusion = 1 << 13, 1 << 17
)

// countLoop counts a loop, and readmits a helper that was left out for long enough.
func (b *exclusion) countLoop() {
	if b.since++; b.out > 0 && b.since == b.excludedFor {
		b.out, b.since, b.back = b.out-1, 0, true
	}
}

// noteWait records that the caller has waited until now for one of so many helpers, and leaves one out where waits add up to too much.
func (b *exclusion) noteWait(took time.Duration, now time.Time, helpers int) {
	if took < leastWait {
		return
	}
	b.excess = max(0, b.excess-time.Duration(toleratedShare*float64(now.Sub(b.waited)))) + min(took, mostWait)
	b.waited = now
	if b.excess <= mostExcess || b.out == helpers {
		return
	}
	switch {
	case b.since > b.excludedFor:
		b.excludedFor = firstExclusion
	case b.back:
		b.excludedFor = min(2*b.excludedFor, longestExclusion)
	}
	b.out, b.excess, b.since, b.back = b.out+1, 0, 0, false
}
