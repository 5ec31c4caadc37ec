package par

import "time"

// yieldPolicy decides when a caller yields its processor to a helper that it has woken. Rests, the times that the helper was parked, are numbered
// from 1.
type yieldPolicy struct {
	tried     int64 // the rest in which the caller last yielded
	contended bool  // another process took the processor then
	skipped   int64 // how many rests the caller skips when that happens again
	until     int64 // the first rest in which it yields again
}

const (
	// longestYield is several times what a helper takes on the caller's processor until it leaves it. What takes longer
	// is another process, and may take milliseconds.
	longestYield = 200 * time.Microsecond
	// mostSkipped is a second of frames.
	mostSkipped = 63
)

// allows tells whether the caller is to yield in a rest: not where another process has just taken its time, and the more rarely the
// more often that happened.
func (r *yieldPolicy) allows(rest int64) bool {
	if rest != r.tried && rest >= r.until {
		if !r.contended {
			r.skipped /= 2
		}
		r.tried, r.contended = rest, false
	}
	return rest == r.tried && !r.contended
}

// noteYield records how long others had the processor.
func (r *yieldPolicy) noteYield(t time.Duration) {
	if t > longestYield {
		r.skipped = min(2*r.skipped+1, mostSkipped)
		r.contended, r.until = true, r.tried+1+r.skipped
	}
}
