package budget

import (
	"math"
	"slices"
	"time"
)

// Ring keeps the last durations, in order of arrival and sorted. It allocates only in NewRing.
type Ring struct {
	arrived []time.Duration
	sorted  []time.Duration
	next    int
}

// NewRing makes a ring for the last n durations, n ≥ 1.
func NewRing(n int) *Ring {
	if n < 1 {
		panic("budget: a Ring needs room for at least one duration")
	}
	return &Ring{arrived: make([]time.Duration, 0, n), sorted: make([]time.Duration, 0, n)}
}

// Add appends a duration and forgets the oldest when the ring is full. It takes O(n) moves
// and O(log n) comparisons.
func (r *Ring) Add(d time.Duration) {
	if len(r.arrived) == cap(r.arrived) {
		i, _ := slices.BinarySearch(r.sorted, r.arrived[r.next])
		r.sorted = slices.Delete(r.sorted, i, i+1)
		r.arrived[r.next] = d
	} else {
		r.arrived = append(r.arrived, d)
	}
	r.next = (r.next + 1) % cap(r.arrived)
	i, _ := slices.BinarySearch(r.sorted, d)
	r.sorted = slices.Insert(r.sorted, i, d)
}

// Reset forgets all durations.
func (r *Ring) Reset() { r.arrived, r.sorted, r.next = r.arrived[:0], r.sorted[:0], 0 }

// Len is how many durations there are.
func (r *Ring) Len() int { return len(r.sorted) }

// Percentile is the smallest duration that at least the part p, 0 to 1, of them does not
// exceed; 0 if there are none.
func (r *Ring) Percentile(p float64) time.Duration {
	n := len(r.sorted)
	if n == 0 {
		return 0
	}
	i := int(math.Ceil(p*float64(n))) - 1
	return r.sorted[max(0, min(i, n-1))]
}

// Misses is how many durations exceed the limit.
func (r *Ring) Misses(limit time.Duration) int {
	i, _ := slices.BinarySearch(r.sorted, limit+1)
	return len(r.sorted) - i
}

// Summary is what a report shows of a ring.
type Summary struct {
	P50, P95, P99, Max time.Duration
	Steps, Misses      int // Misses exceed the limit; 0 if there is none
}

// Summary sums the ring up against a limit; 0 means none.
func (r *Ring) Summary(limit time.Duration) Summary {
	s := Summary{P50: r.Percentile(.5), P95: r.Percentile(.95), P99: r.Percentile(.99), Max: r.Percentile(1), Steps: r.Len()}
	if limit > 0 {
		s.Misses = r.Misses(limit)
	}
	return s
}
