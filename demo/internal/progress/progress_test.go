package progress

import (
	"strings"
	"testing"
	"time"
)

func TestTenthsWithoutTerminal(t *testing.T) {
	var b strings.Builder
	l := New(&b, "frame", 600)
	for n := 1; n <= 600; n++ {
		l.Done(n, "")
	}
	if lines := strings.Count(b.String(), "\n"); lines != 10 {
		t.Errorf("%d lines, want 10:\n%s", lines, b.String())
	}
	if strings.Contains(b.String(), "\r") {
		t.Error("a carriage return without a terminal")
	}
}

func TestShortRun(t *testing.T) {
	var b strings.Builder
	l := New(&b, "frame", 3)
	for n := 1; n <= 3; n++ {
		l.Done(n, "note")
	}
	if got := b.String(); strings.Count(got, "\n") != 3 || !strings.Contains(got, "3/3 (100 %)") || !strings.Contains(got, ", note") {
		t.Errorf("got %q", got)
	}
}

func TestTerminal(t *testing.T) {
	var b strings.Builder
	l := New(&b, "frame", 100)
	l.terminal = true
	at := time.Unix(0, 0)
	l.now = func() time.Time { return at }
	l.started = at
	for n := 1; n <= 100; n++ {
		at = at.Add(10 * time.Millisecond)
		l.Done(n, strings.Repeat("x", 100-n))
	}
	got := b.String()
	if n := strings.Count(got, "\r"); n < 9 || n > 12 {
		t.Errorf("%d rewrites in a second, want about 10", n)
	}
	if strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\n") {
		t.Error("want one end of line, at the end")
	}
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\r")
	for i := 2; i < len(lines); i++ {
		if len(lines[i]) < len(strings.TrimRight(lines[i-1], " ")) {
			t.Errorf("%q does not cover %q", lines[i], lines[i-1])
		}
	}
}
