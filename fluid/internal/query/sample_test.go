package query_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// The pressure in still liquid is that of what is above at every point, whatever the cells there: near the surface, at walls, in obstacles'
// shadow, where coarse cells meet fine ones.
func TestPressureAtPoints(t *testing.T) {
	for _, c := range []struct {
		name    string
		levels  int
		level   float64
		gravity r3.Vec
	}{
		{"one level", 1, .8, r3.Vec{Y: -9.81}}, {"surface off the grid", 1, .837, r3.Vec{Y: -9.81}}, {"coarse cells below", 4, 1.4, r3.Vec{Y: -9.81}},
		{"coarse cells, off the grid", 4, 1.437, r3.Vec{Y: -9.81}}, {"strong gravity", 4, 1.4, r3.Vec{Y: -40}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .05, Numerics: fluid.Numerics{Levels: c.levels, Band: 2, Tolerance: 1e-9, MaxIterations: 200}, Physics: fluid.Physics{Gravity: c.gravity}})
			if _, err := l.AddObstacle(fluid.Box(testrig.Between(.63, .3, .41, 1.02, .6, .9))); err != nil {
				t.Fatal(err)
			}
			testrig.Must(t, l.Fill(fluid.Below(c.level)))
			for range 3 {
				if r := *l.Step(1. / 60); c.levels > 1 {
					testrig.MixedLevels(t, r)
				}
			}
			var pts []r3.Vec
			for i := range 400 {
				u := float64(i)
				pts = append(pts, r3.Vec{X: 1.6 * math.Mod(.013+u*.618, 1), Y: c.level * math.Mod(.017+u*.377, 1), Z: 1.6 * math.Mod(.011+u*.755, 1)})
			}
			out := make([]fluid.Sample, len(pts))
			l.Sample(out, pts)
			worst, solid := 0., 0
			for i, s := range out {
				if s.Medium == fluid.MediumSolid {
					solid++
					continue
				}
				head := s.Pressure / (1000 * -c.gravity.Y)
				worst = max(worst, math.Abs(head-(c.level-pts[i].Y)))
			}
			if worst > 2e-3 || solid == 0 || solid > 40 {
				t.Errorf("the pressure is off by %g m of liquid; %d points are in the obstacle", worst, solid)
			}
		})
	}
}

// Liquid in free fall has no pressure, nowhere.
func TestFallingLiquidHasNoPressure(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .1, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-9}})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Between(.33, .6, .41, 1.2, 1.27, 1.1))))
	l.Step(1. / 60)
	for _, x := range []r3.Vec{{X: .7, Y: .9, Z: .8}, {X: .4, Y: .65, Z: .5}, {X: 1.15, Y: 1.2, Z: 1.05}} {
		var s [1]fluid.Sample
		if l.Sample(s[:], []r3.Vec{x}); !s[0].Inside || math.Abs(s[0].Pressure) > 20 {
			t.Errorf("at %v: %+v", x, s[0])
		}
	}
}

// Sample says what there is at a point: air, liquid, or a solid that stands in either.
func TestSampleTellsTheMedium(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: .1})
	if _, err := l.AddObstacle(fluid.Box(testrig.Between(.2, .2, .2, .4, .9, .4))); err != nil {
		t.Fatal(err)
	}
	moving, err := l.AddObstacle(fluid.Sphere(r3.Vec{}, .15))
	if err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.MoveObstacle(moving, fluid.Motion{Translation: r3.Vec{X: 1.2, Y: .3, Z: 1.2}}))
	testrig.Must(t, l.Fill(fluid.Below(.6)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	l.Couple(w.Coupling())
	l.Step(1. / 60)
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: r3.Vec{X: 1.2, Y: .5, Z: .4}}) // since the last step
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .4, .3))})
	}
	if err != nil {
		t.Fatal(err)
	}
	want := map[r3.Vec]fluid.Medium{
		{X: .3, Y: .4, Z: .3}: fluid.MediumSolid, {X: .3, Y: .8, Z: .3}: fluid.MediumSolid, {X: .3, Y: 1, Z: .3}: fluid.MediumAir, {X: .5, Y: .4, Z: .3}: fluid.MediumLiquid,
		{X: 1.2, Y: .3, Z: 1.2}: fluid.MediumSolid, {X: 1.2, Y: .5, Z: 1.2}: fluid.MediumLiquid, {X: 1.2, Y: .7, Z: 1.2}: fluid.MediumAir,
		{X: 1.2, Y: .5, Z: .4}: fluid.MediumSolid, {X: 1.2, Y: .65, Z: .4}: fluid.MediumSolid, {X: 1.2, Y: .75, Z: .4}: fluid.MediumAir, {X: 1.2, Y: .25, Z: .4}: fluid.MediumLiquid,
		{X: -1, Y: .1, Z: .1}: fluid.MediumAir, {X: .1, Y: math.NaN(), Z: .1}: fluid.MediumAir,
	}
	for x, medium := range want {
		var s [1]fluid.Sample
		l.Sample(s[:], []r3.Vec{x})
		if s[0].Medium != medium || s[0].Inside != (medium == fluid.MediumLiquid) || (s[0].Pressure != 0) != (medium == fluid.MediumLiquid) {
			t.Errorf("at %v: %+v, want medium %d", x, s[0], medium)
		}
	}
	pts, out := make([]r3.Vec, 200), make([]fluid.Sample, 200) // more than one batch
	for i := range pts {
		pts[i] = r3.Vec{X: .3, Y: .006 * float64(i), Z: .3}
	}
	if n := testing.AllocsPerRun(5, func() { l.Sample(out, pts) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
	for i, s := range out {
		if y := pts[i].Y; (s.Medium == fluid.MediumSolid) != (y > .2 && y < .9) && math.Abs(y-.2) > 1e-6 && math.Abs(y-.9) > 1e-6 {
			t.Errorf("at y = %g: %+v", y, s)
		}
	}
}
