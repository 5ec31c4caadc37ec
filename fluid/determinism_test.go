package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"

	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Budgeted by work, the same calls give the same bits: in every run, and for every number of workers.
func TestSameBitsForAnyWorkers(t *testing.T) {
	steps := testrig.InShort(50, 100)
	run := func(workers int) (digests []uint64) {
		l, w := testrig.Lively(t, workers)
		levels := 0
		for n := range steps {
			testrig.StirLively(t, l, n)
			r := *l.Step(testrig.Frame)
			if r.Err != nil {
				t.Fatalf("%d workers, step %d: %s", workers, r.Step, r.Err)
			}
			if r.Unknowns[0] > 0 && r.Unknowns[1] > 0 {
				levels++
			}
			digests = append(digests, testrig.Digest(l, r, w.Coupling()))
		}
		if levels < steps/2 {
			t.Errorf("cells of different size held liquid in %d of %d steps: the scene is too small", levels, steps)
		}
		return digests
	}
	want := run(1)
	for _, workers := range []int{4, 1, 2}[:testrig.InShort(1, 3)] {
		got := run(workers)
		for n := range want {
			if got[n] != want[n] {
				t.Errorf("%d workers: step %d gave other bits than the first run, with 1 worker", workers, n+1)
				break
			}
		}
	}
}

// A pose and a turn that differ in the last bit alone must not pass as the same.
func TestDigestSeesEveryBit(t *testing.T) {
	l := testrig.Tub(t)
	p := testrig.NewPuppet(cork(.8, .6, .4))
	l.Couple(p)
	r := *l.Step(testrig.Frame)
	was := testrig.Digest(l, r, p)
	for name, change := range map[string]func() func(){
		"pose": func() func() {
			old := p.Balls[0].X.Y
			p.Balls[0].X.Y = math.Nextafter(old, 1)
			return func() { p.Balls[0].X.Y = old }
		},
		"turn": func() func() {
			old := p.Balls[0].Turn
			p.Balls[0].Turn = quat.Number{Real: math.Nextafter(old.Real, 2)}
			return func() { p.Balls[0].Turn = old }
		},
		"surface": func() func() {
			v := &l.Surface().Positions[0]
			old := *v
			*v = math.Nextafter32(old, 9)
			return func() { *v = old }
		},
		"liquid": func() func() {
			v := &testrig.Blocks(l).Set.Phi[testrig.Blocks(l).Grid.Cur.First[0]]
			old := *v
			*v = math.Nextafter32(old, 9)
			return func() { *v = old }
		},
	} {
		undo := change()
		if testrig.Digest(l, r, p) == was {
			t.Errorf("a change of the %s goes unseen", name)
		}
		undo()
	}
	if testrig.Digest(l, r, p) != was {
		t.Error("the same state gives another digest")
	}
}
