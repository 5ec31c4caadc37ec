package warnings

import (
	"fmt"
	"strings"
	"testing"
)

// A cause is reported once while it recurs within a second, for any steps, and again after a longer absence.
func TestCausesAreToldOnce(t *testing.T) {
	for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
		steps := func(seconds float64) int { return int(seconds / dt) }
		var c Causes
		told := 0
		for i := range steps(5) {
			if i%2 == 0 && c.New("a", "b", 1) {
				told++
			}
			if !c.New("a", fmt.Sprint(i), 1) || c.New("b", "b", 1) != (i == 0) || c.New("a", "b", 2) != (i == 0) {
				t.Fatalf("dt %g, step %d: causes are taken for each other", dt, i)
			}
			c.Pass(dt)
		}
		if told != 1 {
			t.Errorf("dt %g: told %d times", dt, told)
		}
		if len(c.all) > steps(1)+4 {
			t.Errorf("dt %g: %d causes are kept", dt, len(c.all))
		}
		var d Causes
		c.CopyTo(&d)
		for range steps(.9) {
			c.Pass(dt)
		}
		if c.New("a", "b", 1) {
			t.Errorf("dt %g: told again after .9 s", dt)
		}
		for range steps(1.1) + 1 {
			c.Pass(dt)
			d.Pass(dt)
		}
		if !c.New("a", "b", 1) || !d.New("a", "b", 1) {
			t.Errorf("dt %g: not told again after 1.1 s", dt)
		}
	}
}

func TestTooFewSubsteps(t *testing.T) {
	for _, c := range []struct {
		wanted float64
		want   string
	}{{15.2, "; 16 would do"}, {64, "; 64 would do"}, {100, "not even 64 would do: take steps of 0.011 s or less"}} {
		if got := TooFewSubsteps("it is slow", c.wanted, 1./60, 64); !strings.HasPrefix(got, "it is slow") || !strings.Contains(got, c.want) {
			t.Errorf("%g: %q, want %q", c.wanted, got, c.want)
		}
	}
}
