package tracelabels

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strings"
	"testing"
)

// carried reports whether the current goroutine carries labels, as text, by the goroutine profile.
func carried(t *testing.T, label string) bool {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	return strings.Contains(b.String(), label)
}

// A stage's label is set while the stage runs, and the game's own before and after it.
func TestLabels(t *testing.T) {
	defer pprof.SetGoroutineLabels(context.Background())
	var m Labels
	names := []string{"First stage", "Second stage"}
	if m.Begin(0, names[0]) != nil || carried(t, "First stage") {
		t.Error("a stage is labelled unasked")
	}
	m.Label(pprof.WithLabels(context.Background(), pprof.Labels("game", "ours")), names)
	for i, name := range names { // the second ends the first
		c := m.Begin(i, name)
		if v, ok := pprof.Label(c, "stage"); !ok || v != name {
			t.Errorf("stage %d: label %q", i, v)
		}
		if !carried(t, name) || !carried(t, "ours") || carried(t, names[1-i]) {
			t.Errorf("stage %d is not labelled alone", i)
		}
	}
	m.End()
	m.End()
	if carried(t, "Second stage") || !carried(t, "ours") {
		t.Error("the game's labels are not left")
	}
	var none context.Context
	m.Label(none, names)
	if m.Begin(1, names[1]) != nil || carried(t, "Second stage") {
		t.Error("labels that were ended are set")
	}
}
