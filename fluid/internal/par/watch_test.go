package par

import (
	"context"
	"runtime/pprof"
	"testing"
	"time"
)

// Every worker's spans are in order, disjoint, tagged, and within the time of the loops.
func TestWorkIsRecorded(t *testing.T) {
	const workers, loops = 3, 40
	p := New(workers)
	defer p.Close()
	p.Record(1000)
	items := make([]float64, 3000)
	body := func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			items[i]++
		}
	}
	began := time.Now()
	p.Restart(began)
	for n := range loops {
		p.Tag(uint8(n % 2))
		loopOver(p, len(items), 10, body)
	}
	took := time.Since(began)
	stretches := 0
	for w := range workers {
		work, lost := p.Work(w)
		stretches += len(work)
		if lost > 0 {
			t.Errorf("worker %d lost %d stretches", w, lost)
		}
		last := time.Duration(0)
		for i, s := range work {
			if s.Start < last || s.End < s.Start || s.End > took || s.Tag > 1 {
				t.Fatalf("worker %d, stretch %d: %+v after %v, within %v", w, i, s, last, took)
			}
			last = s.End
		}
	}
	if stretches < loops {
		t.Errorf("%d stretches of %d loops", stretches, loops)
	}
	p.Restart(time.Now())
	if work, _ := p.Work(0); len(work) != 0 {
		t.Error("Restart forgets nothing")
	}
}

func TestWorkWithoutRoomIsCounted(t *testing.T) {
	g := workLog{work: make([]Work, 0, 2)}
	at := func(us int) time.Duration { return time.Duration(us) * time.Microsecond }
	for _, w := range []Work{{1, at(0), at(5)}, {1, at(6), at(9)}, {1, at(20), at(30)}, {2, at(30), at(31)}, {1, at(31), at(32)}} {
		g.add(w)
	}
	if len(g.work) != 2 || g.work[0].End != at(9) || g.work[1].Start != at(20) || g.lost != 2 {
		t.Errorf("%+v", g)
	}
}

// A helper carries the labels of the loops that it runs.
func TestHelpersAreLabelled(t *testing.T) {
	p := New(2)
	defer p.Close()
	p.Label(pprof.WithLabels(context.Background(), pprof.Labels("stage", "Liquid.Solve")))
	for tries := 0; p.helpers[0].labels == nil; tries++ {
		if tries == 10_000 {
			t.Fatal("the helper never took part")
		}
		loopOver(p, 2, 1, func(_, lo, _ int) {
			if lo == 0 {
				time.Sleep(time.Millisecond)
			}
		})
	}
	if got, _ := pprof.Label(p.helpers[0].labels, "stage"); got != "Liquid.Solve" {
		t.Errorf("the helper is labelled %q", got)
	}
}

func BenchmarkRecordedFor(b *testing.B) {
	items := make([]float64, 4096)
	body := func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			items[i]++
		}
	}
	for _, c := range []struct {
		name string
		room int
	}{{"off", 0}, {"on", 64}} {
		b.Run(c.name, func(b *testing.B) {
			p := New(2)
			defer p.Close()
			p.Record(c.room)
			for range b.N {
				p.Restart(p.watch.since)
				loopOver(p, len(items), 512, body)
			}
		})
	}
}
