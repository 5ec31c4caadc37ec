package par

import (
	"context"
	"runtime/pprof"
	"time"
)

// Work is a stretch of a worker's time in which it ran chunks of loops.
type Work struct {
	Tag        uint8 // of the loops, as Tag was last told
	Start, End time.Duration
}

// together is how long a worker may wait between two loops of one tag that still count as one stretch.
const together = 2 * time.Microsecond

// watch is what a pool records of itself. Loops that nobody shares are not recorded.
type watch struct {
	tag    uint8
	since  time.Time // what Work counts from
	labels context.Context
	logs   []workLog // per worker; empty: nothing is recorded
}

// workLog is a worker's.
type workLog struct {
	work []Work
	lost int
	_    [32]byte // a cache line each
}

// Record keeps up to n stretches of work per worker from now on; 0 keeps none. Not within a loop.
func (p *Pool) Record(n int) {
	p.watch.logs = nil
	if n <= 0 {
		return
	}
	p.watch.logs = make([]workLog, p.workers)
	for w := range p.watch.logs {
		p.watch.logs[w].work = make([]Work, 0, n)
	}
}

// Restart forgets the work so far and counts from a new moment. Not within a loop.
func (p *Pool) Restart(since time.Time) {
	p.watch.since = since
	for w := range p.watch.logs {
		g := &p.watch.logs[w]
		g.work, g.lost = g.work[:0], 0
	}
}

// Tag says what the loops that follow belong to. Not within a loop.
func (p *Pool) Tag(tag uint8) { p.watch.tag = tag }

// Label sets the helpers' pprof labels for the loops that follow; nil leaves the helpers as they are. Not within a loop.
func (p *Pool) Label(labels context.Context) { p.watch.labels = labels }

// Work is what a worker has done since Restart and how many stretches found no room. It is valid
// until the next Restart.
func (p *Pool) Work(worker int) (work []Work, lost int) {
	if worker >= len(p.watch.logs) {
		return nil, 0
	}
	g := &p.watch.logs[worker]
	return g.work, g.lost
}

// adopt gives a helper the labels of the loop.
func (p *Pool) adopt(h *helper) {
	if l := p.watch.labels; l != nil && l != h.labels {
		pprof.SetGoroutineLabels(l)
		h.labels = l
	}
}

// take runs a worker's chunks and notes how long that took.
func (p *Pool) take(worker int) {
	if len(p.watch.logs) == 0 {
		p.drain(worker)
		return
	}
	start := time.Since(p.watch.since)
	if p.drain(worker) {
		p.watch.logs[worker].add(Work{p.watch.tag, start, time.Since(p.watch.since)})
	}
}

// add appends a stretch, or lengthens the last one.
func (g *workLog) add(w Work) {
	if n := len(g.work); n > 0 && g.lost == 0 && g.work[n-1].Tag == w.Tag && w.Start-g.work[n-1].End <= together {
		g.work[n-1].End = w.End
		return
	}
	if len(g.work) == cap(g.work) {
		g.lost++
		return
	}
	g.work = append(g.work, w)
}
