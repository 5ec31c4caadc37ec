package adapter

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// busy is a source that is coupled to a world, and tells when two step at once.
type busy struct {
	*fakeLiquid
	world   *physics.World
	running *atomic.Int32
	clashes *atomic.Int32
}

func (b *busy) Coupled() fluid.Bodies { return b.world.Coupling() }

func (b *busy) Step(dt float64) *fluid.Report {
	if b.running.Add(1) > 1 {
		b.clashes.Add(1)
	}
	time.Sleep(2 * time.Millisecond)
	r := b.fakeLiquid.Step(dt)
	b.running.Add(-1)
	return r
}

// Liquids on one world never step at once, nor while the game has the world; both go on.
func TestLiquidsOnOneWorldTakeTurns(t *testing.T) {
	before := len(runningBatches.of)
	for _, async := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		var running, clashes atomic.Int32
		w := physics.NewWorld(physics.WorldDef{})
		make := func(i int) *Stepper {
			free := func() {
				if running.Load() > 0 {
					clashes.Add(1)
				}
			}
			return NewStepper(&busy{newFake(), w, &running, &clashes}, Options{Async: async[i], BeforeStep: free})
		}
		a, b := make(0), make(1)
		steps := [2]int{}
		for range 10 {
			for i, l := range []*Stepper{a, b} {
				steps[i] += l.Update(time.Second/60, func(*fluid.Report) {
					if running.Load() > 0 {
						clashes.Add(1)
					}
				}).Steps
				b.BetweenSteps(func() {
					if i == 1 && !async[1] && running.Load() > 0 {
						clashes.Add(1)
					}
				})
			}
		}
		if clashes.Load() > 0 || steps[0] < 9 || steps[1] < 9 {
			t.Errorf("async %v: %d clashes, %v steps", async, clashes.Load(), steps)
		}
		a.Close()
		for range 3 {
			b.Update(time.Second / 60)
		}
		b.Close()
	}
	if len(runningBatches.of) != before {
		t.Errorf("%d batches are kept after Close", len(runningBatches.of)-before)
	}
}

// Steppers of different worlds know nothing of each other: each has a goroutine of its own, as games on a server do.
func TestSteppersOfManyGames(t *testing.T) {
	var games sync.WaitGroup
	for range 4 {
		games.Go(func() {
			var running, clashes atomic.Int32
			w := physics.NewWorld(physics.WorldDef{})
			a := NewStepper(&busy{newFake(), w, &running, &clashes}, Options{Async: true})
			b := NewStepper(&busy{newFake(), w, &running, &clashes}, Options{Async: true})
			for range 5 {
				a.Update(tick)
				b.Update(tick)
			}
			a.Close()
			b.Close()
			if clashes.Load() > 0 {
				t.Errorf("%d clashes", clashes.Load())
			}
		})
	}
	games.Wait()
}

func TestWaitingForOthersAllocatesNothing(t *testing.T) {
	var running, clashes atomic.Int32
	w := physics.NewWorld(physics.WorldDef{})
	a := NewStepper(&busy{newFake(), w, &running, &clashes}, Options{Async: true})
	b := NewStepper(&busy{newFake(), w, &running, &clashes}, Options{Async: true})
	defer a.Close()
	defer b.Close()
	frame := func() {
		a.Update(tick)
		b.Update(tick)
	}
	for range 4 {
		frame()
	}
	if n := testing.AllocsPerRun(10, frame); n > 0 {
		t.Errorf("%v allocations per frame", n)
	}
}
