package forces_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// capDef is of a weightless drop in cells of .08 m, with a tension of 1 kN/m and a contact angle, rad.
func capDef(tracker fluid.Tracker, angle float64) fluid.Def {
	return fluid.Def{
		Domain: testrig.Box(24*.08, 16*.08, 24*.08), CellSize: .08,
		Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, MaxIterations: 200}, Physics: fluid.Physics{Weightless: true, SurfaceTension: 1e3, ContactAngle: angle}, Tracker: tracker,
	}
}

// halfDrop fills in half a drop with a radius of .4 m, on a floor at some height.
func halfDrop(t *testing.T, l *fluid.Liquid, floor float64) {
	t.Helper()
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: 12.1 * .08, Y: floor, Z: 12.3 * .08}, .4)))
}

// swing makes steps of nine tenths of the longest stable one.
func swing(l *fluid.Liquid, steps int) (fastestOf float64) {
	for range steps {
		l.Step(.9 * testrig.Blocks(l).Forces.CapillaryStep(1e3))
		fastestOf = max(fastestOf, testrig.Fastest(l))
	}
	return fastestOf
}

// sizes are the radius of a liquid at a height, and its greatest height, m.
func sizes(l *fluid.Liquid, at float64) (radius, height float64) {
	area := 0.
	for _, c := range testrig.TrianglesOf(l.Surface()) {
		var cut [2]r3.Vec // where its edges cross the height, down and up
		for k := range 3 {
			a, b := c[k], c[(k+1)%3]
			height = max(height, a.Y)
			if x := r3.Add(a, r3.Scale((at-a.Y)/(b.Y-a.Y), r3.Sub(b, a))); a.Y >= at && b.Y < at {
				cut[0] = x
			} else if a.Y < at && b.Y >= at {
				cut[1] = x
			}
		}
		area += (cut[0].Z*cut[1].X - cut[0].X*cut[1].Z) / 2
	}
	return math.Sqrt(math.Abs(area) / math.Pi), height
}

// A half drop relaxes to a cap with the contact angle, on a side of the domain, an obstacle between cells, and a body.
func TestDropTakesItsContactAngle(t *testing.T) {
	testrig.EachDiscretisation(t, dropTakesItsContactAngle)
}

func dropTakesItsContactAngle(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	const side, obstacle, body = 0, 1, 2
	for _, c := range []struct {
		tracker fluid.Tracker
		angle   float64
		on      int
		long    bool
	}{
		{fluid.ExplicitMesh, math.Pi / 3, side, true},
		{fluid.ExplicitMesh, 2 * math.Pi / 3, side, false},
		{fluid.Contouring, math.Pi / 3, side, true},
		{fluid.Contouring, 2 * math.Pi / 3, side, true},
		{fluid.ExplicitMesh, math.Pi / 3, body, true},
		{fluid.Contouring, math.Pi / 3, obstacle, true},
	} {
		if c.long && testing.Short() {
			continue
		}
		d := capDef(c.tracker, c.angle)
		d.Discretisation = of
		d.Physics.Viscosity = .1
		l, floor := testrig.New(t, d), 0.
		switch c.on {
		case obstacle:
			floor = 3.3 * .08
			_, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 3, Y: floor, Z: 3}}))
			testrig.Must(t, err)
		case body:
			floor = 3.3 * .08
			w := physics.NewWorld(physics.WorldDef{})
			testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Static, Position: r3.Vec{X: .96, Y: floor - .5, Z: .96}},
				physics.ShapeDef{Geometry: physics.Box(physics.Centred(3, 1, 3))})
			l.Couple(w.Coupling())
		}
		halfDrop(t, l, floor)
		swing(l, 120)
		cos := math.Cos(c.angle)
		radius := .4 * math.Cbrt(2/((2+cos)*(1-cos)*(1-cos)))
		base, height := sizes(l, floor+.04)
		base, height = base/math.Sqrt(radius*radius-(.04+radius*cos)*(.04+radius*cos)), (height-floor)/(radius*(1-cos))
		t.Logf("tracker %d, %.0f°, on %d: base %.4f, height %.4f of the cap's", c.tracker, c.angle*180/math.Pi, c.on, base, height)
		if math.Abs(base-1) > .06 || math.Abs(height-1) > .06 {
			t.Errorf("tracker %d, %.0f°, on %d: base %.4f, height %.4f of the cap's", c.tracker, c.angle*180/math.Pi, c.on, base, height)
		}
	}
}

// A half drop that is to meet the floor at a right angle rests.
func TestNeutralDropRests(t *testing.T) { testrig.EachDiscretisation(t, neutralDropRests) }

func neutralDropRests(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for _, tracker := range []fluid.Tracker{fluid.ExplicitMesh, fluid.Contouring} {
		d := capDef(tracker, math.Pi/2)
		d.Discretisation = of
		l := testrig.New(t, d)
		halfDrop(t, l, 0)
		top := swing(l, 40) / math.Sqrt(1e3/(1e3*.4))
		t.Logf("tracker %d: %.4f of the capillary speed", tracker, top)
		if tracker == fluid.Contouring {
			testrig.FallsShort(t, "of the capillary speed", top, .05, [2]float64{fluid.Cubes: .05, fluid.Tetrahedra: .07}[of])
		} else if top > .05 {
			t.Errorf("tracker %d: %.4f of the capillary speed", tracker, top)
		}
	}
}

// A contact angle keeps nothing beside the state: restored half-way, with another number of workers, a drop goes on with the same bits.
func TestContactAngleGoesOnAlike(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.ExplicitMesh, fluid.Contouring} {
		d := capDef(tracker, 1)
		d.Resources.Workers = 1
		l := testrig.New(t, d)
		halfDrop(t, l, 0)
		swing(l, 4)
		var file bytes.Buffer
		testrig.Must(t, l.Save(&file))
		swing(l, 4)
		d.Resources.Workers = 2
		other := testrig.New(t, d)
		testrig.Must(t, other.Restore(&file))
		if swing(other, 4); other.Hash() != l.Hash() {
			t.Errorf("tracker %d: hash %x, want %x", tracker, other.Hash(), l.Hash())
		}
	}
}
