package fluid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// A cup whose walls are thinner than a cell keeps every drop while it is shaken and tipped, and the liquid in
// it stays calm: nothing is made or lost as the walls pass the cells' centres (V27).
func TestThinCupKeepsItsLiquid(t *testing.T) {
	for _, c := range []struct{ cell, wall, off, tilt, amplitude float64 }{
		{.05, .01, 0, 0, .06}, {.05, .005, .013, 0, .06}, {.05, .02, .007, .15, .06}, {.03, .01, 0, .1, .08}, {.05, .06, .013, .15, .06},
	} {
		const inner, high, dt = .6, .5, 1. / 60
		l := mustNew(t, Def{Domain: box(1.2, 1, 1.2), CellSize: c.cell})
		middle := r3.Vec{X: .6 + c.off, Y: .5, Z: .6 + c.off}
		half := r3.Vec{X: inner / 2, Z: inner / 2}
		fill := r3.Box{Min: r3.Sub(middle, r3.Add(half, r3.Vec{Y: high / 2})), Max: r3.Add(middle, half)}
		if err := l.Fill(Box(fill)); err != nil {
			t.Fatal(err)
		}
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		b, err := w.CreateBody(physics.BodyDef{Kind: physics.Kinematic, Position: middle})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.OpenBox(inner+2*c.wall, high+c.wall, inner+2*c.wall, c.wall)}); err != nil {
			t.Fatal(err)
		}
		l.Couple(w)
		for n := 1; n <= 90; n++ {
			swing := math.Sin(math.Pi * float64(n) * dt)
			at := r3.Add(middle, r3.Scale(c.amplitude*swing, r3.Vec{X: 1, Z: .5}))
			turn := c.tilt * swing / 2
			if err := b.SetTargetPose(at, quat.Number{Real: math.Cos(turn), Kmag: math.Sin(turn)}, dt); err != nil {
				t.Fatal(err)
			}
			r := l.Step(dt)
			if r.RolledBack {
				t.Fatal(r.Reason)
			}
			// Waves that run up a corner come to 1.6 m/s.
			if r.MaxSpeed > 2 {
				t.Fatalf("%+v: step %d: %g m/s in a cup that moves at %.2g", c, n, r.MaxSpeed, math.Pi*c.amplitude*1.12)
			}
			if n%15 != 0 {
				continue
			}
			margin := .08 + .35*c.tilt
			inside := r3.Box{Min: r3.Vec{X: at.X - inner/2 - margin, Y: .25 - margin, Z: at.Z - inner/2 - margin}, Max: r3.Vec{X: at.X + inner/2 + margin, Y: 1, Z: at.Z + inner/2 + margin}}
			out, err := l.VolumeIn(Difference(Box(l.def.Domain), Box(inside)))
			if err != nil {
				t.Fatal(err)
			}
			filled := l.Ledger().FilledL
			if out > 1e-3*filled {
				t.Fatalf("%+v: step %d: %g of %g litres are outside", c, n, out, filled)
			}
			if held := r.Ledger.HeldL; math.Abs(held-filled) > 5e-3*filled {
				t.Fatalf("%+v: step %d: %g of %g litres are held", c, n, held, filled)
			}
		}
	}
}
