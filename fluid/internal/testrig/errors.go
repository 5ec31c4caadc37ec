package testrig

import (
	"errors"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
)

// Refused fails the test unless err is an error that names all the words.
func Refused(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one that names %q", words)
		return
	}
	for _, w := range append(words, "fluid: ") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not name %q", err, w)
		}
	}
}

// ErrCursed is what callbacks of some tests panic with.
var ErrCursed = errors.New("the callback is cursed")

// PanicOf is the Panic of f, nil without one.
func PanicOf(t testing.TB, f func()) (p *fluid.Panic) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			var is bool
			if p, is = v.(*fluid.Panic); !is {
				t.Fatalf("it panicked with %v, want a *Panic", v)
			}
		}
	}()
	f()
	return nil
}

// Named tells whether a warning begins with something.
func Named(r fluid.Report, what string) bool {
	for _, w := range r.Warnings {
		if strings.HasPrefix(w.Text, what) {
			return true
		}
	}
	return false
}

// CountWarnings counts the warnings of some steps whose texts have all of some words.
func CountWarnings(l *fluid.Liquid, steps int, dt float64, words ...string) (n int) {
	for range steps {
	warnings:
		for _, w := range l.Step(dt).Warnings {
			for _, word := range words {
				if !strings.Contains(w.Knob+": "+w.Text, word) {
					continue warnings
				}
			}
			n++
		}
	}
	return n
}
