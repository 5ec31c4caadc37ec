package physics

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

func TestSleepAndWake(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	floor(w)
	a, b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5, 0), dynamic(w, Box(Centred(1, 1, 1)), 0, 1.5, 0)
	steps(w, 120)
	if a.Awake() || b.Awake() {
		t.Fatal("a resting stack stays awake")
	}
	if v, _ := w.Coupling().PredictedVelocity(a.Index(), tick); v != (r3.Vec{}) {
		t.Error("a sleeper is predicted to fall")
	}
	h := w.Hash()
	w.Coupling().AddWrench(a.Index(), r3.Vec{X: 1e6}, r3.Vec{})
	steps(w, 10)
	if w.Hash() != h {
		t.Error("a wrench moved a sleeper")
	}
	check(t, b.ApplyImpulse(r3.Vec{X: 1}, b.CentreOfMass()))
	steps(w, 1)
	if !a.Awake() || !b.Awake() {
		t.Error("what touches an awake body sleeps on")
	}
	steps(w, 120)
	dynamic(w, Sphere(r3.Vec{}, 0.2), 0, 2.5, 0)
	steps(w, 30)
	if !a.Awake() {
		t.Error("a falling body does not wake the stack")
	}
	check(t, b.SetAwake(false))
	if b.Awake() {
		t.Error("SetAwake(false) does nothing")
	}
}

func TestDestroyWakesWhatStoodOnIt(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	floor(w)
	a, b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5, 0), dynamic(w, Box(Centred(1, 1, 1)), 0, 1.5, 0)
	steps(w, 120)
	check(t, a.Remove())
	w.Step(tick)
	if n := len(w.Events().End); n != 2 {
		t.Errorf("%d contacts ended, want 2", n)
	}
	steps(w, 90)
	near1(t, "height", b.Position().Y, 0.5, 5e-3)
}

func TestMovedGroundWakesWhatItMeets(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	f := floor(w)
	b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0.5, 0)
	lift := add(w, BodyDef{Position: r3.Vec{X: 9}}, ShapeDef{Geometry: Box(Centred(1, 1, 1))})
	steps(w, 120)
	check(t, lift.SetPose(r3.Vec{X: 0.9}, identity))
	if !b.Awake() {
		t.Error("a wall put into a sleeper does not wake it")
	}
	steps(w, 240)
	if b.Awake() || b.Position().X > -0.09 {
		t.Errorf("at %v", b.Position())
	}
	check(t, f.SetPose(r3.Vec{Y: -2}, identity))
	steps(w, 120)
	near1(t, "height", b.Position().Y, -1.5, 5e-3)
}

func TestNoSleep(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	floor(w)
	b := add(w, BodyDef{Kind: Dynamic, NoSleep: true, Position: r3.Vec{Y: 0.5}}, ShapeDef{Geometry: Box(Centred(1, 1, 1))})
	steps(w, 120)
	if !b.Awake() {
		t.Error("sleeps")
	}
}

func TestContactEvents(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	f := floor(w)
	b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1}}, ShapeDef{Geometry: OpenBox(Centred(1, 0.5, 1), 0.1), Material: Material{Restitution: 0}})
	begin, end, hits := 0, 0, 0
	for range 120 {
		w.Step(tick)
		e := w.Events()
		begin, end, hits = begin+len(e.Begin), end+len(e.End), hits+len(e.Hits)
		for _, h := range e.Hits {
			if h.A.Body() != f || h.B.Body() != b {
				t.Errorf("hit between %v and %v", h.A, h.B)
			}
			near1(t, "approach", h.Speed, math.Sqrt(2*9.81*0.75), 0.1)
			nearVec(t, "normal", h.Normal, r3.Vec{Y: 1}, 1e-9)
		}
	}
	// The tub is five parts but one shape.
	if begin != 1 || end != 0 || hits == 0 {
		t.Errorf("%d begin, %d end, %d hits", begin, end, hits)
	}
	check(t, b.SetPose(r3.Vec{Y: 5}, identity))
	w.Step(tick)
	if e := w.Events(); len(e.End) != 1 {
		t.Errorf("%d ends, want 1", len(e.End))
	}
}

func TestStaleHandles(t *testing.T) {
	w := NewWorld(WorldDef{})
	a := dynamic(w, Sphere(r3.Vec{}, 1), 0, 0, 0)
	s := must(a.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, 1)}))
	id := a.ID()
	check(t, a.Remove())
	b := dynamic(w, Sphere(r3.Vec{}, 1), 7, 0, 0)
	must(b.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, 1)}))
	if b.slot != a.slot || b.ID() == id {
		t.Fatalf("slot %d, id %d", b.slot, b.ID())
	}
	h := w.Hash()
	for _, old := range []Body{a, {}} {
		if old.Valid() || old.Index() != -1 || old.Position() != (r3.Vec{}) || old.Mass() != 0 ||
			old.Name() != "" || old.UserData() != nil || old.Awake() || old.Rotation() != (quat.Number{}) {
			t.Error("a stale handle has properties")
		}
		v := r3.Vec{X: 1}
		for i, err := range []error{
			old.SetName("x"), old.SetUserData(1), old.SetPose(v, identity), old.SetVelocity(v), old.SetAngularVelocity(v),
			old.SetTargetPose(v, identity, 1), old.ApplyForce(v, v), old.ApplyTorque(v), old.ApplyImpulse(v, v),
			old.ApplyAngularImpulse(v), old.SetAwake(true), old.SetMassProperties(MassProperties{Mass: 1}), old.ResetMassProperties(), old.Remove(),
			old.SetDamping(1, 1),
		} {
			if !errors.Is(err, ErrStale) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if _, err := old.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, 1)}); !errors.Is(err, ErrStale) {
			t.Error(err)
		}
	}
	for _, old := range []Shape{s, {}} {
		if old.Valid() || old.Body() != (Body{}) || !errors.Is(old.Remove(), ErrStale) || !errors.Is(old.SetMaterial(Material{}), ErrStale) ||
			!reflect.DeepEqual(old.Def(), ShapeDef{}) {
			t.Error("a stale shape does something")
		}
	}
	if w.Hash() != h {
		t.Error("a stale handle changed another body")
	}
}

func TestIndicesFollowCreation(t *testing.T) {
	w := NewWorld(WorldDef{})
	var all []Body
	for i := range 5 {
		all = append(all, must(w.AddBody(BodyDef{Name: fmt.Sprint(i), UserData: i})))
	}
	check(t, all[1].Remove())
	all = append(all, must(w.AddBody(BodyDef{Name: "5", UserData: 5})))
	got := ""
	for b := range w.Bodies() {
		if w.Coupling().Body(b.Index()) != b || w.Coupling().ID(b.Index()) != uint64(b.ID()) || b.UserData() != int(b.Name()[0]-'0') {
			t.Error("index and handle disagree")
		}
		got += b.Name()
	}
	if got != "02345" || w.Coupling().Len() != 5 {
		t.Errorf("order %s", got)
	}
	check(t, all[0].SetName("a"))
	if w.Coupling().Body(0).Name() != "a" || all[0].World() != w {
		t.Error("name")
	}
}

func TestShapeRemoveAndMaterial(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0, 0)
	s := must(b.AddShape(ShapeDef{Geometry: Box(Centred(1, 1, 1)), Offset: r3.Vec{X: 1}, Density: 400}))
	nearVec(t, "centre", b.CentreOfMass(), r3.Vec{X: 0.5}, 1e-12)
	p, q := s.Pose()
	nearVec(t, "pose", p, r3.Vec{X: 1}, 1e-12)
	if q != identity || s.Body() != b {
		t.Error("pose or body")
	}
	check(t, s.SetMaterial(Material{Friction: Frictionless, Restitution: 0.5}))
	if m := s.Def().Material; m.Friction != Frictionless || m.Restitution != 0.5 {
		t.Errorf("%+v", m)
	}
	check(t, s.Remove())
	nearVec(t, "centre", b.CentreOfMass(), r3.Vec{}, 1e-12)
	near1(t, "mass", b.Mass(), 400, 1e-9)
}

// pile drops n boxes and spheres onto a tub, a slope and a ground.
func pile(def WorldDef, n int) *World {
	w := NewWorld(def)
	ground(w)
	add(w, BodyDef{Position: r3.Vec{X: 4, Y: 1}, Rotation: about(r3.Vec{Z: 1}, 0.5)}, ShapeDef{Geometry: Box(Centred(4, 0.2, 8))})
	add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 0.6}}, ShapeDef{Geometry: OpenBox(Centred(2, 1, 2), 0.1)})
	for i := range n {
		x, y, z := float64(i%5)*0.7-1.4, 2+float64(i/25)*0.8, float64(i/5%5)*0.7-1.4
		g := Box(Centred(0.5, 0.4, 0.6))
		if i%4 == 3 {
			g = Sphere(r3.Vec{}, 0.3)
		}
		b := dynamic(w, g, x, y, z)
		if err := b.SetAngularVelocity(r3.Vec{X: float64(i%3) - 1, Z: float64(i%7) / 7}); err != nil {
			panic(err)
		}
	}
	return w
}

func TestDeterminism(t *testing.T) {
	a, b := pile(WorldDef{Gravity: down}, 60), pile(WorldDef{Gravity: down}, 60)
	seen := map[uint64]bool{}
	for i := range 150 {
		a.Step(tick)
		b.Step(tick)
		if a.Hash() != b.Hash() {
			t.Fatalf("step %d differs", i)
		}
		seen[a.Hash()] = true
	}
	if len(seen) != 150 {
		t.Error("the hash does not follow the state")
	}
}

// Of ten piles of 50 to 68 bodies most are asleep but for some balls
// after 10 s; now and then a ball that nothing stops keeps all that it leans on awake.
func TestPileKeepsApartAndSettles(t *testing.T) {
	var awake []int
	rested := 0
	for i := range 10 {
		w := pile(WorldDef{Gravity: down}, 50+2*i)
		steps(w, 600)
		for _, p := range w.pairs {
			for _, q := range w.contacts[p.contact].points[:w.contacts[p.contact].n] {
				if q.sep < -0.02 {
					t.Errorf("overlap %.4f m", -q.sep)
				}
			}
		}
		s := w.Stats()
		if s.Bodies != 53+2*i {
			t.Errorf("%d bodies", s.Bodies)
		}
		if awake = append(awake, s.Awake); s.Awake <= 10 {
			rested++
		}
	}
	if t.Logf("awake after 10 s: %d", awake); rested < 6 {
		t.Errorf("awake after 10 s: %d", awake)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	w := pile(WorldDef{Gravity: down, NoSleep: true}, 40)
	d := func(dst []float32, pts []r3.Vec) {
		for k, p := range pts {
			dst[k] = float32(r3.Norm(p) - 0.5)
		}
	}
	add(w, BodyDef{Position: r3.Vec{X: -1}}, ShapeDef{Geometry: SDF(d, grow(r3.Box{}, 0.5))})
	steps(w, 240)
	pts, dst := make([]r3.Vec, 600), make([]float32, 600)
	allocs := testing.AllocsPerRun(60, func() {
		for i := range w.Coupling().Len() {
			w.Coupling().PredictedVelocity(i, tick)
			w.Coupling().AddWrench(i, r3.Vec{X: 1}, r3.Vec{})
			w.Coupling().Distance(i, dst, pts)
		}
		for b := range w.Bodies() {
			if b.Kind() == Dynamic && b.ApplyForce(r3.Vec{X: 1}, b.CentreOfMass()) != nil {
				t.Fatal("ApplyForce")
			}
		}
		w.Step(tick)
	})
	if allocs != 0 {
		t.Errorf("%v allocations per step", allocs)
	}
}

func TestBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	w := NewWorld(WorldDef{})
	d, k, st := dynamic(w, Sphere(r3.Vec{}, 1), 0, 0, 0), must(w.AddBody(BodyDef{Kind: Kinematic})), must(w.AddBody(BodyDef{}))
	h := w.Hash()
	body := func(def BodyDef) error { _, err := w.AddBody(def); return err }
	shape := func(b Body, def ShapeDef) error { _, err := b.AddShape(def); return err }
	geometry := func(g Geometry) error { return shape(d, ShapeDef{Geometry: g}) }
	ball := Sphere(r3.Vec{}, 1)
	sdf := SDF(func([]float32, []r3.Vec) {}, grow(r3.Box{}, 1))
	cases := []struct {
		err  error
		want string
	}{
		{WorldDef{Gravity: r3.Vec{X: nan}}.Validate(), "WorldDef.Gravity"},
		{WorldDef{Substeps: -1}.Validate(), "WorldDef.Substeps"},
		{WorldDef{SleepSpeed: nan}.Validate(), "WorldDef.SleepSpeed"},
		{WorldDef{PushSpeed: -1}.Validate(), "WorldDef.PushSpeed"},
		{NewWorld(WorldDef{Substeps: 99}).Err(), "WorldDef.Substeps"},
		{func() error { _, err := NewWorld(WorldDef{HitSpeed: inf}).AddBody(BodyDef{}); return err }(), "WorldDef.HitSpeed"},
		{w.SetGravity(r3.Vec{Y: inf}), "WorldDef.Gravity"},
		{body(BodyDef{Kind: 3}), "BodyDef.Kind"},
		{body(BodyDef{Position: r3.Vec{Y: nan}}), "BodyDef.Position"},
		{body(BodyDef{Position: r3.Vec{Y: 2e6}}), "BodyDef.Position"},
		{body(BodyDef{Rotation: quat.Number{Imag: nan}}), "BodyDef.Rotation"},
		{body(BodyDef{Rotation: quat.Number{Imag: 1e-9}}), "BodyDef.Rotation"},
		{body(BodyDef{Kind: Dynamic, Velocity: r3.Vec{Z: inf}}), "BodyDef.Velocity"},
		{body(BodyDef{Velocity: r3.Vec{Z: 1}}), "BodyDef.Velocity"},
		{body(BodyDef{Kind: Dynamic, AngularVelocity: r3.Vec{Z: nan}}), "BodyDef.AngularVelocity"},
		{body(BodyDef{LinearDamping: -1}), "BodyDef.LinearDamping"},
		{body(BodyDef{AngularDamping: nan}), "BodyDef.AngularDamping"},
		{shape(d, ShapeDef{}), "ShapeDef.Geometry"},
		{geometry(Box(Centred(0, 1, 1))), "Box: size"}, {geometry(Box(Centred(1, nan, 1))), "Box: place"}, {geometry(Box(Centred(1, 1, inf))), "Box: "},
		{geometry(Sphere(r3.Vec{}, -1)), "radius"}, {geometry(Sphere(r3.Vec{}, nan)), "radius"},
		{geometry(OpenBox(Centred(1, 1, 1), 0.5)), "wall"}, {geometry(OpenBox(Centred(1, 1, 1), nan)), "wall"},
		{shape(st, ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{})}), "normal"},
		{shape(st, ShapeDef{Geometry: SDF(nil, grow(r3.Box{}, 1))}), "SDF: eval"},
		{shape(st, ShapeDef{Geometry: SDF(sdf.dist, r3.Box{})}), "bounds"},
		{geometry(HalfSpace(r3.Vec{}, r3.Vec{Y: 1})), "static"}, {geometry(sdf), "SetMass"},
		{shape(k, ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{Y: 1})}), "static"},
		{shape(d, ShapeDef{Geometry: ball, Density: -1}), "ShapeDef.Density"}, {shape(d, ShapeDef{Geometry: ball, Density: nan}), "ShapeDef.Density"},
		{shape(d, ShapeDef{Geometry: ball, Material: Material{Friction: -2}}), "Material.Friction"}, {shape(d, ShapeDef{Geometry: ball, Material: Material{Friction: nan}}), "Material.Friction"},
		{shape(d, ShapeDef{Geometry: ball, Material: Material{Restitution: 1.1}}), "Material.Restitution"},
		{shape(d, ShapeDef{Geometry: ball, Offset: r3.Vec{X: nan}}), "ShapeDef.Offset"},
		{shape(d, ShapeDef{Geometry: ball, Rotation: quat.Number{Real: inf}}), "ShapeDef.Rotation"},
		{geometry(Sphere(r3.Vec{}, 1e6)), "MassProperties.Mass"},
		{d.SetMassProperties(MassProperties{Mass: nan, Inertia: diagonal(1, 1, 1)}), "MassProperties.Mass"}, {d.SetMassProperties(MassProperties{Mass: -1}), "MassProperties.Mass"},
		{d.SetMassProperties(MassProperties{Mass: 1, Centre: r3.Vec{X: nan}, Inertia: diagonal(1, 1, 1)}), "MassProperties.Centre"},
		{d.SetMassProperties(MassProperties{Mass: 1, Inertia: diagonal(1, 1, 3)}), "MassProperties.Inertia"},
		{d.SetMassProperties(MassProperties{Mass: 1, Inertia: mat3{{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}}}), "MassProperties.Inertia"},
		{k.SetMassProperties(MassProperties{Mass: 1}), "MassProperties.Inertia"},
		{d.SetPose(r3.Vec{X: nan}, identity), "Body.SetPose: pos"}, {d.SetVelocity(r3.Vec{X: nan}), "Body.SetVelocity: v"},
		{d.SetAngularVelocity(r3.Vec{X: 1e5}), "Body.SetAngularVelocity: w"}, {st.SetVelocity(r3.Vec{X: 1}), "static"},
		{d.SetTargetPose(r3.Vec{}, identity, 1), "kinematic"}, {k.SetTargetPose(r3.Vec{}, identity, 0), "Body.SetTargetPose: dt"},
		{d.ApplyForce(r3.Vec{X: nan}, r3.Vec{}), "Body.ApplyForce: force"}, {d.ApplyImpulse(r3.Vec{}, r3.Vec{X: inf}), "Body.ApplyImpulse: impulse at p"},
		{k.ApplyTorque(r3.Vec{X: 1}), "dynamic"}, {d.SetDamping(-1, 0), "BodyDef.LinearDamping"},
	}
	for i, c := range cases {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("case %d: %v, want one about %q", i, c.err, c.want)
		}
	}
	if w.Hash() != h || w.Coupling().Len() != 3 {
		t.Error("refused input changed the world")
	}
	for _, dt := range []float64{nan, -1, inf, 2} {
		w.Step(dt)
		if f := w.Events().Failures; len(f) != 1 || f[0].Err != ErrTimeStep || w.Hash() != h {
			t.Errorf("Step(%v): %v", dt, f)
		}
	}
}

func BenchmarkPile100(b *testing.B) {
	w := pile(WorldDef{Gravity: down, NoSleep: true}, 100)
	steps(w, 300)
	b.ReportAllocs()
	for b.Loop() {
		w.Step(tick)
	}
	s := w.Stats()
	b.ReportMetric(float64(s.Points), "points")
}

func BenchmarkDistanceOpenBox(b *testing.B) {
	w := NewWorld(WorldDef{})
	add(w, BodyDef{Kind: Dynamic}, ShapeDef{Geometry: OpenBox(Centred(1, 1, 1), 0.1)})
	pts, dst := make([]r3.Vec, 1000), make([]float32, 1000)
	for i := range pts {
		pts[i] = r3.Vec{X: float64(i%10) / 5, Y: float64(i/10%10)/5 - 1, Z: float64(i/100)/5 - 1}
	}
	for b.Loop() {
		w.Coupling().Distance(0, dst, pts)
	}
}
