package pressure_test

import (
	"math"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// The tests' liquid is a column of cells of edge h, m, in a tube.
const (
	h       = .1
	density = 1000.
	gravity = -9.81
	dt      = 1. / 60
)

var strict = pressure.Options{Tolerance: 1e-13, MaxIterations: 200}

// column makes the graph of a column of n cells along y with air above it and, if so wanted, below. What
// is not air below is a wall, or a body if one is put there.
func column(n int, airBelow bool) *graph.Graph {
	g := &graph.Graph{Rows: n}
	face := func(a, b int32, dist float64) {
		g.A, g.B = append(g.A, a), append(g.B, b)
		g.Cubes.Axis, g.Slot = append(g.Cubes.Axis, 1), append(g.Slot, int32(len(g.Slot)))
		g.Area, g.Open = append(g.Area, h*h), append(g.Open, 1)
		g.Dist, g.Jump, g.U = append(g.Dist, dist), append(g.Jump, 0), append(g.U, dt*gravity)
	}
	if airBelow {
		face(graph.Air, 0, h/2)
	}
	for r := range int32(n) {
		g.Cell = append(g.Cell, r)
		g.Size, g.Cubes.Red = append(g.Size, h), append(g.Cubes.Red, r&1 != 0)
		g.Volume = append(g.Volume, h*h*h)
		g.Centre = append(g.Centre, [3]float64{0, (float64(r) + .5) * h, 0})
		if up := r + 1; int(up) < n {
			face(r, up, h)
		} else {
			face(r, graph.Air, h/2)
		}
	}
	for r := range int32(n) {
		sides := [6]int32{-1, -1, -1, -1, -1, -1}
		for f := range g.A {
			switch r {
			case g.A[f]:
				sides[3] = int32(f)
			case g.B[f]:
				sides[2] = int32(f)
			}
		}
		g.Cubes.Sides = append(g.Cubes.Sides, sides)
	}
	g.Parts, g.Connectivity = []graph.Part{{}, {Row: int32(n), Face: int32(len(g.A))}}, make([]graph.Connectivity, 1)
	return g
}

// shut takes a face away, as if a wall were there.
func shut(g *graph.Graph, f int) {
	g.A, g.B = slices.Delete(g.A, f, f+1), slices.Delete(g.B, f, f+1)
	g.Cubes.Axis, g.Slot = slices.Delete(g.Cubes.Axis, f, f+1), slices.Delete(g.Slot, f, f+1)
	g.Area, g.Open = slices.Delete(g.Area, f, f+1), slices.Delete(g.Open, f, f+1)
	g.Dist, g.Jump, g.U = slices.Delete(g.Dist, f, f+1), slices.Delete(g.Jump, f, f+1), slices.Delete(g.U, f, f+1)
	g.Parts[1].Face--
	for r := range g.Cubes.Sides {
		for i, side := range g.Cubes.Sides[r] {
			if int(side) == f {
				g.Cubes.Sides[r][i] = -1
			} else if int(side) > f {
				g.Cubes.Sides[r][i]--
			}
		}
	}
}

// piston puts a body under the column, whose face is half a cell below the lowest centre.
func piston(g *graph.Graph, mass, force float64) rigid.Body {
	g.Bodies = []graph.BodyCoupling{{Row: []int32{0}, K: [][6]float64{{1: -h * h}}, Gap: [][3]float64{{1: h * h * h / 2}}, Area: h * h}}
	g.Bodies[0].More[1][1] = h * h * h / 2
	b := rigid.Body{InverseMass: 1 / mass}
	b.V[1] = dt * (gravity + force/mass)
	b.Liquid[1] = dt * gravity
	return b
}

func solve(t *testing.T, g *graph.Graph, bodies []rigid.Body, joints []rigid.Joint, opt pressure.Options) (pi []float64, rep pressure.Report, err error) {
	t.Helper()
	pool := par.New(1)
	t.Cleanup(pool.Close)
	s := pressure.New(pool)
	s.Prepare(g)
	pi = make([]float64, g.Rows)
	rep, err = s.Solve(g, density, dt, bodies, joints, make([]float64, g.Rows), pi, opt)
	return pi, rep, err
}

// Still liquid under its own weight: p = ρg·depth at every centre, and nothing moves.
func TestColumnStands(t *testing.T) {
	g := column(12, false)
	pi, rep, err := solve(t, g, nil, nil, strict)
	if err != nil || !rep.Converged {
		t.Fatal(rep, err)
	}
	for r, p := range pi {
		want := -density * gravity * (12 - float64(r) - .5) * h
		if math.Abs(p/dt-want) > 1e-8*want {
			t.Errorf("row %d: %g Pa, want %g", r, p/dt, want)
		}
	}
	for f, u := range g.U {
		if math.Abs(u) > 1e-12 {
			t.Errorf("face %d: %g m/s", f, u)
		}
	}
}

// A column that nothing holds falls as one, without pressure.
func TestColumnFalls(t *testing.T) {
	g := column(12, true)
	pi, _, err := solve(t, g, nil, nil, strict)
	if err != nil {
		t.Fatal(err)
	}
	for r, p := range pi {
		if math.Abs(p) > 1e-9 {
			t.Errorf("row %d: %g Pa·s", r, p)
		}
	}
	for f, u := range g.U {
		if math.Abs(u-dt*gravity) > 1e-12 {
			t.Errorf("face %d: %g m/s, want %g", f, u, dt*gravity)
		}
	}
}

// V7: a piston of any mass under a column, pushed by any force, moves as one with it in a single solve.
func TestPistonUnderColumn(t *testing.T) {
	const n = 12
	liquid := density * h * h * h * n
	for _, ratio := range []float64{.01, .1, 1, 30, 1000} {
		for _, force := range []float64{0, 200, -50} {
			g := column(n, false)
			m := ratio * liquid
			bodies := []rigid.Body{piston(g, m, force)}
			if _, _, err := solve(t, g, bodies, nil, strict); err != nil {
				t.Fatal(err)
			}
			want := dt * (gravity + force/(m+liquid))
			if got := bodies[0].V[1]; math.Abs(got-want) > 1e-8*math.Abs(want) {
				t.Errorf("mass ratio %g, %g N: the piston moves at %g m/s, want %g", ratio, force, got, want)
			}
			for f, u := range g.U {
				if math.Abs(u-want) > 1e-8*math.Abs(want) {
					t.Errorf("mass ratio %g, %g N: face %d moves at %g m/s, want %g", ratio, force, f, u, want)
				}
			}
			// What the liquid gave the body is what the body lost to it.
			given := m * (bodies[0].V[1] - dt*(gravity+force/m))
			if math.Abs(bodies[0].Impulse[1]-given) > 1e-8*math.Abs(given)+1e-12 {
				t.Errorf("mass ratio %g, %g N: impulse %g N·s, momentum changed by %g", ratio, force, bodies[0].Impulse[1], given)
			}
		}
	}
}

// A joint row holds the piston, and with it the column, in the same solve.
func TestJointHoldsPiston(t *testing.T) {
	g := column(12, false)
	bodies := []rigid.Body{piston(g, 3, 0)}
	hold := rigid.Joint{A: 0, B: -1, N: 1}
	hold.Rows[0][1] = 1
	pi, _, err := solve(t, g, bodies, []rigid.Joint{hold}, strict)
	if err != nil {
		t.Fatal(err)
	}
	if v := bodies[0].V[1]; math.Abs(v) > 1e-8 {
		t.Errorf("the held piston moves at %g m/s", v)
	}
	if want := -density * gravity * 11.5 * h; math.Abs(pi[0]/dt-want) > 1e-6*want {
		t.Errorf("%g Pa on the held piston's cell, want %g", pi[0]/dt, want)
	}
}

// A solve that may not iterate says so, or is exact already; it never leaves what isn't finite.
func TestSolveSaysWhenItDoesNotConverge(t *testing.T) {
	g := column(200, false)
	_, rep, err := solve(t, g, nil, nil, pressure.Options{Tolerance: 1e-14, MaxIterations: 1})
	if rep.Converged != (err == nil) {
		t.Errorf("converged %v, but the error is %v", rep.Converged, err)
	}
	for f, u := range g.U {
		if math.IsNaN(u) || math.IsInf(u, 0) {
			t.Fatalf("face %d moves at %g m/s", f, u)
		}
	}
	g = column(12, false)
	g.U[3] = math.NaN()
	if _, _, err := solve(t, g, nil, nil, strict); err == nil {
		t.Error("a velocity that isn't a number was solved")
	}
}

// Liquid that a piston squeezes in a tube presses on the lid that a joint holds with what would lift the
// lid as fast: a limit does not bear more than that for longer than a step. No pressure fits exactly.
func TestSqueezedLiquidPressesOnHeldLid(t *testing.T) {
	const n, speed, lid = 12, .3, 4.
	for _, up := range []float64{speed, -speed} {
		g := column(n, false)
		shut(g, n-1)
		bodies := []rigid.Body{piston(g, 1, 0), {InverseMass: 1 / lid}}
		bodies[0].InverseMass, bodies[0].V, bodies[0].Liquid = 0, [6]float64{1: up}, [6]float64{}
		g.Bodies = append(g.Bodies, graph.BodyCoupling{Row: []int32{n - 1}, K: [][6]float64{{1: h * h}}, Gap: [][3]float64{{}}, Area: h * h})
		hold := rigid.Joint{A: 1, B: -1, N: 1}
		hold.Rows[0][1] = 1
		pi, _, err := solve(t, g, bodies, []rigid.Joint{hold}, strict)
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.
		for _, p := range pi {
			mean += p / n
		}
		if want := lid * up / (h * h); math.Abs(mean-want) > 1e-6*math.Abs(want) {
			t.Errorf("piston at %g m/s: mean pressure impulse %g Pa·s, want %g", up, mean, want)
		}
		if v := bodies[1].V[1]; math.Abs(v) > 1e-6 {
			t.Errorf("piston at %g m/s: the held lid moves at %g m/s", up, v)
		}
	}
}

// Two sealed pockets at one lid: a piston squeezes the lower, so that the lid must rise, and nothing the
// upper, so that it must not. No pressures fit, and none grow out of bounds.
func TestPocketsThatContradictEachOther(t *testing.T) {
	const n, speed, lid = 12, .3, 4.
	g := column(n, false)
	shut(g, n-1)   // the air
	shut(g, n/2-1) // between the pockets
	bodies := []rigid.Body{piston(g, 1, 0), {InverseMass: 1 / lid}}
	bodies[0].InverseMass, bodies[0].V, bodies[0].Liquid = 0, [6]float64{1: speed}, [6]float64{}
	g.Bodies = append(g.Bodies, graph.BodyCoupling{
		Row: []int32{n/2 - 1, n - 1}, K: [][6]float64{{1: h * h}, {1: .5 * h * h}}, Gap: [][3]float64{{}, {}}, Area: 1.5 * h * h,
	})
	pi, _, err := solve(t, g, bodies, nil, strict)
	if err != nil {
		t.Fatal(err)
	}
	if v := bodies[1].V[1]; math.Abs(v-speed) > 1e-6 {
		t.Errorf("the lid rises at %g m/s, want %g", v, speed)
	}
	for r, p := range pi {
		// What sets lid and liquid moving, and holds them up.
		if most := (lid + n*density*h*h*h) * (speed - dt*gravity) / (h * h); !(math.Abs(p) <= most) {
			t.Errorf("row %d: pressure impulse %g Pa·s, beyond %g", r, p, most)
		}
	}
}
