package physics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

func nearMass(t *testing.T, got, want MassProperties) {
	t.Helper()
	near1(t, "mass", got.Mass, want.Mass, 1e-9*want.Mass)
	nearVec(t, "centre", got.Centre, want.Centre, 1e-9)
	for i := range 3 {
		for j := range 3 {
			near1(t, "inertia", got.Inertia[i][j], want.Inertia[i][j], 1e-9*want.Inertia[0][0])
		}
	}
}

func diagonal(x, y, z float64) mat3 { return mat3{{x, 0, 0}, {0, y, 0}, {0, 0, z}} }

func TestMassOfClosedForms(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := add(w, BodyDef{Kind: Dynamic}, ShapeDef{Geometry: Box(Centred(1, 2, 3)), Density: 100})
	nearMass(t, b.MassProperties(), MassProperties{600, r3.Vec{}, diagonal(50*13, 50*10, 50*5)})

	b = add(w, BodyDef{Kind: Dynamic}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.5)})
	m := 1000 * math.Pi / 6
	nearMass(t, b.MassProperties(), MassProperties{m, r3.Vec{}, diagonal(m/10, m/10, m/10)})

	// Two half boxes, one of them turned, make a whole one about another centre.
	b = add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 5}},
		ShapeDef{Geometry: Box(Centred(1, 2, 3)), Density: 100, Offset: r3.Vec{Y: 1}},
		ShapeDef{Geometry: Box(Centred(2, 1, 3)), Density: 100, Offset: r3.Vec{Y: 3}, Rotation: about(r3.Vec{Z: 1}, math.Pi/2)})
	nearMass(t, b.MassProperties(), MassProperties{1200, r3.Vec{Y: 2}, diagonal(100*25, 100*10, 100*17)})
	nearVec(t, "centre", b.CentreOfMass(), r3.Vec{X: 5, Y: 2}, 1e-12)
	nearVec(t, "position", b.Position(), r3.Vec{X: 5}, 1e-12)
}

func TestMassOfOpenBoxIsThatOfItsSlabs(t *testing.T) {
	g := OpenBox(Centred(2, 1, 3), 0.1)
	var sum MassProperties
	// The parts of contacts overlap at the floor; these do not.
	for _, p := range []part{
		{offset: r3.Vec{Y: -0.45}, half: r3.Vec{X: 1, Y: 0.05, Z: 1.5}},
		{offset: r3.Vec{X: -0.95, Y: 0.05}, half: r3.Vec{X: 0.05, Y: 0.45, Z: 1.5}},
		{offset: r3.Vec{X: 0.95, Y: 0.05}, half: r3.Vec{X: 0.05, Y: 0.45, Z: 1.5}},
		{offset: r3.Vec{Y: 0.05, Z: -1.45}, half: r3.Vec{X: 0.9, Y: 0.45, Z: 0.05}},
		{offset: r3.Vec{Y: 0.05, Z: 1.45}, half: r3.Vec{X: 0.9, Y: 0.45, Z: 0.05}},
	} {
		sum = combine(sum, boxMass(p.half, p.offset, 700))
	}
	nearMass(t, g.mass(700), sum)
}

func TestSetMassProperties(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := dynamic(w, Box(Centred(1, 1, 1)), 0, 0, 0)
	check(t, b.SetMassProperties(MassProperties{Mass: 100}))
	nearMass(t, b.MassProperties(), MassProperties{100, r3.Vec{}, diagonal(100./6, 100./6, 100./6)})
	want := MassProperties{5, r3.Vec{X: 1}, diagonal(1, 1.5, 2)}
	check(t, b.SetMassProperties(want))
	must(b.AddShape(ShapeDef{Geometry: Sphere(r3.Vec{}, 1)}))
	nearMass(t, b.MassProperties(), want)
	inv, i := w.Coupling().InverseMass(0)
	near1(t, "inverse mass", inv, 0.2, 1e-12)
	near1(t, "inverse inertia", i[1][1], 1/1.5, 1e-12)
	nearVec(t, "centre", b.CentreOfMass(), r3.Vec{X: 1}, 1e-12)
	check(t, b.ResetMassProperties())
	near1(t, "mass", b.Mass(), 400+1000*4./3*math.Pi, 1e-9)
	if inv, i := w.Coupling().InverseMass(floor(w).Index()); inv != 0 || i != (mat3{}) {
		t.Error("a static body has an inverse mass")
	}
}

// TestOpenBoxDistance compares with the nearest of many points of the surface, and checks
// the sign, the slope and the exactness of the distance.
func TestOpenBoxDistance(t *testing.T) {
	h, wall := r3.Vec{X: 0.5, Y: 0.4, Z: 0.7}, 0.15
	var slabs []part
	g := OpenBox(Centred(1, 0.8, 1.4), wall)
	slabs = g.appendParts(slabs)
	inside := func(p r3.Vec) bool {
		for _, s := range slabs {
			if boxDistance(r3.Sub(p, s.offset), s.half) < 0 {
				return true
			}
		}
		return false
	}
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() r3.Vec {
		return r3.Vec{X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1, Z: 2*rng.Float64() - 1}
	}
	for range 20000 {
		p := random()
		d := openBoxDistance(p, h, wall)
		if d < 0 != inside(p) {
			t.Fatalf("sign at %v: %v", p, d)
		}
		// No point nearer than |d| lies on the other side, and one at |d| does.
		for range 4 {
			q := r3.Add(p, r3.Scale(0.999*math.Abs(d)*rng.Float64(), r3.Unit(random())))
			if inside(q) != (d < 0) {
				t.Fatalf("%v has the distance %v, but %v is on the other side", p, d, q)
			}
			if e := openBoxDistance(q, h, wall); math.Abs(e-d) > r3.Norm(r3.Sub(p, q))+1e-12 {
				t.Fatalf("slope above 1 between %v and %v", p, q)
			}
		}
		grad := r3.Gradient(p, r3.Vec{X: 1e-6, Y: 1e-6, Z: 1e-6}, func(p r3.Vec) float64 { return openBoxDistance(p, h, wall) })
		if r3.Norm(grad) > 0.99 {
			q := r3.Sub(p, r3.Scale(d*1.001, r3.Unit(grad)))
			if e := openBoxDistance(q, h, wall); math.Abs(e) > 2e-3*math.Abs(d)+1e-6 {
				t.Fatalf("%v has the distance %v, but the surface is not there: %v", p, d, e)
			}
		}
	}
}

func TestDistanceBoundsThickness(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 1, Y: 2, Z: 3}, Rotation: about(r3.Vec{Y: 1}, math.Pi/2)},
		ShapeDef{Geometry: Box(Centred(2, 1, 0.5))}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.5), Offset: r3.Vec{X: 2}})
	add(w, BodyDef{Position: r3.Vec{Y: -1}}, ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{Y: 2})})
	add(w, BodyDef{Kind: Kinematic})
	i := b.Index()
	pts := []r3.Vec{{X: 1, Y: 2, Z: 3}, {X: 1, Y: 2, Z: 1}, {X: 1, Y: 4.5, Z: 3}, {X: 1.5, Y: 2, Z: 3.5}}
	dst := make([]float32, len(pts))
	w.Coupling().Distance(i, dst, pts)
	for k, want := range []float64{-0.25, -0.5, 2, 0.25} {
		near1(t, "distance", float64(dst[k]), want, 1e-6)
	}
	box := w.Coupling().Bounds(i)
	nearVec(t, "min", box.Min, r3.Vec{X: 0.5, Y: 1.5, Z: 0.5}, 1e-9)
	nearVec(t, "max", box.Max, r3.Vec{X: 1.5, Y: 2.5, Z: 4}, 1e-9)
	near1(t, "thickness", w.Coupling().Thickness(i), 0.5, 0)
	w.Coupling().Distance(1, dst, pts)
	near1(t, "above ground", float64(dst[2]), 5.5, 1e-6)
	near1(t, "top of the ground", w.Coupling().Bounds(1).Max.Y, -1, 0)
	w.Coupling().Distance(2, dst, pts)
	near1(t, "from nothing", float64(dst[0]), unbounded, 0)
}

func TestDistanceIsOneLipschitz(t *testing.T) {
	w := NewWorld(WorldDef{})
	b := uneven(w)
	must(b.AddShape(ShapeDef{Geometry: OpenBox(Centred(0.5, 0.4, 0.6), 0.05), Offset: r3.Vec{X: 0.2, Y: 0.3}}))
	vec := rapid.Custom(func(t *rapid.T) r3.Vec {
		f := rapid.Float64Range(-2, 2)
		return r3.Vec{X: f.Draw(t, "x"), Y: f.Draw(t, "y"), Z: f.Draw(t, "z")}
	})
	rapid.Check(t, func(t *rapid.T) {
		pts := []r3.Vec{vec.Draw(t, "p"), vec.Draw(t, "q")}
		var d [2]float32
		w.Coupling().Distance(0, d[:], pts)
		if math.Abs(float64(d[0]-d[1])) > r3.Norm(r3.Sub(pts[0], pts[1]))+1e-6 {
			t.Fatalf("%v at %v", d, pts)
		}
	})
}
