package forces_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// whirl has the liquid turn about a centre.
func whirl(l *fluid.Liquid, centre, spin r3.Vec) {
	g := testrig.Blocks(l).Grid
	for b := range int32(g.Bases()) {
		half := g.CellSize(g.Cur.Level[b]) / 2
		for k, p := range testrig.Blocks(l).Centres.Of(testrig.Blocks(l).Grid, b) {
			for a := range 3 {
				x := reproducible.Array(r3.Sub(p, centre))
				x[a] -= half
				testrig.Blocks(l).Faces[a][g.Cur.First[b]+int32(k)] = float32(reproducible.Array(r3.Cross(spin, reproducible.Vector(x)))[a])
			}
		}
	}
	testrig.Blocks(l).Vel.Gather(testrig.Pool(l), &testrig.Blocks(l).Faces)
}

// momenta are the liquid's mass in litres, its momentum, and its angular momentum about a centre.
func momenta(l *fluid.Liquid, centre r3.Vec) (mass float64, p, spin r3.Vec) {
	eachCell(l, func(x r3.Vec, volume float64) {
		var at [1]fluid.Sample
		l.Sample(at[:], []r3.Vec{x})
		u := r3.Scale(volume, at[0].Velocity)
		mass, p, spin = mass+volume, r3.Add(p, u), r3.Add(spin, r3.Cross(r3.Sub(x, centre), u))
	})
	return mass, p, spin
}

// A ball of honey that turns without weight goes on turning: nothing is there to hold it back, and nothing strains it.
func TestTurningBallGoesOn(t *testing.T) {
	for _, c := range []struct {
		h, cells, viscosity float64
		spin                r3.Vec
	}{
		{.05, 6, .1, r3.Vec{X: .3, Y: .2, Z: 1}},
		{.1, 9, .1, r3.Vec{X: .3, Y: .2, Z: 1}},
		{.1, 6, .03, r3.Vec{X: -.5, Y: .4}},
	} {
		if testing.Short() && (c.cells > 6 || c.h < .1) {
			continue
		}
		e := math.Ceil((c.cells+3)/4) * 8 * c.h
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(e, e, e), CellSize: c.h, Physics: fluid.Physics{Weightless: true, Viscosity: c.viscosity}, Resources: fluid.Resources{Workers: 1}})
		centre := r3.Vec{X: e/2 + .1*c.h, Y: e/2 + .3*c.h, Z: e / 2}
		testrig.Must(t, l.Fill(fluid.Sphere(centre, c.cells*c.h)))
		whirl(l, centre, c.spin)
		var first r3.Vec
		for n := range 61 {
			l.Step(testrig.Frame)
			if n == 0 {
				_, _, first = momenta(l, centre)
			}
		}
		mass, p, spin := momenta(l, centre)
		kept := r3.Dot(spin, first) / r3.Norm2(first)
		t.Logf("%g cells of %g m, ν %g: %.4f of the angular momentum after a second, drifts at %.4f m/s", c.cells, c.h, c.viscosity, kept, r3.Norm(p)/mass)
		if math.Abs(kept-1) > .02 || r3.Norm(r3.Sub(spin, r3.Scale(kept, first))) > .02*r3.Norm(first) {
			t.Errorf("%.4f of the angular momentum after a second", kept)
		}
		if r3.Norm(p)/mass > 5e-3 {
			t.Errorf("drifts at %g m/s", r3.Norm(p)/mass)
		}
	}
}

// Honey in a turning bowl comes to turn with it, and its surface is the parabola ω²r²/2g.
func TestTurningBowl(t *testing.T) {
	for _, c := range []struct {
		viscosity, spin float64
		steps           int
	}{{.1, 3, 180}, {.5, 3, 240}, {.2, 2.5, 180}}[:testrig.InShort(1, 3)] {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: .1, Numerics: fluid.Numerics{Levels: 1}, Physics: fluid.Physics{Viscosity: c.viscosity}, Resources: fluid.Resources{Workers: 1}})
		id, err := l.AddObstacle(testrig.Bowl{Radius: .63, Floor: .15})
		if err != nil {
			t.Fatal(err)
		}
		testrig.Must(t, l.MoveObstacle(id, fluid.Motion{Translation: r3.Vec{X: .8, Z: .8}, AngularVelocity: r3.Vec{Y: c.spin}}))
		testrig.Must(t, l.Fill(fluid.Below(.6)))
		const r, last = .45, 30
		rise, speed := 0., 0.
		for n := range c.steps {
			l.Step(testrig.Frame)
			if n < c.steps-last {
				continue
			}
			var at [5]fluid.Sample
			l.Sample(at[:], []r3.Vec{{X: .8, Y: .35, Z: .8}, {X: .8 + r, Y: .35, Z: .8}, {X: .8 - r, Y: .35, Z: .8}, {X: .8, Y: .35, Z: .8 + r}, {X: .8, Y: .35, Z: .8 - r}})
			rise += ((at[1].Height+at[2].Height+at[3].Height+at[4].Height)/4 - at[0].Height) / last
			speed += (at[2].Velocity.Z - at[1].Velocity.Z + at[3].Velocity.X - at[4].Velocity.X) / 4 / last
		}
		t.Logf("ν %g: rises by %.4f of the parabola, turns at %.4f of the bowl's speed", c.viscosity, rise/(c.spin*c.spin*r*r/(2*9.81)), speed/(c.spin*r))
		t.Run(fmt.Sprint(c.viscosity), func(t *testing.T) {
			testrig.FallsShort(t, "the parabola is off by, in parts", math.Abs(rise/(c.spin*c.spin*r*r/(2*9.81))-1), .05, .07)
		})
		if math.Abs(speed/(c.spin*r)-1) > .05 {
			t.Errorf("turns at %g m/s, want %g", speed, c.spin*r)
		}
	}
}
