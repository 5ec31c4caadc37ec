package fluid

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// spoiled is bodies of which some numbers are replaced; nil functions replace nothing.
type spoiled struct {
	*physics.Coupling
	pose      func(x r3.Vec, q quat.Number) (r3.Vec, quat.Number) // of body 0, as all below
	velocity  func(v, w r3.Vec) (r3.Vec, r3.Vec)
	predicted func(v, w r3.Vec) (r3.Vec, r3.Vec)
	mass      func(m float64, i [3][3]float64) (float64, [3][3]float64)
	bounds    func(b r3.Box) r3.Box
	thickness func(d float64) float64
	rows      func(rows *[6][12]float64, a, b, n int) (int, int, int)
	size      func(n int) int
	kind      func(k int) int
	id        func(n uint64) uint64
	extents   func(volume, width float64, convex bool) (float64, float64, bool)
	drag      func() (skin, form float64)
	category  func() uint64
	contact   func(visit func(a, b int, at, normal r3.Vec, force, friction float64))
}

func (s *spoiled) Len() int {
	if s.size != nil {
		return s.size(s.Coupling.Len())
	}
	return s.Coupling.Len()
}

func (s *spoiled) Pose(i int) (r3.Vec, quat.Number) {
	x, q := s.Coupling.Pose(i)
	if i == 0 && s.pose != nil {
		return s.pose(x, q)
	}
	return x, q
}

func (s *spoiled) Velocity(i int) (r3.Vec, r3.Vec) {
	v, w := s.Coupling.Velocity(i)
	if i == 0 && s.velocity != nil {
		return s.velocity(v, w)
	}
	return v, w
}

func (s *spoiled) PredictedVelocity(i int, dt float64) (r3.Vec, r3.Vec) {
	v, w := s.Coupling.PredictedVelocity(i, dt)
	if i == 0 && s.predicted != nil {
		return s.predicted(v, w)
	}
	return v, w
}

func (s *spoiled) InverseMass(i int) (float64, [3][3]float64) {
	m, inertia := s.Coupling.InverseMass(i)
	if i == 0 && s.mass != nil {
		return s.mass(m, inertia)
	}
	return m, inertia
}

func (s *spoiled) Bounds(i int) r3.Box {
	if b := s.Coupling.Bounds(i); i != 0 || s.bounds == nil {
		return b
	}
	return s.bounds(s.Coupling.Bounds(i))
}

func (s *spoiled) Thickness(i int) float64 {
	if d := s.Coupling.Thickness(i); i != 0 || s.thickness == nil {
		return d
	}
	return s.thickness(s.Coupling.Thickness(i))
}

func (s *spoiled) Kind(i int) int {
	if k := s.Coupling.Kind(i); i != 0 || s.kind == nil {
		return k
	}
	return s.kind(s.Coupling.Kind(i))
}

func (s *spoiled) ID(i int) uint64 {
	if n := s.Coupling.ID(i); i != 0 || s.id == nil {
		return n
	}
	return s.id(s.Coupling.ID(i))
}

func (s *spoiled) Dimensions(i int) (volume, width float64, convex bool) {
	volume, width, convex = s.Coupling.Dimensions(i)
	if i == 0 && s.extents != nil {
		return s.extents(volume, width, convex)
	}
	return volume, width, convex
}

func (s *spoiled) LiquidDrag(i int) (skin, form float64) {
	if i == 0 && s.drag != nil {
		return s.drag()
	}
	return s.Coupling.LiquidDrag(i)
}

func (s *spoiled) LiquidCategory(i int) uint64 {
	if i == 0 && s.category != nil {
		return s.category()
	}
	return s.Coupling.LiquidCategory(i)
}

func (s *spoiled) EachContact(visit func(a, b int, at, normal r3.Vec, force, friction float64)) {
	if s.contact != nil {
		s.contact(visit)
	}
	s.Coupling.EachContact(visit)
}

func (s *spoiled) JointRows(j int, rows *[6][12]float64) (int, int, int) {
	a, b, n := s.Coupling.JointRows(j, rows)
	if s.rows != nil {
		return s.rows(rows, a, b, n)
	}
	return a, b, n
}

// spoilt is a tub with two floats and two that a joint holds, of which numbers can be replaced.
func spoilt(t testing.TB) (*Liquid, *spoiled, [4]physics.Body) {
	t.Helper()
	l, w := tub(t), earth()
	var b [4]physics.Body
	for i := range b {
		b[i] = place(t, w, physics.Dynamic, r3.Vec{X: .25 + .37*float64(i), Y: .45, Z: .4}, physics.Box(physics.Centred(.2, .15, .2)), 500)
	}
	if _, err := w.AddJoint(physics.JointDef{Kind: physics.HingeJoint, A: b[2], B: b[3], Anchor: r3.Vec{X: 1.2, Y: .45, Z: .4}, Axis: r3.Vec{Z: 1}}); err != nil {
		t.Fatal(err)
	}
	s := &spoiled{Coupling: w.Coupling()}
	l.Couple(s)
	return l, s, b
}

// One body with numbers that can't be stands still for the liquid, is named once, and floats on when they are good again. All else goes
// on meanwhile.
func TestAbsurdBodyIsSetAside(t *testing.T) {
	far := r3.Vec{Y: 1e300}
	for name, c := range map[string]struct {
		spoil func(s *spoiled)
		field string
	}{
		"velocity 1e300":  {func(s *spoiled) { s.velocity = func(v, w r3.Vec) (r3.Vec, r3.Vec) { return far, w } }, "Velocity"},
		"spin NaN":        {func(s *spoiled) { s.velocity = func(v, w r3.Vec) (r3.Vec, r3.Vec) { return v, r3.Vec{X: nan} } }, "Velocity"},
		"predicted 1e300": {func(s *spoiled) { s.predicted = func(v, w r3.Vec) (r3.Vec, r3.Vec) { return far, w } }, "PredictedVelocity"},
		"centre 1e300":    {func(s *spoiled) { s.pose = func(x r3.Vec, q quat.Number) (r3.Vec, quat.Number) { return far, q } }, "centre"},
		"a nanogram": {func(s *spoiled) {
			s.mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { return 1e12, i }
		}, "InverseMass"},
		"a hundredth of a milligram": {func(s *spoiled) {
			s.mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { return 1e8, i }
		}, "InverseMass"},
		"next to no inertia": {func(s *spoiled) {
			s.mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) {
				return m, [3][3]float64{{1e9, 0, 0}, {0, 1e9, 0}, {0, 0, 1e9}}
			}
		}, "InverseMass"},
		"rotation 0": {func(s *spoiled) {
			s.pose = func(x r3.Vec, q quat.Number) (r3.Vec, quat.Number) { return x, quat.Number{} }
		}, "rotation"},
		"inverse mass 1e-310": {func(s *spoiled) {
			s.mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { return 1e-310, i }
		}, "InverseMass"},
		"inverse mass 1e300": {func(s *spoiled) {
			s.mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { return 1e300, i }
		}, "InverseMass"},
		"inertia not finite": {func(s *spoiled) {
			s.mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { i[1][1] = inf; return m, i }
		}, "InverseMass"},
		"inertia not symmetric": {func(s *spoiled) {
			s.mass = func(m float64, i [3][3]float64) (float64, [3][3]float64) { i[0][1] += i[0][0]; return m, i }
		}, "InverseMass"},
		"bounds NaN":        {func(s *spoiled) { s.bounds = func(b r3.Box) r3.Box { b.Max.X = nan; return b } }, "Bounds"},
		"bounds inside out": {func(s *spoiled) { s.bounds = func(b r3.Box) r3.Box { return r3.Box{Min: b.Max, Max: b.Min} } }, "Bounds"},
	} {
		t.Run(name, func(t *testing.T) {
			l, s, b := spoilt(t)
			goesOn(t, l, 5)
			before := b[0].Velocity().Y
			c.spoil(s)
			named := 0
			for range 6 {
				r := l.Step(frame)
				sound(t, l, r)
				if r.RolledBack {
					t.Fatal(r.Reason)
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
			if v := b[0].Velocity().Y - before; math.Abs(v+9.81*6*frame) > .01 {
				t.Errorf("the liquid pushes it: in six steps its velocity changes by %g m/s", v)
			}
			for i := 1; i < 4; i++ {
				if y := b[i].Position().Y; y < .3 || y > .5 {
					t.Errorf("body %d is at %g m", i, y)
				}
			}
			*s = spoiled{Coupling: s.Coupling}
			goesOn(t, l, 20)
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
			l, err := New(Def{Domain: r3.Box{Max: r3.Vec{X: 1.6, Y: 1.2, Z: 1.6}}, CellSize: .05, Levels: 1})
			if err == nil {
				err = l.Fill(Below(.9))
			}
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			w := earth()
			b := place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .5, Z: .8}, c.shape, 1e-3)
			l.Couple(w.Coupling())
			const dt = 1e-3
			r := l.Step(dt)
			if r.RolledBack || len(r.Warnings) > 0 {
				t.Fatalf("%s %v", r.Reason, r.Warnings)
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
		"NaN":         func(rows *[6][12]float64, a, b, n int) (int, int, int) { rows[0][3] = nan; return a, b, n },
		"1e300":       func(rows *[6][12]float64, a, b, n int) (int, int, int) { rows[0][3] = 1e300; return a, b, n },
		"7 rows":      func(_ *[6][12]float64, a, b, n int) (int, int, int) { return a, b, 7 },
		"-1 rows":     func(_ *[6][12]float64, a, b, n int) (int, int, int) { return a, b, -1 },
	} {
		l, s, _ := spoilt(t)
		s.rows = rows
		named := 0
		for range 20 {
			r := l.Step(frame)
			sound(t, l, r)
			if r.RolledBack {
				t.Fatalf("%s: %s", name, r.Reason)
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
		l, s, _ := spoilt(t)
		calls := 0
		for step := range 20 {
			calls = 0
			s.size = func(n int) int { calls++; return size(calls, n) }
			if r := l.Step(frame); r.RolledBack {
				t.Fatalf("%s, step %d: %s", name, step, r.Reason)
			}
		}
		s.size = nil
		goesOn(t, l, 20)
	}
}

// What a body carries belongs to it, not to its index.
func TestLoadIsTheBodys(t *testing.T) {
	l, w := tub(t), earth()
	heavy := place(t, w, physics.Dynamic, r3.Vec{X: .4, Y: .4, Z: .4}, physics.Box(physics.Centred(.4, .4, .4)), 600)
	light := place(t, w, physics.Dynamic, r3.Vec{X: 1.2, Y: .45, Z: .4}, physics.Box(physics.Centred(.2, .15, .2)), 300)
	place(t, w, physics.Static, r3.Vec{}, physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), 1)
	l.Couple(w.Coupling())
	goesOn(t, l, 60)
	want, lost, gone := l.BodyLoad(light.Index()), l.BodyLoad(heavy.Index()), uint64(heavy.ID())
	if !(lost.Force.Y > 5*want.Force.Y) || want.Force.Y <= 0 {
		t.Fatalf("the loads are %v and %v N", lost.Force, want.Force)
	}
	if err := heavy.Remove(); err != nil {
		t.Fatal(err)
	}
	if got := l.BodyLoad(light.Index()); got != want {
		t.Errorf("the light body's load is %v N, was %v", got.Force, want.Force)
	}
	fresh := place(t, w, physics.Dynamic, r3.Vec{X: .4, Y: 2, Z: .4}, physics.Box(physics.Centred(.2, .15, .2)), 300) // in the slot of the heavy one
	if got := l.BodyLoad(fresh.Index()); got != (BodyLoad{}) {
		t.Errorf("a new body's load is %v N", got.Force)
	}
	if l.BodyLoadByID(uint64(light.ID())) != want || l.BodyLoadByID(gone) != lost || l.BodyLoadByID(uint64(fresh.ID())) != (BodyLoad{}) || l.BodyLoadByID(99) != (BodyLoad{}) {
		t.Error("BodyLoadByID differs")
	}
	goesOn(t, l, 1)
	if l.BodyLoadByID(gone) != (BodyLoad{}) || l.BodyLoadByID(uint64(light.ID())) != l.BodyLoad(light.Index()) {
		t.Error("a body that is gone has a load")
	}
	for _, i := range []int{-1, 3, math.MaxInt} {
		if l.BodyLoad(i) != (BodyLoad{}) {
			t.Errorf("BodyLoad(%d) is not zero", i)
		}
	}
}

// A state goes with the bodies that were coupled when it was taken.
func TestStateOfOtherBodiesIsRefused(t *testing.T) {
	scene := func(n int) (*Liquid, *physics.World) {
		l, w := tub(t), earth()
		for i := range n {
			place(t, w, physics.Dynamic, r3.Vec{X: .25 + .37*float64(i), Y: .45, Z: .4}, physics.Box(physics.Centred(.2, .15, .2)), 500)
		}
		l.Couple(w.Coupling())
		goesOn(t, l, 3)
		return l, w
	}
	l, _ := scene(2)
	var saved bytes.Buffer
	if err := l.Save(&saved); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(l *Liquid, w *physics.World){
		"none":  func(l *Liquid, w *physics.World) { l.Couple(nil) },
		"fewer": func(l *Liquid, w *physics.World) { must(t, w.Coupling().Body(1).Remove()) },
		"more": func(l *Liquid, w *physics.World) {
			place(t, w, physics.Static, r3.Vec{}, physics.Sphere(r3.Vec{}, .1), 1)
		},
		"others": func(l *Liquid, w *physics.World) {
			must(t, w.Coupling().Body(1).Remove())
			place(t, w, physics.Dynamic, r3.Vec{Y: 1}, physics.Sphere(r3.Vec{}, .1), 1)
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
		goesOn(t, other, 3)
	}
	same, _ := scene(2)
	if err := l.CopyTo(same); err != nil {
		t.Error(err)
	}
	if err := same.Restore(bytes.NewReader(saved.Bytes())); err != nil {
		t.Error(err)
	}
}
