package par

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
)

// Panic is a panic of a loop's body or another callback, passed to the caller's goroutine. A panic left on a helper's goroutine would end the
// program, and no caller could recover it.
type Panic struct {
	Value any    // what the callback panicked with
	Stack []byte // of the goroutine that ran it, as debug.Stack formats it
}

// Error returns the message and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns Value if that is an error, and nil otherwise.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Caught returns a Panic with the value that recover returned and the current stack. A value that is a Panic is returned as it is.
func Caught(v any) *Panic {
	if p, is := v.(*Panic); is {
		return p
	}
	return &Panic{v, debug.Stack()}
}

// exited is the panic value of a body that ended its goroutine by runtime.Goexit, as testing.T's FailNow does.
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

// finish ends a loop, deferred so that it also runs if the caller's chunks panic. It waits for the helpers, and panics with the loop's first panic.
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

// fail records the loop's first panic, and ends every share so that no further chunk begins.
func (p *Pool) fail(v any) {
	p.failed.CompareAndSwap(nil, Caught(v))
	for w := range p.shares {
		p.shares[w].next.Store(p.shares[w].end)
	}
}

// help runs a helper's part of a loop, and records a panic of its chunks for the caller.
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
		p.setLabels(h)
		p.runChunks(worker)
	}
	done = true
}

// Name returns the runtime's name of a function.
func Name(function any) string { return runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name() }

var helpName = Name((*Pool).help)

// Helps reports whether the current goroutine is a helper that runs a loop's chunk, of any pool. Helps and Within are slow: they search the stack.
func Helps() bool { return Within(helpName) }

// Within reports whether a function with one of these names is on the current goroutine's stack.
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
