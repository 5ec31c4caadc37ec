package fluid

import (
	"bytes"
	"testing"
	"time"
)

// What a snapshot hashes to and writes while the liquid has gone on is what the liquid would have then, for any budget.
func TestSnapshotIsOfItsMoment(t *testing.T) {
	for _, budget := range []Budget{{}, {Step: time.Millisecond}, {Work: 2}} {
		p := livelier(t, 2)
		if err := p.l.SetBudget(budget); err != nil {
			t.Fatal(err)
		}
		for n := range 12 {
			p.step(t, n)
		}
		var s Snapshot
		p.l.Snapshot(&s)
		hash, file := p.l.Hash(), saved(t, p.l)
		for n := 12; n < 16; n++ {
			p.step(t, n)
		}
		var late bytes.Buffer
		if err := s.Save(&late); err != nil || !bytes.Equal(late.Bytes(), file) {
			t.Errorf("budget %v: the snapshot writes %d other bytes than the %d saved (%v)", budget, late.Len(), len(file), err)
		}
		if got := s.Hash(); got != hash || got == p.l.Hash() {
			t.Errorf("budget %v: the snapshot's hash is %x; the liquid's was %x, and is %x", budget, got, hash, p.l.Hash())
		}
	}
}

func TestSnapshotAllocatesNothing(t *testing.T) {
	p := livelier(t, 2)
	for n := range 20 {
		p.step(t, n)
	}
	var s Snapshot
	p.l.Snapshot(&s)
	if n := testing.AllocsPerRun(10, func() { p.l.Snapshot(&s) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	p := livelier(b, 2)
	for n := range 60 {
		p.step(b, n)
	}
	var s Snapshot
	for b.Loop() {
		p.l.Snapshot(&s)
	}
}
