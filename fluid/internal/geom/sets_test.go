package geom

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Sets are those of labels that are renamed one by one, and each is known by its lowest number.
func TestSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		var s Sets
		s.Reset(n)
		label := make([]int32, n)
		for i := range label {
			label[i] = int32(i)
		}
		member := rapid.Int32Range(0, int32(n-1))
		for range rapid.IntRange(0, 60).Draw(t, "joins") {
			i, j := member.Draw(t, "i"), member.Draw(t, "j")
			s.Join(i, j)
			low, high := min(label[i], label[j]), max(label[i], label[j])
			for k := range label {
				if label[k] == high {
					label[k] = low
				}
			}
			if k := member.Draw(t, "k"); s.Find(k) != label[k] {
				t.Fatalf("%d is in the set of %d, want %d", k, s.Find(k), label[k])
			}
		}
		for i := range s {
			if got := s.Find(int32(i)); got != label[i] {
				t.Fatalf("%d is in the set of %d, want %d", i, got, label[i])
			}
		}
	})
}

func TestSetsStartAnew(t *testing.T) {
	var s Sets
	s.Reset(4)
	s.Join(3, 1)
	if n := testing.AllocsPerRun(10, func() { s.Reset(4) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
	if !slices.Equal(s, Sets{0, 1, 2, 3}) {
		t.Errorf("sets %v, want each number alone", s)
	}
}
