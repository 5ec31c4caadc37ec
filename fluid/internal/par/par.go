// Package par runs loops over fixed chunks on a few persistent helpers.
//
// A chunk always covers the same items, but may run on any worker. A loop whose chunks write disjoint memory, and whose reductions go into one slot per
// chunk that is summed in order, gives the same bits for any number of workers.
package par

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// spin is how long an idle helper polls for the next loop before it parks: longer
// than the serial stretches between two stages, much shorter than a frame.
const spin = time.Millisecond

// joinPolls is how many times the caller polls for the helpers' end before it yields: some
// 50 µs, a few chunks' work.
const joinPolls = 50_000

// Pool is a caller plus Workers-1 helpers. Loops must come from one goroutine at a time
// and may not nest.
type Pool struct {
	// MoveThreads lets a helper that wakes on its caller's processor move to another, on Linux: it changes its thread's affinity and
	// restores it at once. Set it before the first loop.
	MoveThreads bool

	workers int
	helpers []*helper // the first few may be left out for a while

	loop      loop
	shares    []share
	_         [64]byte     // what follows changes in every loop
	open      atomic.Bool  // there is a loop to take part in
	active    atomic.Int64 // helpers in the loop, or checking whether there is one
	failed    atomic.Pointer[Panic]
	watch     watch
	exclusion exclusion
}

// share is the run of chunks that a worker runs first. It covers the same part of the items in each loop, so that a worker finds in its cache
// what it wrote in the loop before. A worker that has finished its share runs chunks of the others.
type share struct {
	next atomic.Int64 // the next chunk to run
	end  int64
	_    [48]byte // a cache line each
}

type helper struct {
	epoch  atomic.Int64 // loops announced to this helper
	parked atomic.Int64 // 0, or the number of its current rest
	rests  int64        // times that it has parked
	yields yieldPolicy  // the caller's
	leave  atomic.Int64 // 0, or one more than the number of the processor to leave after waking there
	wake   chan struct{}
	quit   atomic.Bool
	labels context.Context // pprof labels, as last set
}

// New starts a pool of the given size; workers < 1 means one per CPU.
func New(workers int) *Pool {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &Pool{workers: workers, shares: make([]share, workers)}
	for w := 1; w < workers; w++ {
		h := &helper{wake: make(chan struct{}, 1)}
		p.helpers = append(p.helpers, h)
		go p.serve(h, w, 0)
	}
	return p
}

// Workers returns the number of goroutines that run a loop, the caller included.
func (p *Pool) Workers() int { return p.workers }

// Sharing returns how many of the workers run loops now. A helper whose processor another process takes is left out for a while.
func (p *Pool) Sharing() int { return p.workers - p.exclusion.out }

// Close ends the helpers. The pool must not be used afterwards.
func (p *Pool) Close() {
	for _, h := range p.helpers {
		h.quit.Store(true)
		h.announce(false)
	}
	p.helpers = nil
}

// For calls body with ctx for every chunk [c·grain, min(n, (c+1)·grain)). It allocates nothing if C is a pointer or a func made once,
// and body no closure. worker is in [0, Workers) and may index scratch.
//
// If body panics, on any goroutine, no further chunk begins; For waits for the chunks under way and panics with a *Panic. The pool can be used again.
func For[C any](p *Pool, n, grain int, ctx C, body func(ctx C, worker, lo, hi int)) {
	p.run(loop{ranges[C]{}, ctx, body, n, grain})
}

// Each is For for a body that runs one item per call.
func Each[C any](p *Pool, n, grain int, ctx C, body func(ctx C, worker int, i int32)) {
	p.run(loop{items[C]{}, ctx, body, n, grain})
}

// loop is a loop's body, its context, and its number of items, in all and per chunk.
type loop struct {
	chunks   chunks
	ctx, fn  any
	n, grain int
}

// chunks calls fn with ctx for the items of a chunk. Its implementations have size zero, so that storing one allocates nothing.
type chunks interface {
	call(ctx, fn any, worker, lo, hi int)
}

type (
	ranges[C any] struct{}
	items[C any]  struct{}
)

func (ranges[C]) call(ctx, fn any, worker, lo, hi int) {
	fn.(func(ctx C, worker, lo, hi int))(ctx.(C), worker, lo, hi)
}

func (items[C]) call(ctx, fn any, worker, lo, hi int) {
	c, body := ctx.(C), fn.(func(ctx C, worker int, i int32))
	for i := lo; i < hi; i++ {
		body(c, worker, int32(i))
	}
}

// chunk runs chunk c.
func (l *loop) chunk(worker, c int) {
	lo := c * l.grain
	l.chunks.call(l.ctx, l.fn, worker, lo, min(l.n, lo+l.grain))
}

// run shares the chunks of a loop among the workers.
func (p *Pool) run(l loop) {
	if l.n <= 0 {
		return
	}
	l.grain = max(1, l.grain)
	parts := Chunks(l.n, l.grain)
	if len(p.helpers) == 0 || parts == 1 {
		l.alone(parts)
		return
	}
	p.loop = l
	for w := range p.shares {
		p.shares[w].next.Store(int64(parts * w / p.workers))
		p.shares[w].end = int64(parts * (w + 1) / p.workers)
	}
	p.open.Store(true)
	p.exclusion.countLoop()
	for _, h := range p.helpers[p.exclusion.out:] {
		h.announce(p.MoveThreads)
		h.yieldProcessor()
	}
	defer p.finish()
	p.runChunks(0)
}

// join waits for the helpers in the loop, each for at most one chunk's work. A helper that has not begun yet is not waited for. Where one has
// lost its processor within a chunk, the caller yields to it.
func (p *Pool) join() {
	var start time.Time
	for polls := 0; p.active.Load() > 0; polls++ {
		if polls == joinPolls {
			start = time.Now()
		}
		if polls >= joinPolls {
			runtime.Gosched()
		}
	}
	if !start.IsZero() {
		now := time.Now()
		p.exclusion.noteWait(now.Sub(start), now, len(p.helpers))
	}
}

// Chunks returns the number of chunks that For makes of n items.
func Chunks(n, grain int) int { return (n + grain - 1) / grain }

// Between splits item i of a loop over few and many things. Half of the few come before the many and half after them, so that each worker gets
// the same ones of the many as in a loop over them alone. It returns the index among the few or the many, and which of the two it is.
func Between(i, few, many int) (item int, isFew bool) {
	switch before := few / 2; {
	case i < before:
		return i, true
	case i < before+many:
		return i - before, false
	}
	return i - many, true
}

// drain runs chunks, first of the worker's own share, and reports whether it ran any.
func (p *Pool) drain(worker int) (any bool) {
	for i := range p.workers {
		own := &p.shares[(worker+i)%p.workers]
		for {
			c := own.next.Add(1) - 1
			if c >= own.end {
				break
			}
			any = true
			p.loop.chunk(worker, int(c))
		}
	}
	return any
}

// announce announces a loop to the helper, and wakes it if it is parked. move is Pool.MoveThreads.
func (h *helper) announce(move bool) {
	h.epoch.Add(1)
	if h.parked.Load() > 0 {
		h.wakeUp(move)
	}
}

// wakeUp wakes a parked helper. Linux may put the helper's thread behind the caller's while other processors are idle, for milliseconds (it takes a
// guest's halted processor for one that its host has taken away). The caller therefore yields to the helper; with move, a helper that wakes on
// the caller's processor leaves it.
func (h *helper) wakeUp(move bool) {
	if move {
		h.leave.Store(int64(processor()) + 1)
	}
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// yieldProcessor yields the caller's processor to a helper that was woken and may wait for it.
func (h *helper) yieldProcessor() {
	if rest := h.parked.Load(); rest > 0 && h.yields.allows(rest) {
		start := time.Now()
		yieldThread()
		h.yields.noteYield(time.Since(start))
	}
}

// serve runs a helper until the pool is closed. seen is the number of loops announced so far.
func (p *Pool) serve(h *helper, worker int, seen int64) {
	for {
		seen = h.await(seen)
		if h.quit.Load() {
			return
		}
		p.active.Add(1) // before it checks for a loop, so that the caller waits for it
		p.help(h, worker)
	}
}

// polling is how long a helper polls before it yields its processor to other threads, perhaps the caller's. It is longer than
// most serial stretches: a yielded processor comes back after milliseconds.
const polling = 100 * time.Microsecond

// yieldEvery is the number of rounds of 64 polls after which an idle helper lets other goroutines run. Each time the runtime may start
// another thread for them, and continue the helper there.
const yieldEvery = 16

// await waits until more than seen loops have been announced, and returns their number.
func (h *helper) await(seen int64) int64 {
	start, waited := time.Now(), time.Duration(0)
	for look := 1; waited < spin; look++ {
		for range 64 {
			if epoch := h.epoch.Load(); epoch > seen {
				return epoch
			}
		}
		if waited = time.Since(start); waited > polling {
			yieldThread()
		}
		if look%yieldEvery == 0 {
			runtime.Gosched()
		}
	}
	h.rests++
	h.parked.Store(h.rests)
	for h.epoch.Load() <= seen {
		<-h.wake
	}
	h.parked.Store(0)
	if number := int(h.leave.Load()) - 1; number >= 0 && number == processor() {
		leaveProcessor(number)
	}
	return h.epoch.Load()
}
