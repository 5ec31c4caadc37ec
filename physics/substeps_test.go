package physics

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// ferry is a kinematic barge that carries a box with a flap on a hinge.
func ferry(w *World) (barge, cargo Body) {
	ground(w)
	barge = add(w, BodyDef{Kind: Kinematic, Position: r3.Vec{Y: 0.25}}, ShapeDef{Geometry: Box(Centred(2, 0.5, 2))})
	cargo = dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 0, 0.8, 0)
	flap := dynamic(w, Box(Centred(0.5, 0.1, 0.5)), 0.8, 1.2, 0)
	must(w.AddJoint(JointDef{Kind: HingeJoint, A: cargo, B: flap, Anchor: r3.Vec{X: 0.4, Y: 1.2}, Axis: r3.Vec{Z: 1}}))
	return barge, cargo
}

// What an island does not touch does not change how it moves: a tower takes more substeps, the
// cargo of a barge with which it shares no body but the barge does not, bit for bit.
func TestTiersAreIndependent(t *testing.T) {
	alone, both := NewWorld(WorldDef{Gravity: down}), NewWorld(WorldDef{Gravity: down})
	bargeA, cargoA := ferry(alone)
	bargeB, cargoB := ferry(both)
	for i := range 10 {
		dynamic(both, Box(Centred(0.3, 0.3, 0.3)), -0.8, 0.65+0.3*float64(i), 0)
	}
	tiers := map[int]bool{}
	for i := range 120 {
		if i == 60 {
			check(t, bargeA.SetTargetPose(r3.Vec{X: 0.1, Y: 0.25}, identity, 0.5))
			check(t, bargeB.SetTargetPose(r3.Vec{X: 0.1, Y: 0.25}, identity, 0.5))
		}
		alone.Step(tick)
		both.Step(tick)
		tiers[both.Stats().Substeps] = true
		if cargoA.Position() != cargoB.Position() || cargoA.AngularVelocity() != cargoB.AngularVelocity() || bargeA.Position() != bargeB.Position() {
			t.Fatalf("step %d: the cargo is at %v and %v, the barge at %v and %v", i, cargoA.Position(), cargoB.Position(), bargeA.Position(), bargeB.Position())
		}
	}
	if !tiers[4] || !tiers[8] || alone.Stats().Substeps != 4 {
		t.Errorf("substeps %v; alone %d", tiers, alone.Stats().Substeps)
	}
	nearVec(t, "barge", bargeB.Position(), r3.Vec{X: 0.1, Y: 0.25}, 0)
	if v := r3.Norm(cargoB.Velocity()); v > 0.05 || cargoB.Position().X < 0.05 {
		t.Errorf("the cargo at %v moves with %g m/s", cargoB.Position(), v)
	}
}

// An island that changes its tier finds room there.
func TestTiersAllocateNothing(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	ground(w)
	for i := range 10 {
		dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 0, 0.25+0.5*float64(i), 0)
	}
	steps(w, 3)
	before, calls := w.Stats().Substeps, 0
	n := testing.AllocsPerRun(1, func() { // the first call of two does not count
		if calls++; calls == 2 {
			steps(w, 60)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations in 60 steps", n)
	}
	if after := w.Stats().Substeps; before != 4 || after != 8 {
		t.Errorf("%d substeps, then %d", before, after)
	}
}

// The lowest boxes of a wall are strained by what is above them, but a large wall must not cost too much.
func TestTiersOfAHeap(t *testing.T) {
	for rows, want := range map[int]int{10: 8, 16: 4} {
		w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
		ground(w)
		for r := range rows {
			for c := range rows - r {
				dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 0.53*(float64(c)-float64(rows-1-r)/2), 0.25+0.5*float64(r), 0)
			}
		}
		steps(w, 120)
		strain := 0.0
		for _, i := range w.active {
			strain = max(strain, w.contacts[i].loadRatio)
		}
		if n := w.Stats().Substeps; n != want || strain < halveAbove*4 {
			t.Errorf("%d rows: %d contacts, strain %.3g: %d substeps, want %d", rows, len(w.active), strain, n, want)
		}
	}
}

// Impacts, however hard, do not halve substeps, and a load that is taken away doubles them again.
func TestTiersFollowTheLoad(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	ground(w)
	light := dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5, 0)
	for _, speed := range []float64{5, 20, 50} {
		check(t, light.SetPose(r3.Vec{Y: 1}, identity))
		check(t, light.SetVelocity(r3.Vec{Y: -speed}))
		for range 60 {
			if w.Step(tick); w.Stats().Substeps != 4 {
				t.Fatal("an impact halved the substeps")
			}
		}
	}
	heavy := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1.5}}, ShapeDef{Geometry: Box(Centred(1, 1, 1)), Density: 8 * 400})
	steps(w, 120)
	if n := w.Stats().Substeps; n != 8 {
		t.Errorf("%d substeps under a load", n)
	}
	check(t, heavy.SetMassProperties(MassProperties{Mass: 40 * 400}))
	steps(w, 120)
	if n := w.Stats().Substeps; n != 16 {
		t.Errorf("%d substeps under a heavy load", n)
	}
	check(t, heavy.Remove())
	steps(w, 120)
	if n := w.Stats().Substeps; n != 4 {
		t.Errorf("%d substeps without it", n)
	}
}
