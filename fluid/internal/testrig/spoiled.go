package testrig

import (
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Spoiled is bodies of which some numbers are replaced; nil functions replace nothing.
type Spoiled struct {
	*physics.Coupling
	PoseOf     func(x r3.Vec, q quat.Number) (r3.Vec, quat.Number) // of body 0, as all below
	VelocityOf func(v, w r3.Vec) (r3.Vec, r3.Vec)
	Predicted  func(v, w r3.Vec) (r3.Vec, r3.Vec)
	Mass       func(m float64, i [3][3]float64) (float64, [3][3]float64)
	BoundsOf   func(b r3.Box) r3.Box
	thickness  func(d float64) float64
	Rows       func(rows *[6][12]float64, a, b, n int) (int, int, int)
	Size       func(n int) int
	kind       func(k int) int
	id         func(n uint64) uint64
	extents    func(volume, width float64, convex bool) (float64, float64, bool)
	drag       func() (skin, form float64)
	category   func() uint64
	contact    func(visit func(a, b int, at, normal r3.Vec, force, friction float64))
}

func (s *Spoiled) Len() int {
	if s.Size != nil {
		return s.Size(s.Coupling.Len())
	}
	return s.Coupling.Len()
}

func (s *Spoiled) Pose(i int) (r3.Vec, quat.Number) {
	x, q := s.Coupling.Pose(i)
	if i == 0 && s.PoseOf != nil {
		return s.PoseOf(x, q)
	}
	return x, q
}

func (s *Spoiled) Velocity(i int) (r3.Vec, r3.Vec) {
	v, w := s.Coupling.Velocity(i)
	if i == 0 && s.VelocityOf != nil {
		return s.VelocityOf(v, w)
	}
	return v, w
}

func (s *Spoiled) PredictedVelocity(i int, dt float64) (r3.Vec, r3.Vec) {
	v, w := s.Coupling.PredictedVelocity(i, dt)
	if i == 0 && s.Predicted != nil {
		return s.Predicted(v, w)
	}
	return v, w
}

func (s *Spoiled) InverseMass(i int) (float64, [3][3]float64) {
	m, inertia := s.Coupling.InverseMass(i)
	if i == 0 && s.Mass != nil {
		return s.Mass(m, inertia)
	}
	return m, inertia
}

func (s *Spoiled) Bounds(i int) r3.Box {
	if b := s.Coupling.Bounds(i); i != 0 || s.BoundsOf == nil {
		return b
	}
	return s.BoundsOf(s.Coupling.Bounds(i))
}

func (s *Spoiled) Thickness(i int) float64 {
	if d := s.Coupling.Thickness(i); i != 0 || s.thickness == nil {
		return d
	}
	return s.thickness(s.Coupling.Thickness(i))
}

func (s *Spoiled) Kind(i int) int {
	if k := s.Coupling.Kind(i); i != 0 || s.kind == nil {
		return k
	}
	return s.kind(s.Coupling.Kind(i))
}

func (s *Spoiled) ID(i int) uint64 {
	if n := s.Coupling.ID(i); i != 0 || s.id == nil {
		return n
	}
	return s.id(s.Coupling.ID(i))
}

func (s *Spoiled) Dimensions(i int) (volume, width float64, convex bool) {
	volume, width, convex = s.Coupling.Dimensions(i)
	if i == 0 && s.extents != nil {
		return s.extents(volume, width, convex)
	}
	return volume, width, convex
}

func (s *Spoiled) LiquidDrag(i int) (skin, form float64) {
	if i == 0 && s.drag != nil {
		return s.drag()
	}
	return s.Coupling.LiquidDrag(i)
}

func (s *Spoiled) LiquidCategory(i int) uint64 {
	if i == 0 && s.category != nil {
		return s.category()
	}
	return s.Coupling.LiquidCategory(i)
}

func (s *Spoiled) EachContact(visit func(a, b int, at, normal r3.Vec, force, friction float64)) {
	if s.contact != nil {
		s.contact(visit)
	}
	s.Coupling.EachContact(visit)
}

func (s *Spoiled) JointRows(j int, rows *[6][12]float64) (int, int, int) {
	a, b, n := s.Coupling.JointRows(j, rows)
	if s.Rows != nil {
		return s.Rows(rows, a, b, n)
	}
	return a, b, n
}

// Spoilt is a tub with two floats and two that a joint holds, of which numbers can be replaced.
func Spoilt(t testing.TB) (*fluid.Liquid, *Spoiled, [4]physics.Body) {
	t.Helper()
	l, w := Tub(t), Earth()
	var b [4]physics.Body
	for i := range b {
		b[i] = Place(t, w, physics.Dynamic, r3.Vec{X: .25 + .37*float64(i), Y: .45, Z: .4}, physics.Box(physics.Centred(.2, .15, .2)), 500)
	}
	if _, err := w.AddJoint(physics.JointDef{Kind: physics.HingeJoint, A: b[2], B: b[3], Anchor: r3.Vec{X: 1.2, Y: .45, Z: .4}, Axis: r3.Vec{Z: 1}}); err != nil {
		t.Fatal(err)
	}
	s := &Spoiled{Coupling: w.Coupling()}
	l.Couple(s)
	return l, s, b
}
