package lattice_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/lattice"
)

// sphere is a ball of a mass, kg, and a radius, m.
func sphere(mass, radius float64, at r3.Vec) rigid.Body {
	b := rigid.Body{InverseMass: 1 / mass, Centre: [3]float64{at.X, at.Y, at.Z}}
	for i := range 3 {
		b.InverseInertia[i][i] = 1 / (.4 * mass * radius * radius)
	}
	return b
}

// A ball in a concentric shell of liquid has the added mass ½ρV(b³ + 2a³)/(b³ - a³), with radii a and b.
// Source: Lamb 1932, §93.
func TestAddedMass(t *testing.T) {
	const edge = .1
	cell := math.Cbrt(edge * edge * edge / 2) // two to a cube
	radius, shell := 5*cell, 10*cell
	displaced := density * 4 * math.Pi / 3 * radius * radius * radius
	a3, b3 := radius*radius*radius, shell*shell*shell
	want := displaced / 2 * (b3 + 2*a3) / (b3 - a3)
	l, g := lattice.New(r3.Vec{}, [3]int{18, 18, 18}, edge), &graph.Graph{}
	for _, at := range []r3.Vec{{X: .9, Y: .9, Z: .9}, {X: .913, Y: .937, Z: .878}} {
		l.Solids([]lattice.Solid{{Distance: ball(at, radius), Body: 0, Centre: at}, {Distance: outside(ball(at, shell)), Body: -1}}, 1)
		l.Fill(g, nil)
		for _, way := range []r3.Vec{{X: 1}, r3.Unit(r3.Vec{X: 1, Y: 2, Z: 3}), r3.Unit(r3.Vec{X: 1, Y: 1, Z: 1})} {
			clear(g.U)
			body := sphere(displaced, radius, at)
			body.V = [6]float64{way.X, way.Y, way.Z}
			bodies := []rigid.Body{body}
			solve(t, g, bodies, pressure.Options{Tolerance: 1e-9, MaxIterations: 200})
			v := bodies[0].V
			along := v[0]*way.X + v[1]*way.Y + v[2]*way.Z
			got := displaced * (1/along - 1)
			t.Logf("at %v along %.3v: %.4f of the displaced mass, want %.4f: %+.2f %%", at, way, got/displaced, want/displaced, 100*(got/want-1))
			if !(math.Abs(got-want) <= .05*want) {
				t.Errorf("at %v along %v: added mass %g kg, want %g", at, way, got, want)
			}
			// Pressure has no moment on a ball.
			if turn := radius * math.Sqrt(v[3]*v[3]+v[4]*v[4]+v[5]*v[5]); !(turn < .01) {
				t.Errorf("at %v along %v: it turns at %g m/s", at, way, turn)
			}
		}
	}
}

// buoyancy is what still liquid of unit weight along a direction presses a body with against it, m³: the volume that the rows take it to
// displace.
func buoyancy(g *graph.Graph, w *graph.BodyCoupling, down r3.Vec) (push r3.Vec) {
	for e, r := range w.Row {
		x, k := g.Centre[r], w.K[e]
		push = r3.Add(push, r3.Scale(x[0]*down.X+x[1]*down.Y+x[2]*down.Z, r3.Vec{X: k[0], Y: k[1], Z: k[2]}))
	}
	return push
}

// A ball under a still surface whose weight is that of the liquid it displaces stays where it is, in one solve. What gravity gives liquid and ball
// together the walls take.
func TestFloatingBodyRests(t *testing.T) {
	const edge, radius = .1, .31
	up := r3.Scale(-1/r3.Norm(gravity), gravity)
	surface := plane(r3.Vec{X: .8, Y: 1.3, Z: .8}, up)
	for name, at := range map[string]r3.Vec{"on a vertex": {X: .8, Y: .7, Z: .8}, "anywhere": {X: .817, Y: .734, Z: .771}} {
		l, g := lattice.New(r3.Vec{}, [3]int{16, 16, 16}, edge), &graph.Graph{}
		l.Solids([]lattice.Solid{{Distance: ball(at, radius), Body: 0, Centre: at}}, 1)
		l.Fill(g, surface)
		w := &g.Bodies[0]
		volume, push := 4*math.Pi/3*radius*radius*radius, buoyancy(g, w, r3.Scale(-1, up))
		displaced := -r3.Dot(push, r3.Scale(-1, up))
		if !(math.Abs(displaced-volume) < .03*volume) || !(math.Abs(w.Volume-volume) < .03*volume) || w.Whole != w.Volume {
			t.Errorf("%s: it displaces %g m³ and fills %g of %g, want %g", name, displaced, w.Volume, w.Whole, volume)
		}
		fall(g)
		before := momentum(g)
		body := sphere(density*displaced, radius, at)
		v := r3.Scale(dt, gravity)
		body.V = [6]float64{v.X, v.Y, v.Z}
		bodies := []rigid.Body{body}
		pi, _ := solve(t, g, bodies, strict)
		speed := r3.Norm(r3.Vec{X: bodies[0].V[0], Y: bodies[0].V[1], Z: bodies[0].V[2]})
		limit := 1e-10
		if name == "anywhere" { // K's volume is not the same along all axes there
			limit = .01
		}
		t.Logf("%s: displaces %.4f of its volume, moves at %.3g of what it would fall", name, displaced/volume, speed/r3.Norm(v))
		if !(speed <= limit*r3.Norm(v)) {
			t.Errorf("%s: it moves at %g of what it would fall by", name, speed/r3.Norm(v))
		}
		got, whole := r3.Vec{X: bodies[0].Impulse[0], Y: bodies[0].Impulse[1], Z: bodies[0].Impulse[2]}, r3.Norm(before)
		sum := r3.Add(r3.Sub(momentum(g), before), got)
		for r, wall := range g.Walls {
			sum = r3.Add(sum, r3.Scale(pi[r], r3.Vec{X: wall[0], Y: wall[1], Z: wall[2]}))
		}
		if !(r3.Norm(sum) <= 1e-10*whole) {
			t.Errorf("%s: %g N·s of %g are unaccounted for", name, r3.Norm(sum), whole)
		}
		changed := r3.Scale(density*displaced, r3.Sub(r3.Vec{X: bodies[0].V[0], Y: bodies[0].V[1], Z: bodies[0].V[2]}, v))
		if !(r3.Norm(r3.Sub(changed, got)) <= 1e-10*whole) {
			t.Errorf("%s: the ball got %v N·s and changed by %v", name, got, changed)
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

// About whatever point moments are taken: a uniform pressure has neither force nor moment on a ball in the liquid, and still liquid's force is where
// the ball's middle is.
func TestMomentsOfPatches(t *testing.T) {
	l, g := lattice.New(r3.Vec{}, [3]int{12, 12, 12}, .1), &graph.Graph{}
	at, about, down := r3.Vec{X: .57, Y: .62, Z: .55}, r3.Vec{X: -.4, Y: 1.3, Z: .2}, r3.Unit(r3.Vec{X: .3, Y: -1, Z: .2})
	l.Solids([]lattice.Solid{{Distance: ball(at, .33), Body: 0, Centre: about}}, 1)
	l.Fill(g, nil)
	w := &g.Bodies[0]
	var even, still [6]float64
	for e, r := range w.Row {
		x := g.Centre[r]
		for d, k := range w.K[e] {
			even[d] += k
			still[d] += k * (x[0]*down.X + x[1]*down.Y + x[2]*down.Z)
		}
	}
	for d, v := range even {
		if math.Abs(v) > 1e-12*w.Area {
			t.Errorf("a uniform pressure of 1 Pa presses with %g along or about %c", v, "xyzxyz"[d])
		}
	}
	force := r3.Vec{X: still[0], Y: still[1], Z: still[2]}
	want := r3.Cross(r3.Sub(at, about), force)
	if off := r3.Norm(r3.Sub(r3.Vec{X: still[3], Y: still[4], Z: still[5]}, want)); !(off < .01*r3.Norm(want)) {
		t.Errorf("the moment is %.4g, want %.4g", still[3:], want)
	}
}

// Solids that overlap each other and the sides of the box leave all cells closed, and fill what they fill.
func TestSolidsEverywhere(t *testing.T) {
	l, g := lattice.New(r3.Vec{}, [3]int{9, 8, 7}, .1), &graph.Graph{}
	at := []r3.Vec{{X: .02, Y: .4, Z: .3}, {X: .25, Y: .41, Z: .35}, {X: .9, Y: .8, Z: .7}, {X: .5, Y: .03, Z: -.02}}
	var solids []lattice.Solid
	for i, x := range at {
		solids = append(solids, lattice.Solid{Distance: ball(x, .17+.02*float64(i)), Body: i - 1, Centre: x})
	}
	solids = append(solids, lattice.Solid{Distance: plane(r3.Vec{X: .08}, r3.Unit(r3.Vec{X: 1, Y: -.3, Z: .2})), Body: 2, Centre: at[3]})
	l.Solids(solids, 3)
	l.Fill(g, plane(r3.Vec{Y: .6}, r3.Vec{Y: 1}))
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	for i := range g.Bodies {
		if len(g.Bodies[i].Row) == 0 {
			t.Errorf("body %d is dry", i)
		}
	}
	fall(g)
	solve(t, g, []rigid.Body{sphere(3, .1, at[1]), sphere(3, .1, at[2]), sphere(3, .1, at[3])}, strict)
	// Once warm, nothing is allocated.
	if n := testing.AllocsPerRun(3, func() {
		l.Solids(solids, 3)
		l.Fill(g, nil)
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// An eighth of a ball in a corner fills an eighth, and the corner's rest is one component with the rest of the box.
func TestBallInACorner(t *testing.T) {
	l, g := lattice.New(r3.Vec{}, [3]int{10, 10, 10}, .1), &graph.Graph{}
	l.Solids([]lattice.Solid{{Distance: ball(r3.Vec{}, .52), Body: 0}}, 1)
	l.Fill(g, nil)
	want := math.Pi / 6 * .52 * .52 * .52
	if got := g.Bodies[0].Whole; math.Abs(got-want) > .02*want {
		t.Errorf("it fills %g m³, want %g", got, want)
	}
	sum := 0.
	for _, v := range g.Volume {
		sum += float64(v)
	}
	if math.Abs(sum-(1-want)) > .02*want {
		t.Errorf("%g m³ are open, want %g", sum, 1-want)
	}
	area := 0. // along an axis what is wetted is a quarter of a disc
	for _, k := range g.Bodies[0].K {
		area -= k[0]
	}
	if want := math.Pi / 4 * .52 * .52; math.Abs(area-want) > .02*want {
		t.Errorf("%g m² are wetted along x, want %g", area, want)
	}
	if err := g.Check(); err != nil {
		t.Error(err)
	}
}
