package par

import (
	"runtime"
	"testing"

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
		leave(here)
		if processor() != here {
			if err := unix.SchedGetaffinity(0, &after); err != nil || after != before {
				t.Fatalf("processors allowed: %v before, %v after (%v)", before, after, err)
			}
			return
		}
	}
	t.Fatal("the thread is still where it was after 20 tries")
}
