package par

import "testing"

type sums struct {
	item []int
	from []int
}

func (s *sums) square(_, lo, hi int) {
	for i := lo; i < hi; i++ {
		s.item[i] = i * i
		s.from[i] = lo
	}
}

func (s *sums) cube(_ int, i int32) { s.item[i] = int(i * i * i) }

// For and Each visit every item once, in the same chunks, and allocate nothing.
func TestLoopsWithContext(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		p := New(workers)
		defer p.Close()
		s := &sums{make([]int, 1000), make([]int, 1000)}
		For(p, len(s.item), 7, s, (*sums).square)
		for i := range s.item {
			if s.item[i] != i*i || s.from[i] != i/7*7 {
				t.Fatalf("%d workers: item %d is %d in the chunk from %d", workers, i, s.item[i], s.from[i])
			}
		}
		Each(p, len(s.item), 7, s, (*sums).cube)
		for i := range s.item {
			if s.item[i] != i*i*i {
				t.Fatalf("%d workers: item %d is %d", workers, i, s.item[i])
			}
		}
		if n := testing.AllocsPerRun(100, func() {
			For(p, len(s.item), 7, s, (*sums).square)
			Each(p, len(s.item), 7, s, (*sums).cube)
		}); n > 0 {
			t.Errorf("%d workers: %g allocations", workers, n)
		}
	}
}
