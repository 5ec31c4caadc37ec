package adapter

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

var errStep = errors.New("the step broke")

// brittle panics, or ends its goroutine, in a step.
type brittle struct {
	*gatedLiquid
	at   int // the step; 0: in none
	exit bool
}

func (b *brittle) Step(dt float64) *fluid.Report {
	if b.at > 0 && b.steps+1 == b.at {
		b.at = 0
		if b.exit {
			runtime.Goexit()
		}
		panic(errStep)
	}
	return b.gatedLiquid.Step(dt)
}

// A panic in a step, on whichever goroutine that runs, comes to the caller of Update, who can go on.
func TestPanicInAStepComesToUpdate(t *testing.T) {
	for _, async := range []bool{false, true} {
		for _, exit := range []bool{false, true} {
			src := &brittle{gatedLiquid: newGated(nil), at: 3, exit: exit}
			s := NewStepper(src, Options{Async: async})
			panics, told := 0, 0
			for range 30 {
				func() {
					defer func() {
						switch p, is := recover().(*fluid.Panic); {
						case !is:
						case !exit && errors.Is(p, errStep) && strings.Contains(p.Error(), "Step"), exit && strings.Contains(p.Error(), "Goexit"):
							panics++
						default:
							t.Errorf("Update panicked with %v", p)
						}
					}()
					s.Update(tick, func(*fluid.Report) { told++ })
					time.Sleep(200 * time.Microsecond)
					s.Wait()
				}()
			}
			s.Close()
			if panics != 1 {
				t.Errorf("async %v: %d panics, want 1", async, panics)
			}
			if src.steps < 25 || told < 20 {
				t.Errorf("async %v: %d steps were taken and %d told of in 30 frames", async, src.steps, told)
			}
		}
	}
}
