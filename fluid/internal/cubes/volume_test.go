package cubes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// balls is a box of three blocks by one by one, in cells of .05 m, with a ball of .12 m in the first block and one of .16 m in the last, at rest, and
// the account of them.
func balls(t *testing.T) (*Blocks, *components.Account) {
	t.Helper()
	pool := par.New(2)
	t.Cleanup(pool.Close)
	m := New(Config{CellSize: .05, Domain: r3.Box{Max: r3.Vec{X: 1.2, Y: .4, Z: .4}}, Dim: [3]int{3, 1, 1}, Coarsest: layout.MaxLevel},
		pool, &graph.Graph{}, &graph.Components{})
	m.Dt, m.Drift = 1./60, 1./60
	m.Track(levelset.Share(m.Set, m.Spray, m.HasRoom))
	m.Start()
	m.Set.Set(func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			a, b := r3.Sub(p, r3.Vec{X: .2, Y: .2, Z: .2}), r3.Sub(p, r3.Vec{X: 1, Y: .2, Z: .2})
			dst[i] = float32(min(reproducible.Norm(a)-.12, reproducible.Norm(b)-.16))
		}
	})
	m.ThinWalls.Mark()
	m.Settle()
	m.Survey.Measure()
	a := &components.Account{Ledger: &components.Ledger{}, Before: &components.Ledger{}}
	a.FilledL = m.Volumes.Held() / components.Litre
	return m, a
}

// keepVolume is a step's part of the controller and returns its sources.
func keepVolume(m *Blocks, a *components.Account) []float64 {
	*a.Before = *a.Ledger
	m.Volumes.Note()
	m.Solids.Fill(m.Graph, m.Set.Phi, 0)
	m.Components.Find(m.Graph)
	m.Volumes.MeasureComponents(len(m.Components.Closed), a)
	return m.Volumes.Correct(a)
}

// Components that stay what they are keep their targets and have no sources. What comes at one of them is no other's, and its sources ask for it.
func TestGainIsKeptWhereItCame(t *testing.T) {
	m, a := balls(t)
	v := &m.Volumes.Targets
	for range 2 {
		for r, s := range keepVolume(m, a) {
			if s != 0 {
				t.Fatalf("row %d of still liquid has a source of %g m³/s", r, s)
			}
		}
	}
	if len(v.Target) != 2 {
		t.Fatalf("%d components, want 2", len(v.Target))
	}
	small, large := v.Target[0], v.Target[1]
	if volume := 4. / 3 * math.Pi * .12 * .12 * .12; math.Abs(small/volume-1) > .03 {
		t.Errorf("the small one holds %g m³, want %g", small, volume)
	}
	const gain = 1e-5
	m.Volumes.GainAt(r3.Vec{X: .2, Y: .2, Z: .2}, gain)
	a.EmittedL += gain / components.Litre
	sum := [2]float64{}
	for r, s := range keepVolume(m, a) {
		sum[m.Components.Label[r]] += s
	}
	if math.Abs(v.Target[0]-small-gain) > 1e-12 || math.Abs(v.Target[1]-large) > 1e-12 {
		t.Errorf("targets %v m³, want %g and %g", v.Target, small+gain, large)
	}
	if !(sum[0] > 0) || sum[1] != 0 {
		t.Errorf("sources %v m³/s, want some in the first alone", sum)
	}
}

// What a block holds that sleeps is in no target, and is in one again when it wakes.
func TestTargetsLeaveOutWhatSleeps(t *testing.T) {
	m, a := balls(t)
	v := &m.Volumes.Targets
	keepVolume(m, a)
	small, large := v.Target[0], v.Target[1]
	m.Sleep.sleepBlock(0)
	if math.Abs(v.Target[0]) > 1e-12 || v.Target[1] != large || m.Sleep.Count != 1 {
		t.Fatalf("targets %v m³ with %d blocks asleep, want 0 and %g", v.Target, m.Sleep.Count, large)
	}
	if rows := len(keepVolume(m, a)); rows == 0 || len(v.Target) != 1 || math.Abs(v.Target[0]-large) > 1e-12 {
		t.Fatalf("%d rows, targets %v m³, want %g", rows, v.Target, large)
	}
	woken := int32(-1)
	m.Sleep.wakeBlock(0, &woken)
	keepVolume(m, a)
	if len(v.Target) != 2 || math.Abs(v.Target[0]-small) > 1e-12 || math.Abs(v.Target[1]-large) > 1e-12 || m.Sleep.Count != 0 {
		t.Errorf("targets %v m³, want %g and %g", v.Target, small, large)
	}
}

// Blocks sleep when all that is wet around has been calm for long, and wake when something comes near.
func TestBlocksSleepAndWake(t *testing.T) {
	m, a := balls(t)
	m.Gravity = r3.Vec{Y: -9.81}
	for range 40 {
		keepVolume(m, a)
		m.Sleep.Measure(m.Dt, false)
		m.Sleep.Update()
	}
	if m.Sleep.Count != 2 {
		t.Fatalf("%d blocks sleep, want 2", m.Sleep.Count)
	}
	m.Sleep.KeepAwakeIn([]r3.Box{{Min: r3.Vec{X: 1, Y: .1, Z: .1}, Max: r3.Vec{X: 1, Y: .1, Z: .1}}})
	if m.Sleep.Update(); m.Sleep.Count != 1 || !m.Sleep.Asleep[0] {
		t.Errorf("%d blocks sleep, want the first", m.Sleep.Count)
	}
	if m.Sleep.Measure(m.Dt, true); m.Sleep.Calm[0] != 0 {
		t.Error("stirred liquid counts as calm")
	}
}
