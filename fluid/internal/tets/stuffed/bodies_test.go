package stuffed_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// A constant pressure neither pushes nor turns a body, wherever it is.
func TestConstantPressureLeavesBodies(t *testing.T) {
	dim := [3]int{2, 2, 2}
	for name, levels := range map[string][]uint8{"uniform": uniform(dim, 3), "graded": {3, 3, 3, 3, 2, 2, 3, 2}} {
		r := newRig(t, 1, dim, .1, [3]float64{}, levels, [3]float64{}, [3]float64{})
		r.surface(nil)
		for _, at := range []r3.Vec{{X: .8, Y: .7, Z: .8}, {X: .817, Y: .734, Z: .771}, {X: .633, Y: .75, Z: .91}} {
			r.fill([]rigid.Solid{ballSolid(at, .31)})
			w := &r.g.Bodies[0]
			var sum [6]float64
			for _, k := range w.K {
				for i := range sum {
					sum[i] += k[i]
				}
			}
			if area := 4 * math.Pi * .31 * .31; w.Area > area || w.Area < .97*area {
				t.Errorf("%s at %v: %g of %g m²", name, at, w.Area, area)
			}
			for i, s := range sum {
				if math.Abs(s) > 1e-13 {
					t.Errorf("%s at %v: %d: %g", name, at, i, s)
				}
			}
		}
	}
}

// What rows press with on a body in still liquid, and what Steps adds, is the weight of what the body displaces, at its middle.
func TestStillLiquidCarriesWhatIsDisplaced(t *testing.T) {
	const radius = .31
	dim := [3]int{2, 2, 2}
	volume := 4 * math.Pi / 3 * radius * radius * radius
	for name, levels := range map[string][]uint8{"uniform": uniform(dim, 3), "graded": {3, 3, 3, 3, 2, 2, 3, 2}} {
		r := newRig(t, 1, dim, .1, [3]float64{}, levels, [3]float64{}, [3]float64{})
		r.surface(nil)
		for _, at := range []r3.Vec{{X: .8, Y: .7, Z: .8}, {X: .817, Y: .734, Z: .771}, {X: .633, Y: .75, Z: .91}} {
			r.fill([]rigid.Solid{ballSolid(at, radius)})
			w := &r.g.Bodies[0]
			var push [6]float64
			for e, row := range w.Row {
				x := r.g.Centre[row]
				depth := -r3.Dot(up, r3.Vec{X: x[0], Y: x[1], Z: x[2]})
				for i, k := range w.K[e] {
					push[i] += depth * k
				}
			}
			for i := range push { // the weight of Steps is its product with gravity, per weight of liquid
				for a, n := range [3]float64{up.X, up.Y, up.Z} {
					push[i] -= w.Steps[i][a] * n
				}
			}
			for a, n := range [3]float64{up.X, up.Y, up.Z} {
				if math.Abs(push[a]-volume*n) > .015*volume || math.Abs(push[3+a]) > .01*volume*radius {
					t.Errorf("%s at %v: liquid presses with %.4g of what is displaced, along %.3g", name, at, push, up)
				}
			}
		}
	}
}

// A ball in the liquid whose weight is that of the liquid it displaces moves by a thirtieth of a fall at most: the pressure isn't linear around it.
func TestNeutralBall(t *testing.T) {
	const h, radius = .1, .31
	dim := [3]int{2, 2, 2}
	r := newRig(t, 1, dim, h, [3]float64{}, uniform(dim, 3), [3]float64{}, [3]float64{})
	r.surface(plane(r3.Vec{X: .8, Y: 1.35, Z: .8}, up))
	for _, at := range []r3.Vec{{X: .8, Y: .7, Z: .8}, {X: .817, Y: .734, Z: .771}, {X: .633, Y: .75, Z: .91}} {
		r.fill([]rigid.Solid{ballSolid(at, radius)})
		r.fall()
		body := ballBody(density*4*math.Pi/3*radius*radius*radius, radius, at)
		v := r3.Scale(dt, gravity)
		body.V, body.Fall = [6]float64{v.X, v.Y, v.Z}, [6]float64{v.X, v.Y, v.Z}
		body.Liquid = body.Fall
		bodies := []rigid.Body{body}
		r.solve(bodies, strict)
		u := bodies[0].V
		speed := math.Sqrt(u[0]*u[0]+u[1]*u[1]+u[2]*u[2]) / r3.Norm(v)
		turn := radius * math.Sqrt(u[3]*u[3]+u[4]*u[4]+u[5]*u[5]) / r3.Norm(v)
		t.Logf("at %v: moves at %.3g of what it would fall by, turns at %.3g", at, speed, turn)
		if !(speed < 1./30 && turn < .005) {
			t.Errorf("at %v: it moves at %g of what it would fall by, and turns at %g", at, speed, turn)
		}
	}
}

// A ball in a concentric shell of liquid has the added mass ½ρV(b³ + 2a³)/(b³ - a³), with radii a and b. At four cells a radius 7 % may be missing.
// Source: Lamb 1932, §93.
func TestAddedMass(t *testing.T) {
	const h, cells = .1, 4.
	radius, shell := cells*h, 2*cells*h
	n := int(math.Ceil((2*shell/h + 2) / 8))
	dim := [3]int{n, n, n}
	r := newRig(t, 2, dim, h, [3]float64{}, uniform(dim, 3), [3]float64{}, [3]float64{})
	displaced := density * 4 * math.Pi / 3 * radius * radius * radius
	a3, b3 := radius*radius*radius, shell*shell*shell
	want := displaced / 2 * (b3 + 2*a3) / (b3 - a3)
	mid := float64(n) * 8 * h / 2
	for _, at := range []r3.Vec{{X: mid, Y: mid, Z: mid}, {X: mid + .013, Y: mid + .037, Z: mid - .022}} {
		r.d.SetStatic(distance(not(ball(at, shell))))
		r.surface(nil)
		r.fill([]rigid.Solid{ballSolid(at, radius)})
		for _, way := range []r3.Vec{{X: 1}, r3.Unit(r3.Vec{X: 1, Y: 2, Z: 3})} {
			clear(r.g.U)
			body := ballBody(displaced, radius, at)
			body.V = [6]float64{way.X, way.Y, way.Z}
			bodies := []rigid.Body{body}
			r.solve(bodies, pressure.Options{Tolerance: 1e-9, MaxIterations: 200})
			v := bodies[0].V
			along := v[0]*way.X + v[1]*way.Y + v[2]*way.Z
			got := displaced * (1/along - 1)
			t.Logf("at %.3v along %.3v: %.4f of the displaced mass, want %.4f: %+.2f %%", at, way, got/displaced, want/displaced, 100*(got/want-1))
			if !(math.Abs(got-want) <= .07*want) {
				t.Errorf("at %v along %v: added mass %g kg, want %g", at, way, got, want)
			}
		}
	}
}
