package fluid_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// faithfulDam is a dam in a tank of tetrahedra, faithful to the papers or not.
func faithfulDam(t *testing.T, faithful bool, workers int) *fluid.Liquid {
	t.Helper()
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(1.6, .8, .4), CellSize: .05, Discretisation: fluid.Tetrahedra, Faithful: faithful, Resources: fluid.Resources{Workers: workers},
	})
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .5, Y: .5, Z: .4}})))
	return l
}

// damFront is how far the liquid on the floor has come, m.
func damFront(t *testing.T, l *fluid.Liquid) float64 {
	t.Helper()
	lo, hi := 0., l.Def().Domain.Max.X
	for hi-lo > 1e-3 {
		mid := (lo + hi) / 2
		v, err := l.VolumeIn(fluid.Box(r3.Box{Min: r3.Vec{X: mid}, Max: r3.Vec{X: 2, Y: .8, Z: .4}}))
		testrig.Must(t, err)
		if v > 1e-4 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// A dam that breaks runs as far in faithful tetrahedra as in the lattice's, to a cell and a half, and no liquid is gained or lost.
func TestFaithfulDam(t *testing.T) {
	a, b := faithfulDam(t, false, 1), faithfulDam(t, true, 1)
	for step := range testrig.InShort(8, 24) {
		for _, l := range []*fluid.Liquid{a, b} {
			if r := *l.Step(testrig.Frame); r.Err != nil || len(r.Warnings) > 0 {
				t.Fatal(r.Err, r.Warnings)
			}
		}
		if step%4 != 3 {
			continue
		}
		lattice, faithful := damFront(t, a), damFront(t, b)
		ledger := b.Ledger()
		t.Logf("%d: front at %.3f m, faithful %.3f m; off by %.3f %%", step, lattice, faithful, 100*ledger.DriftL/ledger.FilledL)
		if math.Abs(faithful-lattice) > .075 {
			t.Errorf("step %d: the front is at %g m, and faithful at %g m", step, lattice, faithful)
		}
		if math.Abs(ledger.DriftL) > 5e-3*ledger.FilledL {
			t.Errorf("step %d: %g of %g litres are missing", step, ledger.DriftL, ledger.FilledL)
		}
	}
}

// V2: a still pool on the lattice is still, and in faithful tetrahedra it creeps, by the surface at up to a fifth of what liquid falls
// by in a tenth of a second. It goes nowhere: in its middle it moves at an eighth of that, and all of it is kept.
func TestFaithfulPoolCreeps(t *testing.T) {
	var top, middle [2]float64
	for i, faithful := range []bool{false, true} {
		l := testrig.New(t, fluid.Def{
			Domain: testrig.Box(.8, .8, .8), CellSize: .1, Discretisation: fluid.Tetrahedra, Faithful: faithful, Numerics: fluid.Numerics{Undamped: true, Tolerance: 1e-10, MaxIterations: 200},
		})
		testrig.Must(t, l.Fill(fluid.Below(.423)))
		for range testrig.InShort(10, 60) {
			r := *l.Step(testrig.Frame)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			top[i] = max(top[i], r.MaxSpeed)
			middle[i] = max(middle[i], r3.Norm(testrig.SpeedIn(l, r3.Vec{X: .4, Y: .25, Z: .4}, .15)))
		}
		if ledger := l.Ledger(); math.Abs(ledger.DriftL) > 2e-3*ledger.FilledL {
			t.Errorf("faithful %v: %+v", faithful, ledger)
		}
	}
	t.Logf("fastest %.3g m/s, faithful %.3g m/s; in the middle %.3g m/s and %.3g m/s", top[0], top[1], middle[0], middle[1])
	if top[0] > 1e-6 || top[1] < 1e-2 || top[1] > .4 || middle[1] > .05 {
		t.Errorf("fastest %g m/s, faithful %g m/s; in the middle %g m/s and %g m/s", top[0], top[1], middle[0], middle[1])
	}
}

// A crate half as heavy as the water that it displaces floats in faithful tetrahedra as on the lattice, and bobs as it does.
func TestFaithfulCrateFloats(t *testing.T) {
	var crates [2]physics.Body
	var liquids [2]*fluid.Liquid
	for i := range crates {
		liquids[i] = testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .1, Discretisation: fluid.Tetrahedra, Faithful: i == 1})
		testrig.Must(t, liquids[i].Fill(fluid.Below(.8)))
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		crates[i] = testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .83, Y: .9, Z: .77}, physics.Box(testrig.Cuboid(-.25, -.25, -.25, .25, .25, .25)), 500)
		liquids[i].Couple(w.Coupling())
	}
	for n := range testrig.InShort(10, 60) {
		for i, l := range liquids {
			if r := *l.Step(testrig.Frame); r.Err != nil {
				t.Fatal(i, r.Err)
			}
		}
		a, b := crates[0].Position(), crates[1].Position()
		off := .02
		if n > 40 {
			off = .06
		}
		if n%10 == 9 {
			t.Logf("%d: at %.3f m, faithful %.3f m", n, a, b)
		}
		if math.Abs(a.Y-b.Y) > off || math.Hypot(b.X-.83, b.Z-.77) > .08 {
			t.Fatalf("step %d: at %.4g m, faithful at %.4g m", n, a, b)
		}
	}
}

// What faithful tetrahedra can't do is named.
func TestFaithfulNamesWhatItLacks(t *testing.T) {
	plain := fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Discretisation: fluid.Tetrahedra, Faithful: true}
	testrig.Must(t, plain.Validate())
	for field, change := range map[string]func(d *fluid.Def){
		"Faithful":          func(d *fluid.Def) { d.Discretisation = fluid.Cubes },
		"Physics.Viscosity": func(d *fluid.Def) { d.Physics.Viscosity = 1e-3 },
		"Sides":             func(d *fluid.Def) { d.Sides.MaxX = fluid.Open },
	} {
		d := plain
		change(&d)
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), "Def."+field+":") {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// faithfulScene is a dam with a ball, after some steps.
func faithfulScene(t *testing.T, workers, steps int, tracker fluid.Tracker) *fluid.Liquid {
	t.Helper()
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(.93, .6, .6), CellSize: .06, Discretisation: fluid.Tetrahedra, Faithful: true, Tracker: tracker, Resources: fluid.Resources{Workers: workers},
	})
	testrig.Must(t, l.Fill(fluid.Intersection(fluid.Below(.31), fluid.HalfSpace(r3.Vec{X: .61}, r3.Vec{X: 1}))))
	for range steps {
		if r := *l.Step(testrig.Frame); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	return l
}

// The hash is the same for any number of workers.
func TestFaithfulSameBitsForAnyWorkers(t *testing.T) {
	want := faithfulScene(t, 1, testrig.InShort(3, 8), fluid.LevelSet).Hash()
	for _, workers := range []int{2, 3} {
		if got := faithfulScene(t, workers, testrig.InShort(3, 8), fluid.LevelSet).Hash(); got != want {
			t.Errorf("%d workers: %x, with one %x", workers, got, want)
		}
	}
}

// Copied or restored, faithful liquid has the same hash and goes on with the same bits, also after edits, with each tracker.
func TestFaithfulStateIsCopiedWhole(t *testing.T) {
	for name, tracker := range testrig.AnyTracker {
		for call, edit := range edits {
			if call == "SetMaterial" || call != "SetVelocity" && tracker != fluid.LevelSet || testing.Short() && (call != "SetVelocity" || tracker != fluid.LevelSet) {
				continue
			}
			base := faithfulScene(t, 1, 3, tracker)
			testrig.Must(t, edit(base))
			copied, read := testrig.New(t, base.Def()), testrig.New(t, base.Def())
			testrig.Must(t, base.CopyTo(copied))
			if call != "AddObstacle" && call != "AddEmitter" { // shapes are the game's
				testrig.Restore(t, read, testrig.Saved(t, base))
			} else {
				testrig.Must(t, base.CopyTo(read))
			}
			for n := 0; ; n++ {
				if a, b, c := base.Hash(), copied.Hash(), read.Hash(); a != b || a != c {
					t.Errorf("%s, %s: %d steps on the hash is %x, of a copy %x, of what was read %x", name, call, n, a, b, c)
					break
				}
				if n == 2 {
					break
				}
				for _, l := range []*fluid.Liquid{base, copied, read} {
					if r := *l.Step(testrig.Frame); r.Err != nil {
						t.Errorf("%s, %s: %v", name, call, r.Err)
					}
				}
			}
		}
	}
}

// Solids and bodies anywhere, static or falling, in a domain that ends anywhere, leave no step undone, and no more than a hundredth of the liquid goes.
func TestFaithfulRandomScenes(t *testing.T) {
	for seed := range uint64(testrig.InShort(2, 12)) {
		r := rand.New(rand.NewPCG(seed, 7))
		within := func(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }
		at := func() r3.Vec { return r3.Vec{X: within(0, 1.1), Y: within(0, .7), Z: within(0, .6)} }
		l := testrig.New(t, fluid.Def{
			Domain: testrig.Box(within(.8, 1.3), within(.6, .9), within(.5, .8)), CellSize: .07, Discretisation: fluid.Tetrahedra, Faithful: true,
			Numerics: fluid.Numerics{Levels: 1 + r.IntN(4)},
		})
		for range r.IntN(3) {
			_, err := l.AddObstacle([]fluid.SDF{fluid.Sphere(at(), within(.03, .3)), fluid.Box(testrig.Cuboid(0, 0, 0, within(.1, 1), within(.1, .5), within(.1, .5)))}[r.IntN(2)])
			testrig.Must(t, err)
		}
		testrig.Must(t, l.Fill(fluid.Below(within(.1, .5))))
		testrig.Must(t, l.Fill(fluid.Sphere(at(), within(.05, .3))))
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		for range r.IntN(4) {
			size := within(.02, .15)
			testrig.Place(t, w, physics.Dynamic, at(), physics.Box(testrig.Cuboid(-size, -.05, -size, size, .05, size)), within(100, 3000))
		}
		l.Couple(w.Coupling())
		for n := range testrig.InShort(4, 20) {
			if report := *l.Step(testrig.Frame); report.Err != nil {
				t.Fatalf("seed %d: step %d: %v", seed, n, report.Err)
			}
		}
		if ledger := l.Ledger(); math.Abs(ledger.DriftL) > .01*ledger.FilledL {
			t.Errorf("seed %d: %g of %g litres are missing", seed, ledger.DriftL, ledger.FilledL)
		}
	}
}

// A cork that is too small to cut the mesh rises in faithful tetrahedra as it does on the lattice.
func TestFaithfulCorkRises(t *testing.T) {
	var corks [2]physics.Body
	var liquids [2]*fluid.Liquid
	for i := range corks {
		liquids[i] = testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Discretisation: fluid.Tetrahedra, Faithful: i == 1})
		testrig.Must(t, liquids[i].Fill(fluid.Below(.6)))
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		corks[i] = testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .43, Y: .3, Z: .37}, physics.Box(testrig.Cuboid(-.03, -.03, -.03, .03, .03, .03)), 500)
		liquids[i].Couple(w.Coupling())
	}
	for n := range testrig.InShort(15, 30) {
		for i, l := range liquids {
			if r := *l.Step(testrig.Frame); r.Err != nil {
				t.Fatal(i, r.Err)
			}
		}
		a, b := corks[0].Position(), corks[1].Position()
		if math.Abs(a.Y-b.Y) > .01 || math.Hypot(b.X-.43, b.Z-.37) > .02 {
			t.Fatalf("step %d: at %.4g m, faithful at %.4g m", n, a, b)
		}
		if n == 14 && a.Y < .38 {
			t.Errorf("it has risen to %.4g m alone", a.Y)
		}
	}
}

// The mesh is made anew in each step, of the surface as it is then: its tetrahedra hold the liquid, to a twentieth.
func TestFaithfulMeshFollowsTheSurface(t *testing.T) {
	l := faithfulDam(t, true, 1)
	rows := map[int]bool{}
	for step := range testrig.InShort(4, 20) {
		if r := *l.Step(testrig.Frame); r.Err != nil {
			t.Fatal(r.Err)
		}
		gr := &testrig.FV(l).Graph
		rows[gr.Rows] = true
		volume := 0.
		for _, v := range gr.Volume {
			volume += 1e3 * float64(v)
		}
		if held := l.Ledger().HeldL; math.Abs(volume-held) > .05*held {
			t.Errorf("step %d: tetrahedra of %g litres, and %g litres are held", step, volume, held)
		}
	}
	if len(rows) < testrig.InShort(3, 15) {
		t.Errorf("%d meshes differ", len(rows))
	}
}

// The solve begins with the last step's pressure, carried over to the new mesh, and takes fewer iterations than from none.
func TestFaithfulStartsWarm(t *testing.T) {
	warm := faithfulDam(t, true, 1)
	for range 3 {
		warm.Step(testrig.Frame)
	}
	cold := testrig.New(t, warm.Def())
	testrig.Must(t, warm.CopyTo(cold))
	testrig.FV(cold).Cells.ScalePressure(0)
	a, b := *warm.Step(testrig.Frame), *cold.Step(testrig.Frame)
	if a.Err != nil || b.Err != nil || a.Iterations >= b.Iterations {
		t.Errorf("%d iterations, from no pressure %d; %v, %v", a.Iterations, b.Iterations, a.Err, b.Err)
	}
}

// What acts on liquid acts on faithful tetrahedra as on the lattice: emitters, sinks, wind, tension, white water, controls.
func TestFaithfulTakesWhatActsOnLiquid(t *testing.T) {
	var ledger [2]fluid.Ledger
	for i := range ledger {
		l := testrig.New(t, fluid.Def{
			Domain: testrig.Box(.96, .6, .6), CellSize: .06, Discretisation: fluid.Tetrahedra, Faithful: i == 1, WhiteWater: 100, Physics: fluid.Physics{SurfaceTension: .07},
		})
		testrig.Must(t, l.Fill(fluid.Below(.3)))
		_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .3, Y: .45, Z: .3}, .08), Rate: 6, Velocity: r3.Vec{X: 1}})
		testrig.Must(t, err)
		_, err = l.AddSink(fluid.Sphere(r3.Vec{X: .7, Y: .1, Z: .3}, .1), 4)
		testrig.Must(t, err)
		_, err = l.AddControl(fluid.ControlDef{Clip: carriedBox{testrig.Cuboid(.1, .05, .1, .3, .2, .3), r3.Vec{X: .2}}, Strength: 1})
		testrig.Must(t, err)
		testrig.Must(t, l.SetWind(fluid.Wind{Velocity: r3.Vec{X: 5}}))
		for range testrig.InShort(4, 30) {
			if r := *l.Step(testrig.Frame); r.Err != nil {
				t.Fatal(i, r.Err)
			}
		}
		ledger[i] = l.Ledger()
	}
	t.Logf("%+v", ledger)
	a, b := ledger[0], ledger[1]
	if math.Abs(b.DriftL) > .005*b.FilledL || math.Abs(a.EmittedL-b.EmittedL) > .03*a.EmittedL || math.Abs(a.DrainedL-b.DrainedL) > .03*a.DrainedL {
		t.Errorf("%+v, faithful %+v", a, b)
	}
}

// What faithful tetrahedra need at most is reckoned, as of other cells: see TestMemoryEstimate.
func TestFaithfulMemory(t *testing.T) {
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	d := fluid.Def{
		Domain: testrig.Box(.8, .8, .8), CellSize: .05, Discretisation: fluid.Tetrahedra, Faithful: true, Numerics: fluid.Numerics{Levels: 1}, Physics: fluid.Physics{SurfaceTension: .07},
	}
	l := testrig.New(t, d)
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.5, .75, .8))))
	for range 4 {
		l.Step(testrig.Frame)
	}
	used, need := heap()-before, d.Extent().Memory(d.CellSize)
	runtime.KeepAlive(l)
	cells := d.Extent().Cells(d.CellSize)
	t.Logf("%.0f bytes per cell, %.0f estimated", used/cells, need/cells)
	if used > need || 3*used < need {
		t.Errorf("%g MB are in use, %g MB were estimated", used/1e6, need/1e6)
	}
}
