package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

const tick = 1.0 / 60

var down = r3.Vec{Y: -9.81}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// near1 fails unless got is within tol of want.
func near1(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.6g, want %.6g ± %.2g", what, got, want, tol)
	}
}

func nearVec(t *testing.T, what string, got, want r3.Vec, tol float64) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= tol) {
		t.Errorf("%s = %v, want %v ± %.2g", what, got, want, tol)
	}
}

func add(w *World, def BodyDef, shapes ...ShapeDef) Body {
	b := must(w.AddBody(def))
	for _, s := range shapes {
		must(b.AddShape(s))
	}
	return b
}

// dynamic adds a dynamic body of one shape of 400 kg/m³ at (x, y, z).
func dynamic(w *World, g Geometry, x, y, z float64) Body {
	return add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: x, Y: y, Z: z}}, ShapeDef{Geometry: g, Density: 400})
}

// standing is a capsule about y of the given whole height.
func standing(radius, height float64) Geometry {
	end := r3.Vec{Y: height/2 - radius}
	return Capsule(r3.Scale(-1, end), end, radius)
}

// floor adds the half-space below y = 0.
func floor(w *World) Body {
	return add(w, BodyDef{}, ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{Y: 1})})
}

func steps(w *World, n int) {
	for range n {
		w.Step(tick)
	}
}

func about(axis r3.Vec, angle float64) quat.Number {
	return exponential(r3.Scale(angle, r3.Unit(axis)))
}

// energy is kinetic plus potential, J.
func energy(w *World) (e float64) {
	for b := range w.Bodies() {
		m := b.MassProperties()
		v, s := b.Velocity(), b.AngularVelocity()
		r := rotationMatrix(b.Rotation())
		i := conjugate(&r, &m.Inertia)
		e += m.Mass*(r3.Dot(v, v)/2-r3.Dot(w.Gravity(), b.CentreOfMass())) + r3.Dot(s, mulVec(&i, s))/2
	}
	return e
}

func spinMomentum(b Body) r3.Vec {
	r, m := rotationMatrix(b.Rotation()), b.MassProperties()
	i := conjugate(&r, &m.Inertia)
	return mulVec(&i, b.AngularVelocity())
}

// uneven is a body without any symmetry.
func uneven(w *World) Body {
	return add(w, BodyDef{Kind: Dynamic, Rotation: about(r3.Vec{X: 1, Y: 2, Z: 3}, 0.7)},
		ShapeDef{Geometry: Box(Centred(0.4, 0.1, 0.2)), Density: 500},
		ShapeDef{Geometry: Box(Centred(0.1, 0.3, 0.1)), Density: 900, Offset: r3.Vec{X: 0.2, Y: 0.1}, Rotation: about(r3.Vec{Z: 1}, 0.4)})
}

// relative is a times the inverse of the unit quaternion b.
func relative(a, b quat.Number) quat.Number { return quat.Mul(a, quat.Conj(b)) }
