// Package par runs loops over fixed chunks on a few persistent helpers.
//
// Which worker runs a chunk is left to chance; what a chunk covers is not. A loop
// whose chunks write disjoint memory, and whose reductions go into one slot per
// chunk that is summed in order, therefore gives the same bits for any worker count.
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

// joinPolls is how often the caller looks whether the helpers are done before it lets others run: some
// 50 µs, a few chunks' work.
const joinPolls = 50_000

// Body handles the items lo ≤ i < hi. worker is in [0, Workers) and may index scratch.
type Body func(worker, lo, hi int)

// Pool is a caller plus Workers-1 helpers. Loops must come from one goroutine at a time
// and may not nest.
type Pool struct {
	// MoveThreads lets a helper that wakes on its caller's processor move to another, on Linux: it changes its thread's affinity and
	// sets it back at once. Off unless it is set, before the first loop.
	MoveThreads bool

	workers int
	helpers []*helper // the first of which may be left out for a while

	loop      loop
	shares    []share
	_         [64]byte     // what follows changes in every loop
	open      atomic.Bool  // there is a loop to take part in
	active    atomic.Int64 // helpers that take part, or look whether there is one
	failed    atomic.Pointer[Panic]
	watch     watch
	exclusion exclusion
}

// share is the run of chunks that a worker begins with: the same part of the items in loop after loop, so that
// what it wrote in one it finds in its own cache in the next. Who is done helps the others.
type share struct {
	next atomic.Int64 // the first chunk that nobody has taken
	end  int64
	_    [48]byte // a cache line each
}

type helper struct {
	epoch  atomic.Int64 // loops announced to this helper
	parked atomic.Int64 // 0, or how often it has parked if it is
	rests  int64        // how often it has parked
	yields yieldPolicy  // the caller's
	leave  atomic.Int64 // one more than the processor that it is to leave if it wakes there; 0 where it may stay
	wake   chan struct{}
	quit   atomic.Bool
	labels context.Context // pprof's, as last set
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

// Workers is the number of goroutines that take part in a loop, the caller included.
func (p *Pool) Workers() int { return p.workers }

// Sharing is how many of the workers share a loop now: a helper whose processor another process wants is left out for a while.
func (p *Pool) Sharing() int { return p.workers - p.exclusion.out }

// Close ends the helpers. The pool must not be used afterwards.
func (p *Pool) Close() {
	for _, h := range p.helpers {
		h.quit.Store(true)
		h.announce(false)
	}
	p.helpers = nil
}

// For calls body for every chunk [c·grain, min(n, (c+1)·grain)). It allocates nothing;
// pass a func value made once, since a closure made at the call does allocate.
//
// If body panics, on whichever goroutine, no further chunk begins, For waits for those under way, and panics with a *Panic. The pool
// is as before then.
func (p *Pool) For(n, grain int, body Body) { p.run(loop{plain{}, nil, body, n, grain}) }

// For is Pool.For for a body that takes its data from ctx: a method expression (*T).body and a *T. It allocates nothing if C is a pointer
// and body no closure.
func For[C any](p *Pool, n, grain int, ctx C, body func(ctx C, worker, lo, hi int)) {
	p.run(loop{ranges[C]{}, ctx, body, n, grain})
}

// Each is For for a body that takes items one by one.
func Each[C any](p *Pool, n, grain int, ctx C, body func(ctx C, worker int, i int32)) {
	p.run(loop{items[C]{}, ctx, body, n, grain})
}

// loop is a loop's body, what it works on, and how many items it has in all and per chunk.
type loop struct {
	chunks   chunks
	ctx, fn  any
	n, grain int
}

// chunks calls fn with ctx for the items of a chunk. Its types have no size, so that to store one allocates nothing.
type chunks interface {
	call(ctx, fn any, worker, lo, hi int)
}

type (
	plain         struct{}
	ranges[C any] struct{}
	items[C any]  struct{}
)

func (plain) call(_, fn any, worker, lo, hi int) { fn.(Body)(worker, lo, hi) }

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
	p.take(0)
}

// join waits for the helpers that took part, at most a chunk's work each. One that comes too late, since it had lost its
// processor, is not waited for; where one has lost it in a chunk, the caller yields to it.
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

// Chunks is how many chunks For makes of n items.
func Chunks(n, grain int) int { return (n + grain - 1) / grain }

// Between says what item i of a loop over a few things and many is: half of the few stand before the many and half behind them, so
// that each worker has those of the many that it has in loops over them alone.
func Between(i, few, many int) (item int, isFew bool) {
	switch before := few / 2; {
	case i < before:
		return i, true
	case i < before+many:
		return i - before, false
	}
	return i - many, true
}

// drain runs chunks, first of the worker's own share, and tells whether there were any left.
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

// announce tells of a loop, and wakes a helper that is parked. move is Pool.MoveThreads.
func (h *helper) announce(move bool) {
	h.epoch.Add(1)
	if h.parked.Load() > 0 {
		h.wakeUp(move)
	}
}

// wakeUp wakes a parked helper. The thread that is to run it may be put behind the caller's, with other processors idle, to take
// turns with it for milliseconds (Linux takes a guest's halted processor for one that its host has taken away): the caller yields
// to it, and with move a helper that finds itself there leaves.
func (h *helper) wakeUp(move bool) {
	if move {
		h.leave.Store(int64(processor()) + 1)
	}
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// yieldProcessor lets a helper run that has been woken and waits for the caller's processor.
func (h *helper) yieldProcessor() {
	if rest := h.parked.Load(); rest > 0 && h.yields.allows(rest) {
		start := time.Now()
		yieldThread()
		h.yields.noteYield(time.Since(start))
	}
}

// serve runs a helper: it takes part in loops, from a number of them on, until it is told to quit.
func (p *Pool) serve(h *helper, worker int, seen int64) {
	for {
		seen = h.await(seen)
		if h.quit.Load() {
			return
		}
		p.active.Add(1) // before it looks, so that the caller waits if it finds a loop
		p.help(h, worker)
	}
}

// polling is how long a helper polls before it lets other threads have its processor, of which the caller's may be one: longer than
// most serial stretches, for what others take of it comes in milliseconds.
const polling = 100 * time.Microsecond

// yieldEvery is after how many polls of 64 looks an idle helper lets other goroutines run: each time the runtime may start
// another thread for them, and go on with the helper there.
const yieldEvery = 16

// await returns once more than seen loops have been announced, and how many.
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
