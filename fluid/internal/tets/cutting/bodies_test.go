package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
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
		if testing.Short() && c.cells > 4 {
			continue
		}
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
			if math.Abs(w.Whole-volume) > 3e-3*volume || math.Abs(w.Volume-w.Whole) > 1e-12*volume {
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
			if !(speed <= 1e-5*r3.Norm(v)) { // as it turns a little it draws liquid along
				t.Errorf("%s at %v: it moves at %g of what it would fall by", name, at, speed/r3.Norm(v))
			}
			if !(turn <= 5e-3*r3.Norm(v)) {
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
	for i, g := range []r3.Vec{gravity, {Y: -9.81}} {
		if testing.Short() && i > 0 {
			break
		}
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
				limit := 1e-3 * r3.Norm(v)
				if !(math.Abs(w.Volume-volume) <= 1e-3*volume) || !(math.Abs(rise) <= limit && aside <= limit && turn <= limit) {
					t.Errorf("%g m deep at %v: %.4f of what it should be is under; of a fall it rises %+.4f, goes aside %.4f, turns %.4f",
						deep, at, w.Volume/volume, rise/r3.Norm(v), aside/r3.Norm(v), turn/r3.Norm(v))
				}
			}
		}
	}
}

// What rows and gaps press with, where the pressure is that of still liquid, is what the body displaces, and acts at the middle of that; a pressure that is the same
// everywhere neither pushes nor turns it. Bodies are of any form, lattices of any levels.
func TestStillLiquidCarriesWhatIsDisplaced(t *testing.T) {
	const h = .1
	dim := [3]int{2, 2, 2}
	for seed := range uint64(4) {
		r := newRig(t, 1, dim, h, [3]float64{}, randomLevels(dim, seed), [3]float64{}, [3]float64{})
		r.surface(nil)
		at, about := r3.Vec{X: .81, Y: .77, Z: .83}, r3.Vec{X: -.4, Y: 1.3, Z: .2}
		solid := ballSolid(at, .3)
		solid.Distance = distance(union(ball(at, .3), cuboid(r3.Add(at, r3.Vec{X: .1}), r3.Vec{X: .4, Y: .1, Z: .2})))
		solid.Bounds, solid.Centre = boxes.Grown(r3.Box{Min: at, Max: at}, .6), about
		r.fill([]rigid.Solid{solid})
		w := &r.g.Bodies[0]
		var even, still [6]float64
		size := 0.
		for e, row := range w.Row {
			x := r.g.Centre[row]
			depth := -up.X*x[0] - up.Y*x[1] - up.Z*x[2]
			for a, k := range w.K[e] {
				even[a] += k
				still[a] += k * depth
				size += math.Abs(k)
			}
		}
		for a, v := range even {
			if math.Abs(v) > 1e-12*size {
				t.Errorf("layout %d: a pressure of 1 Pa presses with %g of %g along or about %c", seed, v, size, "xyzxyz"[a])
			}
		}
		down := [3]float64{-up.X, -up.Y, -up.Z}
		for a := range still {
			for b, g := range down {
				still[a] += (w.More[a][b] + w.Less[a][b]) * g
			}
		}
		force, torque := r3.Vec{X: still[0], Y: still[1], Z: still[2]}, r3.Vec{X: still[3], Y: still[4], Z: still[5]}
		want := r3.Scale(w.Whole, up)
		turn := r3.Cross(r3.Vec{X: w.Moment[0], Y: w.Moment[1], Z: w.Moment[2]}, up)
		if off := r3.Norm(r3.Sub(force, want)); !(off < 1e-12*w.Whole) {
			t.Errorf("layout %d: it is pressed on with %v, want %v", seed, force, want)
		}
		if off := r3.Norm(r3.Sub(torque, turn)); !(off < 1e-12*w.Whole) {
			t.Errorf("layout %d: it is turned with %v, want %v", seed, torque, turn)
		}
		for i, m := range [2]*[6][6]float64{&w.More, &w.Less} { // of one sign
			for _, v := range [][6]float64{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {1, 2, -1, 3, -2, 1}, {-.2, .3, .1, .3, 2, -1}} {
				sum := 0.
				for a := range v {
					for b := range v {
						sum += v[a] * m[a][b] * v[b]
					}
				}
				if float64(1-2*i)*sum < -1e-12 {
					t.Errorf("layout %d: the inertia of gaps %d along %g is %g", seed, i, v, sum)
				}
			}
		}
	}
}

// What gravity gives liquid and a body together the walls take, and what the body gets it changes by.
func TestMomentumOfAllIsKept(t *testing.T) {
	const h, radius = .1, .34
	dim := [3]int{2, 2, 2}
	for seed := range uint64(4) {
		r := newRig(t, 1, dim, h, [3]float64{}, randomLevels(dim, seed), [3]float64{.06, .03, .11}, [3]float64{1.53, 1.57, 1.49})
		r.d.SetStatic(distance(union(ball(r3.Vec{X: .3, Y: .2, Z: .4}, .3), plane(r3.Vec{X: 1.4}, r3.Unit(r3.Vec{X: -1, Y: .2, Z: .1})))), nil)
		at := r3.Vec{X: .85, Y: .7, Z: .8}
		r.surface(plane(r3.Vec{X: .8, Y: 1.1, Z: .8}, up))
		r.fill([]rigid.Solid{ballSolid(at, radius)})
		for f := range r.g.U {
			x := r.g.FaceCentre(f)
			r.g.U[f] = math.Sin(5*x[0]+3*x[1]) * math.Cos(4*x[2]) * r.g.Normals[f][0]
		}
		before := momentum(r.g)
		mass := .6 * density * r.g.Bodies[0].Whole
		body := ballBody(mass, radius, at)
		body.V = [6]float64{.3, -.2, .1, .5, 0, -.3}
		body.Liquid = body.V
		bodies := []rigid.Body{body}
		pi, _ := r.solve(bodies, strict)
		got := r3.Vec{X: bodies[0].Impulse[0], Y: bodies[0].Impulse[1], Z: bodies[0].Impulse[2]}
		size := r3.Norm(before) + r3.Norm(got)
		sum := r3.Sub(momentum(r.g), before)
		for row, wall := range r.g.Walls {
			sum = r3.Add(sum, r3.Scale(pi[row], r3.Vec{X: wall[0], Y: wall[1], Z: wall[2]}))
		}
		for e, row := range r.g.Bodies[0].Row { // the rest of the impulse is that of the gaps
			k := r.g.Bodies[0].K[e]
			sum = r3.Add(sum, r3.Scale(pi[row], r3.Vec{X: k[0], Y: k[1], Z: k[2]}))
		}
		if !(r3.Norm(sum) <= 1e-10*size) {
			t.Errorf("layout %d: %g N·s of %g are unaccounted for", seed, r3.Norm(sum), size)
		}
		v := bodies[0].V
		changed := r3.Scale(mass, r3.Vec{X: v[0] - body.V[0], Y: v[1] - body.V[1], Z: v[2] - body.V[2]})
		if !(r3.Norm(r3.Sub(changed, got)) <= 1e-10*size) {
			t.Errorf("layout %d: the ball got %v N·s and changed by %v", seed, got, changed)
		}
	}
}

// momentum is the liquid's, N·s.
func momentum(g *graph.Graph) (sum r3.Vec) {
	for f, u := range g.U {
		n := g.Normal(f)
		sum = r3.Add(sum, r3.Scale(density*g.Area[f]*g.Open[f]*g.Dist[f]*u, r3.Vec{X: n[0], Y: n[1], Z: n[2]}))
	}
	return sum
}
