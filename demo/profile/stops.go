package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

// leastStop is the shortest stop that counts: what interrupts take is shorter.
const leastStop = 100 * time.Microsecond

// stop is a stretch in which a thread had no processor.
type stop struct {
	AtMS float64 `json:"at_ms"` // from the beginning of the watch
	MS   float64 `json:"ms"`
}

// stops are those of threads that did nothing but look at the clock: what the machine takes from any program, however it plans.
type stops struct {
	WatchedMS float64  `json:"watched_ms"`
	Threads   [][]stop `json:"threads"`
}

// watchStops keeps as many processors busy as workers share for so long, and returns when they stopped.
func watchStops(workers int, long time.Duration) stops {
	s := stops{WatchedMS: rounded(float64(long) / 1e6), Threads: make([][]stop, min(workers, runtime.GOMAXPROCS(0)))}
	var all sync.WaitGroup
	start := time.Now()
	for i := range s.Threads {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var seen []stop
			for last := time.Duration(0); last < long; {
				now := time.Since(start)
				if gap := now - last; gap >= leastStop {
					seen = append(seen, stop{rounded(float64(last) / 1e6), rounded(float64(gap) / 1e6)})
				}
				last = now
			}
			s.Threads[i] = seen
		})
	}
	all.Wait()
	return s
}

// late is how many of the steps that fit into the watch, if all took so long, ms, without a stop, would take longer than the budget, ms,
// and how many those are. A step waits for the worker that stops for longest.
func (s *stops) late(step, budget float64) (late, steps int) {
	if step <= 0 {
		return 0, 0
	}
	worst := make([]float64, int(s.WatchedMS/step))
	for _, thread := range s.Threads {
		own := make([]float64, len(worst))
		for _, gap := range thread {
			if i := int(gap.AtMS / step); i < len(own) {
				own[i] += gap.MS
			}
		}
		for i, ms := range own {
			worst[i] = max(worst[i], ms)
		}
	}
	for _, ms := range worst {
		if step+ms > budget {
			late++
		}
	}
	return late, len(worst)
}

// excuse is what of the misses any program would have had on the machine, if its steps took as long as the median one.
func (p *profile) excuse(median float64) string {
	watched, longest, count, late, steps := 0., 0., 0, 0, 0
	for i := range p.Runs {
		for k := range p.Runs[i].Stops {
			s := &p.Runs[i].Stops[k]
			watched += s.WatchedMS
			for _, thread := range s.Threads {
				count += len(thread)
				for _, gap := range thread {
					longest = max(longest, gap.MS)
				}
			}
			l, n := s.late(median, p.BudgetMS)
			late, steps = late+l, steps+n
		}
	}
	if watched == 0 {
		return ""
	}
	text := fmt.Sprintf("threads that do nothing: stopped %.1f times a second for %.3g ms or more, for %.1f ms at most", 1e3*float64(count)/watched, float64(leastStop)/1e6, longest)
	if p.BudgetMS > 0 && median < p.BudgetMS && steps > 0 {
		text += fmt.Sprintf(": of steps that all take the median's time, %.2f %% would have missed the budget for it", 100*float64(late)/float64(steps))
	}
	return text + "\n"
}
