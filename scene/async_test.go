package scene

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

const tick = time.Second / 60

// gatedLiquid steps only when it is let, if there is a gate.
type gatedLiquid struct {
	*fakeLiquid
	gate chan struct{}
}

func (g *gatedLiquid) Step(dt float64) *fluid.Report {
	if g.gate != nil {
		<-g.gate
	}
	return g.fakeLiquid.Step(dt)
}

func newGated(gate chan struct{}) *gatedLiquid {
	src := pool(0.05, 0.5, 5)
	src.cells = 8
	return &gatedLiquid{src, gate}
}

// What g3n draws stays as it is while the next step writes the source's own slices, and is what
// the step before it made; ahead of a late step the surface is drawn ahead too.
func TestAsyncPictureIsNotWritten(t *testing.T) {
	src := newGated(make(chan struct{}, 1))
	l := NewLiquid(src, LiquidOptions{Async: true})
	want := slices.Clone(src.Surface().Positions)
	for i := range 5 {
		l.Update(tick) // shows the state before the step that it starts
		before := slices.Clone(*l.surface.buffers[0].Buffer())
		if !slices.Equal(before, want) {
			t.Fatalf("frame %d does not show the step before", i)
		}
		src.gate <- struct{}{}
		l.Wait()
		if !slices.Equal(before, *l.surface.buffers[0].Buffer()) {
			t.Fatalf("frame %d was written while it was shown", i)
		}
		want = append(want[:0], src.surface.Positions...)
	}
	l.Update(tick)
	if f := l.Update(2 * tick); !f.Late || math.Abs(float64(l.shared.back)+tick.Seconds()) > 1e-6 {
		t.Errorf("late %v, the surface is drawn %g s back; want a step ahead", f.Late, l.shared.back)
	}
	src.gate <- struct{}{}
	l.Refresh(1, tick)
	if !slices.Equal(*l.surface.buffers[0].Buffer(), src.surface.Positions) || l.shared.back != 0 {
		t.Error("Refresh does not show the liquid as it is")
	}
	l.Dispose()
	if src.steps != 6 {
		t.Errorf("disposed of after %d steps", src.steps)
	}
}

func TestAsyncAllocatesNothing(t *testing.T) {
	l := NewLiquid(newGated(nil), LiquidOptions{Async: true})
	defer l.Dispose()
	frame := func() {
		l.Update(tick)
		l.Wait()
	}
	for range 4 {
		frame()
	}
	if n := testing.AllocsPerRun(50, frame); n > 0 {
		t.Errorf("%v allocations per frame", n)
	}
}

// Submerged asks the picture that is shown.
func TestSubmerged(t *testing.T) {
	l := NewLiquid(pool(0, 0, 0), LiquidOptions{})
	defer l.Dispose()
	for y, want := range map[float32]bool{0.1: true, 1.1: true, 1.3: false, -0.1: false} {
		if got := l.Submerged(math32.Vector3{X: 0.4, Y: y, Z: 0.3}); got != want {
			t.Errorf("at %g m: %v", y, got)
		}
	}
}
