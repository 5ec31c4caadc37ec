package budget

import "time"

// Deadline is the time limit of a step's pressure solves.
type Deadline struct {
	Replayed bool // replays another run's plan, with the iterations at which its solves were cut off

	at                time.Time // of the current solve; zero: none
	iterations        int       // iterations of the step so far
	substepIterations int       // iterations of the substep so far
}

// Begin begins a substep's solve, which has to end at a time; the zero time is no limit.
func (d *Deadline) Begin(at time.Time) {
	d.at, d.substepIterations = at, 0
	if d.Replayed {
		d.at = time.Time{}
	}
}

// Passed reports whether a solve must end. It is called before each iteration. cutAfter is the number of iterations in the step after which solves are
// cut off: 0 until the time is over, or the number of a replayed plan.
func (d *Deadline) Passed(cutAfter *int) bool {
	if d.substepIterations >= LeastIterations {
		if *cutAfter == 0 && !d.at.IsZero() && time.Now().After(d.at) {
			*cutAfter = d.iterations
		}
		if *cutAfter > 0 && d.iterations >= *cutAfter {
			return true
		}
	}
	d.substepIterations++
	d.iterations++
	return false
}
