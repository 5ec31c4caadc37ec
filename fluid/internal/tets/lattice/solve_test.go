package lattice_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/lattice"
)

const (
	density = 1000.
	dt      = 1. / 60
)

var (
	strict  = pressure.Options{Tolerance: 1e-13, MaxIterations: 200}
	gravity = r3.Vec{X: 2.1, Y: -8.7, Z: -3.9} // tilted to all planes of the lattice
)

// plane is the half space below one through a place, with a unit normal.
func plane(at, normal r3.Vec) lattice.Distance {
	return func(dst []float64, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = r3.Dot(r3.Sub(p, at), normal)
		}
	}
}

func ball(at r3.Vec, radius float64) lattice.Distance {
	return func(dst []float64, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = r3.Norm(r3.Sub(p, at)) - radius
		}
	}
}

// outside is what a solid is not.
func outside(d lattice.Distance) lattice.Distance {
	return func(dst []float64, pts []r3.Vec) {
		d(dst, pts)
		for i := range dst {
			dst[i] = -dst[i]
		}
	}
}

// solve projects the graph, which must be sound.
func solve(t *testing.T, g *graph.Graph, bodies []rigid.Body, opt pressure.Options) (pi []float64, rep pressure.Report) {
	t.Helper()
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	pool := par.New(1)
	t.Cleanup(pool.Close)
	s := pressure.New(pool)
	s.Prepare(g)
	pi = make([]float64, g.Rows)
	rep, err := s.Solve(g, density, dt, bodies, nil, make([]float64, g.Rows), pi, opt)
	if err != nil {
		t.Fatal(rep, err)
	}
	return pi, rep
}

// fall has gravity act for a step.
func fall(g *graph.Graph) {
	v := r3.Scale(dt, gravity)
	g.Accelerate(0, g.Faces(), [3]float64{v.X, v.Y, v.Z})
}

// stands fails unless the liquid is still, with a pressure that is linear along gravity.
func stands(t *testing.T, g *graph.Graph, pi []float64) {
	t.Helper()
	limit := 1e-10 * r3.Norm(gravity) * dt
	for f, u := range g.U {
		if !(math.Abs(u) <= limit) {
			t.Fatalf("face %d moves at %g m/s: more than %g", f, u, limit)
		}
	}
	at := func(r int) r3.Vec { return r3.Vec{X: g.Centre[r][0], Y: g.Centre[r][1], Z: g.Centre[r][2]} }
	low, high := 0., 0.
	for r := range pi {
		rise := density * dt * r3.Dot(gravity, r3.Sub(at(r), at(0)))
		low, high = min(low, rise), max(high, rise)
	}
	for r := range pi {
		want := pi[0] + density*dt*r3.Dot(gravity, r3.Sub(at(r), at(0)))
		if !(math.Abs(pi[r]-want) <= 1e-10*(high-low)) {
			t.Fatalf("row %d: %g Pa·s, want %g", r, pi[r], want)
		}
	}
}

func TestFullBoxStands(t *testing.T) {
	l, g := lattice.New(r3.Vec{X: 1, Y: -2, Z: .5}, [3]int{7, 9, 6}, .1), &graph.Graph{}
	l.Fill(g, nil)
	fall(g)
	pi, _ := solve(t, g, nil, strict)
	stands(t, g, pi)
}

// The surface lies across gravity, tilted to the lattice.
func TestSurfaceStands(t *testing.T) {
	l, g := lattice.New(r3.Vec{}, [3]int{8, 10, 7}, .1), &graph.Graph{}
	up := r3.Scale(-1/r3.Norm(gravity), gravity)
	for _, height := range []float64{.45, .503, .71} {
		l.Fill(g, plane(r3.Vec{X: .4, Y: height, Z: .35}, up))
		fall(g)
		pi, _ := solve(t, g, nil, strict)
		stands(t, g, pi)
		x := g.Centre[0]
		depth := -r3.Dot(up, r3.Sub(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, r3.Vec{X: .4, Y: height, Z: .35}))
		if want := density * dt * r3.Norm(gravity) * depth; math.Abs(pi[0]-want) > 1e-10*want {
			t.Errorf("%g Pa·s at a depth of %g m, want %g", pi[0], depth, want)
		}
	}
}

// Multigrid takes few iterations at 30k rows: in a full box, under a surface, with a light body.
func TestIterations(t *testing.T) {
	waves := func(dst []float64, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = p.Y - 1.05 - .1*math.Sin(6*p.X) - .05*math.Cos(9*p.Z)
		}
	}
	at := r3.Vec{X: .47, Y: .61, Z: .52}
	for _, c := range []struct {
		name    string
		surface lattice.Distance
		bodies  []rigid.Body
	}{{"full", nil, nil}, {"surface", waves, nil}, {"body", waves, []rigid.Body{sphere(.3*density*4*math.Pi/3*.2*.2*.2, .2, at)}}} {
		l, g := lattice.New(r3.Vec{}, [3]int{24, 30, 24}, 1./24), &graph.Graph{}
		if c.bodies != nil {
			l.Solids([]lattice.Solid{{Distance: ball(at, .2), Body: 0, Centre: at}}, 1)
		}
		l.Fill(g, c.surface)
		for f := range g.U {
			x := g.FaceCentre(f)
			g.U[f] = math.Sin(5*x[0]+3*x[1]) * math.Cos(4*x[2]) * g.Normals[f][0]
		}
		fall(g)
		_, rep := solve(t, g, c.bodies, pressure.Options{Tolerance: 1e-6, MaxIterations: 200})
		t.Logf("%s: %d rows, %d levels, %d iterations", c.name, g.Rows, len(g.Levels)+1, rep.Iterations)
		if g.Rows < 28000 || !(rep.Residual <= 1e-6) || rep.Iterations > 20 {
			t.Errorf("%s: %d iterations to %g for %d rows", c.name, rep.Iterations, rep.Residual, g.Rows)
		}
	}
}

// A solve has the same bits for any number of workers.
func TestSameBitsForAnyWorkers(t *testing.T) {
	at := r3.Vec{X: .57, Y: .36, Z: .62}
	var first []float64
	for _, workers := range []int{1, 3} {
		l, g := lattice.New(r3.Vec{}, [3]int{12, 10, 12}, .1), &graph.Graph{}
		l.Solids([]lattice.Solid{{Distance: ball(at, .25), Body: 0, Centre: at}}, 1)
		l.Fill(g, plane(r3.Vec{Y: .71}, r3.Unit(r3.Vec{X: .2, Y: 1})))
		fall(g)
		pool := par.New(workers)
		s := pressure.New(pool)
		s.Prepare(g)
		pi, bodies := make([]float64, g.Rows), []rigid.Body{sphere(40, .25, at)}
		if _, err := s.Solve(g, density, dt, bodies, nil, make([]float64, g.Rows), pi, strict); err != nil {
			t.Fatal(err)
		}
		pool.Close()
		all := append(append(pi, g.U...), bodies[0].V[:]...)
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
}

// A wall parts the box: liquid below a surface, and a full pocket that no air touches.
func TestPocketBesideSurface(t *testing.T) {
	l, g := lattice.New(r3.Vec{}, [3]int{10, 8, 6}, .1), &graph.Graph{}
	wall := func(dst []float64, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = math.Abs(p.X-.52) - .13
		}
	}
	l.Solids([]lattice.Solid{{Distance: wall, Body: -1}}, 0)
	l.Fill(g, func(dst []float64, pts []r3.Vec) {
		for i, p := range pts {
			if dst[i] = p.Y - .51; p.X > .52 {
				dst[i] = -1
			}
		}
	})
	var c graph.Components
	c.Find(g)
	if len(c.Closed) != 2 || c.Closed[0] || !c.Closed[1] {
		t.Fatalf("components are closed: %v", c.Closed)
	}
	for r, x := range g.Centre {
		if c.Label[r] == 1 != (x[0] > .52) {
			t.Fatalf("the row at %v is of component %d", x, c.Label[r])
		}
	}
	v := -9.81 * dt
	g.Accelerate(0, g.Faces(), [3]float64{0, v, 0})
	pi, rep := solve(t, g, nil, strict)
	if rep.Components != 2 {
		t.Errorf("%d components", rep.Components)
	}
	for f, u := range g.U {
		if !(math.Abs(u) <= 1e-10*math.Abs(v)) {
			t.Fatalf("face %d moves at %g m/s", f, u)
		}
	}
	// From there a solve has nothing to do.
	l.StoreVelocity(g)
	l.StorePressure(g, pi)
	l.Fill(g, func(dst []float64, pts []r3.Vec) {
		for i, p := range pts {
			if dst[i] = p.Y - .51; p.X > .52 {
				dst[i] = -1
			}
		}
	})
	guess := make([]float64, g.Rows)
	l.WarmStart(g, guess)
	for r := range pi {
		if guess[r] != pi[r] {
			t.Fatalf("row %d had %g Pa·s and begins with %g", r, pi[r], guess[r])
		}
	}
	if u := g.U[0]; !(math.Abs(u) <= 1e-10*math.Abs(v)) {
		t.Errorf("face 0 begins at %g m/s", u)
	}
}

// A drop without gravity has the pressure γκ of its surface all through, and rests.
func TestDropRests(t *testing.T) {
	const radius, gamma = .33, .07
	l, g := lattice.New(r3.Vec{}, [3]int{10, 10, 10}, .1), &graph.Graph{}
	middle := r3.Vec{X: .51, Y: .48, Z: .5}
	l.Fill(g, ball(middle, radius))
	faces, at := forces.SurfaceFaces(g, nil, nil)
	curvature := make([]float32, len(faces))
	for i, x := range at {
		off := r3.Norm(r3.Sub(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, middle)) - radius
		if math.Abs(off) > .005 {
			t.Errorf("face %d meets the surface %g m off it", faces[i], off)
		}
		curvature[i] = 2 / radius
	}
	forces.SetJump(g, gamma, faces, curvature)
	pi, _ := solve(t, g, nil, strict)
	want := gamma * float64(float32(2/radius)) * dt
	for r, p := range pi {
		if math.Abs(p-want) > 1e-10*want {
			t.Fatalf("row %d: %g Pa·s, want %g", r, p, want)
		}
	}
	for f, u := range g.U {
		if math.Abs(u) > 1e-12 {
			t.Fatalf("face %d moves at %g m/s", f, u)
		}
	}
}
