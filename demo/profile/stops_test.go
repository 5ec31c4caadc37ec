package main

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// Steps of 4 ms within 5 ms: a stop of .6 ms is put up with, two of them in one step are not, and the same in two threads are waited for
// at the same time.
func TestLateByStops(t *testing.T) {
	s := stops{WatchedMS: 40.9, Threads: [][]stop{{{1, .6}, {9, .6}, {10, .6}, {21, 3}, {40.5, 9}}, {{1, .6}, {22, 2}, {37, 1.5}}}}
	if late, steps := s.late(4, 5); late != 3 || steps != 10 {
		t.Errorf("%d of %d steps are late, want 3 of 10", late, steps)
	}
	if late, steps := s.late(0, 5); late != 0 || steps != 0 {
		t.Errorf("%d of %d steps that take no time are late", late, steps)
	}
	p := profile{BudgetMS: 5, Runs: []runSeries{{Stops: [2]stops{s, {}}}}}
	if text, want := p.excuse(4), "stopped 195.6 times a second for 0.1 ms or more, for 9.0 ms at most: of steps that all take the median's time, 30.00 %"; !strings.Contains(text, want) {
		t.Errorf("%q, want %q", text, want)
	}
	if text := p.excuse(5); strings.Contains(text, "%") {
		t.Errorf("of steps that leave nothing of the budget: %q", text)
	}
	if text := (&profile{Runs: make([]runSeries, 1)}).excuse(4); text != "" {
		t.Errorf("where nobody watched: %q", text)
	}
}

// Each thread's stops follow on each other within the watch, but for what their times are rounded by.
func TestWatchStops(t *testing.T) {
	const long = 30 * time.Millisecond
	s := watchStops(2, long)
	if want := min(2, runtime.GOMAXPROCS(0)); len(s.Threads) != want || s.WatchedMS != 30 {
		t.Fatalf("%d threads for %v ms, want %d for 30", len(s.Threads), s.WatchedMS, want)
	}
	for _, thread := range s.Threads {
		last := 0.
		for _, gap := range thread {
			if gap.AtMS < last-2e-4 || gap.AtMS > s.WatchedMS || gap.MS < .1 {
				t.Errorf("a stop of %v ms at %v ms, after %v ms", gap.MS, gap.AtMS, last)
			}
			last = gap.AtMS + gap.MS
		}
	}
}
