package fluidtest

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// parts is the number of the bodies' steps per step of a liquid.
const parts = 3

// Loads reports to t where forces that a game applies to its bodies for a step do not last through all of it, when a liquid steps the
// bodies several times meanwhile: see fluid.Holding. apply applies a force, N, to body i, as the game does before a step. Pass a scene as to Bodies.
func Loads(t testing.TB, b fluid.Bodies, apply func(i int, force r3.Vec)) {
	t.Helper()
	checkLoads(t, b, apply, "an applied force")
}

// checkHolding checks that wrenches of the game are held. Without HoldLoads a wrench acts in the next Step only.
func checkHolding(t testing.TB, b fluid.Bodies) {
	t.Helper()
	if _, can := b.(engine.Holding); can {
		checkLoads(t, b, func(i int, force r3.Vec) { b.AddWrench(i, force, r3.Vec{}) }, "a wrench")
	}
}

// checkLoads checks that in each part of a step a free body gets the predicted velocity, with the same share of the load; that a wrench
// added between two parts acts in one of them; and that ReleaseLoads ends the loads.
func checkLoads(t testing.TB, b fluid.Bodies, apply func(i int, force r3.Vec), what string) {
	t.Helper()
	holder, holds := b.(engine.Holding)
	for i := range b.Len() {
		if b.Kind(i) != engine.Dynamic || jointed(b, i) {
			continue
		}
		b.Wake(i)
		gain := func() r3.Vec {
			v, _ := b.Velocity(i)
			p, _ := b.PredictedVelocity(i, step)
			return r3.Sub(p, v)
		}
		same := func(got, want r3.Vec, kick float64) bool {
			return reproducible.Norm(r3.Sub(got, want)) <= float64(.02*kick)+1e-9
		}
		m, _ := b.InverseMass(i)
		free, force := gain(), r3.Vec{X: 2 / m, Z: -1 / m}
		push := reproducible.Scale(step*m, force)
		kick := reproducible.Norm(push)
		apply(i, force)
		if holds {
			holder.HoldLoads()
		}
		for n := range parts {
			want := gain()
			if !same(want, r3.Add(free, push), kick) {
				t.Errorf("body %d: with %s PredictedVelocity is by %v m/s another in part %d of %d of a step; must be by %v: does it last?", i, what, r3.Sub(want, free), n+1, parts, push)
			}
			before, _ := b.Velocity(i)
			if n == 1 {
				b.AddWrench(i, force, r3.Vec{})
				want = r3.Add(want, push)
			}
			b.Step(step)
			if v, _ := b.Velocity(i); !same(r3.Sub(v, before), want, kick) {
				t.Errorf("body %d: part %d of %d of a step with %s changes its velocity by %v m/s; must by %v", i, n+1, parts, what, r3.Sub(v, before), want)
			}
		}
		if !holds {
			return // the game ends the load
		}
		holder.ReleaseLoads()
		if got := gain(); !same(got, free, kick) {
			t.Errorf("body %d: after ReleaseLoads %s goes on: PredictedVelocity is by %v m/s another; must be by %v", i, what, got, free)
		}
	}
}
