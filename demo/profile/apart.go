package main

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"
)

const (
	apartSeries, apartTrips = 21, 100
	// apartAtMost bounds what measuring takes, where only one core is free.
	apartAtMost = 50 * time.Millisecond
)

// lonely is a number with a cache line of its own.
type lonely struct {
	atomic.Int64
	_ [120]byte
}

// until waits until n is at least so much, and reports whether it came to that in time.
func (n *lonely) until(least int64, start time.Time) bool {
	for polls := 1; n.Load() < least; polls++ {
		if polls%1024 == 0 && time.Since(start) > apartAtMost {
			return false
		}
	}
	return true
}

// apart is how long it takes until one core sees what another has written, ns: half of a round trip, the median of some series. It is 0
// if there is one core only.
func apart() float64 {
	if runtime.GOMAXPROCS(0) < 2 {
		return 0
	}
	var there, back lonely
	var series [apartSeries]time.Duration
	start := time.Now()
	go func() {
		for n := int64(1); n <= apartSeries*apartTrips && there.until(n, start); n++ {
			back.Store(n)
		}
	}()
	for i, n := 0, int64(0); i < apartSeries; i++ {
		began := time.Now()
		for range apartTrips {
			n++
			there.Store(n)
			if !back.until(n, start) {
				return 0
			}
		}
		series[i] = time.Since(began)
	}
	slices.Sort(series[:])
	return rounded(float64(series[apartSeries/2]) / (2 * apartTrips))
}
