package adapter

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// centreMoves are what moves the centre of mass of a body of two shapes, in the body.
var centreMoves = map[string]func(b physics.Body, second physics.Shape) error{
	"SetMassProperties": func(b physics.Body, _ physics.Shape) error {
		return b.SetMassProperties(physics.MassProperties{Mass: 500, Centre: r3.Vec{X: .3, Y: -.4, Z: .2}, Inertia: [3][3]float64{{50, 0, 0}, {0, 50, 0}, {0, 0, 50}}})
	},
	"AddShape": func(b physics.Body, _ physics.Shape) error {
		_, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(1, 1, 1)), Offset: r3.Vec{Y: 2}, Density: 4000})
		return err
	},
	"Shape.Destroy": func(_ physics.Body, second physics.Shape) error { return second.Remove() },
	"to static":     func(b physics.Body, _ physics.Shape) error { return b.SetKind(physics.Static) },
	"to dynamic and back": func(b physics.Body, _ physics.Shape) error {
		if err := b.SetKind(physics.Kinematic); err != nil {
			return err
		}
		return b.SetKind(physics.Dynamic)
	},
	"ResetMassProperties": func(b physics.Body, second physics.Shape) error {
		if err := b.SetMassProperties(physics.MassProperties{Mass: 5}); err != nil {
			return err
		}
		if err := second.Remove(); err != nil {
			return err
		}
		return b.ResetMassProperties()
	},
}

// lopsided is a body of two shapes that turns and flies, its centre of mass beside its origin.
func lopsided(t *testing.T, kind physics.BodyKind) (w *physics.World, b physics.Body, second physics.Shape) {
	t.Helper()
	w = physics.NewWorld(physics.WorldDef{})
	b, err := w.AddBody(physics.BodyDef{Kind: kind, Position: r3.Vec{X: 5, Y: 1}, Rotation: quat.Number{Real: math.Cos(.4), Kmag: math.Sin(.4)}})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .5)})
	}
	if err == nil {
		second, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(1, 1, 1)), Offset: r3.Vec{X: 2}, Density: 3000})
	}
	if err == nil && kind == physics.Dynamic {
		err = b.SetVelocity(r3.Vec{X: 3, Z: 1})
	}
	if err == nil && kind == physics.Dynamic {
		err = b.SetAngularVelocity(r3.Vec{Y: 1, Z: 2})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w, b, second
}

// pointOf is where a point of a body is, given from its own origin.
func pointOf(b physics.Body, p r3.Vec) r3.Vec {
	return r3.Add(b.Position(), r3.Rotation(b.Rotation()).Rotate(p))
}

// A node keeps its place in its body when the centre of mass moves: at the captures exactly, between them about half way.
func TestBoundNodesStayInTheirBodies(t *testing.T) {
	const dt = 1. / 60
	for cause, change := range centreMoves {
		for _, by := range []string{"Bind", "Bind of what embeds a coupling", "BindBody", "Stepper.Bind", "Stepper.BindBody"} {
			w, b, second := lopsided(t, physics.Dynamic)
			s := NewStepper(newFake(), Options{})
			binder, shown := new(Binder), new(node)
			var place r3.Vec // of the node in the body
			switch by {
			case "Bind":
				binder.Bind(w.Coupling(), 0, shown.place)
				place = b.MassProperties().Centre
			case "Bind of what embeds a coupling":
				binder.Bind(struct{ *physics.Coupling }{w.Coupling()}, 0, shown.place)
				place = b.MassProperties().Centre
			case "BindBody":
				binder.BindBody(b, shown.place)
			case "Stepper.Bind":
				s.Bind(w.Coupling(), 0, shown.place).Offset = r3.Vec{Z: .25}
				place = r3.Add(b.MassProperties().Centre, r3.Vec{Z: .25})
				binder = &s.binder
			case "Stepper.BindBody":
				s.BindBody(b, shown.place)
				binder = &s.binder
			}
			step := func() {
				w.Step(dt)
				binder.Capture()
			}
			step()
			before := pointOf(b, place)
			if err := change(b, second); err != nil {
				t.Fatal(cause, err)
			}
			if p := pointOf(b, place); !near(p, before) {
				t.Fatalf("%s itself moves the body's point from %v to %v", cause, before, p)
			}
			step()
			after := pointOf(b, place)
			for alpha, want := range map[float64]r3.Vec{0: before, .5: r3.Scale(.5, r3.Add(before, after)), 1: after} {
				binder.Interpolate(alpha)
				limit := 1e-5
				if alpha == .5 {
					limit = 1e-3 // the way is an arc of a few hundredths of a radian
				}
				if p := shown.position; r3.Norm(r3.Sub(p, want)) > limit {
					t.Errorf("%s, %s: at alpha %g the node is %.4f m off", cause, by, alpha, r3.Norm(r3.Sub(p, want)))
				}
			}
			step()
			binder.Interpolate(1)
			if p := shown.position; !near(p, pointOf(b, place)) {
				t.Errorf("%s, %s: a step later the node is at %v, want %v", cause, by, p, pointOf(b, place))
			}
			s.Close()
		}
	}
}

// A static body that becomes dynamic gets its centre of mass; a world that is loaded has others.
func TestBoundNodesOfStaticBodiesStay(t *testing.T) {
	w, b, _ := lopsided(t, physics.Static)
	var binder Binder
	var shown node
	binder.Bind(w.Coupling(), 0, shown.place)
	at := b.Position()
	if err := b.SetKind(physics.Dynamic); err != nil {
		t.Fatal(err)
	}
	for _, alpha := range []float64{0, .5, 1} {
		binder.Capture()
		binder.Interpolate(alpha)
		if p := shown.position; !near(p, at) {
			t.Errorf("at alpha %g the node is at %v, want %v", alpha, p, at)
		}
	}
}

// centred is a body of a game's own whose centre of mass moves in it.
type centred struct {
	twoBodies
	local r3.Vec
}

func (c *centred) LocalCentre(int) r3.Vec { return c.local }

func TestBodiesOfOnesOwnTellTheirCentres(t *testing.T) {
	bodies := &centred{twoBodies: twoBodies{ids: []uint64{1}, x: []float64{3}}, local: r3.Vec{X: 1}}
	var binder Binder
	var shown node
	binder.Bind(bodies, 0, shown.place)
	bodies.x[0], bodies.local = 3.5, r3.Vec{X: 1.5} // the origin stays at 2 m
	binder.Capture()
	for _, alpha := range []float64{0, .5, 1} {
		binder.Interpolate(alpha)
		if p := shown.position; !near(p, r3.Vec{X: 3}) {
			t.Errorf("at alpha %g the node is at %v", alpha, p)
		}
	}
}

// Steps beside the frames capture on a goroutine of their own, and show alike.
func TestBoundNodesStayAsync(t *testing.T) {
	w, b, second := lopsided(t, physics.Dynamic)
	s := NewStepper(&stepped{newFake(), w}, Options{Async: true})
	defer s.Close()
	var shown node
	s.BindBody(b, shown.place)
	for i := range 6 {
		was := shown.position
		s.Wait()
		if i == 3 {
			s.BetweenSteps(func() {
				if err := second.Remove(); err != nil {
					t.Error(err)
				}
			})
		}
		s.Update(time.Second / 60)
		if d := r3.Norm(r3.Sub(shown.position, was)); d > .2 {
			t.Errorf("frame %d: the node jumps by %.2f m", i, d)
		}
	}
	s.Refresh(1)
	if p := shown.position; !near(p, b.Position()) {
		t.Errorf("the node is at %v, the body at %v", p, b.Position())
	}
}

type twoBodies struct {
	ids   []uint64
	x     []float64
	angle float64
}

func (b *twoBodies) Len() int        { return len(b.ids) }
func (b *twoBodies) ID(i int) uint64 { return b.ids[i] }
func (b *twoBodies) Pose(i int) (r3.Vec, quat.Number) {
	return r3.Vec{X: b.x[i]}, quat.Number(r3.NewRotation(b.angle, r3.Vec{Z: 1}))
}

func TestBinderFollowsByIdentity(t *testing.T) {
	world := &twoBodies{ids: []uint64{7, 9}, x: []float64{1, 5}}
	var b Binder
	var shown node
	k := b.Bind(world, 1, shown.place)
	if p := shown.position; p.X != 5 {
		t.Fatalf("bound at %v", p)
	}
	world.x[1] = 6
	world.angle = math.Pi / 2
	b.Capture()
	b.Interpolate(0.5)
	q := shown.rotation
	if p := shown.position; math.Abs(p.X-5.5) > 1e-6 || math.Abs(q.Kmag-math.Sin(math.Pi/8)) > 1e-6 {
		t.Errorf("half way at %v, turned %v", p, q)
	}
	world.ids, world.x = []uint64{9}, []float64{8} // body 7 is gone, 9 moved to index 0
	b.Capture()
	b.Interpolate(1)
	if p := shown.position; p.X != 8 || k.Gone() {
		t.Errorf("at %v, gone %v after another body was removed", p, k.Gone())
	}
	world.ids, world.x = nil, nil
	b.Capture()
	b.Interpolate(0.3)
	if p := shown.position; p.X != 8 || !k.Gone() {
		t.Errorf("at %v, gone %v after its body was removed", p, k.Gone())
	}
	b.Unbind(k)
	if len(b.bindings) != 0 {
		t.Error("still bound")
	}
}

func TestBindOffset(t *testing.T) {
	world := &twoBodies{ids: []uint64{1}, x: []float64{0}, angle: math.Pi / 2}
	var b Binder
	var shown node
	b.Bind(world, 0, shown.place).Offset = r3.Vec{X: 2}
	b.Interpolate(1)
	if p := shown.position; math.Abs(p.Y-2) > 1e-6 || math.Abs(p.X) > 1e-6 {
		t.Errorf("offset turned to %v, want (0, 2, 0)", p)
	}
}

// What is bound to a body that is destroyed stays; a rollback that brings the body back has it followed again.
func TestBindingComesBack(t *testing.T) {
	for name, bind := range map[string]func(b *Binder, body physics.Body, place func(r3.Vec, quat.Number)) *Binding{
		"BindBody": (*Binder).BindBody,
		"Bind": func(b *Binder, body physics.Body, place func(r3.Vec, quat.Number)) *Binding {
			return b.Bind(body.World().Coupling(), body.Index(), place)
		},
	} {
		w, body, _ := lopsided(t, physics.Dynamic)
		var b Binder
		var at r3.Vec
		k := bind(&b, body, func(p r3.Vec, _ quat.Number) { at = p })
		shown := func() r3.Vec { b.Capture(); b.Interpolate(0); return at }
		was := shown()
		var kept physics.World
		w.CopyTo(&kept)
		if err := body.Remove(); err != nil {
			t.Fatal(err)
		}
		if stays := shown(); stays != was || !k.Gone() {
			t.Errorf("%s: gone %v, at %v, was at %v", name, k.Gone(), stays, was)
		}
		kept.CopyTo(w)
		if err := body.SetPose(r3.Vec{X: 9}, quat.Number{Real: 1}); err != nil {
			t.Fatal(err)
		}
		if back := shown(); k.Gone() || r3.Norm(r3.Sub(back, was)) < 1 {
			t.Errorf("%s: gone %v, shown at %v, was at %v", name, k.Gone(), back, was)
		}
	}
}
