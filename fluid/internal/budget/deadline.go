package budget

import "time"

// Deadline is when a step's pressure solves must end, and how far they have come.
type Deadline struct {
	Told bool // the plan is another run's, and so is where solves are cut

	at    time.Time // of the solve under way; zero: none
	turns int       // iterations of the step so far
	own   int       // of them, the substep's
}

// Begin begins a substep's solve, which must end at a time; a zero one is none.
func (d *Deadline) Begin(at time.Time) {
	d.at, d.own = at, 0
	if d.Told {
		d.at = time.Time{}
	}
}

// Passed is asked before each iteration of a solve whether it must do with what it has. cutAfter is after how many iterations of the step solves are
// cut: 0 until one is, or what another run's plan says.
func (d *Deadline) Passed(cutAfter *int) bool {
	if d.own >= LeastIterations {
		if *cutAfter == 0 && !d.at.IsZero() && time.Now().After(d.at) {
			*cutAfter = d.turns
		}
		if *cutAfter > 0 && d.turns >= *cutAfter {
			return true
		}
	}
	d.own++
	d.turns++
	return false
}
