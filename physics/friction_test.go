package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// A slider lies on the face at its lower end.
type slider struct {
	name   string
	g      Geometry
	height float64
}

// cornered is a prism of n corners whose axis is y.
func cornered(n int, radius, height float64) Geometry {
	var pts []r3.Vec
	for _, p := range circle(n) {
		for _, y := range [2]float64{-height / 2, height / 2} {
			pts = append(pts, r3.Vec{X: radius * p[0], Y: y, Z: radius * p[1]})
		}
	}
	return Hull(pts)
}

// sliders differ in how easily they turn about each axis.
var sliders = []slider{
	{"cube", Box(Centred(0.5, 0.5, 0.5)), 0.5}, {"box", Box(Centred(0.5, 0.3, 0.8)), 0.3}, {"beam", Box(Centred(2, 0.1, 0.2)), 0.1}, {"plate", Box(Centred(1, 0.05, 1)), 0.05},
	{"hull of 7", cornered(7, 0.4, 0.1), 0.1}, {"hull of 12", cornered(12, 0.3, 0.2), 0.2}, {"hull of 24", cornered(24, 0.5, 0.1), 0.1},
	{"cylinder", Cylinder(r3.Vec{Y: -0.1}, r3.Vec{Y: 0.1}, 0.3), 0.2}, {"tub", OpenBox(Centred(0.6, 0.2, 0.4), 0.03), 0.2},
}

// TestFrictionIsAgainstTheSliding slides bodies in 24 directions. Whatever distribution of the load
// over the points of contact balances the body, its friction has no torque about the normal: it
// neither turns nor veers, and is braked by μg.
func TestFrictionIsAgainstTheSliding(t *testing.T) {
	const settle, run = 10, 20 // steps
	for _, s := range sliders {
		for _, mode := range []string{"thrown", "pulled", "just pulled", "carried"} {
			for k := range 24 {
				μ, substeps := [3]float64{0.2, 0.6, 0.9}[k%3], 1+k%5
				sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.3) / 24)
				along, across := r3.Vec{X: cos, Z: sin}, r3.Vec{X: -sin, Z: cos}
				if s.name == "cube" && μ > 0.6 {
					continue // it would tip over
				}
				w := NewWorld(WorldDef{Gravity: down, NoSleep: true, Substeps: substeps})
				belt := 0.0
				if mode == "carried" {
					belt = 12
				}
				add(w, BodyDef{}, ShapeDef{Geometry: [2]Geometry{HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), Box(Centred(80, 1e-3, 80))}[k%2], Material: Material{Friction: μ, SurfaceVelocity: r3.Scale(belt, along)}})
				b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: s.height / 2}}, ShapeDef{Geometry: s.g, Material: Material{Friction: μ}})
				pull := 0.0
				switch mode {
				case "thrown":
					steps(w, 30)
					check(t, b.SetVelocity(r3.Scale(6, along)))
				case "pulled":
					steps(w, 30)
					pull = 1.5 * μ * 9.81
				case "just pulled":
					steps(w, 30)
					pull = 1.05 * μ * 9.81
				}
				var before r3.Vec
				for i := range settle + run {
					if i == settle {
						before = b.Velocity()
					}
					check(t, b.ApplyForce(r3.Scale(pull*b.Mass(), along), b.CentreOfMass()))
					w.Step(tick)
				}
				what := fmt.Sprintf("%s %s, direction %d, μ %g, %d substeps: ", s.name, mode, k, μ, substeps)
				force := r3.Sub(r3.Scale(1/(run*tick), r3.Sub(b.Velocity(), before)), r3.Scale(pull, along))
				if mode == "carried" {
					force = r3.Scale(-1, force)
				}
				near1(t, what+"friction over weight", -r3.Dot(force, along)/9.81, μ, 0.01*μ)
				near1(t, what+"degrees of veer", 180/math.Pi*math.Atan2(r3.Dot(b.Velocity(), across), r3.Dot(b.Velocity(), along)), 0, 0.5)
				near1(t, what+"turning", b.AngularVelocity().Y, 0, 0.02)
			}
		}
	}
}

// slopes are grounds whose surface is the plane y = 0.
func slopes() map[string]ShapeDef {
	at := func(g Geometry, x, y, z float64) ShapeDef {
		return ShapeDef{Geometry: g, Offset: r3.Vec{X: x, Y: y, Z: z}}
	}
	sheet := Mesh(MeshDef{Vertices: []r3.Vec{{X: -30, Z: -30}, {X: 30, Z: -30}, {X: 30, Z: 30}, {X: -30, Z: 30}}, Triangles: [][3]int32{{0, 2, 1}, {0, 3, 2}}, Open: true})
	flat := field(61, 1, func(float64, float64) float64 { return 0 })
	return map[string]ShapeDef{
		"half-space": at(HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), 0, 0, 0), "box": at(Box(Centred(60, 1, 60)), 0, -0.5, 0), "hull": at(cornered(9, 30, 1), 0, -0.5, 0),
		"mesh": at(sheet, 0, 0, 0), "field": flat,
	}
}

// TestSlidersHoldAndSlip puts bodies, turned any way, on grounds that really slope: .5 % below the
// angle of friction they stand, and as little above it they slide with what is left.
func TestSlidersHoldAndSlip(t *testing.T) {
	for ground, shape := range slopes() {
		for i, s := range sliders {
			for k, μ := range []float64{0.2, 0.5, 0.8, 1.1} {
				if s.name == "cube" && μ > 0.5 {
					continue // it would tip over
				}
				for _, share := range []float64{0.995, 1.005} {
					angle := share * math.Atan(μ)
					sin, cos := math.Sincos(float64(i) + 1.1*float64(k))
					tilt := about(r3.Vec{X: cos, Z: sin}, angle)
					up := rotate(tilt, r3.Vec{Y: 1})
					w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
					shape.Material.Friction = μ
					add(w, BodyDef{Rotation: tilt}, shape)
					b := add(w, BodyDef{Kind: Dynamic, Position: r3.Scale(s.height/2, up), Rotation: quat.Mul(tilt, about(r3.Vec{Y: 1}, 0.6*float64(k)))},
						ShapeDef{Geometry: s.g, Material: Material{Friction: μ}})
					steps(w, 60)
					v, x := b.Velocity(), b.Position()
					steps(w, 60)
					what := fmt.Sprintf("%s on a %s at %.3f of the angle of μ = %g: ", s.name, ground, share, μ)
					if share < 1 {
						near1(t, what+"m gone in 1 s", r3.Norm(r3.Sub(b.Position(), x)), 0, 2e-3)
						continue
					}
					want := 9.81 * (math.Sin(angle) - μ*math.Cos(angle))
					near1(t, what+"acceleration", r3.Norm(r3.Sub(b.Velocity(), v)), want, 0.005*9.81*μ)
				}
			}
		}
	}
}

// TestSlidingPoint compares the impulse of a point that slides with what defines it.
func TestSlidingPoint(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		x, y, z := rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64()*math.Exp(3*rnd.NormFloat64())
		g := frictionMatrix{a: x*x + z*z*y*y, b: y*y + z*z*x*x, c: x*y - z*z*x*y} // eigenvalues 1 and z², times a length
		d := g.a*g.b - g.c*g.c
		if d < 1e-9*g.a*g.b {
			continue
		}
		g.p, g.q, g.r = g.b/d, g.a/d, -g.c/d
		f1, f2, v1, v2, most := rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64(), math.Exp(rnd.NormFloat64())
		g1, g2 := g.stoppingImpulse(f1, f2, v1, v2)
		if hypot(g1, g2) > most {
			g1, g2 = g.slidingImpulse(f1, f2, v1, v2, most)
		}
		u1, u2 := v1+g.a*(g1-f1)+g.c*(g2-f2), v2+g.c*(g1-f1)+g.b*(g2-f2)
		size, speed := math.Hypot(g1, g2), math.Hypot(u1, u2)
		scale := 1e-6 * (math.Hypot(v1, v2) + (g.a+g.b)*(math.Hypot(f1, f2)+size))
		if size < most*(1-1e-9) {
			if speed > scale {
				t.Fatalf("%+v holds with %g of %g and leaves %g m/s", g, size, most, speed)
			}
			continue
		}
		near1(t, "impulse", size/most, 1, 1e-9)
		if apart := math.Hypot(u1+speed*g1/size, u2+speed*g2/size); apart > scale {
			t.Fatalf("%+v leaves (%g, %g) with the impulse (%g, %g), %g off", g, u1, u2, g1, g2, apart)
		}
	}
}
