package scene

import (
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

func TestStatistics(t *testing.T) {
	r := newRing(100)
	if s := r.statistics(time.Second); s != (Statistics{}) {
		t.Errorf("empty ring: %+v", s)
	}
	r.add(7 * time.Millisecond)
	if s := r.statistics(0); s.P50 != 7*time.Millisecond || s.P99 != s.Max || s.Misses != 0 {
		t.Errorf("one value: %+v", s)
	}
	for i := 300; i > 0; i-- { // the ring keeps 100 down to 1
		r.add(time.Duration(i) * time.Millisecond)
	}
	want := Statistics{Count: 100, P50: 50 * time.Millisecond, P95: 95 * time.Millisecond,
		P99: 99 * time.Millisecond, Max: 100 * time.Millisecond, Misses: 10}
	if s := r.statistics(90 * time.Millisecond); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if r.at(0) != 100*time.Millisecond || r.at(99) != time.Millisecond {
		t.Errorf("oldest %v, newest %v", r.at(0), r.at(99))
	}
}

func TestShares(t *testing.T) {
	var s shares
	s.add(&fluid.Report{}) // no time in any stage: ignored
	var r fluid.Report
	r.Stages[fluid.StageSolve].Duration = 3
	r.Stages[fluid.StageAdvect].Duration = 1
	s.add(&r)
	if big := s.largest(2); big[0] != fluid.StageSolve || big[1] != fluid.StageAdvect || s.part[fluid.StageSolve] != 0.75 {
		t.Errorf("largest %v, parts %v", big, s.part)
	}
	sum := 0.0
	for i := 0; i < 50; i++ {
		r.Stages[i%int(fluid.StageCount)].Duration += 5
		s.add(&r)
	}
	for _, p := range s.part {
		sum += p
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("parts sum to %v", sum)
	}
}

func TestShort(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1.0k", 99999: "100.0k", 123456: "123k", 9_999_999: "9999k", 25_000_000: "25M"} {
		if got := short(n); got != want {
			t.Errorf("short(%d) = %q, want %q", n, got, want)
		}
	}
}
