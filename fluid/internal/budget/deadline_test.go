package budget

import (
	"testing"
	"time"
)

// iterations returns how many a solve takes that has no other end than its deadline, or most.
func iterations(d *Deadline, at time.Time, most int, cutAfter *int) (n int) {
	for d.Begin(at); n < most && !d.Passed(cutAfter); n++ {
	}
	return n
}

// A solve whose time is over takes its least iterations, as do those of the step that follow; a run that is told where goes the same way by no clock.
func TestDeadline(t *testing.T) {
	past, future := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	var d Deadline
	cut := 0
	if n := iterations(&d, future, 9, &cut) + iterations(&d, time.Time{}, 9, &cut); n != 18 || cut != 0 {
		t.Fatalf("with time enough: %d iterations, cut after %d", n, cut)
	}
	if n := iterations(&d, past, 9, &cut); n != LeastIterations || cut != 18+LeastIterations {
		t.Fatalf("without time: %d iterations, cut after %d", n, cut)
	}
	if n := iterations(&d, future, 9, &cut); n != LeastIterations {
		t.Errorf("after that: %d iterations", n)
	}
	told := Deadline{Told: true}
	for i, want := range []int{9, 9, LeastIterations, LeastIterations} {
		if n := iterations(&told, past, 9, &cut); n != want {
			t.Errorf("told, solve %d: %d iterations, want %d", i, n, want)
		}
	}
	none := 0
	if n := iterations(&Deadline{Told: true}, past, 50, &none); n != 50 || none != 0 {
		t.Errorf("told that no solve is cut: %d iterations, cut after %d", n, none)
	}
}
