package par

import "time"

// yieldPolicy decides when a caller yields its processor to a helper that it has woken. A helper's rests, the times that it parked, are numbered
// from 1.
type yieldPolicy struct {
	tried     int64 // the rest in which the caller last yielded
	contended bool  // the yield took so long that another process must have had the processor
	skipped   int64 // rests to skip the next time that happens
	until     int64 // the first rest in which the caller yields again
}

const (
	// longestYield is several times what a helper needs to leave the caller's processor. A longer yield means that another process
	// ran, perhaps for milliseconds.
	longestYield = 200 * time.Microsecond
	// mostSkipped is about a second of frames.
	mostSkipped = 63
)

// allows reports whether the caller yields in a rest. It does not where another process has just taken its time, and the more
// often that happened, the more rests it skips.
func (r *yieldPolicy) allows(rest int64) bool {
	if rest != r.tried && rest >= r.until {
		if !r.contended {
			r.skipped /= 2
		}
		r.tried, r.contended = rest, false
	}
	return rest == r.tried && !r.contended
}

// noteYield records how long the caller's processor was yielded.
func (r *yieldPolicy) noteYield(t time.Duration) {
	if t > longestYield {
		r.skipped = min(2*r.skipped+1, mostSkipped)
		r.contended, r.until = true, r.tried+1+r.skipped
	}
}
