package par

import "time"

// room is when a caller makes room on its processor for a helper that it has roused. Rests are the helper's, numbered from 1.
type room struct {
	tried   int64 // the rest in which the caller last made room
	crowded bool  // somebody else took its time then
	shy     int64 // how many rests the caller leaves out when that happens again
	until   int64 // the first rest in which it makes room again
}

const (
	// roomFor is how long a helper may take on the caller's processor until it leaves it, several times over: who takes longer
	// there is somebody else, and may have milliseconds.
	roomFor = 200 * time.Microsecond
	// mostShy is a second of frames.
	mostShy = 63
)

// wants tells whether the caller is to make room in a rest: not where somebody else has just taken its time, and the less often the
// more often that happened.
func (r *room) wants(rest int64) bool {
	if rest != r.tried && rest >= r.until {
		if !r.crowded {
			r.shy /= 2
		}
		r.tried, r.crowded = rest, false
	}
	return rest == r.tried && !r.crowded
}

// took takes note of how long others had the processor.
func (r *room) took(t time.Duration) {
	if t > roomFor {
		r.shy = min(2*r.shy+1, mostShy)
		r.crowded, r.until = true, r.tried+1+r.shy
	}
}
