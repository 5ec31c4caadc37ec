package forces_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// restingDrop is a weightless drop at rest in cells of h, m, so many cells in radius and off the middle of its domain by some of a cell, as a game defines it.
func restingDrop(t *testing.T, def fluid.Def, cells, h float64, off r3.Vec) (*fluid.Liquid, float64) {
	t.Helper()
	e := math.Ceil((cells+3)/4) * 8 * h
	def.Domain, def.CellSize, def.Physics.Weightless, def.Resources.Workers = testrig.Box(e, e, e), h, true, 1
	l := testrig.New(t, def)
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Add(r3.Vec{X: e / 2, Y: e / 2, Z: e / 2}, r3.Scale(h, off)), cells*h)))
	return l, math.Sqrt(def.Physics.SurfaceTension / (1e3 * cells * h))
}

// stirs is how fast a drop gets in some capillary times √(ρR³/γ), over the capillary speed √(γ/(ρR)): in the first, and after.
func stirs(t *testing.T, l *fluid.Liquid, capillary, radius, dt, times float64) (first, later float64) {
	t.Helper()
	one := radius / capillary
	for n := 1; float64(n)*dt < times*one; n++ {
		if r := *l.Step(dt); r.Err != nil {
			t.Fatal(r.Err)
		}
		if v := testrig.Fastest(l) / capillary; float64(n)*dt < one {
			first = max(first, v)
		} else {
			later = max(later, v)
		}
	}
	return first, later
}

// A drop stays at rest for ten capillary times, with the tolerance that games have, wherever it is on the grid and whatever the step, in which its surface passes the
// centres of cells as closely as can be.
func TestDropStaysAtRest(t *testing.T) {
	for _, c := range []struct {
		tracker   fluid.Tracker
		cells, dt float64
		off       r3.Vec
		long      bool
	}{
		{fluid.LevelSet, 5, testrig.Frame, r3.Vec{X: .13, Y: .37, Z: .22}, false},
		{fluid.LevelSet, 5, testrig.Frame, r3.Vec{X: .45, Y: .05, Z: .2}, true},
		{fluid.ExplicitMesh, 5, testrig.Frame, r3.Vec{X: .45, Y: .05, Z: .2}, false},
		{fluid.LevelSet, 6, testrig.Frame, r3.Vec{X: .13, Y: .37, Z: .22}, true},
		{fluid.LevelSet, 5, testrig.Frame / 2, r3.Vec{X: .4, Y: .15, Z: .3}, true},
		{fluid.LevelSet, 5, testrig.Frame / 4, r3.Vec{X: .45, Y: .05, Z: .2}, true},
		{fluid.LevelSet, 5, 2 * testrig.Frame, r3.Vec{X: .13, Y: .37, Z: .22}, true},
		{fluid.ExplicitMesh, 6, testrig.Frame, r3.Vec{X: .4, Y: .15, Z: .3}, true},
		{fluid.ExplicitMesh, 5, testrig.Frame / 2, r3.Vec{X: .4, Y: .15, Z: .3}, true},
		{fluid.ExplicitMesh, 5, 2 * testrig.Frame, r3.Vec{X: .45, Y: .05, Z: .2}, true},
		{fluid.LevelSet, 8, testrig.Frame, r3.Vec{X: .4, Y: .15, Z: .3}, true},
		{fluid.ExplicitMesh, 8, testrig.Frame, r3.Vec{X: .4, Y: .15, Z: .3}, true},
		{fluid.ExplicitMesh, 10, testrig.Frame, r3.Vec{X: .4, Y: .15, Z: .3}, true},
	} {
		if c.long && testing.Short() {
			continue
		}
		l, capillary := restingDrop(t, fluid.Def{Physics: fluid.Physics{SurfaceTension: 1e3}, Tracker: c.tracker}, c.cells, .1, c.off)
		first, later := stirs(t, l, capillary, c.cells*.1, c.dt, 10)
		t.Logf("tracker %d, %g cells, %v off, steps of %.4f s: %.4f of the capillary speed in the first time, %.4f later", c.tracker, c.cells, c.off, c.dt, first, later)
		if first > .025 {
			t.Errorf("tracker %d, %g cells, %v off: %.4f of the capillary speed", c.tracker, c.cells, c.off, first)
		}
		t.Run(fmt.Sprintf("%d/%g/%.3g", c.tracker, c.cells, 1/c.dt), func(t *testing.T) {
			known := .02
			if c.tracker == fluid.LevelSet {
				known = .021
			}
			testrig.FallsShort(t, "currents after the first capillary time, over the capillary speed", later, .02, known)
		})
	}
}

// Viscosity does nothing to a drop at rest: with next to none it moves as without, with water's and more it stays at rest.
func TestViscousDropStaysAtRest(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.ExplicitMesh}[:testrig.InShort(1, 2)] {
		var first, later [5]float64
		detail := 0
		if tracker == fluid.ExplicitMesh {
			detail = 2 // with one edge a cell five cells are the least that rest
		}
		for i, nu := range []float64{0, 1e-12, 1e-6, 3e-5, 1e-3} {
			if i > 1 && testing.Short() {
				continue
			}
			l, capillary := restingDrop(t, fluid.Def{Physics: fluid.Physics{SurfaceTension: .0728, Viscosity: nu}, Tracker: tracker, Numerics: fluid.Numerics{SurfaceDetail: detail, MaxSubsteps: 40}}, 4, 1e-3, r3.Vec{X: .4, Y: .15, Z: .3})
			first[i], later[i] = stirs(t, l, capillary, 4e-3, testrig.Frame, testrig.InShort(3., 5.))
			t.Logf("tracker %d, ν %g: %.4f of the capillary speed in the first time, %.4f later", tracker, nu, first[i], later[i])
			if first[i] > .025 || later[i] > .02 {
				t.Errorf("tracker %d, ν %g: %.4f of the capillary speed, later %.4f", tracker, nu, first[i], later[i])
			}
		}
		if off := math.Abs(first[1] - first[0]); off > 1e-3*first[0] {
			t.Errorf("tracker %d: %g of the capillary speed with a viscosity of 1e-12, %g without", tracker, first[1], first[0])
		}
	}
}

// The second mode of a viscous drop decays at Lamb's rate, (n-1)(2n+1)ν/R².
func TestViscousDropDecays(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.ExplicitMesh}[:testrig.InShort(1, 2)] {
		var kept [2]float64
		nu := []float64{0, .02}
		for i := range nu {
			l, d := dropOf(t, fluid.Def{Physics: fluid.Physics{SurfaceTension: 1e3, Viscosity: nu[i]}, Resources: fluid.Resources{Workers: 1}, Tracker: tracker}, 5, .1, r3.Vec{X: .1, Y: .3})
			_, _, peaks := swingOnce(t, l, d)
			kept[i] = peaks[2] / peaks[0]
		}
		period := 2 * math.Pi / math.Sqrt(8*1e3/(1e3*.4*.4*.4))
		got, want := -math.Log(kept[1]/kept[0])/period, 5*nu[1]/(.4*.4)
		t.Logf("tracker %d: decays at %.4f /s, Lamb's rate is %.4f; keeps %.4f of its swing without viscosity", tracker, got, want, kept[0])
		if math.Abs(got/want-1) > .15 {
			t.Errorf("tracker %d: decays at %g /s, want %g", tracker, got, want)
		}
	}
}
