package par

import (
	"context"
	"runtime/pprof"
	"time"
)

// Work is a time span in which a worker ran chunks of loops with one tag.
type Work struct {
	Tag        uint8 // as set by Pool.Tag
	Start, End time.Duration
}

// mergeGap is the longest gap between two loops of one tag that count as one span.
const mergeGap = 2 * time.Microsecond

// watch records the pool's work. Loops that run on the caller alone are not recorded.
type watch struct {
	tag    uint8
	since  time.Time // Work's times count from here
	labels context.Context
	logs   []workLog // per worker; empty: nothing is recorded
}

// workLog is one worker's record.
type workLog struct {
	work []Work
	lost int
	_    [32]byte // a cache line each
}

// Record keeps up to n spans of work per worker from now on; 0 keeps none. It must not be called within a loop.
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

// Restart drops the recorded work and counts times from since. It must not be called within a loop.
func (p *Pool) Restart(since time.Time) {
	p.watch.since = since
	for w := range p.watch.logs {
		g := &p.watch.logs[w]
		g.work, g.lost = g.work[:0], 0
	}
}

// Tag sets the tag of the loops that follow. It must not be called within a loop.
func (p *Pool) Tag(tag uint8) { p.watch.tag = tag }

// Label sets the helpers' pprof labels for the loops that follow; nil leaves the helpers as they are. It must not be called within a loop.
func (p *Pool) Label(labels context.Context) { p.watch.labels = labels }

// Work returns a worker's spans since Restart, and the number of spans that found no room. It is valid
// until the next Restart.
func (p *Pool) Work(worker int) (work []Work, lost int) {
	if worker >= len(p.watch.logs) {
		return nil, 0
	}
	g := &p.watch.logs[worker]
	return g.work, g.lost
}

// setLabels gives a helper the loop's labels.
func (p *Pool) setLabels(h *helper) {
	if l := p.watch.labels; l != nil && l != h.labels {
		pprof.SetGoroutineLabels(l)
		h.labels = l
	}
}

// runChunks runs a worker's chunks and records the time that they took.
func (p *Pool) runChunks(worker int) {
	if len(p.watch.logs) == 0 {
		p.drain(worker)
		return
	}
	start := time.Since(p.watch.since)
	if p.drain(worker) {
		p.watch.logs[worker].add(Work{p.watch.tag, start, time.Since(p.watch.since)})
	}
}

// add appends a span, or extends the last one.
func (g *workLog) add(w Work) {
	if n := len(g.work); n > 0 && g.lost == 0 && g.work[n-1].Tag == w.Tag && w.Start-g.work[n-1].End <= mergeGap {
		g.work[n-1].End = w.End
		return
	}
	if len(g.work) == cap(g.work) {
		g.lost++
		return
	}
	g.work = append(g.work, w)
}
