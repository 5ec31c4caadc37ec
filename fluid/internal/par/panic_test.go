package par

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// caught returns the value that f panics with.
func caught(t *testing.T, f func()) *Panic {
	t.Helper()
	var v any
	func() {
		defer func() { v = recover() }()
		f()
	}()
	p, is := v.(*Panic)
	if !is {
		t.Fatalf("it panicked with %v, want a *Panic", v)
	}
	return p
}

// covers reports whether loops run each of their items once.
func covers(p *Pool, loops int) bool {
	for range loops {
		var done [64]atomic.Int32
		loopOver(p, len(done), 1, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				done[i].Add(1)
			}
		})
		for i := range done {
			if done[i].Load() != 1 {
				return false
			}
		}
	}
	return true
}

var errBody = errors.New("the sea is not here")

// A body's panic reaches the caller with message and stack, no goroutine is in the body any more, and the pool can be used again.
func TestPanicsComeToTheCaller(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		p := New(workers)
		for _, who := range []int{-1, 0, workers - 1} { // -1: everybody
			within, tried := atomic.Int64{}, atomic.Bool{}
			body := func(worker, _, _ int) {
				within.Add(1)
				defer within.Add(-1)
				if who < 0 || worker == who {
					tried.Store(true)
					panic(errBody)
				}
				for start := time.Now(); !tried.Load() && time.Since(start) < 10*time.Millisecond; {
					runtime.Gosched() // until the others have come
				}
			}
			got := caught(t, func() { loopOver(p, 64, 1, body) })
			if n := within.Load(); n != 0 {
				t.Errorf("%d workers: %d of them are in the body after the loop", workers, n)
			}
			if !errors.Is(got, errBody) || !strings.Contains(got.Error(), errBody.Error()) || !strings.Contains(got.Error(), "TestPanicsComeToTheCaller") {
				t.Errorf("%d workers: the panic says %q", workers, got.Error())
			}
			if !covers(p, 20) {
				t.Errorf("%d workers: the loop after a panic of worker %d misses items", workers, who)
			}
		}
		p.Close()
	}
}

// A loop of one chunk, which the caller runs alone, panics alike.
func TestPanicOfASmallLoop(t *testing.T) {
	p := New(2)
	defer p.Close()
	got := caught(t, func() { loopOver(p, 1, 8, func(_, _, _ int) { panic("one") }) })
	if got.Value != "one" || got.Unwrap() != nil || !covers(p, 5) {
		t.Errorf("%v", got)
	}
}

// A helper whose goroutine was ended by a body is replaced.
func TestExitOfAHelper(t *testing.T) {
	p := New(2)
	defer p.Close()
	var gone atomic.Bool
	got := caught(t, func() {
		loopOver(p, 64, 1, func(worker, _, _ int) {
			if worker == 1 {
				gone.Store(true)
				runtime.Goexit()
			}
			for !gone.Load() {
				runtime.Gosched()
			}
		})
	})
	if got.Value != exited {
		t.Errorf("%v", got.Value)
	}
	var helped atomic.Bool
	for tries := 0; !helped.Load(); tries++ {
		if tries == 1000 {
			t.Fatal("no helper takes part any more")
		}
		loopOver(p, 8, 1, func(worker, _, _ int) {
			if worker == 1 {
				helped.Store(true)
			}
			time.Sleep(10 * time.Microsecond)
		})
	}
	if !covers(p, 20) {
		t.Error("the loops after it miss items")
	}
}
