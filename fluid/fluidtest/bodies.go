// Package fluidtest tests implementations of the interfaces to rigid-body engines in package fluid.
package fluidtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// step is the length, s, of the steps that Bodies takes.
const step = 1. / 60

// Bodies reports to t where an implementation of fluid.Bodies, or of an optional interface of package engine, violates its contract. It checks every body and
// joint, applies wrenches to dynamic bodies, and takes a few steps: pass a scene with bodies of every kind, apart from each
// other, that nothing else uses.
func Bodies(t testing.TB, b fluid.Bodies) {
	t.Helper()
	seen := map[uint64]int{}
	for i := range b.Len() {
		if other, twice := seen[b.ID(i)]; twice {
			t.Errorf("bodies %d and %d both have ID %d", other, i, b.ID(i))
		}
		seen[b.ID(i)] = i
		checkState(t, b, i)
		checkMass(t, b, i)
		checkDistance(t, b, i)
	}
	for j := range b.Joints() {
		checkJoint(t, b, j)
	}
	checkMotion(t, b)
	checkHolding(t, b)
	checkContacts(t, b)
	checkAllocations(t, b)
	checkSharing(t, b)
	checkRevision(t, b)
	checkDrag(t, b)
	checkOptional(t, b)
}

// checkRevision checks that a step alone does not change revisions: liquid near such bodies could not sleep.
func checkRevision(t testing.TB, b fluid.Bodies) {
	t.Helper()
	from, can := b.(engine.Revising)
	if !can {
		return
	}
	for i := range b.Len() {
		was := from.Revision(i)
		if b.Step(step); from.Revision(i) != was {
			t.Errorf("body %d: a step changes its Revision", i)
		}
	}
}

// checkDrag checks the range of drag coefficients.
func checkDrag(t testing.TB, b fluid.Bodies) {
	t.Helper()
	from, can := b.(engine.Dragging)
	if !can {
		return
	}
	for i := range b.Len() {
		if skin, form := from.LiquidDrag(i); !(skin >= 0 && skin <= 1e3 && form >= 0 && form <= 1e3) {
			t.Errorf("body %d: LiquidDrag is %g, %g; must be 0 to 1e3 each", i, skin, form)
		}
	}
}

// checkSharing checks that bodies keep the attached value, and restores it.
func checkSharing(t testing.TB, b fluid.Bodies) {
	t.Helper()
	place, can := b.(engine.Sharing)
	if !can {
		return
	}
	was := place.Attached()
	defer place.Attach(was)
	mark := new(int)
	for _, want := range []any{mark, nil, mark} {
		place.Attach(want)
		if b.Step(step); place.Attached() != want {
			t.Errorf("Attached is %v; must be what Attach was given last, %v", place.Attached(), want)
			return
		}
	}
}

func checkState(t testing.TB, b fluid.Bodies, i int) {
	t.Helper()
	if k := b.Kind(i); k < engine.Static || k > engine.Dynamic {
		t.Errorf("body %d: Kind is %d; must be StaticBody, KinematicBody or DynamicBody", i, k)
	}
	centre, turned := b.Pose(i)
	if !finite(centre) {
		t.Errorf("body %d: centre %v is not finite", i, centre)
	}
	if n := reproducible.QuatAbs(turned); !(math.Abs(n-1) < 1e-6) {
		t.Errorf("body %d: rotation %v has length %g; must be 1", i, turned, n)
	}
	v, w := b.Velocity(i)
	p, q := b.PredictedVelocity(i, step)
	if !finite(v) || !finite(w) || !finite(p) || !finite(q) {
		t.Errorf("body %d: Velocity %v, %v or PredictedVelocity %v, %v is not finite", i, v, w, p, q)
	}
	if b.Kind(i) == engine.Static && (v != r3.Vec{} || w != r3.Vec{} || p != r3.Vec{} || q != r3.Vec{}) {
		t.Errorf("body %d: is static, but has velocity %v, %v, or predicted %v, %v", i, v, w, p, q)
	}
	box := b.Bounds(i)
	if !(box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y && box.Min.Z <= box.Max.Z) {
		t.Errorf("body %d: Bounds %v to %v is no box", i, box.Min, box.Max)
	}
	if d := b.Thickness(i); !(d > 0) {
		t.Errorf("body %d: Thickness is %g m; must be > 0", i, d)
	}
}

// checkMass checks that the inverse inertia is symmetric and positive semidefinite.
func checkMass(t testing.TB, b fluid.Bodies, i int) {
	t.Helper()
	m, inertia := b.InverseMass(i)
	if b.Kind(i) != engine.Dynamic {
		if m != 0 || inertia != [3][3]float64{} {
			t.Errorf("body %d: is not dynamic, but InverseMass is %g, %v; must be zero", i, m, inertia)
		}
		return
	}
	if !(m > 0) || math.IsInf(m, 1) {
		t.Errorf("body %d: InverseMass is %g/kg; must be > 0 and finite", i, m)
	}
	size := 0.
	for a := range 3 {
		size = max(size, inertia[a][a])
	}
	for a := range 3 {
		for c := range 3 {
			if !(math.Abs(inertia[a][c]-inertia[c][a]) <= 1e-6*size) {
				t.Errorf("body %d: inverse inertia %v is not symmetric", i, inertia)
				return
			}
		}
	}
	random := rand.New(rand.NewPCG(1, uint64(i)))
	for range 100 {
		x := [3]float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		sum := 0.
		for a := range 3 {
			for c := range 3 {
				sum += float64(x[a] * inertia[a][c] * x[c])
			}
		}
		if !(sum >= -1e-9*size) {
			t.Errorf("body %d: inverse inertia %v is not positive semidefinite", i, inertia)
			return
		}
	}
}

func checkJoint(t testing.TB, b fluid.Bodies, j int) {
	t.Helper()
	var rows [6][12]float64
	from, to, n := b.JointRows(j, &rows)
	if n < 0 || n > len(rows) || from < -1 || to < -1 || from >= b.Len() || to >= b.Len() {
		t.Errorf("joint %d: %d rows between bodies %d and %d; must be at most 6 between two of %d, -1 for the world", j, n, from, to, b.Len())
		return
	}
	for r, row := range rows[:n] {
		for _, v := range row {
			if v-v != 0 {
				t.Errorf("joint %d: row %d is %v; must be finite", j, r, row)
				break
			}
		}
	}
}

// checkContacts checks the points of EachContact, if the bodies have it.
func checkContacts(t testing.TB, b fluid.Bodies) {
	t.Helper()
	from, can := b.(engine.Contacting)
	if !can {
		return
	}
	from.EachContact(func(i, k int, at, normal r3.Vec, force, friction float64) {
		switch {
		case i < 0 || k < 0 || i >= b.Len() || k >= b.Len() || i == k:
			t.Errorf("EachContact visits one between bodies %d and %d; must be between two of %d", i, k, b.Len())
		case !finite(at) || !(math.Abs(reproducible.Norm(normal)-1) <= 1e-6):
			t.Errorf("bodies %d and %d touch at %v with the normal %v; must be finite and of length 1", i, k, at, normal)
		case !(force >= 0 && friction >= 0 && force+friction <= math.MaxFloat64):
			t.Errorf("bodies %d and %d press on each other with %g N and a coefficient of friction of %g; must be ≥ 0 and finite", i, k, force, friction)
		}
	})
}

// checkAllocations checks that the calls of a step do not allocate.
func checkAllocations(t testing.TB, b fluid.Bodies) {
	t.Helper()
	dst, pts := make([]float32, 64), make([]r3.Vec, 64)
	var rows [6][12]float64
	contacts, can := b.(engine.Contacting)
	visit := func(int, int, r3.Vec, r3.Vec, float64, float64) {}
	got := testing.AllocsPerRun(20, func() {
		for i := range b.Len() {
			b.ID(i)
			b.Kind(i)
			b.Awake(i)
			b.Pose(i)
			b.Velocity(i)
			b.PredictedVelocity(i, step)
			b.InverseMass(i)
			b.Bounds(i)
			b.Thickness(i)
			b.Distance(i, dst, pts)
		}
		for j := range b.Joints() {
			b.JointRows(j, &rows)
		}
		if can {
			contacts.EachContact(visit)
		}
	})
	if got > 0 {
		t.Errorf("asking for every body's state makes %g allocations; must make none", got)
	}
}

func finite(v r3.Vec) bool { return v.X-v.X == 0 && v.Y-v.Y == 0 && v.Z-v.Z == 0 }
