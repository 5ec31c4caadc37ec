package fluidtest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// scene has bodies of every kind and shape, apart from each other.
func scene(t *testing.T) *physics.World {
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	add := func(kind physics.BodyKind, x, y float64, g physics.Geometry) {
		t.Helper()
		b, err := w.AddBody(physics.BodyDef{Kind: kind, Position: r3.Vec{X: x, Y: y}, Rotation: quat.Number(r3.NewRotation(x, r3.Vec{X: 1, Y: 2, Z: -1}))})
		if err == nil {
			_, err = b.AddShape(physics.ShapeDef{Geometry: g, Density: 500})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add(physics.Dynamic, 0, 20, physics.Box(physics.Centred(1, .5, .3)))
	add(physics.Dynamic, 3, 20, physics.Sphere(r3.Vec{}, .4))
	add(physics.Dynamic, 6, 20, physics.OpenBox(physics.Centred(1.2, .5, .6), .04))
	add(physics.Kinematic, 9, 20, physics.Box(physics.Centred(.3, .3, 1)))
	add(physics.Static, 12, 20, physics.Sphere(r3.Vec{}, .7))
	add(physics.Static, 0, 0, physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1}))
	return w
}

func TestPhysicsWorldConforms(t *testing.T) {
	w := scene(t)
	for _, d := range []physics.JointDef{
		{Kind: physics.HingeJoint, A: w.Coupling().Body(1), B: w.Coupling().Body(2), Anchor: r3.Vec{X: 4.5, Y: 20}, Axis: r3.Vec{Z: 1}, Motor: physics.Motor{Speed: 1, Max: 100}},
		{Kind: physics.DistanceJoint, A: w.Coupling().Body(2), B: w.Coupling().Body(4), Anchor: r3.Vec{X: 6, Y: 20}, AnchorB: r3.Vec{X: 12, Y: 20}},
	} {
		if _, err := w.AddJoint(d); err != nil {
			t.Fatal(err)
		}
	}
	Bodies(t, w.Coupling())
	Loads(t, w.Coupling(), func(i int, force r3.Vec) {
		b := w.Coupling().Body(i)
		if err := b.ApplyForce(force, b.CentreOfMass()); err != nil {
			t.Error(err)
		}
	})
}

// lasting is an engine whose loads act until the game ends them, without Holding.
type lasting struct {
	fluid.Bodies
	push r3.Vec
}

func (b *lasting) PredictedVelocity(i int, dt float64) (v, w r3.Vec) {
	v, w = b.Bodies.PredictedVelocity(i, dt)
	m, _ := b.InverseMass(i)
	return r3.Add(v, r3.Scale(dt*m, b.push)), w
}

func (b *lasting) Step(dt float64) {
	for i := range b.Len() {
		b.AddWrench(i, b.push, r3.Vec{})
	}
	b.Bodies.Step(dt)
}

// Loads accepts an engine with lasting loads, and reports one whose loads end with the first part of a step.
func TestLoadsWithoutHolding(t *testing.T) {
	b := &lasting{Bodies: scene(t).Coupling()}
	Loads(t, b, func(_ int, force r3.Vec) { b.push = force })
	w, r := scene(t), &record{TB: t}
	Loads(r, struct{ fluid.Bodies }{w.Coupling()}, func(i int, force r3.Vec) {
		_ = w.Coupling().Body(i).ApplyForce(force, w.Coupling().Body(i).CentreOfMass())
	})
	if len(r.said) == 0 || !strings.Contains(r.said[0], "does it last?") {
		t.Errorf("nothing is said of loads that end with the first part of a step, only %q", r.said)
	}
}

// record stores the errors of a check.
type record struct {
	testing.TB
	said []string
}

func (r *record) Helper()                        {}
func (r *record) Errorf(format string, a ...any) { r.said = append(r.said, fmt.Sprintf(format, a...)) }

// Each fault is found, and named in the error.
func TestFaultsAreFound(t *testing.T) {
	nan := math.NaN()
	for want, b := range map[string]fluid.Bodies{
		"both have ID":           sameID{scene(t).Coupling()},
		"Kind is 7":              strangeKind{scene(t).Coupling()},
		"has length":             longRotation{scene(t).Coupling()},
		"is not finite":          badVelocity{scene(t).Coupling(), nan},
		"not symmetric":          skewed{scene(t).Coupling()},
		"outside of Bounds":      tightBounds{scene(t).Coupling()},
		"the distance changes":   steep{scene(t).Coupling()},
		"asked for with it":      batched{scene(t).Coupling()},
		"rows between bodies":    wildJoint{scene(t).Coupling()},
		"the wrench make":        deaf{scene(t).Coupling()},
		"makes":                  wasteful{scene(t).Coupling()},
		"asleep after Wake":      sleepy{scene(t).Coupling()},
		"Thickness is 0":         thin{scene(t).Coupling()},
		"is static, but has vel": drifting{scene(t).Coupling()},
		"must be between two of": touching{Coupling: scene(t).Coupling(), b: 99, normal: r3.Vec{Y: 1}},
		"with the normal":        touching{Coupling: scene(t).Coupling(), b: 1, normal: r3.Vec{Y: 2}},
		"does it last?":          spent{scene(t).Coupling()},
		"goes on":                endless{scene(t).Coupling()},
		"its Revision":           restless{Coupling: scene(t).Coupling(), n: new(uint64)},
		"LiquidDrag is":          dragged{scene(t).Coupling()},
		"Attached is":            forgetful{scene(t).Coupling()},
		"apart from all others":  clinging{scene(t).Coupling()},
		"is negative in":         bloated{scene(t).Coupling()},
		"nowhere negative":       hollow{scene(t).Coupling()},
		"its LiquidCategory":     changeable{Coupling: scene(t).Coupling(), n: new(uint64)},
		"its BodyName":           changeable{Coupling: scene(t).Coupling(), n: new(uint64)},
		"SetGravity takes NaN":   weightless{Coupling: scene(t).Coupling(), g: new(r3.Vec)},
		"press on each other":    touching{Coupling: scene(t).Coupling(), b: 1, normal: r3.Vec{Y: 1}, force: nan},
	} {
		r := &record{TB: t}
		Bodies(r, b)
		if all := strings.Join(r.said, "\n"); !strings.Contains(all, want) {
			t.Errorf("nothing was said of %q, only:\n%s", want, all)
		}
	}
}

type (
	dragged  struct{ *physics.Coupling }
	restless struct {
		*physics.Coupling
		n *uint64
	}
	spent        struct{ *physics.Coupling }
	endless      struct{ *physics.Coupling }
	sameID       struct{ *physics.Coupling }
	strangeKind  struct{ *physics.Coupling }
	longRotation struct{ *physics.Coupling }
	badVelocity  struct {
		*physics.Coupling
		v float64
	}
	skewed      struct{ *physics.Coupling }
	tightBounds struct{ *physics.Coupling }
	steep       struct{ *physics.Coupling }
	batched     struct{ *physics.Coupling }
	wildJoint   struct{ *physics.Coupling }
	deaf        struct{ *physics.Coupling }
	wasteful    struct{ *physics.Coupling }
	sleepy      struct{ *physics.Coupling }
	thin        struct{ *physics.Coupling }
	drifting    struct{ *physics.Coupling }
	forgetful   struct{ *physics.Coupling }
	clinging    struct{ *physics.Coupling }
	bloated     struct{ *physics.Coupling }
	hollow      struct{ *physics.Coupling }
	changeable  struct {
		*physics.Coupling
		n *uint64
	}
	weightless struct {
		*physics.Coupling
		g *r3.Vec
	}
	touching struct {
		*physics.Coupling
		b      int
		normal r3.Vec
		force  float64
	}
)

func (spent) HoldLoads()         {}
func (endless) ReleaseLoads()    {}
func (sameID) ID(int) uint64     { return 5 }
func (strangeKind) Kind(int) int { return 7 }
func (b longRotation) Pose(i int) (r3.Vec, quat.Number) {
	x, q := b.Coupling.Pose(i)
	return x, quat.Scale(2, q)
}
func (b badVelocity) PredictedVelocity(int, float64) (v, w r3.Vec) { return r3.Vec{X: b.v}, w }
func (b skewed) InverseMass(i int) (float64, [3][3]float64) {
	m, inertia := b.Coupling.InverseMass(i)
	inertia[0][1] += inertia[0][0]
	return m, inertia
}
func (b tightBounds) Bounds(i int) r3.Box {
	x, _ := b.Pose(i)
	return r3.Box{Min: x, Max: x}
}
func (b steep) Distance(i int, dst []float32, pts []r3.Vec) {
	b.Coupling.Distance(i, dst, pts)
	for k := range dst {
		dst[k] *= 2
	}
}
func (b batched) Distance(i int, dst []float32, pts []r3.Vec) {
	b.Coupling.Distance(i, dst, pts)
	dst[0] += float32(len(pts)) * 1e-6
}
func (wildJoint) Joints() int                                  { return 1 }
func (wildJoint) JointRows(int, *[6][12]float64) (a, b, n int) { return 0, 99, 3 }
func (deaf) AddWrench(int, r3.Vec, r3.Vec)                     {}
func (sleepy) Awake(int) bool                                  { return false }
func (thin) Thickness(int) float64                             { return 0 }
func (dragged) LiquidDrag(int) (skin, form float64)            { return -1, 0 }
func (b restless) Revision(int) uint64 {
	*b.n++
	return *b.n
}
func (forgetful) Attached() any    { return nil }
func (clinging) Touching(int) bool { return true }
func (b bloated) Dimensions(i int) (volume, width float64, convex bool) {
	volume, width, convex = b.Coupling.Dimensions(i)
	return 2 * volume, width, convex
}
func (hollow) Regular(int) bool { return true }
func (b hollow) Distance(i int, dst []float32, pts []r3.Vec) {
	b.Coupling.Distance(i, dst, pts)
	for k := range dst {
		dst[k] = max(0, dst[k])
	}
}
func (b changeable) LiquidCategory(int) uint64 {
	*b.n++
	return *b.n
}
func (b changeable) BodyName(int) string {
	*b.n++
	return fmt.Sprint(*b.n)
}
func (b weightless) Gravity() r3.Vec { return *b.g }
func (b weightless) SetGravity(g r3.Vec) error {
	*b.g = g
	return nil
}
func (drifting) Velocity(int) (v, w r3.Vec) { return r3.Vec{X: 1}, w }

func (b touching) EachContact(visit func(a, b int, at, normal r3.Vec, force, friction float64)) {
	visit(0, b.b, r3.Vec{}, b.normal, b.force, 0)
}

var keep []float64

func (b wasteful) Thickness(i int) float64 {
	keep = append([]float64(nil), 1)
	return b.Coupling.Thickness(i)
}
