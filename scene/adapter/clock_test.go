package adapter

import (
	"math"
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	c := Clock{Step: 10 * time.Millisecond, MaxSteps: 3}
	for _, s := range []struct {
		dt, dropped time.Duration
		steps       int
		alpha       float64
	}{
		{4 * time.Millisecond, 0, 0, 0.4},
		{4 * time.Millisecond, 0, 0, 0.8},
		{4 * time.Millisecond, 0, 1, 0.2},
		{28 * time.Millisecond, 0, 3, 0},
		{55 * time.Millisecond, 20 * time.Millisecond, 3, 0.5},
		{-time.Second, 0, 0, 0.5},
		{0, 0, 0, 0.5},
	} {
		steps, dropped := c.Advance(s.dt)
		if steps != s.steps || dropped != s.dropped || math.Abs(c.Alpha()-s.alpha) > 1e-9 {
			t.Errorf("Advance(%v) = %d, %v, alpha %v; want %d, %v, %v", s.dt, steps, dropped, c.Alpha(), s.steps, s.dropped, s.alpha)
		}
	}
}

// Time is conserved: what goes in is stepped, dropped or left.
func TestClockConservesTime(t *testing.T) {
	c := Clock{Step: time.Second / 60, MaxSteps: 2}
	var in, out time.Duration
	for i := 0; i < 5000; i++ {
		dt := time.Duration(scatter(i, 1, 2) * 60e6)
		in += dt
		steps, dropped := c.Advance(dt)
		out += time.Duration(steps)*c.Step + dropped
	}
	if in != out+c.left {
		t.Errorf("%v in, %v out, %v left", in, out, c.left)
	}
}
