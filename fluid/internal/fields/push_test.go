package fields_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// liquidMomentum is the liquid's, N·s, as Momentum counts it.
func liquidMomentum(l *fluid.Liquid) (sum r3.Vec) {
	gr := &testrig.FV(l).Graph
	var p [3]float64
	for f, u := range gr.U {
		p[gr.Cubes.Axis[f]] += l.Def().Physics.Density * gr.Area[f] * gr.Open[f] * gr.Dist[f] * u
	}
	return reproducible.Vector(p)
}

// blob is a ball of water that floats without weight, far from walls.
func blob(t testing.TB) *fluid.Liquid {
	t.Helper()
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 2, 2), CellSize: .05, Physics: fluid.Physics{Weightless: true}, Resources: fluid.Resources{Workers: 1}})
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: 1, Y: 1, Z: 1}, .5)))
	return l
}

// What an impulse gives, the liquid has afterwards: all of it, some of it, or from the air beside it.
func TestImpulseIsGained(t *testing.T) {
	for name, c := range map[string]struct {
		at     r3.Vec
		radius float64
	}{
		"all":    {r3.Vec{X: 1, Y: 1, Z: 1}, 2},
		"middle": {r3.Vec{X: 1, Y: 1, Z: 1}, .4},
		"rim":    {r3.Vec{X: 1, Y: 1.5, Z: 1}, .4},
	} {
		t.Run(name, func(t *testing.T) {
			l := blob(t)
			testrig.GoesOn(t, l, 1)
			give := r3.Vec{X: 20, Y: -10, Z: 4}
			testrig.Must(t, l.Impulse(c.at, c.radius, give))
			testrig.GoesOn(t, l, 1)
			got := liquidMomentum(l)
			t.Logf("%.1f N·s", got)
			if r3.Norm(r3.Sub(got, give)) > .04*r3.Norm(give) {
				t.Errorf("%.1f N·s of %.1f", got, give)
			}
		})
	}
	l := testrig.Tub(t)
	was := l.Hash()
	testrig.Must(t, l.Impulse(r3.Vec{X: .8, Y: .7, Z: .4}, .1, r3.Vec{Y: -1})) // in the air
	testrig.Must(t, l.Impulse(r3.Vec{X: 99}, .1, r3.Vec{Y: -1}))
	testrig.Refused(t, l.Impulse(r3.Vec{X: testrig.NaN}, 1, r3.Vec{X: 1}), "Impulse", "centre")
	testrig.Refused(t, l.Impulse(r3.Vec{}, 0, r3.Vec{X: 1}), "Impulse", "radius")
	testrig.Refused(t, l.Impulse(r3.Vec{}, 1, r3.Vec{X: testrig.Inf}), "Impulse", "finite")
	testrig.Refused(t, l.Impulse(r3.Vec{Y: .2}, 1, r3.Vec{X: 1e9}), "Impulse", "1000")
	testrig.Refused(t, l.Explode(r3.Vec{}, testrig.NaN, 1), "Explode", "radius")
	if l.Hash() != was {
		t.Error("what was refused, or hit nothing, changed the liquid")
	}
}

// An explosion at the surface throws a crater, the same to all sides; one in the deep does next to nothing, and a drained bubble gives way.
func TestExplosion(t *testing.T) {
	run := func(prepare func(l *fluid.Liquid) error) (heights [5]float64, top float64) {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 1.6, 2), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
		testrig.Must(t, l.Fill(fluid.Below(.8)))
		testrig.Must(t, prepare(l))
		for range 12 {
			r := testrig.GoesOn(t, l, 1)
			top = max(top, r.MaxSpeed)
			if math.Abs(r.Ledger.DriftL) > .01*r.Ledger.FilledL {
				t.Errorf("the ledger is off by %g l", r.Ledger.DriftL)
			}
		}
		pts := []r3.Vec{{X: 1, Y: .3, Z: 1}, {X: .6, Y: .3, Z: 1}, {X: 1.4, Y: .3, Z: 1}, {X: 1, Y: .3, Z: .6}, {X: 1, Y: .3, Z: 1.4}}
		var s [5]fluid.Sample
		l.Sample(s[:], pts)
		for i := range s {
			heights[i] = s[i].Height + .3
		}
		return heights, top
	}
	h, top := run(func(l *fluid.Liquid) error { return l.Explode(r3.Vec{X: 1, Y: .8, Z: 1}, .4, 100) })
	t.Log(h, top)
	if h[0] > .75 || slices.Max(h[1:])-slices.Min(h[1:]) > .02 || h[1] < .8 {
		t.Errorf("the surface is at %.3f m over the charge and at %.3f m around, was at .8 m", h[0], h[1:])
	}
	_, deep := run(func(l *fluid.Liquid) error { return l.Explode(r3.Vec{X: 1, Y: .35, Z: 1}, .3, 100) })
	if deep > .25*top {
		t.Errorf("%g m/s of a charge with no air around, %g m/s at the surface", deep, top)
	}
}

// Wind drives a current with it along the surface, an open one farther than none, the more the more it drags, and none without it.
func TestWindDrivesSurface(t *testing.T) {
	current := func(w fluid.Wind) (top, bottom r3.Vec) {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
		testrig.Must(t, l.Fill(fluid.Below(.45)))
		testrig.Must(t, l.SetWind(w))
		testrig.GoesOn(t, l, 120)
		pts := []r3.Vec{{X: 1.6, Y: .4, Z: .4}, {X: 1.6, Y: .05, Z: .4}}
		var s [2]fluid.Sample
		l.Sample(s[:], pts)
		return s[0].Velocity, s[1].Velocity
	}
	still, _ := current(fluid.Wind{})
	with, under := current(fluid.Wind{Velocity: r3.Vec{X: 20}})
	against, _ := current(fluid.Wind{Velocity: r3.Vec{X: -20}})
	strong, _ := current(fluid.Wind{Velocity: r3.Vec{X: 20}, Drag: .02})
	t.Logf("%.4f still, %.4f with, %.4f under, %.4f against, %.4f strong", still, with, under, against, strong)
	if r3.Norm(still) > 1e-4 {
		t.Errorf("%.4f m/s without wind", still)
	}
	if with.X < .004 || with.X > .04 || math.Abs(with.X+against.X) > .1*with.X || strong.X < 3*with.X || under.X > .2*with.X {
		t.Errorf("%.4f m/s downwind, %.4f m/s at the bottom, %.4f m/s for the other wind, %.4f m/s for more drag", with, under, against, strong)
	}
	l := testrig.Tub(t)
	testrig.Refused(t, l.SetWind(fluid.Wind{Velocity: r3.Vec{X: testrig.NaN}}), "SetWind", "Velocity")
	testrig.Refused(t, l.SetWind(fluid.Wind{Drag: -1}), "SetWind", "Drag")
}

// What wind gives in a step is the traction times the surface: 1.2 kg/m³ · drag · speed² per square metre.
func TestWindTraction(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	testrig.Must(t, l.Fill(fluid.Below(.45)))
	testrig.Must(t, l.SetWind(fluid.Wind{Velocity: r3.Vec{X: 10}, Drag: .01}))
	l.TrackMomentum(true)
	r := testrig.GoesOn(t, l, 1)
	want := 1.2 * .01 * 10 * 10 * 1.6 * .8 * testrig.Frame
	if got := r.Momentum.Gravity.X; math.Abs(got-want) > .1*want {
		t.Errorf("%g N·s, want %g", got, want)
	}
}

// What a function gives that is not finite counts as none, with one warning that names the field; too much is cut.
func TestFuncFieldGivesNonsense(t *testing.T) {
	for name, v := range map[string]r3.Vec{"NaN": {X: testrig.NaN}, "infinite": {Y: testrig.Inf}, "huge": {X: 1e300}, "too much": {X: 1e6}} {
		t.Run(name, func(t *testing.T) {
			l := testrig.Tub(t)
			_, err := l.AddField(fluid.Field{Kind: fluid.FuncField, Strength: 5, Func: func(dst, pts []r3.Vec) {
				for i, x := range pts {
					if dst[i] = (r3.Vec{}); x.X < .8 {
						dst[i] = v
					}
				}
			}})
			testrig.Must(t, err)
			warned := 0
			for range 10 {
				r := testrig.GoesOn(t, l, 1)
				for _, w := range r.Warnings {
					if w.Knob == "Field.Func" && strings.Contains(w.Text, "field 0") {
						warned++
					}
				}
				if r.MaxSpeed > 5*10*testrig.Frame+1 {
					t.Fatalf("%g m/s", r.MaxSpeed)
				}
			}
			if want := map[bool]int{true: 0, false: 1}[name == "too much"]; warned != want {
				t.Errorf("%d warnings, want %d", warned, want)
			}
		})
	}
	l := testrig.Tub(t)
	_, err := l.AddField(fluid.Field{Kind: fluid.FuncField, Strength: 1})
	testrig.Refused(t, err, "AddField", "Func")
	_, err = l.AddField(fluid.Field{Kind: fluid.FuncField, Func: func(dst, pts []r3.Vec) {}})
	testrig.Refused(t, err, "AddField", "Strength")
	_, err = l.AddField(fluid.Field{Axis: r3.Vec{X: 1}, Func: func(dst, pts []r3.Vec) {}})
	testrig.Refused(t, err, "AddField", "Func")
}

// Fields that act in different places give the same as each would alone, however many there are, and for every number of workers.
func TestFieldsActWhereTheyAre(t *testing.T) {
	run := func(workers, far int) uint64 {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: workers}})
		testrig.Must(t, l.Fill(fluid.Below(.4)))
		for i := range far {
			_, err := l.AddField(fluid.Field{Kind: fluid.RadialField, Centre: r3.Vec{X: 10 + float64(i), Y: .2}, Radius: .4, Strength: 5})
			testrig.Must(t, err)
		}
		for _, f := range []fluid.Field{
			{Kind: fluid.RadialField, Centre: r3.Vec{X: .3, Y: .3, Z: .4}, Radius: .3, Strength: 5},
			{Kind: fluid.VortexField, Centre: r3.Vec{X: 1.1, Z: .4}, Axis: r3.Vec{Y: 1, X: .1}, Radius: .4, Strength: 4},
			{Axis: r3.Vec{X: 1, Z: 1}, Centre: r3.Vec{X: .8, Y: .3, Z: .2}, Radius: .6, Strength: 3},
		} {
			_, err := l.AddField(f)
			testrig.Must(t, err)
		}
		testrig.GoesOn(t, l, 20)
		s := *l.Surface()
		sum := uint64(0)
		for _, x := range s.Positions {
			sum = droplets.SplitMix64(sum ^ uint64(math.Float32bits(x)))
		}
		return sum
	}
	want := run(1, 0)
	if run(2, 0) != want || run(3, 40) != want {
		t.Error("other bits")
	}
}

// Drains and fields that reach no liquid let it sleep.
func TestFarThingsLetLiquidSleep(t *testing.T) {
	l := testrig.Tub(t)
	_, err := l.AddSink(fluid.Sphere(r3.Vec{X: 9, Y: 9, Z: 9}, .3), 5)
	testrig.Must(t, err)
	_, err = l.AddField(fluid.Field{Kind: fluid.RadialField, Centre: r3.Vec{X: -9}, Radius: .3, Strength: 5})
	testrig.Must(t, err)
	slept := false
	for range 60 {
		r := testrig.GoesOn(t, l, 1)
		slept = slept || r.Asleep()
	}
	if !slept {
		t.Error("it stays awake")
	}
	if n := testrig.Around(l).Fields.Index().Listed(); n > 0 {
		t.Errorf("a field that is far away is listed for %d blocks", n)
	}
}
