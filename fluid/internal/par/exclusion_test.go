package par

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// trial runs an exclusion through a game's loops; in every so many-th the caller waits for a helper.
type trial struct {
	exclusion
	now time.Time
}

// run runs loops of 70 µs. In one of every so many, if a helper takes part, the caller waits for it. run returns the number of loops
// without an excluded helper.
func (t *trial) run(loops, every int, took time.Duration, helpers int) (full int) {
	for i := range loops {
		t.countLoop()
		t.now = t.now.Add(70 * time.Microsecond)
		if t.out == 0 {
			full++
		}
		if every > 0 && i%every == 0 && t.out < helpers {
			t.now = t.now.Add(took)
			t.noteWait(took, t.now, helpers)
		}
	}
	return full
}

// Helpers that a host stops now and then, or that have a long chunk, are not excluded.
func TestHelpersAreLeftInWhereTheySeldomStop(t *testing.T) {
	for _, c := range []struct {
		every int
		took  time.Duration
	}{{100, 200 * time.Microsecond}, {10_000, 4 * time.Millisecond}, {30_000, 10 * time.Millisecond}, {500_000, time.Second}} {
		tr := trial{now: time.Now()}
		if full := tr.run(1_000_000, c.every, c.took, 1); full != 1_000_000 {
			t.Errorf("%v in every %d loops: the helper is left out of %d of a million", c.took, c.every, 1_000_000-full)
		}
	}
}

// If another process takes its processor, a helper is excluded after a few waits, readmitted, and excluded for longer; it is back soon
// after the process has ended.
func TestHelpersThatStopOftenAreLeftOut(t *testing.T) {
	tr := trial{now: time.Now()}
	const every, took = 600, 2500 * time.Microsecond
	if full := tr.run(firstExclusion, every, took, 1); full > 10*every {
		t.Errorf("it stopped %d times before it was left out", full/every)
	}
	if full := tr.run(2_000_000, every, took, 1); full > 100_000 || full < 10*every {
		t.Errorf("it takes part in %d of 2 million loops", full)
	}
	tr.run(longestExclusion, 0, 0, 1)
	if full := tr.run(100_000, 0, 0, 1); full != 100_000 {
		t.Errorf("it is left out of %d loops after they have gone", 100_000-full)
	}
	tr.run(longestExclusion, 0, 0, 1)
	if tr.run(10*every, every, took, 1); tr.excludedFor != firstExclusion {
		t.Errorf("after a long time without a stop it is left out for %d loops, want %d", tr.excludedFor, firstExclusion)
	}
}

// Helpers are excluded one by one, and at most all of them.
func TestHelpersAreLeftOutOneByOne(t *testing.T) {
	tr := trial{now: time.Now()}
	last := 0
	for range 1000 {
		tr.run(1, 1, 2*time.Millisecond, 3)
		if tr.out > last+1 || tr.out > 3 {
			t.Fatalf("from %d left out to %d of 3", last, tr.out)
		}
		last = tr.out
	}
	if last != 3 || tr.excludedFor != firstExclusion {
		t.Errorf("%d of 3 left out, for %d loops", last, tr.excludedFor)
	}
	tr.run(3*firstExclusion+3, 0, 0, 3)
	if tr.out != 0 {
		t.Errorf("%d are still left out", tr.out)
	}
}

// A caller that waits for its helper repeatedly continues alone.
func TestPoolLeavesOutAHelperThatStops(t *testing.T) {
	p := New(2)
	defer p.Close()
	var stops atomic.Int64
	var helps atomic.Bool // in the loop at hand
	done := make([]int, 2)
	body := func(worker, lo, hi int) {
		if worker > 0 {
			stops.Add(1)
			helps.Store(true)
			time.Sleep(mostWait)
		} else {
			for p.Sharing() == 2 && !helps.Load() {
				runtime.Gosched()
			}
		}
		for i := lo; i < hi; i++ {
			done[i]++
		}
	}
	const loops = 20
	for range loops {
		helps.Store(false)
		loopOver(p, len(done), 1, body)
	}
	if done[0] != loops || done[1] != loops {
		t.Errorf("%d loops did their items %v times", loops, done)
	}
	if n := stops.Load(); p.Sharing() != 1 || n < 3 || n >= 2*loops {
		t.Errorf("%d workers share a loop after the helper has stopped %d times, want 1 after three or a few more", p.Sharing(), n)
	}
}
