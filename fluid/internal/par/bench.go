package par

import "time"

// bench is how many helpers are left out. One whose processor somebody else wants stops in the middle of a chunk for
// milliseconds, and the caller waits for it: where that happens time and again the caller is faster alone, and surely steadier.
type bench struct {
	out    int           // helpers left out
	owed   time.Duration // what the caller has waited for helpers that had stopped, less what it puts up with
	waited time.Time     // when it last did
	rest   int           // loops for which one is left out
	since  int           // loops since one was left out or came back
	back   bool          // the last one came back
}

const (
	// stop is how long the caller waits at least for a helper that has lost its processor: no chunk takes so long.
	stop = 300 * time.Microsecond
	// mostStop is the most that counts of one wait: a machine may be suspended.
	mostStop = 5 * time.Millisecond
	// putUpWith is the part of its time that a caller waits for helpers without leaving them out, for a host takes that much away now
	// and then, and mostOwed what it waits beyond that until it does: four waits in half a second.
	putUpWith = .02
	mostOwed  = 12 * time.Millisecond
	// firstRest and mostRest are how many loops a helper is left out for, one to sixteen seconds of steps in a game: twice as many
	// if it is soon left out again.
	firstRest, mostRest = 1 << 13, 1 << 17
)

// loop counts a loop, and lets a helper take part again that was left out for long enough.
func (b *bench) loop() {
	if b.since++; b.out > 0 && b.since == b.rest {
		b.out, b.since, b.back = b.out-1, 0, true
	}
}

// waits takes note of how long the caller has waited, until now, for one of so many helpers.
func (b *bench) waits(took time.Duration, now time.Time, helpers int) {
	if took < stop {
		return
	}
	b.owed = max(0, b.owed-time.Duration(putUpWith*float64(now.Sub(b.waited)))) + min(took, mostStop)
	b.waited = now
	if b.owed <= mostOwed || b.out == helpers {
		return
	}
	switch {
	case b.since > b.rest:
		b.rest = firstRest
	case b.back:
		b.rest = min(2*b.rest, mostRest)
	}
	b.out, b.owed, b.since, b.back = b.out+1, 0, 0, false
}
