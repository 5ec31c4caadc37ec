package scene

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

var sink []byte

func TestMemory(t *testing.T) {
	m := newMemory()
	m.steps = 4
	sink = make([]byte, 16<<20) // much, since what other tests have left may allocate meanwhile
	runtime.GC()
	use := m.read()
	if use.bytes < 4<<20 || use.bytes > 6<<20 || use.collections < 1 || use.pause <= 0 || use.pause > time.Second {
		t.Errorf("%+v after 16 MiB in 4 steps and a collection", use)
	}
	for range memoryReadings {
		use = m.read()
	}
	if use.collections > 1 || use.bytes > 1<<18 {
		t.Errorf("%+v after readings in which nothing happened", use)
	}
}

func TestLongestPause(t *testing.T) {
	bounds := []float64{math.Inf(-1), 0, 1e-6, 1e-3, math.Inf(1)}
	for _, c := range []struct {
		now  []uint64
		want time.Duration
	}{
		{[]uint64{0, 0, 5, 0}, 0}, {[]uint64{0, 0, 6, 0}, time.Millisecond}, {[]uint64{0, 1, 5, 0}, time.Microsecond}, {[]uint64{0, 0, 6, 1}, time.Millisecond},
	} {
		if got := longest([]uint64{0, 0, 5, 0}, c.now, bounds); got != c.want {
			t.Errorf("%v: %v, want %v", c.now, got, c.want)
		}
	}
}

func TestCausesInALine(t *testing.T) {
	var s fluidtrace.Statistics
	if got := causes(&s); got != "" {
		t.Errorf("without misses: %q", got)
	}
	s.Causes[fluidtrace.Machine], s.Causes[fluidtrace.Unknowns], s.Causes[fluidtrace.GarbageCollection] = 3, 7, 1
	if got := causes(&s); got != "  7 more unknowns  3 machine" {
		t.Errorf("%q", got)
	}
}
