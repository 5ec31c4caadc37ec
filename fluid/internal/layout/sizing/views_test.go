package sizing_test

import (
	"bytes"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// longBasin has 6.4 m along x.
func longBasin(t testing.TB, workers int, work float64) *fluid.Liquid {
	t.Helper()
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(6.4, .8, .8), CellSize: .05, Resources: fluid.Resources{Workers: workers}, Budget: fluid.Budget{Work: work}})
	testrig.Must(t, l.Fill(fluid.Below(.4)))
	return l
}

// finestAt counts the finest blocks with liquid within 40 cm of x.
func finestAt(l *fluid.Liquid, x float64) (n int) {
	for _, b := range l.Levels(nil) {
		if c := b.Box.Center().X; b.Wet && b.Level == 0 && c > x-.4 && c < x+.4 {
			n++
		}
	}
	return n
}

// What either of two cameras sees is as fine as if it were the only one, in whatever order they come.
func TestSeveralViewsAreAllFine(t *testing.T) {
	const left, right = .6, 5.8
	counts := func(views ...fluid.View) (a, b int) {
		l := longBasin(t, 1, 0)
		for range 10 {
			testrig.Must(t, l.SetViews(views...))
			testrig.Sound(t, l, *l.Step(testrig.Frame))
		}
		return finestAt(l, left), finestAt(l, right)
	}
	aLeft, aRight := counts(testrig.CloseUp(left))
	bLeft, bRight := counts(testrig.CloseUp(right))
	if aLeft < aRight+2 || bRight < bLeft+2 {
		t.Fatalf("one camera makes no difference: %d and %d, %d and %d finest blocks", aLeft, aRight, bLeft, bRight)
	}
	for name, views := range map[string][]fluid.View{
		"two": {testrig.CloseUp(left), testrig.CloseUp(right)}, "the other way round": {testrig.CloseUp(right), testrig.CloseUp(left)},
		"with none and one twice": {{}, testrig.CloseUp(left), {}, testrig.CloseUp(right), testrig.CloseUp(left)},
	} {
		if a, b := counts(views...); a < aLeft*3/4 || b < bRight*3/4 {
			t.Errorf("%s: %d and %d finest blocks; alone they have %d and %d", name, a, b, aLeft, bRight)
		}
	}
}

// Of two cameras that see the same the nearer one counts, whichever is named first.
func TestTheFinestDemandWins(t *testing.T) {
	far, close := testrig.LookFrom(.6, .5, 400), testrig.CloseUp(.6)
	hashes := map[uint64]bool{}
	for _, views := range [][]fluid.View{{far, close}, {close, far}, {far}} {
		l := longBasin(t, 1, 0)
		for range 12 {
			testrig.Must(t, l.SetViews(views...))
			l.Step(testrig.Frame)
		}
		_ = l.SetViews()
		if n := finestAt(l, .6); n > 0 != (len(views) == 2) {
			t.Errorf("with %d views %d blocks are finest", len(views), n)
		}
		if len(views) == 2 {
			hashes[l.Hash()] = true
		}
	}
	if len(hashes) != 1 {
		t.Error("the order of the views changes bits")
	}
}

// One view is one view, however it is given.
func TestOneViewOfSeveral(t *testing.T) {
	var hashes []uint64
	for _, set := range []func(l *fluid.Liquid) error{
		func(l *fluid.Liquid) error { return l.SetView(testrig.CloseUp(2)) },
		func(l *fluid.Liquid) error { return l.SetViews(testrig.CloseUp(2)) },
		func(l *fluid.Liquid) error { return l.SetViews(fluid.View{}, testrig.CloseUp(2)) },
	} {
		l := longBasin(t, 1, 2)
		var r fluid.Report
		for range 5 {
			testrig.Must(t, set(l))
			r = *l.Step(testrig.Frame)
		}
		if r.View != testrig.CloseUp(2) || r.Views != nil {
			t.Errorf("the report tells of %v and %d views", r.View, len(r.Views))
		}
		hashes = append(hashes, l.Hash())
	}
	if hashes[0] != hashes[1] || hashes[0] != hashes[2] {
		t.Errorf("hashes %x", hashes)
	}
}

// stirViews moves two cameras along the basin, and has one, none or three now and then.
func stirViews(t testing.TB, l *fluid.Liquid, n int) {
	t.Helper()
	x := float32(n) * .05
	views := []fluid.View{testrig.CloseUp(.6 + x), testrig.CloseUp(5.8 - x), testrig.CloseUp(3)}
	testrig.Must(t, l.SetViews(views[:[]int{2, 2, 3, 1, 2, 0}[n/4%6]]...))
}

// Several views give the same bits for any number of workers, from a copy, from a saved state, and with the plans and the
// views that the reports tell.
func TestSeveralViewsAreDeterministic(t *testing.T) {
	a, b, copied, restored, replayed := longBasin(t, 1, 2), longBasin(t, 2, 2), longBasin(t, 2, 2), longBasin(t, 1, 2), longBasin(t, 1, 2)
	push := func(n int, all ...*fluid.Liquid) {
		for _, l := range all {
			if n == 3 {
				testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: 3, Y: .6, Z: .4}, .15)))
			}
		}
	}
	for n := range 30 {
		push(n, a, b, replayed)
		for _, l := range []*fluid.Liquid{a, b} {
			stirViews(t, l, n)
		}
		ra := *a.Step(testrig.Frame)
		b.Step(testrig.Frame)
		testrig.Must(t, replayed.Replay(ra.Plan))
		views := ra.Views
		if views == nil {
			views = []fluid.View{ra.View}
		}
		testrig.Must(t, replayed.SetViews(views...))
		replayed.Step(testrig.Frame)
		if h := a.Hash(); h != b.Hash() || h != replayed.Hash() {
			t.Fatalf("step %d: %x, with two workers %x, replayed %x", n, h, b.Hash(), replayed.Hash())
		}
		if n == 9 { // three views are set
			var file bytes.Buffer
			testrig.Must(t, a.Save(&file))
			testrig.Must(t, restored.Restore(&file))
			testrig.Must(t, a.CopyTo(copied))
			for range 2 { // with the views that were saved
				if len(testrig.Blocks(restored).Sizer.Views()) != 3 || restored.Hash() != a.Hash() || copied.Hash() != a.Hash() {
					t.Fatalf("after Restore %d views", len(testrig.Blocks(restored).Sizer.Views()))
				}
				for _, l := range []*fluid.Liquid{a, b, copied, restored, replayed} {
					l.Step(testrig.Frame)
				}
			}
		}
		if n > 9 {
			for _, l := range []*fluid.Liquid{copied, restored} {
				stirViews(t, l, n)
				l.Step(testrig.Frame)
				if l.Hash() != a.Hash() {
					t.Fatalf("step %d after the copy differs", n)
				}
			}
		}
	}
}

func TestBadViews(t *testing.T) {
	l := testrig.Tub(t)
	good, bad := testrig.CloseUp(.5), testrig.CloseUp(.5)
	bad.View[3] = float32(testrig.NaN)
	testrig.Must(t, l.SetViews(good, good))
	testrig.Refused(t, l.SetViews(good, bad), "SetViews", "finite")
	testrig.Refused(t, l.SetViews(fluid.View{Height: 720}), "SetViews")
	testrig.Refused(t, l.SetViews(make([]fluid.View, fluid.MaxViews+1)...), "SetViews", "17", "16")
	if n := len(testrig.Blocks(l).Sizer.Views()); n != 2 {
		t.Errorf("after errors there are %d views", n)
	}
	if r := *l.Step(testrig.Frame); len(r.Views) != 2 {
		t.Errorf("the report tells of %d", len(r.Views))
	}
	if n := testing.AllocsPerRun(20, func() { _ = l.SetViews(good, good, good) }); n > 0 {
		t.Errorf("SetViews allocates %g times", n)
	}
	if err := l.SetViews(); err != nil || len(testrig.Blocks(l).Sizer.Views()) != 0 {
		t.Errorf("no views: %v", err)
	}
	testrig.GoesOn(t, l, 2)
}
