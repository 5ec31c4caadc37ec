package fluidtest

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// checkMotion steps the bodies with and without a wrench. A free body must get
// the predicted velocity plus the effect of the wrench; static bodies must not move, and the
// bodies must keep their order.
func checkMotion(t testing.TB, b fluid.Bodies) {
	t.Helper()
	n := b.Len()
	ids, want, kick := make([]uint64, n), make([]r3.Vec, n), make([]float64, n)
	centres := make([]r3.Vec, n)
	for i := range n {
		ids[i] = b.ID(i)
		centres[i], _ = b.Pose(i)
		if b.Kind(i) != engine.Dynamic {
			continue
		}
		b.Wake(i)
		if !b.Awake(i) {
			t.Errorf("body %d: asleep after Wake", i)
		}
		m, _ := b.InverseMass(i)
		force := r3.Vec{X: 2 / m, Z: -1 / m}
		b.AddWrench(i, force, r3.Vec{})
		v, _ := b.PredictedVelocity(i, step)
		want[i] = r3.Add(v, reproducible.Scale(step*m, force))
		kick[i] = step * m * reproducible.Norm(force)
	}
	b.Step(step)
	if b.Len() != n {
		t.Fatalf("a step changes the number of bodies from %d to %d", n, b.Len())
	}
	for i := range n {
		if b.ID(i) != ids[i] {
			t.Errorf("body %d: a step changes its ID from %d to %d", i, ids[i], b.ID(i))
		}
		centre, _ := b.Pose(i)
		if b.Kind(i) == engine.Static && centre != centres[i] {
			t.Errorf("body %d: is static, but moved from %v to %v", i, centres[i], centre)
		}
		if b.Kind(i) != engine.Dynamic || jointed(b, i) {
			continue
		}
		if v, _ := b.Velocity(i); !(reproducible.Norm(r3.Sub(v, want[i])) <= float64(.02*kick[i])+1e-9) {
			t.Errorf("body %d: a step leaves it with %v m/s; PredictedVelocity and the wrench make %v (does it touch another?)", i, v, want[i])
		}
	}
	checkWrenchIsSpent(t, b)
}

// checkWrenchIsSpent checks that a wrench acts in one step only.
func checkWrenchIsSpent(t testing.TB, b fluid.Bodies) {
	t.Helper()
	for i := range b.Len() {
		if b.Kind(i) != engine.Dynamic || jointed(b, i) {
			continue
		}
		want, _ := b.PredictedVelocity(i, step)
		b.Step(step)
		if v, _ := b.Velocity(i); !(reproducible.Norm(r3.Sub(v, want)) <= 1e-6*(1+reproducible.Norm(want))) {
			t.Errorf("body %d: a step without a wrench leaves it with %v m/s, not the predicted %v: does the last wrench go on?", i, v, want)
		}
		return
	}
}

// jointed reports whether a body is in a joint.
func jointed(b fluid.Bodies, i int) bool {
	var rows [6][12]float64
	for j := range b.Joints() {
		if from, to, n := b.JointRows(j, &rows); n > 0 && (from == i || to == i) {
			return true
		}
	}
	return false
}
