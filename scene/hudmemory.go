package scene

import (
	"math"
	"runtime/metrics"
	"time"
)

// memory measures what the whole program allocates and how long the garbage collector stops it, over
// the last readings. The HUD reads it when it paints, a few times a second.
type memory struct {
	samples [3]metrics.Sample
	pauses  []uint64 // counts of the collector's pauses by length, at the last reading
	kept    [memoryReadings]memoryReading
	next    int
	steps   int // since the last reading
}

// memoryReadings is how many readings are kept: four seconds of them, if painted four times a second.
const memoryReadings = 16

// memoryReading is what came up between two readings.
type memoryReading struct {
	steps, bytes, collections int
	pause                     time.Duration // the longest
}

// memoryUse is a summary of readings.
type memoryUse struct {
	collections int
	pause       time.Duration // the longest
	bytes       int           // per step
}

// newMemory begins to measure.
func newMemory() memory {
	m := memory{samples: [3]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}, {Name: "/sched/pauses/total/gc:seconds"}}}
	metrics.Read(m.samples[:])
	m.pauses = append(m.pauses, m.samples[2].Value.Float64Histogram().Counts...)
	return m
}

// read takes a reading and summarises those that are kept.
func (m *memory) read() (use memoryUse) {
	bytes, cycles := m.samples[0].Value.Uint64(), m.samples[1].Value.Uint64()
	metrics.Read(m.samples[:])
	h := m.samples[2].Value.Float64Histogram()
	m.kept[m.next] = memoryReading{
		steps: m.steps, bytes: int(m.samples[0].Value.Uint64() - bytes), collections: int(m.samples[1].Value.Uint64() - cycles),
		pause: longest(m.pauses, h.Counts, h.Buckets),
	}
	copy(m.pauses, h.Counts)
	m.next, m.steps = (m.next+1)%memoryReadings, 0
	steps := 0
	for _, r := range m.kept {
		steps += r.steps
		use.bytes += r.bytes
		use.collections += r.collections
		use.pause = max(use.pause, r.pause)
	}
	use.bytes /= max(1, steps)
	return use
}

// longest is how long the longest pause counted since before was at most; of one in a bucket without an upper
// bound, at least.
//
// before, now: counts per bucket. bounds: s, of the buckets, one more than they.
func longest(before, now []uint64, bounds []float64) time.Duration {
	for i := len(now) - 1; i >= 0; i-- {
		if now[i] > before[i] {
			length := bounds[i+1]
			if math.IsInf(length, 1) {
				length = bounds[i]
			}
			return time.Duration(1e9 * length)
		}
	}
	return 0
}
