package par

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestLeaveMovesTheThreadAndNothingElse(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	if before.Count() < 2 {
		t.Skip("there is one processor only")
	}
	for range 20 {
		here := processor()
		if here < 0 || !before.IsSet(here) {
			t.Fatalf("on processor %d, which is none that the thread may run on", here)
		}
		leaveProcessor(here)
		if processor() != here {
			if err := unix.SchedGetaffinity(0, &after); err != nil || after != before {
				t.Fatalf("processors allowed: %v before, %v after (%v)", before, after, err)
			}
			return
		}
	}
	t.Fatal("the thread is still where it was after 20 tries")
}

// A parked helper leaves its caller's processor only if threads may be moved.
func TestThreadsMoveOnlyWhereAsked(t *testing.T) {
	for _, move := range []bool{false, true} {
		p := New(2)
		p.MoveThreads = move
		h := p.helpers[0]
		for deadline := time.Now().Add(10 * time.Second); h.parked.Load() == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the helper has not parked")
			}
		}
		loopOver(p, 16, 1, func(_, _, _ int) {})
		if told := h.leave.Load() > 0; told != move {
			t.Errorf("MoveThreads %t: the helper is told to leave: %t", move, told)
		}
		p.Close()
	}
}
