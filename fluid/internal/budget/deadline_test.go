package budget

import (
	"testing"
	"time"
)

// iterations returns the number of iterations of a solve that only its deadline ends, up to most.
func iterations(d *Deadline, at time.Time, most int, cutAfter *int) (n int) {
	for d.Begin(at); n < most && !d.Passed(cutAfter); n++ {
	}
	return n
}

// A solve out of time takes its least iterations, as do the later ones of the step; a replayed run ends its solves at the same iterations without a clock.
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
	told := Deadline{Replayed: true}
	for i, want := range []int{9, 9, LeastIterations, LeastIterations} {
		if n := iterations(&told, past, 9, &cut); n != want {
			t.Errorf("told, solve %d: %d iterations, want %d", i, n, want)
		}
	}
	none := 0
	if n := iterations(&Deadline{Replayed: true}, past, 50, &none); n != 50 || none != 0 {
		t.Errorf("told that no solve is cut: %d iterations, cut after %d", n, none)
	}
}
