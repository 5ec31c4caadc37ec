package scene

import (
	"math"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// centreMoves are what moves the centre of mass of a body of two shapes, in the body.
var centreMoves = map[string]func(b physics.Body, second physics.Shape) error{
	"SetMass": func(b physics.Body, _ physics.Shape) error {
		return b.SetMass(physics.Mass{Mass: 500, Centre: r3.Vec{X: .3, Y: -.4, Z: .2}, Inertia: [3][3]float64{{50, 0, 0}, {0, 50, 0}, {0, 0, 50}}})
	},
	"AddShape": func(b physics.Body, _ physics.Shape) error {
		_, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(1, 1, 1), Offset: r3.Vec{Y: 2}, Density: 4000})
		return err
	},
	"Shape.Destroy": func(_ physics.Body, second physics.Shape) error { return second.Destroy() },
	"to static":     func(b physics.Body, _ physics.Shape) error { return b.SetKind(physics.Static) },
	"to dynamic and back": func(b physics.Body, _ physics.Shape) error {
		if err := b.SetKind(physics.Kinematic); err != nil {
			return err
		}
		return b.SetKind(physics.Dynamic)
	},
	"ResetMass": func(b physics.Body, second physics.Shape) error {
		if err := b.SetMass(physics.Mass{Mass: 5}); err != nil {
			return err
		}
		if err := second.Destroy(); err != nil {
			return err
		}
		return b.ResetMass()
	},
}

// lopsided is a body of two shapes that turns and flies, its centre of mass beside its origin.
func lopsided(t *testing.T, kind physics.Kind) (w *physics.World, b physics.Body, second physics.Shape) {
	t.Helper()
	w = physics.NewWorld(physics.WorldDef{})
	b, err := w.CreateBody(physics.BodyDef{Kind: kind, Position: r3.Vec{X: 5, Y: 1}, Rotation: quat.Number{Real: math.Cos(.4), Kmag: math.Sin(.4)}})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Sphere(.5)})
	}
	if err == nil {
		second, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(1, 1, 1), Offset: r3.Vec{X: 2}, Density: 3000})
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

func positionOf(n *core.Node) r3.Vec {
	p := n.Position()
	return r3.Vec{X: float64(p.X), Y: float64(p.Y), Z: float64(p.Z)}
}

// A node keeps its place in its body when the centre of mass moves: at the captures exactly, between them about half way.
func TestBoundNodesStayInTheirBodies(t *testing.T) {
	const dt = 1. / 60
	small := pool(0, 0, 0)
	small.cells = 8
	l := NewLiquid(small, LiquidOptions{})
	defer l.Dispose()
	for cause, change := range centreMoves {
		for _, by := range []string{"Bind", "BindBody", "Liquid.Bind", "Liquid.BindBody"} {
			w, b, second := lopsided(t, physics.Dynamic)
			binder, node := new(Binder), core.NewNode()
			var place r3.Vec // of the node in the body
			switch by {
			case "Bind":
				binder.Bind(w, 0, node)
				place = b.MassProperties().Centre
			case "BindBody":
				binder.BindBody(b, node)
			case "Liquid.Bind":
				l.Bind(w, 0, node).Offset = r3.Vec{Z: .25}
				place = r3.Add(b.MassProperties().Centre, r3.Vec{Z: .25})
				binder = &l.binder
			case "Liquid.BindBody":
				l.BindBody(b, node)
				binder = &l.binder
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
				binder.Show(alpha)
				limit := 1e-5
				if alpha == .5 {
					limit = 1e-3 // the way is an arc of a few hundredths of a radian
				}
				if p := positionOf(node); r3.Norm(r3.Sub(p, want)) > limit {
					t.Errorf("%s, %s: at alpha %g the node is %.4f m off", cause, by, alpha, r3.Norm(r3.Sub(p, want)))
				}
			}
			step()
			binder.Show(1)
			if p := positionOf(node); !near(p, pointOf(b, place)) {
				t.Errorf("%s, %s: a step later the node is at %v, want %v", cause, by, p, pointOf(b, place))
			}
		}
	}
}

// A static body that becomes dynamic gets its centre of mass; a world that is loaded has others.
func TestBoundNodesOfStaticBodiesStay(t *testing.T) {
	w, b, _ := lopsided(t, physics.Static)
	var binder Binder
	node := core.NewNode()
	binder.Bind(w, 0, node)
	at := b.Position()
	if err := b.SetKind(physics.Dynamic); err != nil {
		t.Fatal(err)
	}
	for _, alpha := range []float64{0, .5, 1} {
		binder.Capture()
		binder.Show(alpha)
		if p := positionOf(node); !near(p, at) {
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
	node := core.NewNode()
	binder.Bind(bodies, 0, node)
	bodies.x[0], bodies.local = 3.5, r3.Vec{X: 1.5} // the origin stays at 2 m
	binder.Capture()
	for _, alpha := range []float64{0, .5, 1} {
		binder.Show(alpha)
		if p := positionOf(node); !near(p, r3.Vec{X: 3}) {
			t.Errorf("at alpha %g the node is at %v", alpha, p)
		}
	}
}

// Steps beside the frames capture on a goroutine of their own, and show alike.
func TestBoundNodesStayAsync(t *testing.T) {
	w, b, second := lopsided(t, physics.Dynamic)
	l := NewLiquid(&stepped{pool(0, 0, 0), w}, LiquidOptions{Async: true})
	defer l.Dispose()
	node := core.NewNode()
	l.BindBody(b, node)
	for i := range 6 {
		was := positionOf(node)
		l.Wait()
		if i == 3 {
			l.Between(func() {
				if err := second.Destroy(); err != nil {
					t.Error(err)
				}
			})
		}
		l.Update(time.Second / 60)
		if d := r3.Norm(r3.Sub(positionOf(node), was)); d > .2 {
			t.Errorf("frame %d: the node jumps by %.2f m", i, d)
		}
	}
	l.Refresh(1, 0)
	if p := positionOf(node); !near(p, b.Position()) {
		t.Errorf("the node is at %v, the body at %v", p, b.Position())
	}
}

// stepped is a liquid that steps a world.
type stepped struct {
	*fakeLiquid
	world *physics.World
}

func (s *stepped) Step(dt float64) (r fluid.Report) {
	s.world.Step(dt)
	return s.fakeLiquid.Step(dt)
}
