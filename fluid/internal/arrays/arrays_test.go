package arrays

import (
	"slices"
	"testing"
)

func TestResize(t *testing.T) {
	s := Resize([]int(nil), 100)
	if len(s) != 100 || cap(s) < 189 {
		t.Fatalf("length %d, capacity %d", len(s), cap(s))
	}
	for i := range s {
		s[i] = i
	}
	first := &s[0]
	if s = Resize(s, 10); len(s) != 10 || &s[0] != first {
		t.Errorf("shorter: length %d, moved: %t", len(s), &s[0] != first)
	}
	if s = Resize(s, 189); len(s) != 189 || &s[0] != first || s[99] != 99 {
		t.Errorf("within capacity: length %d, moved: %t", len(s), &s[0] != first)
	}
	if s = Resize(s, 10_000); len(s) != 10_000 || slices.Max(s) != 0 {
		t.Errorf("new memory: length %d, holds %d", len(s), slices.Max(s))
	}
}

func TestLengthen(t *testing.T) {
	s := []int{1, 2, 3, 4}
	if got := Lengthen(s, 3); len(got) != 4 {
		t.Errorf("shortened to %d", len(got))
	}
	if got := Lengthen(s[:2], 4); !slices.Equal(got, []int{1, 2, 0, 0}) {
		t.Errorf("got %v, want what there was and zeros", got)
	}
	if got := Lengthen(s[:1:1], 1000); len(got) != 1000 || got[0] != 1 || slices.Max(got[1:]) != 0 {
		t.Errorf("length %d", len(got))
	}
}

func TestKeptArraysDoNotAllocate(t *testing.T) {
	s, u := Resize([]float32(nil), 1000), Lengthen([]float32(nil), 1000)
	if n := testing.AllocsPerRun(10, func() {
		s, u = Resize(s, 1100), Lengthen(u[:500], 1000)
		s = Resize(s, 1)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
