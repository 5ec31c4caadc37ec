package par

import (
	"testing"
	"time"
)

// The caller yields in every rest while that takes little time, hardly ever while another process uses the processor, and again soon after that.
func TestRoomIsMadeForHelpersOnly(t *testing.T) {
	var r yieldPolicy
	made := func(from, to int64, took time.Duration) (rests int) {
		for rest := from; rest < to; rest++ {
			for range 3 {
				if !r.allows(rest) {
					break
				}
				rests++
				r.noteYield(took)
			}
		}
		return rests
	}
	if n := made(1, 101, 20*time.Microsecond); n != 300 {
		t.Errorf("yielded %d times in 100 rests of three loops", n)
	}
	if n := made(101, 1101, 3*time.Millisecond); n < 10 || n > 25 {
		t.Errorf("yielded %d times in 1000 rests to another process", n)
	}
	made(1101, 1101+mostSkipped+1, 20*time.Microsecond)
	if n := made(1300, 1400, 20*time.Microsecond); n != 300 {
		t.Errorf("yielded %d times in 100 rests after it had ended", n)
	}
	if made(1400, 1401, 3*time.Millisecond); r.until > 1400+4 {
		t.Errorf("one who takes it once keeps it from rest 1400 to %d", r.until)
	}
}
