package fluid_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What a snapshot hashes to and writes while the liquid has gone on is what the liquid would have then, for any budget.
func TestSnapshotIsOfItsMoment(t *testing.T) {
	for _, budget := range []fluid.Budget{{}, {Step: time.Millisecond}, {Work: 2}} {
		p := livelier(t, 2)
		testrig.Must(t, p.L.SetBudget(budget))
		for n := range 12 {
			p.Step(t, n)
		}
		var s fluid.Snapshot
		p.L.Snapshot(&s)
		hash, file := p.L.Hash(), testrig.Saved(t, p.L)
		for n := 12; n < 16; n++ {
			p.Step(t, n)
		}
		var late bytes.Buffer
		if err := s.Save(&late); err != nil || !bytes.Equal(late.Bytes(), file) {
			t.Errorf("budget %v: the snapshot writes %d other bytes than the %d saved (%v)", budget, late.Len(), len(file), err)
		}
		if got := s.Hash(); got != hash || got == p.L.Hash() {
			t.Errorf("budget %v: the snapshot's hash is %x; the liquid's was %x, and is %x", budget, got, hash, p.L.Hash())
		}
	}
}

func TestSnapshotAllocatesNothing(t *testing.T) {
	p := livelier(t, 2)
	for n := range 20 {
		p.Step(t, n)
	}
	var s fluid.Snapshot
	p.L.Snapshot(&s)
	if n := testing.AllocsPerRun(10, func() { p.L.Snapshot(&s) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	p := livelier(b, 2)
	for n := range 60 {
		p.Step(b, n)
	}
	var s fluid.Snapshot
	for b.Loop() {
		p.L.Snapshot(&s)
	}
}
