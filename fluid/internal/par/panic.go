package par

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
)

// Panic is a panic of a loop's body, or of another callback, as its caller's goroutine gets it: a helper's would else end the
// program, and nobody could recover it.
type Panic struct {
	Value any    // what the callback panicked with
	Stack []byte // of the goroutine that ran it, as debug.Stack formats it
}

// Error is the message and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap is Value if that is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Caught makes a Panic of what recover returned, with the stack at hand; one that is a Panic stays as it is.
func Caught(v any) *Panic {
	if p, is := v.(*Panic); is {
		return p
	}
	return &Panic{v, debug.Stack()}
}

// exited stands for the value of a body that ended its goroutine with runtime.Goexit, as testing.T's FailNow does.
const exited = "a callback on a helper goroutine called runtime.Goexit"

// alone runs all chunks on the caller's goroutine.
func (l *loop) alone(parts int) {
	defer func() {
		if v := recover(); v != nil {
			panic(Caught(v))
		}
	}()
	for c := range parts {
		l.chunk(0, c)
	}
}

// finish ends a loop, also if the caller's part of it panics: it waits for the helpers, and panics if one of them or the caller did.
func (p *Pool) finish() {
	if v := recover(); v != nil {
		p.fail(v)
	}
	p.open.Store(false)
	p.join()
	p.loop = loop{}
	if f := p.failed.Swap(nil); f != nil {
		panic(f)
	}
}

// fail notes the loop's first panic and has nobody begin a further chunk.
func (p *Pool) fail(v any) {
	p.failed.CompareAndSwap(nil, Caught(v))
	for w := range p.shares {
		p.shares[w].next.Store(p.shares[w].end)
	}
}

// help is a helper's part of a loop. What its chunks panic with is kept for the caller.
func (p *Pool) help(h *helper, worker int) {
	done := false
	defer func() {
		v := recover()
		switch {
		case v != nil:
			p.fail(v)
		case !done:
			p.fail(exited)
			go p.serve(h, worker, h.epoch.Load())
		}
		p.active.Add(-1)
	}()
	if p.open.Load() {
		p.adopt(h)
		p.take(worker)
	}
	done = true
}

// Name is what the runtime calls a function.
func Name(function any) string { return runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name() }

var helpName = Name((*Pool).help)

// Helps tells whether the goroutine at hand is a helper in a loop, of whichever pool. It is slow, as Within is: both look through the stack.
func Helps() bool { return Within(helpName) }

// Within tells whether the goroutine at hand is in a function with one of these Names.
func Within(names ...string) bool {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		if n == 0 {
			return false
		}
		frames := runtime.CallersFrames(pcs[:n])
		for more := true; more; {
			var f runtime.Frame
			if f, more = frames.Next(); slices.Contains(names, f.Function) {
				return true
			}
		}
	}
}
