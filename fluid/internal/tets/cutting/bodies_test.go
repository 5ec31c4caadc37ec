package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// A ball in a concentric shell of liquid has the added mass ½ρV(b³ + 2a³)/(b³ - a³), with radii a and b, wherever it is in the lattice.
// Source: Lamb 1932, §93.
func TestAddedMass(t *testing.T) {
	for _, c := range []struct {
		cells float64
		off   float64
	}{{4, .05}, {5, .02}, {8, .01}} {
		const h = .1
		radius, shell := c.cells*h, 2*c.cells*h
		n := int(math.Ceil((2*shell/h + 2) / 8))
		dim := [3]int{n, n, n}
		r := newRig(t, 2, dim, h, [3]float64{}, uniform(dim, 3), [3]float64{}, [3]float64{})
		displaced := density * 4 * math.Pi / 3 * radius * radius * radius
		a3, b3 := radius*radius*radius, shell*shell*shell
		want := displaced / 2 * (b3 + 2*a3) / (b3 - a3)
		mid := float64(n) * 8 * h / 2
		for _, at := range []r3.Vec{{X: mid, Y: mid, Z: mid}, {X: mid + .013, Y: mid + .037, Z: mid - .022}} {
			r.d.SetStatic(distance(not(ball(at, shell))), nil)
			r.surface(nil)
			r.fill([]rigid.Solid{ballSolid(at, radius)})
			for _, way := range []r3.Vec{{X: 1}, r3.Unit(r3.Vec{X: 1, Y: 2, Z: 3}), r3.Unit(r3.Vec{X: 1, Y: 1, Z: 1})} {
				clear(r.g.U)
				body := ballBody(displaced, radius, at)
				body.V = [6]float64{way.X, way.Y, way.Z}
				bodies := []rigid.Body{body}
				r.solve(bodies, pressure.Options{Tolerance: 1e-9, MaxIterations: 200})
				v := bodies[0].V
				along := v[0]*way.X + v[1]*way.Y + v[2]*way.Z
				got := displaced * (1/along - 1)
				t.Logf("%g cells at %.3v along %.3v: %.4f of the displaced mass, want %.4f: %+.2f %%", c.cells, at, way, got/displaced, want/displaced, 100*(got/want-1))
				if !(math.Abs(got-want) <= c.off*want) {
					t.Errorf("%g cells at %v along %v: added mass %g kg, want %g", c.cells, at, way, got, want)
				}
				if turn := radius * math.Sqrt(v[3]*v[3]+v[4]*v[4]+v[5]*v[5]); !(turn < .01) {
					t.Errorf("%g cells at %v along %v: it turns at %g m/s", c.cells, at, way, turn)
				}
			}
		}
	}
}

// A ball in the liquid whose weight is that of the liquid it displaces stays where it is, wherever it is in the lattice.
func TestNeutralBallRests(t *testing.T) {
	const h, radius = .1, .31
	dim := [3]int{2, 2, 2}
	for name, levels := range map[string][]uint8{"uniform": uniform(dim, 3), "graded": {3, 3, 3, 3, 2, 2, 3, 2}} {
		r := newRig(t, 1, dim, h, [3]float64{}, levels, [3]float64{}, [3]float64{})
		r.surface(plane(r3.Vec{X: .8, Y: 1.35, Z: .8}, up))
		for _, at := range []r3.Vec{{X: .8, Y: .7, Z: .8}, {X: .817, Y: .734, Z: .771}, {X: .633, Y: .75, Z: .91}} {
			r.fill([]rigid.Solid{ballSolid(at, radius)})
			w := &r.g.Bodies[0]
			volume := 4 * math.Pi / 3 * radius * radius * radius
			if math.Abs(w.Whole-volume) > .01*volume || math.Abs(w.Volume-w.Whole) > 1e-12*volume {
				t.Errorf("%s: it fills %g and %g under the surface, want %g", name, w.Whole, w.Volume, volume)
			}
			r.fall()
			body := ballBody(density*w.Whole, radius, at)
			v := r3.Scale(dt, gravity)
			body.V, body.Fall = [6]float64{v.X, v.Y, v.Z}, [6]float64{v.X, v.Y, v.Z}
			body.Liquid = body.Fall
			bodies := []rigid.Body{body}
			r.solve(bodies, strict)
			u := bodies[0].V
			speed := math.Sqrt(u[0]*u[0] + u[1]*u[1] + u[2]*u[2])
			turn := radius * math.Sqrt(u[3]*u[3]+u[4]*u[4]+u[5]*u[5])
			t.Logf("%s at %v: whole %.5f, moves at %.3g of what it would fall, turns at %.3g", name, at, w.Whole/volume, speed/r3.Norm(v), turn/r3.Norm(v))
			if !(speed <= 1e-9*r3.Norm(v)) {
				t.Errorf("%s at %v: it moves at %g of what it would fall by", name, at, speed/r3.Norm(v))
			}
			if !(turn <= 2e-3*r3.Norm(v)) {
				t.Errorf("%s at %v: it turns at %g of what it would fall by", name, at, turn/r3.Norm(v))
			}
		}
	}
}

// A ball that floats with its weight stays where it is.
func TestFloatingBallRests(t *testing.T) {
	const h, radius = .1, .31
	dim := [3]int{2, 2, 2}
	r := newRig(t, 1, dim, h, [3]float64{}, uniform(dim, 3), [3]float64{}, [3]float64{})
	for _, g := range []r3.Vec{gravity, {Y: -9.81}} {
		up := r3.Scale(-1/r3.Norm(g), g)
		r.d.Up = [3]float64{up.X, up.Y, up.Z}
		for _, deep := range []float64{-.2, -.1, .013, .1, .21} { // of the ball's middle under the surface
			for _, at := range []r3.Vec{{X: .8, Y: .8, Z: .8}, {X: .817, Y: .834, Z: .771}, {X: .733, Y: .85, Z: .86}} {
				r.surface(plane(r3.Add(at, r3.Scale(deep, up)), up))
				r.fill([]rigid.Solid{ballSolid(at, radius)})
				w := &r.g.Bodies[0]
				cap := radius + deep
				volume := math.Pi * cap * cap * (3*radius - cap) / 3
				v := r3.Scale(dt, g)
				r.g.Accelerate(0, r.g.Faces(), [3]float64{v.X, v.Y, v.Z})
				body := ballBody(density*volume, radius, at)
				body.V, body.Fall = [6]float64{v.X, v.Y, v.Z}, [6]float64{v.X, v.Y, v.Z}
				body.Liquid = body.Fall
				bodies := []rigid.Body{body}
				r.solve(bodies, strict)
				u := bodies[0].V
				moves := r3.Vec{X: u[0], Y: u[1], Z: u[2]}
				rise := r3.Dot(moves, up)
				aside := r3.Norm(r3.Sub(moves, r3.Scale(rise, up)))
				turn := radius * math.Sqrt(u[3]*u[3]+u[4]*u[4]+u[5]*u[5])
				per := 1 / r3.Norm(v)
				t.Logf("deep %g at %v: under %.4f of what it should, rises %+.4f, aside %.4f, turns %.4f", deep, at, w.Volume/volume, rise*per, aside*per, turn*per)
			}
		}
	}
}
