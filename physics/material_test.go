package physics

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestSlopeAtTheFrictionAngle looks for the slope at which each shape starts to slide, which
// is the friction angle: 0.5 % below it nothing creeps, 0.5 % above it slides as it should.
func TestSlopeAtTheFrictionAngle(t *testing.T) {
	for name, g := range map[string]Geometry{"box": Box(Centred(0.5, 0.3, 0.5)), "cylinder": Cylinder(r3.Vec{Y: -0.15}, r3.Vec{Y: 0.15}, 0.3), "hull": Hull(prism(6, 0.3, 0.3))} {
		for _, share := range []float64{0.995, 1.005} {
			angle := share * math.Atan(0.5)
			w := NewWorld(WorldDef{NoSleep: true})
			check(t, w.SetGravity(r3.Vec{X: 9.81 * math.Sin(angle), Y: -9.81 * math.Cos(angle)}))
			add(w, BodyDef{}, ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), Material: Material{Friction: 0.5}})
			b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 0.15}}, ShapeDef{Geometry: g, Material: Material{Friction: 0.5}})
			steps(w, 60)
			v := b.Velocity().X
			steps(w, 120)
			got := (b.Velocity().X - v) / 2
			want := max(0, 9.81*(math.Sin(angle)-0.5*math.Cos(angle)))
			near1(t, fmt.Sprintf("%s at %.3f of the angle: acceleration", name, share), got, want, 5e-3)
		}
	}
}

// TestRollingResistance brakes a ball on the level by c·g/(1+2/5) and holds it on a slope
// below atan(c).
func TestRollingResistance(t *testing.T) {
	const c = 0.05
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	ground(w)
	b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: -5, Y: 0.25}, Velocity: r3.Vec{X: 3}, AngularVelocity: r3.Vec{Z: -12}},
		ShapeDef{Geometry: Sphere(r3.Vec{}, 0.25), Material: Material{RollingResistance: c}})
	steps(w, 60)
	near1(t, "speed after 1 s", b.Velocity().X, 3-c*9.81/1.4, 0.01*c*9.81)
	for _, share := range []float64{0.98, 1.05} {
		angle := share * math.Atan(c)
		w := NewWorld(WorldDef{NoSleep: true})
		check(t, w.SetGravity(r3.Vec{X: 9.81 * math.Sin(angle), Y: -9.81 * math.Cos(angle)}))
		floor(w)
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 0.25}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.25), Material: Material{RollingResistance: c}})
		steps(w, 300)
		want := max(0, 5*5./7*9.81*(math.Sin(angle)-c*math.Cos(angle)))
		near1(t, fmt.Sprintf("speed at %.2f of the angle", share), b.Velocity().X, want, 5e-3)
	}
}

// TestConveyor carries a crate at its speed, turned with its shape, and stops with it.
func TestConveyor(t *testing.T) {
	for name, g := range map[string]Geometry{"box": Box(Centred(40, 1, 40)), "hull": Hull([]r3.Vec{{X: -20, Y: .5, Z: -20}, {X: 20, Y: .5, Z: -20}, {X: 20, Y: .5, Z: 20}, {X: -20, Y: .5, Z: 20}, {Y: -3}})} {
		w := NewWorld(WorldDef{Gravity: down})
		belt := add(w, BodyDef{Position: r3.Vec{Y: -0.5}, Rotation: about(r3.Vec{Y: 1}, math.Pi/2)}, ShapeDef{Geometry: g, Material: Material{SurfaceVelocity: r3.Vec{X: 1.5}}})
		b := dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 0, 0.25, 0)
		steps(w, 120)
		nearVec(t, "on the "+name, b.Velocity(), r3.Vec{Z: -1.5}, 1.5e-3)
		near1(t, "height", b.Position().Y, 0.25, 1e-3)
		s := Shape{w, w.bodies[belt.slot].shapes[0], 1}
		check(t, s.SetMaterial(Material{}))
		steps(w, 240)
		if b.Awake() {
			t.Error("a crate on a belt that stands does not sleep")
		}
		check(t, s.SetMaterial(Material{SurfaceVelocity: r3.Vec{X: 1}}))
		steps(w, 120)
		nearVec(t, "again", b.Velocity(), r3.Vec{Z: -1}, 1e-3)
	}
}

func TestRestitutionHeights(t *testing.T) {
	for name, g := range map[string]Geometry{"sphere": Sphere(r3.Vec{}, 0.25), "capsule": Capsule(r3.Vec{Y: -0.15}, r3.Vec{Y: 0.15}, 0.25), "cylinder": Cylinder(r3.Vec{Y: -0.25}, r3.Vec{Y: 0.25}, 0.25), "hull": Hull(prism(6, 0.25, 0.5))} {
		for _, e := range []float64{0.3, 0.6, 0.9} {
			w := NewWorld(WorldDef{Gravity: down, Substeps: 16})
			floor(w)
			low := -g.worldBounds(r3.Vec{}, &mat3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).Min.Y
			b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 2 + low}}, ShapeDef{Geometry: g, Material: Material{Restitution: e}})
			top, hit := 0.0, false
			for range 300 {
				w.Step(tick)
				if hit && b.Velocity().Y < 0 {
					break
				}
				if hit = hit || len(w.Events().Hits) > 0; hit {
					top = max(top, b.Position().Y-low)
				}
			}
			near1(t, fmt.Sprintf("%s, e = %g: height", name, e), top, 2*e*e, 0.03)
		}
	}
}

func TestFilters(t *testing.T) {
	const wall, ghost, friend = 1 << 1, 1 << 2, 1 << 3
	for name, c := range map[string]struct {
		floor, body Filter
		meet        bool
	}{
		"default":         {Filter{}, Filter{}, true},
		"in each's mask":  {Filter{Category: wall, Mask: ghost}, Filter{Category: ghost, Mask: wall}, true},
		"not in one's":    {Filter{Category: wall, Mask: friend}, Filter{Category: ghost, Mask: wall}, false},
		"nor the other's": {Filter{Category: wall}, Filter{Mask: ^uint64(wall)}, false},
		"same group":      {Filter{Category: wall, Mask: friend, Group: 3}, Filter{Group: 3}, true},
		"never":           {Filter{Group: -3}, Filter{Group: -3}, false},
		"other groups":    {Filter{Group: -3}, Filter{Group: -4}, true},
	} {
		w := NewWorld(WorldDef{Gravity: down})
		f := add(w, BodyDef{}, ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), Filter: c.floor})
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 0.3}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.25), Filter: c.body})
		steps(w, 60)
		if b.Position().Y > 0 != c.meet {
			t.Errorf("%s: at %v", name, b.Position())
		}
		if !c.meet {
			continue
		}
		steps(w, 60)
		s := Shape{w, w.bodies[f.slot].shapes[0], 1}
		check(t, s.SetFilter(Filter{Category: wall, Mask: friend}))
		if steps(w, 1); len(w.Events().End) != 1 {
			t.Errorf("%s: %+v", name, w.Events())
		}
		if steps(w, 60); b.Position().Y > -1 {
			t.Errorf("%s: a changed filter holds on to %v", name, b.Position())
		}
	}
}

func TestSensors(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	gate := add(w, BodyDef{Position: r3.Vec{Y: 1}}, ShapeDef{Geometry: Box(Centred(4, 0.5, 4)), Sensor: true})
	add(w, BodyDef{Position: r3.Vec{Y: 1}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 1), Sensor: true, Filter: Filter{Mask: 2}})
	b := dynamic(w, Sphere(r3.Vec{}, 0.25), 0, 3, 0)
	k := add(w, BodyDef{Kind: Kinematic, Position: r3.Vec{X: 5, Y: 1}, Velocity: r3.Vec{X: -1}}, ShapeDef{Geometry: Cylinder(r3.Vec{Y: -0.2}, r3.Vec{Y: 0.2}, 0.2)})
	log := ""
	for i := range 600 {
		w.Step(tick)
		e := w.Events()
		for _, s := range e.SensorBegin {
			log += fmt.Sprintf(" +%d", s.Visitor.Body().Index())
			if s.Sensor.Body() != gate {
				t.Error("the wrong sensor")
			}
			if s.Visitor.Body() == b { // seen at the next step after its centre is 1.5 m up
				near1(t, "falls through", b.Position().Y, 1.4, 0.1)
			} else {
				near1(t, "moves in", k.Position().X, 2.2, 0.04)
			}
		}
		for _, s := range e.SensorEnd {
			log += fmt.Sprintf(" -%d", s.Visitor.Body().Index())
		}
		if len(e.Begin)+len(e.End)+len(e.Hits) > 0 {
			t.Errorf("step %d: a sensor has contacts: %+v", i, e)
		}
	}
	near1(t, "free fall", b.Velocity().Y, -98.1, 1e-6)
	if log != " +2 -2 +3 -3" {
		t.Errorf("events:%s", log)
	}
	if i := gate.Index(); w.Coupling().Bounds(i).Size() != (r3.Vec{}) || w.Coupling().Thickness(i) != unbounded {
		t.Error("a sensor is solid")
	}
	d := []float32{0}
	if w.Coupling().Distance(gate.Index(), d, []r3.Vec{{Y: 1}}); d[0] != unbounded {
		t.Error("a sensor keeps liquid away")
	}
	if m := add(w, BodyDef{Kind: Dynamic}, ShapeDef{Geometry: Sphere(r3.Vec{}, 1), Sensor: true}).Mass(); m != 0 {
		t.Errorf("a sensor has %v kg", m)
	}
	check(t, k.SetPose(r3.Vec{Y: 1}, identity))
	check(t, k.SetVelocity(r3.Vec{X: 1e-3}))
	steps(w, 1)
	check(t, k.Remove())
	if steps(w, 1); len(w.Events().SensorEnd) != 2 { // the gate and the last sensor
		t.Errorf("a visitor destroyed does not leave: %+v", w.Events())
	}
}

// TestSensorsSeeSleepers puts a sensor about a body asleep and one that stands still.
func TestSensorsSeeSleepers(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down})
	floor(w)
	b := dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 0, 0.25, 0)
	k := add(w, BodyDef{Kind: Kinematic, Position: r3.Vec{X: 1, Y: 0.3}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.2)})
	steps(w, 120)
	if b.Awake() {
		t.Fatal("awake")
	}
	add(w, BodyDef{}, ShapeDef{Geometry: Sphere(r3.Vec{}, 1.5), Sensor: true})
	steps(w, 1)
	if e := w.Events().SensorBegin; len(e) != 2 || e[0].Visitor.Body() != b || e[1].Visitor.Body() != k {
		t.Errorf("%+v", e)
	}
}

func TestBadMaterials(t *testing.T) {
	nan := math.NaN()
	w := NewWorld(WorldDef{})
	b := must(w.AddBody(BodyDef{Kind: Dynamic}))
	s := must(b.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, 1)}))
	bad := func(def ShapeDef) error { def.Geometry = Sphere(r3.Vec{}, 1); _, err := b.AddShape(def); return err }
	for i, c := range []struct {
		err  error
		want string
	}{
		{bad(ShapeDef{Material: Material{RollingResistance: -1}}), "Material.RollingResistance"}, {bad(ShapeDef{Material: Material{RollingResistance: nan}}), "Material.RollingResistance"},
		{bad(ShapeDef{Material: Material{SurfaceVelocity: r3.Vec{X: nan}}}), "Material.SurfaceVelocity"},
		{s.SetMaterial(Material{SurfaceVelocity: r3.Vec{Y: math.Inf(1)}}), "Material.SurfaceVelocity"}, {s.SetMaterial(Material{RollingResistance: 2}), "Material.RollingResistance"},
		{Shape{}.SetFilter(Filter{}), "stale"}, {Shape{}.SetMaterial(Material{}), "stale"},
		{Capsule(r3.Vec{Y: -1e6}, r3.Vec{Y: 1e6}, 1).Validate(), "length"}, {Capsule(r3.Vec{}, r3.Vec{Y: 1}, nan).Validate(), "radius"},
		{Capsule(r3.Vec{Y: nan}, r3.Vec{Y: 1}, 1).Validate(), "place"},
		{Cylinder(r3.Vec{}, r3.Vec{}, 1).Validate(), "distance of a and b"}, {Cylinder(r3.Vec{Y: -.5}, r3.Vec{Y: .5}, -1).Validate(), "radius"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("case %d: %v, want one about %q", i, c.err, c.want)
		}
	}
	for given, want := range map[Material]Material{
		{Restitution: 0.2}: {Friction: defaultFriction, Restitution: 0.2},
		{Friction: Frictionless, RollingResistance: 0.1}: {Friction: Frictionless, RollingResistance: 0.1},
	} {
		check(t, s.SetMaterial(given))
		if d := s.Def(); d.Material != want {
			t.Errorf("%+v", d)
		}
		if again := must(b.AddShape(s.Def())); again.Def().Material != want {
			t.Errorf("of a definition that was read: %+v", again.Def())
		}
	}
}
