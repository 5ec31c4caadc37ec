package physics

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestCopyRestoresExactly(t *testing.T) {
	w := pile(WorldDef{Gravity: down}, 30)
	rope(w, 8, r3.Vec{X: 0.6, Y: -0.8})
	limb(w, r3.Vec{X: 2, Y: 3})
	run := func(w *World) (h uint64) {
		doomed := w.Body(5)
		for i := range 60 {
			if i == 20 {
				check(t, doomed.Destroy())
				check(t, w.Joint(2).Destroy())
				rope(w, 3, r3.Vec{X: 1})
				dynamic(w, Box(0.3, 0.3, 0.3), 0, 4, 0)
			}
			w.Step(tick)
			h = h*31 + w.Hash()
		}
		return h
	}
	steps(w, 60)
	check(t, w.Body(7).Destroy())
	w.PredictedVelocity(w.Len()-1, tick)
	saved := NewWorld(WorldDef{})
	w.CopyTo(saved)
	if saved.Hash() != w.Hash() || saved.Joint(0).Def().B.World() != saved {
		t.Fatal("the copy differs")
	}
	want := run(w)
	saved.CopyTo(w)
	if got := run(w); got != want {
		t.Error("what was undone goes another way")
	}
	if got := run(saved); got != want {
		t.Error("the copy goes another way")
	}
	if allocs := testing.AllocsPerRun(10, func() { saved.CopyTo(w) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	h := w.Hash()
	w.CopyTo(w)
	if w.Hash() != h {
		t.Error("a copy to itself changes it")
	}
}
