package par

import "time"

// exclusion counts the helpers that are left out of loops. Where another process takes a helper's processor, the helper stops in the middle of a
// chunk for milliseconds, and the caller waits for it. Where that happens often, the caller alone is faster, and its time varies less.
type exclusion struct {
	out         int           // helpers left out
	excess      time.Duration // waits for stopped helpers, less toleratedShare of the time
	waited      time.Time     // the last such wait
	excludedFor int           // how many loops a helper is left out for
	since       int           // loops since a helper was left out or readmitted
	back        bool          // the last change was a readmission
}

const (
	// leastWait is the shortest wait that counts: longer than any chunk.
	leastWait = 300 * time.Microsecond
	// mostWait is the most that one wait counts for: a machine may be suspended.
	mostWait = 5 * time.Millisecond
	// toleratedShare is the share of its time that a caller may wait for helpers: a virtual machine's host takes that much away now and then. mostExcess is the
	// wait beyond that share after which a helper is left out: four waits in half a second.
	toleratedShare = .02
	mostExcess     = 12 * time.Millisecond
	// firstExclusion and longestExclusion bound how many loops a helper is left out for: one to sixteen seconds of a game's steps. The number
	// doubles where the helper is soon left out again.
	firstExclusion, longestExclusion = 1 << 13, 1 << 17
)

// countLoop counts a loop, and readmits a helper whose exclusion is over.
func (b *exclusion) countLoop() {
	if b.since++; b.out > 0 && b.since == b.excludedFor {
		b.out, b.since, b.back = b.out-1, 0, true
	}
}

// noteWait records that the caller has waited for one of so many helpers, until now. It leaves a helper out where waits exceed mostExcess.
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
