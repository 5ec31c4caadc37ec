package adapter

// worker runs a function on a goroutine of its own, whenever it is started.
type worker struct {
	run   func()
	begin chan struct{} // has the goroutine run it; nil without one
	done  chan struct{} // says that it has
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

// wait returns when the function that was started has run.
func (w *worker) wait() { <-w.done }

// serve runs the function until begin is closed.
func (w *worker) serve(begin <-chan struct{}) {
	for range begin {
		w.run()
		w.done <- struct{}{}
	}
}

// end lets the goroutine go, which must have been waited for.
func (w *worker) end() {
	if w.begin != nil {
		close(w.begin)
		w.begin = nil
	}
}
