package par

import (
	"sync/atomic"
	"testing"
	"time"
)

// loopOver runs a body without a context.
func loopOver(p *Pool, n, grain int, body func(worker, lo, hi int)) {
	For(p, n, grain, body, func(body func(worker, lo, hi int), worker, lo, hi int) { body(worker, lo, hi) })
}

func TestForCoversEveryItemOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		p := New(workers)
		for _, n := range []int{0, 1, 7, 64, 1000} {
			hits := make([]int32, n)
			loopOver(p, n, 7, func(_, lo, hi int) {
				for i := lo; i < hi; i++ {
					hits[i]++
				}
			})
			for i, h := range hits {
				if h != 1 {
					t.Fatalf("workers %d, n %d: item %d ran %d times", workers, n, i, h)
				}
			}
		}
		p.Close()
	}
}

func TestForWakesParkedHelpers(t *testing.T) {
	p := New(3)
	defer p.Close()
	total := make([]int, 100)
	body := func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			total[i]++
		}
	}
	for range 5 {
		time.Sleep(2 * spin)
		loopOver(p, len(total), 3, body)
	}
	for i, n := range total {
		if n != 5 {
			t.Fatalf("item %d ran %d times, want 5", i, n)
		}
	}
}

func TestForAllocatesNothing(t *testing.T) {
	p := New(2)
	defer p.Close()
	body := func(_, _, _ int) {}
	if n := testing.AllocsPerRun(100, func() { loopOver(p, 1000, 10, body) }); n != 0 {
		t.Fatalf("%v allocations per loop, want 0", n)
	}
}

func TestBetween(t *testing.T) {
	for _, n := range [][2]int{{0, 0}, {0, 3}, {1, 0}, {1, 4}, {4, 5}, {5, 6}} {
		few, many := n[0], n[1]
		var seen [2][]int
		for i := range few + many {
			item, isFew := Between(i, few, many)
			if isFew {
				seen[0] = append(seen[0], item)
			} else {
				seen[1] = append(seen[1], item)
				if i != item+few/2 {
					t.Errorf("%d and %d: item %d stands at %d", few, many, item, i)
				}
			}
		}
		for k, items := range seen {
			if len(items) != n[k] {
				t.Errorf("%d and %d: %v", few, many, seen)
			}
			for i, item := range items {
				if item != i {
					t.Errorf("%d and %d: %v", few, many, seen)
				}
			}
		}
	}
}

// BenchmarkWake measures how long the first helper takes to join a loop after it has parked.
func BenchmarkWake(b *testing.B) {
	p := New(2)
	defer p.Close()
	var arrived atomic.Int64 // ns after the first loop's beginning
	var first time.Time
	body := func(worker, _, _ int) {
		if worker > 0 {
			arrived.CompareAndSwap(0, int64(time.Since(first)))
		}
		for start := time.Now(); time.Since(start) < 20*time.Microsecond; {
		}
	}
	took := int64(0)
	for range b.N {
		time.Sleep(5 * time.Millisecond)
		arrived.Store(0)
		for first = time.Now(); arrived.Load() == 0; {
			loopOver(p, 16, 1, body)
		}
		took += arrived.Load()
	}
	b.ReportMetric(float64(took)/float64(b.N)/1e3, "µs/wake")
}
