package cubes_test

import (
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Water whose level is just where the middles of cells are lies still, in one basin and in two: whether such cells are liquid
// or air is a matter of rounding.
func TestLevelAtTheMiddlesOfCells(t *testing.T) {
	testrig.EachDiscretisation(t, levelAtTheMiddlesOfCells)
}

func levelAtTheMiddlesOfCells(t *testing.T, of fluid.Discretisation) {
	for _, parted := range []bool{false, true} {
		for _, above := range []float64{-1e-5, 0, 1e-6, 1e-4} {
			l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(1.6, 1, .8), CellSize: .1, Numerics: fluid.Numerics{Undamped: true}})
			if parted {
				wall := fluid.Box(r3.Box{Min: r3.Vec{X: -.15, Y: -.1, Z: -.1}, Max: r3.Vec{X: .15, Y: 1.1, Z: .9}})
				if _, err := l.AddObstacle(fluid.Transform(wall, quat.Number{Real: 1}, r3.Vec{X: .41})); err != nil {
					t.Fatal(err)
				}
			}
			testrig.Must(t, l.Fill(fluid.Below(.55+above)))
			for range 240 {
				r := *l.Step(1. / 60)
				if drift := r.Ledger.DriftL / r.Ledger.FilledL; r.MaxSpeed > 1e-3 || drift > 1e-5 || drift < -1e-5 {
					t.Fatalf("parted %v, %g m above: %g m/s, the ledger drifts by %.4f %% at %.2f s", parted, above, r.MaxSpeed, 100*drift, r.Time)
				}
			}
		}
	}
}

// Of two basins that a level rises in, each gains what its tap gives, though in one the level passes the middles of its cells meanwhile.
func TestBasinsKeepTheirOwn(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1, .8), CellSize: .1})
	if _, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: .7, Y: -.1, Z: -.1}, Max: r3.Vec{X: .9, Y: 1.1, Z: .9}})); err != nil {
		t.Fatal(err)
	}
	left := r3.Box{Max: r3.Vec{X: .7, Y: .52, Z: .8}}
	testrig.Must(t, l.Fill(fluid.Box(left)))
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Min: r3.Vec{X: .9}, Max: r3.Vec{X: 1.6, Y: .48, Z: .8}})))
	volumes := func() (v [2]float64) {
		for i, x := range [2]float64{0, .8} {
			var err error
			if v[i], err = l.VolumeIn(fluid.Box(r3.Box{Min: r3.Vec{X: x}, Max: r3.Vec{X: x + .8, Y: 1, Z: .8}})); err != nil {
				t.Fatal(err)
			}
		}
		return v
	}
	l.Step(1. / 60)
	before := volumes()
	tap, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .35, Y: .3, Z: .4}, .2), Rate: 20})
	if err != nil {
		t.Fatal(err)
	}
	for range 120 {
		l.Step(1. / 60)
	}
	testrig.Must(t, l.StopEmitter(tap))
	for range 60 {
		l.Step(1. / 60)
	}
	after := volumes()
	gained := [2]float64{after[0] - before[0], after[1] - before[1]}
	t.Logf("gained %.2f l on the left, %.2f on the right", gained[0], gained[1])
	if gained[0] < 39 || gained[0] > 41 || gained[1] < -.5 || gained[1] > .5 {
		t.Errorf("a tap on the left gave 40 l: %.2f l more on the left, %.2f on the right", gained[0], gained[1])
	}
}
