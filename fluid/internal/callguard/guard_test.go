package callguard

import (
	"strings"
	"testing"
)

// panics runs f and returns its panic value as text, or "".
func panics(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			if err, is := v.(error); is {
				text = err.Error()
			} else {
				text = v.(string)
			}
		}
	}()
	f()
	return ""
}

func TestGuardKeepsCallsApart(t *testing.T) {
	undone, measured := 0, 0
	g := &Guard{Undo: func() { undone++ }, Remeasure: func() { measured++ }}
	g.Begin(&Step)
	if got := panics(func() { g.Begin(&Fill) }); !strings.Contains(got, "Fill was called while Step") {
		t.Errorf("a call within another: %q", got)
	}
	g.End("a callback's panic")
	if undone != 1 || !g.Undone || g.Current() != nil {
		t.Errorf("after a panic of Step: undone %d times, %v, busy %v", undone, g.Undone, g.Current())
	}
	g.Begin(&Events)
	g.CompleteUndo(&Events)
	g.End(nil)
	if measured != 0 {
		t.Error("Events had shapes asked")
	}
	g.Begin(&Sample)
	g.CompleteUndo(&Sample)
	g.End(nil)
	if measured != 1 || g.Undone {
		t.Errorf("Sample had shapes asked %d times, undone %v", measured, g.Undone)
	}
}

func TestGuardTellsWhatIsLost(t *testing.T) {
	g := &Guard{Undo: func() {}, Remeasure: func() {}}
	g.Begin(&Restore)
	g.Reading = true
	g.End("a callback's panic")
	if got := panics(func() { g.Begin(&Step) }); !strings.Contains(got, "lost when Restore panicked") || g.Current() != nil {
		t.Errorf("Step: %q, busy %v", got, g.Current())
	}
	g.Begin(&Restore)
	g.Reading = true
	g.End(nil)
	if g.Lost != nil {
		t.Error("the state is still lost after Restore")
	}
	g.Begin(&Close)
	g.Close()
	if got := panics(func() { g.Begin(&Step) }); !g.Closed() || !strings.Contains(got, "Step: the Liquid is closed") {
		t.Errorf("after Close: %q", got)
	}
}
