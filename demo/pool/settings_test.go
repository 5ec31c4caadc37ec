package main

import (
	"strings"
	"testing"
	"time"
)

func TestDefaults(t *testing.T) {
	s, _, err := readSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.headless || s.frames != 600 || s.size.String() != "1280x720" || s.out != "out/pool" || s.budget != 8*time.Millisecond || s.camera != "orbit" {
		t.Errorf("got %+v", s)
	}
}

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-frames 0", "from 1 to 1000000"},
		{"-size 1280", "WIDTHxHEIGHT"},
		{"-size 10x10", "from 64 to 7680"},
		{"-budget 8", "such as 8ms"},
		{"-budget 2s", "from 0s to 1s"},
		{"-camera spin", "orbit, chase, fixed, none"},
		{"-seed -1", "whole number"},
		{"-cell 0", "from 0.02 to 0.2"},
		{"-cell nan", "from 0.02 to 0.2"},
		{"-every x", "whole number"},
		{"-out=", "must not be empty"},
		{"-headless=perhaps", "true or false"},
		{"-bogus", "the flags are"},
		{"here", "only flags"},
	} {
		_, _, err := readSettings(strings.Fields(c.args))
		if err == nil {
			t.Errorf("%s: no error", c.args)
		} else if text := err.Error(); !strings.HasPrefix(text, "pool: ") || strings.Contains(text, "\n") || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %q, want one line with %q", c.args, text, c.want)
		}
	}
}

// About 12 to 20 pictures, and every frame of a short run.
func TestStride(t *testing.T) {
	for frames, want := range map[int][2]int{1: {1, 1}, 3: {3, 3}, 16: {16, 16}, 100: {12, 20}, 240: {12, 20}, 600: {12, 20}, 3600: {12, 20}} {
		s := settings{frames: frames}
		n := 0
		for i := 1; i <= frames; i++ {
			if s.drawn(i) {
				n++
			}
		}
		if n < want[0] || n > want[1] {
			t.Errorf("%d frames give %d pictures, want %d to %d", frames, n, want[0], want[1])
		}
		if !s.drawn(frames) {
			t.Errorf("%d frames: the last is not drawn", frames)
		}
	}
	s := settings{frames: 10, every: 4}
	if s.drawn(3) || !s.drawn(4) || !s.drawn(10) {
		t.Error("-every 4 of 10 should draw 4, 8 and 10")
	}
}
