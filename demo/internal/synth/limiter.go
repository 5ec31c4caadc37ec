package synth

import "math"

const (
	// ceiling is the greatest sample, of full scale, and recovers, s, the time in which the limiter lets go of 63 %.
	ceiling, recovers = .98, .3
	// ahead is for how many samples the limiter looks ahead, 5 ms, by which it is late.
	ahead = Rate / 200
)

var recovery = math.Exp(-1 / (recovers * Rate))

// limiter keeps samples within full scale. Before a peak that would be beyond it turns all down, smoothly, so that no wave is cut off.
type limiter struct {
	now      int
	late     [ahead][Channels]float64 // samples under way
	peaks    [ahead]peak              // of the last samples, those that no later one exceeds, in a ring
	first, n int
	turned   float64        // by how much what is loudest among them is turned down
	past     [ahead]float64 // what that was
	sum      float64        // of past
}

// peak is a sample by which all must be turned down.
type peak struct {
	at int
	by float64
}

// pass takes a sample in and gives out the one that came ahead samples before.
func (l *limiter) pass(left, right float64) [Channels]float64 {
	l.add(max(0, 1-ceiling/max(ceiling, math.Abs(left), math.Abs(right))))
	l.turned = max(l.turned*recovery, l.peaks[l.first].by)
	if l.turned < 1e-7 {
		l.turned = 0
	}
	at := l.now % ahead
	l.sum += l.turned - l.past[at]
	l.past[at] = l.turned
	l.late[at] = [Channels]float64{left, right}
	l.now++
	out, by := l.late[l.now%ahead], 1-max(0, l.sum/ahead)
	return [Channels]float64{out[0] * by, out[1] * by}
}

// add takes in by how much a sample must be turned down, and forgets the one that is out of reach.
func (l *limiter) add(by float64) {
	if l.n > 0 && l.peaks[l.first].at <= l.now-ahead {
		l.first, l.n = (l.first+1)%ahead, l.n-1
	}
	for l.n > 0 && l.peaks[(l.first+l.n-1)%ahead].by <= by {
		l.n--
	}
	l.peaks[(l.first+l.n)%ahead] = peak{l.now, by}
	l.n++
}
