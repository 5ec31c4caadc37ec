package bodies_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A cup whose walls are thinner than a cell keeps every drop while it is shaken and tipped, and the liquid in
// it stays calm: nothing is made or lost as the walls pass the cells' centres (V27).
func TestThinCupKeepsItsLiquid(t *testing.T) { testrig.EachDiscretisation(t, thinCupKeepsItsLiquid) }

func thinCupKeepsItsLiquid(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for _, c := range []struct{ cell, wall, off, tilt, amplitude float64 }{
		{.05, .005, .013, 0, .06}, {.05, .06, .013, .15, .06}, {.05, .01, 0, 0, .06}, {.05, .02, .007, .15, .06}, {.03, .01, 0, .1, .08},
	}[:testrig.InShort(2, 5)] {
		const inner, high, dt = .6, .5, 1. / 60
		l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(1.2, 1, 1.2), CellSize: c.cell})
		middle := r3.Vec{X: .6 + c.off, Y: .5, Z: .6 + c.off}
		half := r3.Vec{X: inner / 2, Z: inner / 2}
		fill := r3.Box{Min: r3.Sub(middle, r3.Add(half, r3.Vec{Y: high / 2})), Max: r3.Add(middle, half)}
		testrig.Must(t, l.Fill(fluid.Box(fill)))
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		b := testrig.Place(t, w, physics.Kinematic, middle, physics.OpenBox(physics.Centred(inner+2*c.wall, high+c.wall, inner+2*c.wall), c.wall), 0)
		l.Couple(w.Coupling())
		for n := 1; n <= 90; n++ {
			swing := math.Sin(math.Pi * float64(n) * dt)
			at := r3.Add(middle, r3.Scale(c.amplitude*swing, r3.Vec{X: 1, Z: .5}))
			turn := c.tilt * swing / 2
			testrig.Must(t, b.SetTargetPose(at, quat.Number{Real: math.Cos(turn), Kmag: math.Sin(turn)}, dt))
			r := *l.Step(dt)
			if r.Err != nil {
				t.Fatal(r.Err)
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
			out, err := l.VolumeIn(fluid.Difference(fluid.Box(l.Def().Domain), fluid.Box(inside)))
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

// A bucket dips on its side into one tank, turns upright, comes out full, goes over the wall to the next tank and is
// emptied there: what it scooped, up to its rim, it carries, and what it carried it pours.
func TestBucketScoopsCarriesAndPours(t *testing.T) {
	if testing.Short() {
		t.Skip("13 seconds of a tank")
	}
	for _, wall := range []float64{.02, .06} {
		t.Run(fmt.Sprintf("walls of %g m", wall), func(t *testing.T) { scoops(t, wall) })
	}
}

// scoops measures several ways of a bucket with walls so thick, m.
func scoops(t *testing.T, wall float64) {
	var scooped, carried, poured float64
	const starts = 7 // what splashes back over the wall differs by 2 to 9 % of what is poured from one start to another three millimetres beside it
	for n := range starts {
		a, b, c := bucket(t, wall, .003*float64(n)-.007)
		scooped, carried, poured = scooped+a/starts, carried+b/starts, poured+c/starts
	}
	// Liquid stands up to a cell above a rim before it finds over it.
	full, rim := 1000*bucketEdge*bucketEdge*bucketHigh, 1000*bucketCell*(bucketEdge+2*wall)*(bucketEdge+2*wall)
	if scooped < .93*full || scooped > full+rim {
		t.Errorf("it scooped %.1f litres of %.1f", scooped, full)
	}
	// What stands above the rim may go over it on the way.
	if carried < .95*min(scooped, full) || carried > 1.05*scooped {
		t.Errorf("of %.1f litres it carried %.1f", scooped, carried)
	}
	testrig.FallsShort(t, fmt.Sprintf("part of %.1f litres carried that is not poured", carried), math.Abs(poured/carried-1), .05, .06)
}

// The bucket's inside, and the finest cells about it, m.
const bucketEdge, bucketHigh, bucketCell = .4, .35, .05

// bucket takes a bucket with walls so thick, m, from so much higher up through a tank, over a wall and empties it there. It returns the litres in
// it before, beyond the wall, and then on the ground.
func bucket(t *testing.T, wall, up float64) (scooped, carried, poured float64) {
	t.Helper()
	const inner, high, cell, dt = bucketEdge, bucketHigh, bucketCell, 1. / 60
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(2.4, 1.6, .8), CellSize: cell})
	if _, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: 1.17, Y: -.1, Z: -.1}, Max: r3.Vec{X: 1.23, Y: .65, Z: .9}})); err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: 1.17, Y: .53, Z: .8}})))
	path := []struct {
		at    float64 // s
		x, y  float64 // m
		angle float64 // rad, about z
	}{
		{0, .55, .9 + up, 1.3}, {.8, .55, .3, 1.3}, {1.4, .5, .28, 0}, {2.4, .5, 1, 0}, {3, .5, 1, 0},
		{5, 1.8, 1, 0}, {6, 1.8, 1, -2.6}, {8, 1.8, 1, -2.6},
	}
	w := physics.NewWorld(physics.WorldDef{})
	b := testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Kinematic, Position: r3.Vec{X: path[0].x, Y: path[0].y, Z: .4}, Rotation: aboutZ(path[0].angle)},
		physics.ShapeDef{Geometry: physics.OpenBox(physics.Centred(inner+2*wall, high+wall, inner+2*wall), wall)})
	l.Couple(w.Coupling())
	in := func(lo, hi r3.Vec) float64 {
		v, err := l.VolumeIn(fluid.Box(r3.Box{Min: lo, Max: hi}))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	beyond := r3.Box{Min: r3.Vec{X: 1.23}, Max: r3.Vec{X: 2.4, Y: .78, Z: .8}} // the wall
	litres, spilt := map[float64]float64{}, map[float64]float64{}              // aloft, and beyond the wall already, beside the time
	leg := 0
	for n := 1; n <= int(math.Round(path[len(path)-1].at/dt)); n++ {
		now := float64(n) * dt
		if leg < len(path)-2 && now > path[leg+1].at+1e-9 {
			litres[path[leg+1].at], spilt[path[leg+1].at] = in(r3.Vec{Y: .78}, r3.Vec{X: 2.4, Y: 1.6, Z: .8}), in(beyond.Min, beyond.Max)
			leg++
		}
		from, to := path[leg], path[leg+1]
		s := (now - from.at) / (to.at - from.at)
		s *= s * (3 - 2*s)
		at := r3.Vec{X: from.x + s*(to.x-from.x), Y: from.y + s*(to.y-from.y), Z: .4}
		testrig.Must(t, b.SetTargetPose(at, aboutZ(from.angle+s*(to.angle-from.angle)), dt))
		if r := *l.Step(dt); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	scooped, carried = litres[3], litres[5]
	poured = in(beyond.Min, r3.Vec{X: 2.4, Y: 1.6, Z: .8}) - spilt[5]
	t.Logf("walls of %g m: %.1f litres scooped, %.1f over the wall, %.1f poured, %.1f spilt; %+.2f drifted", wall, scooped, carried, poured, spilt[5], l.Ledger().DriftL)
	return scooped, carried, poured
}

func aboutZ(angle float64) quat.Number {
	return quat.Number{Real: math.Cos(angle / 2), Kmag: math.Sin(angle / 2)}
}
