package fv_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// meshCentre is the centre of what the surface's mesh encloses, m.
func meshCentre(s *fluid.Surface) r3.Vec {
	volume, moment := testrig.TrianglesOf(s).Moments()
	return r3.Scale(1/volume, moment)
}

// Water that is let go falls by ½gt², whatever the step, its substeps, and what it falls by.
func TestWaterFallsFreely(t *testing.T) { testrig.EachDiscretisation(t, waterFallsFreely) }

func waterFallsFreely(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	const time = .3
	middle := r3.Vec{X: .613, Y: 1.913, Z: .587}
	half := r3.Vec{X: .2, Y: .2, Z: .2}
	block, ball := fluid.Box(r3.Box{Min: r3.Sub(middle, half), Max: r3.Add(middle, half)}), fluid.Sphere(middle, .25)
	for name, c := range map[string]struct {
		shape   fluid.SDF
		dt, cfl float64
		field   r3.Vec // m/s², in gravity's place
	}{
		"block":            {shape: block, dt: 1. / 60},
		"ball":             {shape: ball, dt: 1. / 60},
		"long steps":       {shape: ball, dt: 1. / 30},
		"short steps":      {shape: ball, dt: 1. / 120},
		"substeps":         {shape: ball, dt: 1. / 60, cfl: .25},
		"field":            {shape: block, dt: 1. / 60, field: r3.Vec{Y: -9.81}},
		"field that tilts": {shape: ball, dt: 1. / 60, field: r3.Vec{X: -1, Y: -9, Z: .6}},
	} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 2.4, 1.2), CellSize: .05, Discretisation: of, Physics: fluid.Physics{Weightless: c.field != r3.Vec{}}, Numerics: fluid.Numerics{CFL: c.cfl}})
		g := r3.Vec{Y: -9.81}
		if c.field != (r3.Vec{}) {
			g = c.field
			if _, err := l.AddField(fluid.Field{Kind: fluid.UniformField, Axis: r3.Unit(g), Strength: r3.Norm(g)}); err != nil {
				t.Fatal(err)
			}
		}
		testrig.Must(t, l.Fill(c.shape))
		from, substeps := meshCentre(l.Surface()), 0
		for range int(math.Round(time / c.dt)) {
			r := *l.Step(c.dt)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			substeps = max(substeps, r.Substeps)
		}
		if c.cfl > 0 && substeps < 2 {
			t.Errorf("%s: %d substeps", name, substeps)
		}
		want := r3.Scale(time*time/2, g)
		if way := r3.Sub(meshCentre(l.Surface()), from); r3.Norm(r3.Sub(way, want)) > .005*r3.Norm(want) {
			t.Errorf("%s: fell by %.4f m, want %.4f", name, way, want)
		}
	}
}

// A step of another length changes nothing in how far water has come.
func TestStepsOfAnyLengthFallAlike(t *testing.T) {
	testrig.EachDiscretisation(t, stepsOfAnyLengthFallAlike)
}

func stepsOfAnyLengthFallAlike(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	middle := r3.Vec{X: .613, Y: 1.913, Z: .587}
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 2.4, 1.2), CellSize: .05, Discretisation: of})
	testrig.Must(t, l.Fill(fluid.Sphere(middle, .25)))
	from, time := meshCentre(l.Surface()).Y, 0.
	for n, dt := range []float64{1. / 120, 1. / 30, 1. / 30, 1. / 240, 1. / 60, 1. / 20, 1. / 60, 1. / 200, 1. / 25, 1. / 100, 1. / 20} {
		l.Step(dt)
		time += dt
		want := 9.81 * time * time / 2
		if way := from - meshCentre(l.Surface()).Y; n > 3 && math.Abs(way-want) > .006*want+.0005 {
			t.Errorf("after %.4f s: fell by %.4f m, want %.4f", time, way, want)
		}
	}
}

// What is sampled, and what is found in a part of the domain, is where the mesh is.
func TestAllShowTheSurfaceAtOnePlace(t *testing.T) {
	testrig.EachDiscretisation(t, allShowTheSurfaceAtOnePlace)
}

func allShowTheSurfaceAtOnePlace(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	middle := r3.Vec{X: .6, Y: 1.9, Z: .6}
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 2.4, 1.2), CellSize: .05, Discretisation: of})
	testrig.Must(t, l.Fill(fluid.Sphere(middle, .25)))
	for range 18 {
		l.Step(1. / 60)
	}
	c := meshCentre(l.Surface())
	var out [2]fluid.Sample
	l.Sample(out[:], []r3.Vec{c, {X: c.X, Y: c.Y + .4, Z: c.Z}})
	if top := c.Y + out[0].Height; !out[0].Inside || math.Abs(top-c.Y-.25) > .005 {
		t.Errorf("the top of a ball about %g m is at %g", c.Y, top)
	}
	if top := c.Y + .4 + out[1].Height; out[1].Inside || math.Abs(top-c.Y-.25) > .005 {
		t.Errorf("from above, the top of a ball about %g m is at %g", c.Y, top)
	}
	below, err := l.VolumeIn(fluid.Below(c.Y))
	if err != nil {
		t.Fatal(err)
	}
	if whole := l.Ledger().HeldL; math.Abs(below-whole/2) > .01*whole {
		t.Errorf("%g of %g litres are below the middle", below, whole)
	}
}

// A cup of water that is let go and the water in it fall together, whatever its walls, and the water presses on nothing.
func TestCupAndItsWaterFallTogether(t *testing.T) {
	testrig.EachDiscretisation(t, cupAndItsWaterFallTogether)
}

func cupAndItsWaterFallTogether(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	const dt, time = 1. / 60, .3
	for _, c := range []struct{ wall, off, depth float64 }{{.06, 0, .25}, {.02, .013, .25}, {.12, .021, .2}} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 2.4, 1.2), CellSize: .05, Discretisation: of})
		middle := r3.Vec{X: .6 + c.off, Y: 1.9 + c.off, Z: .6 - c.off}
		half := r3.Vec{X: .25, Y: .2, Z: .25}
		floor := middle.Y - half.Y
		fill := r3.Box{Min: r3.Sub(middle, half), Max: r3.Vec{X: middle.X + half.X, Y: floor + c.depth, Z: middle.Z + half.Z}}
		testrig.Must(t, l.Fill(fluid.Box(fill)))
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: middle.X, Y: middle.Y - c.wall/2, Z: middle.Z}, physics.OpenBox(physics.Centred(.5+2*c.wall, .4+c.wall, .5+2*c.wall), c.wall), 2000)
		l.Couple(w.Coupling())
		from, want := b.CentreOfMass().Y, 9.81*time*time/2
		for range int(math.Round(time / dt)) {
			l.Step(dt)
		}
		fell := from - b.CentreOfMass().Y
		if math.Abs(fell-want) > .005*want {
			t.Errorf("%+v: the cup fell by %.4f m, want %.4f", c, fell, want)
		}
		var out [1]fluid.Sample
		l.Sample(out[:], []r3.Vec{{X: middle.X, Y: floor - fell + c.depth/2, Z: middle.Z}})
		// The fill's edges are worth a fifth of a cell.
		if depth := c.depth/2 + out[0].Height; !out[0].Inside || math.Abs(depth-c.depth) > .013 {
			t.Errorf("%+v: the water is %.4f m deep, want %g", c, depth, c.depth)
		}
		outside, err := l.VolumeIn(fluid.Below(floor - fell - c.wall - .03))
		if err != nil {
			t.Fatal(err)
		}
		if held := l.Ledger().HeldL; outside > .005*held {
			t.Errorf("%+v: %g of %g litres are below the cup", c, outside, held)
		}
	}
}

// What a tap has thrown up flies on as a stone would: its centre falls behind a straight way by ½gt².
func TestThrownWaterFliesFreely(t *testing.T) { testrig.EachDiscretisation(t, thrownWaterFliesFreely) }

func thrownWaterFliesFreely(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	const dt, span = 1. / 60, 9
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(2.4, 2.4, 1.2), CellSize: .05, Discretisation: of})
	id, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Box(r3.Box{Min: r3.Vec{X: .3, Y: .5, Z: .4}, Max: r3.Vec{X: .6, Y: .8, Z: .8}}), Velocity: r3.Vec{X: 2, Y: 4}, Rate: 400})
	if err != nil {
		t.Fatal(err)
	}
	for range 12 {
		l.Step(dt)
	}
	testrig.Must(t, l.StopEmitter(id))
	l.Step(dt)
	var at [3]r3.Vec
	for i := range at {
		at[i] = meshCentre(l.Surface())
		for range span {
			l.Step(dt)
		}
	}
	if l.Ledger().EmittedL < 20 {
		t.Fatalf("%g litres", l.Ledger().EmittedL)
	}
	bend := r3.Sub(r3.Add(at[0], at[2]), r3.Scale(2, at[1]))
	want := -9.81 * (span * dt) * (span * dt)
	if math.Abs(bend.Y-want) > .03*-want || math.Abs(bend.X) > .03*-want {
		t.Errorf("the way bends by %.4f m, want %.4f down", bend, want)
	}
}
