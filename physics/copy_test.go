package physics

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestCopyRestoresExactly(t *testing.T) {
	for name, w := range map[string]*World{"boxes": pile(WorldDef{Gravity: down}, 30), "every shape": zoo(WorldDef{Gravity: down}, 40)} {
		t.Run(name, func(t *testing.T) { testCopy(t, w) })
	}
}

// testCopy adds joints and locks of all kinds to w, and holds what becomes of copies against w.
func testCopy(t *testing.T, w *World) {
	rope(w, 8, r3.Vec{X: 0.6, Y: -0.8})
	limb(w, r3.Vec{X: 2, Y: 3})
	for i := 12; i < 20; i++ {
		a, b := w.Coupling().Body(i), w.Coupling().Body(i+1)
		must(w.AddJoint(JointDef{Kind: BallJoint, A: a, B: b, Anchor: a.Position(), CollideConnected: i%2 == 0}))
		check(t, a.SetLock(Locks{Angular: Axes{X: i%3 == 0}, Linear: Axes{Z: i%4 == 0}}))
	}
	run := func(w *World) (h uint64) {
		doomed := w.Coupling().Body(5)
		for i := range 60 {
			if i == 20 {
				check(t, doomed.Remove())
				check(t, w.Coupling().Joint(2).Remove())
				check(t, w.Coupling().Joint(12).Remove())
				check(t, w.Coupling().Body(9).SetKind(Kinematic))
				rope(w, 3, r3.Vec{X: 1})
				dynamic(w, Box(Centred(0.3, 0.3, 0.3)), 0, 4, 0)
			}
			w.Step(tick)
			h = h*31 + w.Hash() + uint64(len(w.Events().SensorBegin)+3*len(w.Events().SensorEnd)+7*len(w.Events().End))
		}
		return h
	}
	steps(w, 60)
	check(t, w.Coupling().Body(7).Remove()) // its sensor and contact events are pending
	w.Coupling().PredictedVelocity(w.Coupling().Len()-1, tick)
	saved := NewWorld(WorldDef{})
	w.CopyTo(saved)
	if saved.Hash() != w.Hash() || saved.Coupling().Joint(0).Def().B.World() != saved {
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
