package adapter

import (
	"runtime/debug"

	"github.com/meniscus3d/meniscus/fluid"
)

// worker runs a function on a goroutine of its own, whenever it is started.
type worker struct {
	run    func()
	begin  chan struct{} // starts a run on the goroutine; nil without one
	done   chan struct{} // receives at the end of a run
	failed *fluid.Panic  // the last run's panic; nil: none
}

func newWorker(run func()) *worker { return &worker{run: run, done: make(chan struct{}, 1)} }

// start starts a run of the function. The run before must have been waited for.
func (w *worker) start() {
	if w.begin == nil {
		// It stays until end: a new one each time would have to grow its stack.
		w.begin = make(chan struct{}, 1)
		go w.serve(w.begin)
	}
	w.begin <- struct{}{}
}

// wait waits for the end of the run. If the function panicked, so does wait.
func (w *worker) wait() {
	<-w.done
	w.rethrow()
}

// rethrow panics with the value with which the function panicked, if it did.
func (w *worker) rethrow() {
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

// serveOnce runs the function. A panic is kept for wait, and a goroutine that the function ends is replaced.
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

// caught is the Panic for a value that recover returned.
func caught(v any) *fluid.Panic {
	if p, is := v.(*fluid.Panic); is {
		return p
	}
	return &fluid.Panic{Value: v, Stack: debug.Stack()}
}

// end ends the goroutine. The last run must have been waited for.
func (w *worker) end() {
	if w.begin != nil {
		close(w.begin)
		w.begin = nil
	}
}
