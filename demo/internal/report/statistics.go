// Package report turns the steps of a run into numbers, and those into JSON.
package report

import (
	"cmp"
	"slices"
	"time"
)

// Percentiles of some durations, ms.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Spread of some counts.
type Spread struct {
	Min    int `json:"min"`
	Median int `json:"median"`
	Max    int `json:"max"`
}

// PercentilesOf sorts the durations in place; none give zeros.
func PercentilesOf(d []time.Duration) Percentiles {
	slices.Sort(d)
	return Percentiles{
		P50: Milliseconds(Rank(d, 50)), P95: Milliseconds(Rank(d, 95)),
		P99: Milliseconds(Rank(d, 99)), Max: Milliseconds(Rank(d, 100)),
	}
}

// SpreadOf sorts the counts in place; none give zeros.
func SpreadOf(n []int) Spread {
	slices.Sort(n)
	return Spread{Rank(n, 0), Rank(n, 50), Rank(n, 100)}
}

// Rank is the nearest-rank percentile of sorted values: the least that is not below p per
// cent of them; of none it is zero.
func Rank[T cmp.Ordered](sorted []T, p int) (zero T) {
	if len(sorted) == 0 {
		return zero
	}
	i := (p*len(sorted)+99)/100 - 1
	return sorted[max(0, min(i, len(sorted)-1))]
}

// Milliseconds is d in ms, to the microsecond.
func Milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond).Microseconds()) / 1000
}
