package bodies_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// One body with numbers that can't be stands still for the liquid, is named once, and floats on when they are good again. All else goes
// on meanwhile.
func TestAbsurdBodyIsSetAside(t *testing.T) {
	far := r3.Vec{Y: 1e300}
	for name, c := range map[string]struct {
		spoil func(s *testrig.Spoiled)
		field string
	}{
		"velocity 1e300": {func(s *testrig.Spoiled) { s.VelocityOf = func(v, w r3.Vec) (r3.Vec, r3.Vec) { return far, w } }, "Velocity"},
		"spin NaN": {func(s *testrig.Spoiled) {
			s.VelocityOf = func(v, w r3.Vec) (r3.Vec, r3.Vec) { return v, r3.Vec{X: testrig.NaN} }
		}, "Velocity"},
		"predicted 1e300": {func(s *testrig.Spoiled) { s.Predicted = func(v, w r3.Vec) (r3.Vec, r3.Vec) { return far, w } }, "PredictedVelocity"},
		"centre 1e300": {func(s *testrig.Spoiled) {
			s.PoseOf = func(x r3.Vec, q quat.Number) (r3.Vec, quat.Number) { return far, q }
		}, "centre"},
		"a nanogram": {func(s *testrig.Spoiled) {
			s.Mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { return 1e12, i }
		}, "InverseMass"},
		"a hundredth of a milligram": {func(s *testrig.Spoiled) {
			s.Mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { return 1e8, i }
		}, "InverseMass"},
		"next to no inertia": {func(s *testrig.Spoiled) {
			s.Mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) {
				return m, [3][3]float64{{1e9, 0, 0}, {0, 1e9, 0}, {0, 0, 1e9}}
			}
		}, "InverseMass"},
		"rotation 0": {func(s *testrig.Spoiled) {
			s.PoseOf = func(x r3.Vec, q quat.Number) (r3.Vec, quat.Number) { return x, quat.Number{} }
		}, "rotation"},
		"inverse mass 1e-310": {func(s *testrig.Spoiled) {
			s.Mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { return 1e-310, i }
		}, "InverseMass"},
		"inverse mass 1e300": {func(s *testrig.Spoiled) {
			s.Mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { return 1e300, i }
		}, "InverseMass"},
		"inertia not finite": {func(s *testrig.Spoiled) {
			s.Mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { i[1][1] = testrig.Inf; return m, i }
		}, "InverseMass"},
		"inertia not symmetric": {func(s *testrig.Spoiled) {
			s.Mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { i[0][1] += i[0][0]; return m, i }
		}, "InverseMass"},
		"bounds NaN":        {func(s *testrig.Spoiled) { s.BoundsOf = func(b r3.Box) r3.Box { b.Max.X = testrig.NaN; return b } }, "Bounds"},
		"bounds inside out": {func(s *testrig.Spoiled) { s.BoundsOf = func(b r3.Box) r3.Box { return r3.Box{Min: b.Max, Max: b.Min} } }, "Bounds"},
	} {
		t.Run(name, func(t *testing.T) {
			l, s, b := testrig.Spoilt(t)
			testrig.GoesOn(t, l, 5)
			before := b[0].Velocity().Y
			c.spoil(s)
			named := 0
			for range 6 {
				r := *l.Step(testrig.Frame)
				testrig.Sound(t, l, r)
				if r.Err != nil {
					t.Fatal(r.Err)
				}
				for _, w := range r.Warnings {
					if w.Knob == "Bodies" {
						if named++; !strings.Contains(w.Text, fmt.Sprintf("body 0 (ID %d)", uint64(b[0].ID()))) || !strings.Contains(w.Text, c.field) {
							t.Errorf("the warning is %q", w.Text)
						}
					}
				}
			}
			if named != 1 {
				t.Errorf("it is named %d times", named)
			}
			if v := b[0].Velocity().Y - before; math.Abs(v+9.81*6*testrig.Frame) > .01 {
				t.Errorf("the liquid pushes it: in six steps its velocity changes by %g m/s", v)
			}
			for i := 1; i < 4; i++ {
				if y := b[i].Position().Y; y < .3 || y > .5 {
					t.Errorf("body %d is at %g m", i, y)
				}
			}
			*s = testrig.Spoiled{Coupling: s.Coupling}
			testrig.GoesOn(t, l, 20)
			if f := l.BodyLoad(0).Force.Y; !(f > 0) || b[0].Position().Y < 0 {
				t.Errorf("sane again, it is at %v, and the liquid carries it with %g N", b[0].Position(), f)
			}
		})
	}
}

// The liquid pushes the lightest bodies that package physics makes, a millionth of the water that they displace: a sphere with twice gravity,
// as if its added mass were all of it.
func TestLightestBodiesRise(t *testing.T) {
	for name, c := range map[string]struct {
		shape physics.Geometry
		least float64 // m/s², upwards
	}{
		"sphere": {physics.Sphere(r3.Vec{}, .2), 1.5 * 9.81}, "cube": {physics.Box(physics.Centred(.4, .4, .4)), 9.81}, "plank": {physics.Box(physics.Centred(.8, .2, .2)), .5 * 9.81}, "plate": {physics.Box(physics.Centred(.8, .2, .8)), .2 * 9.81},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1.6, Y: 1.2, Z: 1.6}}, CellSize: .05, Numerics: fluid.Numerics{Levels: 1}})
			if err == nil {
				err = l.Fill(fluid.Below(.9))
			}
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			w := testrig.Earth()
			b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .5, Z: .8}, c.shape, 1e-3)
			l.Couple(w.Coupling())
			const dt = 1e-3
			r := *l.Step(dt)
			if r.Err != nil || len(r.Warnings) > 0 {
				t.Fatalf("%s %v", r.Err, r.Warnings)
			}
			if a := b.Velocity().Y / dt; a < c.least || a > 3*9.81 {
				t.Errorf("it rises with %.2f m/s², want %.2f or more", a, c.least)
			}
		})
	}
}

// Joints that can't be are left out and named once.
func TestAbsurdJointIsLeftOut(t *testing.T) {
	for name, rows := range map[string]func(rows *[6][12]float64, a, b, n int) (int, int, int){
		"index 2³³+1": func(_ *[6][12]float64, a, b, n int) (int, int, int) { return 1<<33 + 1, b, n },
		"index -2":    func(_ *[6][12]float64, a, b, n int) (int, int, int) { return a, -2, n },
		"NaN":         func(rows *[6][12]float64, a, b, n int) (int, int, int) { rows[0][3] = testrig.NaN; return a, b, n },
		"1e300":       func(rows *[6][12]float64, a, b, n int) (int, int, int) { rows[0][3] = 1e300; return a, b, n },
		"7 rows":      func(_ *[6][12]float64, a, b, n int) (int, int, int) { return a, b, 7 },
		"-1 rows":     func(_ *[6][12]float64, a, b, n int) (int, int, int) { return a, b, -1 },
	} {
		l, s, _ := testrig.Spoilt(t)
		s.Rows = rows
		named := 0
		for range 20 {
			r := *l.Step(testrig.Frame)
			testrig.Sound(t, l, r)
			if r.Err != nil {
				t.Fatalf("%s: %s", name, r.Err)
			}
			for _, w := range r.Warnings {
				if strings.Contains(w.Text, "joint 0") {
					named++
				}
			}
		}
		if named != 1 {
			t.Errorf("%s: it is named %d times", name, named)
		}
	}
}

// An engine that loses bodies within a step, or can't count, keeps the liquid from nothing.
func TestLenThatChanges(t *testing.T) {
	for name, size := range map[string]func(calls, n int) int{
		"falls":       func(calls, n int) int { return max(0, n-calls/40) },
		"every other": func(calls, n int) int { return n - calls&1 },
		"by three":    func(calls, n int) int { return n - calls%3 },
	} {
		l, s, _ := testrig.Spoilt(t)
		calls := 0
		for step := range 20 {
			calls = 0
			s.Size = func(n int) int { calls++; return size(calls, n) }
			if r := *l.Step(testrig.Frame); r.Err != nil {
				t.Fatalf("%s, step %d: %s", name, step, r.Err)
			}
		}
		s.Size = nil
		testrig.GoesOn(t, l, 20)
	}
}

// What a body carries belongs to it, not to its index.
func TestLoadIsTheBodys(t *testing.T) {
	l, w := testrig.Tub(t), testrig.Earth()
	heavy := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .4, Y: .4, Z: .4}, physics.Box(physics.Centred(.4, .4, .4)), 600)
	light := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 1.2, Y: .45, Z: .4}, physics.Box(physics.Centred(.2, .15, .2)), 300)
	testrig.Place(t, w, physics.Static, r3.Vec{}, physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), 1)
	l.Couple(w.Coupling())
	testrig.GoesOn(t, l, 60)
	want, lost, gone := l.BodyLoad(light.Index()), l.BodyLoad(heavy.Index()), uint64(heavy.ID())
	if !(lost.Force.Y > 5*want.Force.Y) || want.Force.Y <= 0 {
		t.Fatalf("the loads are %v and %v N", lost.Force, want.Force)
	}
	testrig.Must(t, heavy.Remove())
	if got := l.BodyLoad(light.Index()); got != want {
		t.Errorf("the light body's load is %v N, was %v", got.Force, want.Force)
	}
	fresh := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .4, Y: 2, Z: .4}, physics.Box(physics.Centred(.2, .15, .2)), 300) // in the slot of the heavy one
	if got := l.BodyLoad(fresh.Index()); got != (fluid.BodyLoad{}) {
		t.Errorf("a new body's load is %v N", got.Force)
	}
	if l.BodyLoadByID(uint64(light.ID())) != want || l.BodyLoadByID(gone) != lost || l.BodyLoadByID(uint64(fresh.ID())) != (fluid.BodyLoad{}) || l.BodyLoadByID(99) != (fluid.BodyLoad{}) {
		t.Error("BodyLoadByID differs")
	}
	testrig.GoesOn(t, l, 1)
	if l.BodyLoadByID(gone) != (fluid.BodyLoad{}) || l.BodyLoadByID(uint64(light.ID())) != l.BodyLoad(light.Index()) {
		t.Error("a body that is gone has a load")
	}
	for _, i := range []int{-1, 3, math.MaxInt} {
		if l.BodyLoad(i) != (fluid.BodyLoad{}) {
			t.Errorf("BodyLoad(%d) is not zero", i)
		}
	}
}

// A state goes with the bodies that were coupled when it was taken.
func TestStateOfOtherBodiesIsRefused(t *testing.T) {
	scene := func(n int) (*fluid.Liquid, *physics.World) {
		l, w := testrig.Tub(t), testrig.Earth()
		for i := range n {
			testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .25 + .37*float64(i), Y: .45, Z: .4}, physics.Box(physics.Centred(.2, .15, .2)), 500)
		}
		l.Couple(w.Coupling())
		testrig.GoesOn(t, l, 3)
		return l, w
	}
	l, _ := scene(2)
	var saved bytes.Buffer
	testrig.Must(t, l.Save(&saved))
	for name, change := range map[string]func(l *fluid.Liquid, w *physics.World){
		"none":  func(l *fluid.Liquid, w *physics.World) { l.Couple(nil) },
		"fewer": func(l *fluid.Liquid, w *physics.World) { testrig.Must(t, w.Coupling().Body(1).Remove()) },
		"more": func(l *fluid.Liquid, w *physics.World) {
			testrig.Place(t, w, physics.Static, r3.Vec{}, physics.Sphere(r3.Vec{}, .1), 1)
		},
		"others": func(l *fluid.Liquid, w *physics.World) {
			testrig.Must(t, w.Coupling().Body(1).Remove())
			testrig.Place(t, w, physics.Dynamic, r3.Vec{Y: 1}, physics.Sphere(r3.Vec{}, .1), 1)
		},
	} {
		other, w := scene(2)
		change(other, w)
		was := other.Hash()
		errs := map[string]error{"CopyTo": l.CopyTo(other), "Restore": other.Restore(bytes.NewReader(saved.Bytes()))}
		for call, err := range errs {
			if err == nil || !strings.HasPrefix(err.Error(), "fluid: "+call+": ") || !strings.Contains(err.Error(), "bod") {
				t.Errorf("%s, %s: %v", name, call, err)
			}
		}
		if other.Hash() != was {
			t.Errorf("%s: it has changed", name)
		}
		testrig.GoesOn(t, other, 3)
	}
	same, _ := scene(2)
	if err := l.CopyTo(same); err != nil {
		t.Error(err)
	}
	if err := same.Restore(bytes.NewReader(saved.Bytes())); err != nil {
		t.Error(err)
	}
}
