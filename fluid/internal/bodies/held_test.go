package bodies_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// heldLoad is what a tank 1.6 m wide with cells of .1 m, of a depth, m, lifts a body with that is held, in a mean of ten steps, in terms of a volume of
// the liquid, m³, and its last load. No liquid is where shapes are drained.
func heldLoad(t *testing.T, of fluid.Discretisation, g physics.Geometry, at r3.Vec, depth, dt, volume float64, drained ...fluid.SDF) (lift float64, load fluid.BodyLoad) {
	t.Helper()
	w := testrig.Earth()
	testrig.Place(t, w, physics.Kinematic, at, g, 1000)
	l := testrig.New(t, fluid.Def{Discretisation: of, Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	l.Couple(w.Coupling())
	testrig.Must(t, l.Fill(fluid.Below(depth)))
	for _, s := range drained {
		testrig.Must(t, l.Drain(s))
	}
	const settling, mean = 20, 10
	for n := range settling + mean {
		if r := *l.Step(dt); r.Err != nil {
			t.Fatal(r.Err)
		}
		if n >= settling {
			lift += l.BodyLoad(0).Force.Y / (mean * 9810 * volume)
		}
	}
	return lift, l.BodyLoad(0)
}

// A thin plate that is held is lifted by the weight of its volume, wherever it is in the grid.
func TestHeldThinPlateLoad(t *testing.T) { testrig.EachDiscretisation(t, heldThinPlateLoad) }

func heldThinPlateLoad(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	worst := 0.
	for _, size := range []r3.Vec{{X: .4, Y: .02, Z: .4}, {X: .4, Y: .05, Z: .4}, {X: .4, Y: .08, Z: .4}, {X: .02, Y: .4, Z: .4}} {
		for _, at := range []r3.Vec{{X: .8, Y: .85, Z: .8}, {X: .83, Y: .85, Z: .81}, {X: .83, Y: .875, Z: .81}, {X: .83, Y: .89, Z: .81}, {X: .83, Y: .8, Z: .81}, {X: .83, Y: .825, Z: .81}} {
			if testing.Short() && size.Y != .02 {
				continue
			}
			volume := size.X * size.Y * size.Z
			lift, load := heldLoad(t, of, physics.Box(physics.Centred(size.X, size.Y, size.Z)), at, 1.25, testrig.Frame, volume)
			t.Logf("%v at %v: lift %.3f, submerged %.3f, wetted %.4f m²", size, at, lift, load.Submerged/volume, load.Wetted)
			if load.Submerged < .99*volume || load.Submerged > 1.01*volume || load.Fraction < .99 {
				t.Errorf("%v at %v: %.3g m³ submerged of %.3g, %.2f", size, at, load.Submerged, volume, load.Fraction)
			}
			off := max(lift-1, 1-lift)
			if worst = max(worst, off); size.Y == .02 && !(off <= .04) {
				t.Errorf("%v at %v: lifted by %.3f of its volume's weight", size, at, lift)
			}
		}
	}
	testrig.FallsShort(t, "lift of a held plate up to a cell thick, off by", worst, .05, .21)
}

// It is so in steps of any length.
func TestHeldThinPlateLoadInAnyStep(t *testing.T) {
	testrig.EachDiscretisation(t, heldThinPlateLoadInAnyStep)
}

func heldThinPlateLoadInAnyStep(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for _, dt := range []float64{1. / 30, 1. / 120, 1. / 240} {
		if lift, _ := heldLoad(t, of, physics.Box(physics.Centred(.4, .02, .4)), r3.Vec{X: .83, Y: .85, Z: .81}, 1.25, dt, .4*.02*.4); !(lift > .98 && lift < 1.02) {
			t.Errorf("dt %.4g s: lifted by %.3f of its volume's weight", dt, lift)
		}
		if testing.Short() {
			return
		}
	}
}

// A thin tub that is held empty in the water is lifted by what it displaces.
func TestHeldTubLoad(t *testing.T) {
	worst := 0.
	for _, at := range []r3.Vec{{X: .8, Y: .95, Z: .8}, {X: .83, Y: .97, Z: .81}, {X: .77, Y: .91, Z: .84}} {
		for _, wall := range []float64{.02, .04} {
			deep, half := .9-(at.Y-.2), r3.Vec{X: .3 - wall/2, Y: .2 - wall/2, Z: .3 - wall/2}
			lift, _ := heldLoad(t, fluid.Cubes, physics.OpenBox(physics.Centred(.6, .4, .6), wall), at, .9, testrig.Frame, .6*.6*deep, fluid.Box(r3.Box{Min: r3.Sub(at, half), Max: r3.Add(at, half)}))
			t.Logf("walls of %g m at %v: lift %.3f", wall, at, lift)
			worst = max(worst, lift-1, 1-lift)
		}
		if testing.Short() {
			break
		}
	}
	testrig.FallsShort(t, "lift of a held tub, off by", worst, .03, .054)
}
