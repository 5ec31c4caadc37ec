package scene

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
)

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
