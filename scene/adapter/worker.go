package adapter

import (
	"runtime/debug"

	"github.com/meniscus3d/meniscus/fluid"
)

// worker runs a function on a goroutine of its own, whenever it is started.
type worker struct {
	run    func()
	begin  chan struct{} // has the goroutine run it; nil without one
	done   chan struct{} // says that it has
	failed *fluid.Panic  // what it panicked with; nil: nothing
}

func newWorker(run func()) *worker { return &worker{run: run, done: make(chan struct{}, 1)} }

// start has the function run from now on. It must have been waited for since the last start.
func (w *worker) start() {
	if w.begin == nil {
		// It stays until end: a new one each time would have to grow its stack.
		w.begin = make(chan struct{}, 1)
		go w.serve(w.begin)
	}
	w.begin <- struct{}{}
}

// wait returns when the function that was started has run. If it panicked, so does wait.
func (w *worker) wait() {
	<-w.done
	w.tell()
}

// tell panics if the function did that has been waited for.
func (w *worker) tell() {
	if p := w.failed; p != nil {
		w.failed = nil
		panic(p)
	}
}

// serve runs the function until begin is closed.
func (w *worker) serve(begin <-chan struct{}) {
	for range begin {
		w.serveOnce()
	}
}

// serveOnce runs the function. A panic is kept for who waits, and a goroutine that the function ends is replaced.
func (w *worker) serveOnce() {
	ended := false
	defer func() {
		v := recover()
		if !ended && v == nil {
			v = "runtime.Goexit was called in a step"
			go w.serve(w.begin)
		}
		if v != nil {
			w.failed = caught(v)
		}
		w.done <- struct{}{}
	}()
	w.run()
	ended = true
}

// caught makes a Panic of what recover returned.
func caught(v any) *fluid.Panic {
	if p, is := v.(*fluid.Panic); is {
		return p
	}
	return &fluid.Panic{Value: v, Stack: debug.Stack()}
}

// end lets the goroutine go, which must have been waited for.
func (w *worker) end() {
	if w.begin != nil {
		close(w.begin)
		w.begin = nil
	}
}
