package forces_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// trackedDrop is a weightless drop of water with a radius of .4 m and a tension of 1 kN/m, whose surface a tracker follows.
func trackedDrop(t *testing.T, tracker fluid.Tracker, detail int, cells, stretch float64, off r3.Vec, workers int) (*fluid.Liquid, bulging) {
	return dropOf(t, fluid.Def{Physics: fluid.Physics{SurfaceTension: 1e3}, Resources: fluid.Resources{Workers: workers}, Tracker: tracker, Numerics: fluid.Numerics{SurfaceDetail: detail}}, cells, stretch, off)
}

// drops are those of V14 that an explicit mesh follows: so many cells a radius, with so many edges along one.
var drops = []struct {
	cells  float64
	detail int
	off    r3.Vec
	long   bool
}{
	{5, 2, r3.Vec{X: .4, Y: .15, Z: .3}, false},
	{8, 1, r3.Vec{X: .1, Y: .3}, true},
	{8, 1, r3.Vec{X: .25, Y: .5}, true},
	{8, 1, r3.Vec{X: .2, Y: .4, Z: .1}, true},
	{10, 1, r3.Vec{X: .4, Y: .15, Z: .3}, true},
}

// V14: a drop that a mesh follows is at rest but for currents that are slow beside the capillary speed √(γ/(ρR)), and stays where it is: nothing pushes it as a whole.
func TestMeshDropRests(t *testing.T) {
	for _, c := range drops {
		if c.long && testing.Short() {
			continue
		}
		l, d := trackedDrop(t, fluid.ExplicitMesh, c.detail, c.cells, 0, c.off, 0)
		capillary := math.Sqrt(1e3 / (1e3 * d.radius))
		top, momentum := 0., 0.
		var from r3.Vec
		steps := int(4 * math.Pow(c.cells, 1.5)) // half a period of the slowest wave
		for n := range steps {
			if r := *l.Step(.9 * testrig.Blocks(l).Forces.CapillaryStep(1e3)); r.Substeps != 1 {
				t.Fatalf("step %d: %d substeps", r.Step, r.Substeps)
			}
			if n == 0 {
				from = centroid(l)
			}
			top = max(top, testrig.Fastest(l)/capillary)
			momentum = max(momentum, r3.Norm(meanVelocity(l))/capillary)
		}
		drift := r3.Norm(r3.Sub(centroid(l), from)) / l.Def().CellSize
		t.Logf("%g cells, %d edges each: currents of %.4f, momentum of %.5f of the capillary speed, drift %.4f cells", c.cells, c.detail, top, momentum, drift)
		if momentum > 1e-3 || drift > .002 || top > .02 {
			t.Errorf("%g cells, %d edges each: currents of %.4f, momentum of %.5f of the capillary speed, drift %.4f cells", c.cells, c.detail, top, momentum, drift)
		}
	}
}

// meanVelocity is the liquid's momentum over its mass, m/s.
func meanVelocity(l *fluid.Liquid) (u r3.Vec) {
	sum := 0.
	var at [1]r3.Vec
	eachCell(l, func(x r3.Vec, volume float64) {
		testrig.FV(l).Cells.Velocity(at[:], []r3.Vec{x})
		u, sum = r3.Add(u, r3.Scale(volume, at[0])), sum+volume
	})
	return r3.Scale(1/sum, u)
}

// A drop that swings freely gets no momentum and no spin of it.
func TestSwingingDropKeepsItsMomentum(t *testing.T) {
	l, d := trackedDrop(t, fluid.ExplicitMesh, 1, 5, .1, r3.Vec{X: .4, Y: .15, Z: .3}, 0)
	capillary := math.Sqrt(1e3 / (1e3 * d.radius))
	momentum, spin := 0., 0.
	for range testrig.InShort(30, 90) { // a period is 73
		l.Step(.9 * testrig.Blocks(l).Forces.CapillaryStep(1e3))
		momentum, spin = max(momentum, r3.Norm(meanVelocity(l))/capillary), max(spin, r3.Norm(meanSpin(l))/(capillary*d.radius))
	}
	if t.Logf("momentum of %.5f, spin of %.5f", momentum, spin); momentum > 1e-3 || spin > 1e-3 {
		t.Errorf("momentum of %.5f of the capillary speed, spin of %.5f of that times the radius", momentum, spin)
	}
}

// meanSpin is the liquid's angular momentum about its middle over its mass, m²/s.
func meanSpin(l *fluid.Liquid) (spin r3.Vec) {
	c, sum := centroid(l), 0.
	var at [1]r3.Vec
	eachCell(l, func(x r3.Vec, volume float64) {
		testrig.FV(l).Cells.Velocity(at[:], []r3.Vec{x})
		spin, sum = r3.Add(spin, r3.Scale(volume, r3.Cross(r3.Sub(x, c), at[0]))), sum+volume
	})
	return r3.Scale(1/sum, spin)
}

// V14: the period of a drop that a mesh follows is Lamb's, within 5 %, and the swing doesn't grow.
func TestMeshDropSwings(t *testing.T) {
	for _, c := range drops {
		if c.long && testing.Short() || c.off == (r3.Vec{X: .25, Y: .5}) || c.off.Z == .1 {
			continue
		}
		l, d := trackedDrop(t, fluid.ExplicitMesh, c.detail, c.cells, .05, c.off, 0)
		period, want, peaks := swingOnce(t, l, d)
		t.Logf("%g cells, %d edges each: period %.4f of Lamb's; peaks %.4f", c.cells, c.detail, period/want, peaks)
		if math.Abs(period/want-1) > .05 {
			t.Errorf("period %.4f s, want %.4f", period, want)
		}
		if kept := peaks[2] / peaks[0]; kept > 1.01 || kept < .93 {
			t.Errorf("swings by %.4f of its stretch after a period", kept)
		}
	}
}

// The curvature of a drop is 2/R wherever the cells are: where it bulges into a cell by a twentieth, too, which is no thin sheet.
func TestMeshDropHasItsCurvature(t *testing.T) {
	for _, c := range drops {
		l, d := trackedDrop(t, fluid.ExplicitMesh, c.detail, min(c.cells, 8), 0, c.off, 0)
		l.Step(.9 * testrig.Blocks(l).Forces.CapillaryStep(1e3))
		worst := 0.
		for _, jump := range testrig.FV(l).Graph.Jump {
			if jump != 0 {
				worst = max(worst, math.Abs(jump/1e3*d.radius/2-1))
			}
		}
		if t.Logf("%g cells, %v off: off by %.4f", c.cells, c.off, worst); worst == 0 || worst > .1 {
			t.Errorf("%g cells, %v off: the curvature is off by %.4f", c.cells, c.off, worst)
		}
	}
}

// What is filled in by a ball has its vertices on a ball, larger by what triangles cut off, so that its litres are right: what differs would be waves with tension.
func TestMeshFillsExactly(t *testing.T) {
	l, d := trackedDrop(t, fluid.ExplicitMesh, 1, 8, 0, r3.Vec{X: .2, Y: .4, Z: .1}, 1)
	testrig.About(t, "filled", l.Ledger().FilledL, 4000./3*math.Pi*d.radius*d.radius*d.radius)
	s, h := l.Surface(), l.Def().CellSize
	least, most := math.Inf(1), 0.
	for i := 0; i < len(s.Positions); i += 3 {
		x := r3.Vec{X: float64(s.Positions[i]), Y: float64(s.Positions[i+1]), Z: float64(s.Positions[i+2])}
		off := (r3.Norm(r3.Sub(x, d.centre)) - d.radius) / h
		least, most = min(least, off), max(most, off)
	}
	if t.Logf("vertices are %.5f to %.5f cells out", least, most); !(least > 0 && most < .02 && most-least < 1e-3) {
		t.Errorf("vertices are %.5f to %.5f cells out of the ball", least, most)
	}
}

// Tension with points of a tracker's surface keeps nothing beside the state: restored half-way, with another number of workers, a drop swings on with the same bits.
func TestTrackedDropGoesOnAlike(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.ExplicitMesh, fluid.Contouring} {
		swing := func(l *fluid.Liquid, n int) uint64 {
			for range n {
				l.Step(.9 * testrig.Blocks(l).Forces.CapillaryStep(1e3))
			}
			return l.Hash()
		}
		l, _ := trackedDrop(t, tracker, 1, 5, .1, r3.Vec{X: .1, Y: .3}, 1)
		swing(l, 4)
		var file bytes.Buffer
		testrig.Must(t, l.Save(&file))
		want := swing(l, 4)
		other, _ := trackedDrop(t, tracker, 1, 5, .1, r3.Vec{X: .1, Y: .3}, 2)
		testrig.Must(t, other.Restore(&file))
		if got := swing(other, 4); got != want {
			t.Errorf("tracker %d: hash %x, want %x", tracker, got, want)
		}
	}
}

// V14 with contouring: a drop stirs by little more than one of the level set.
func TestContouredDropRests(t *testing.T) {
	l, d := trackedDrop(t, fluid.Contouring, 0, 5, 0, r3.Vec{X: .4, Y: .15, Z: .3}, 0)
	capillary, top := math.Sqrt(1e3/(1e3*d.radius)), 0.
	for range 40 {
		l.Step(.9 * testrig.Blocks(l).Forces.CapillaryStep(1e3))
		top = max(top, testrig.Fastest(l)/capillary)
	}
	if t.Logf("currents of %.4f of the capillary speed", top); top > .03 {
		t.Errorf("currents of %.4f of the capillary speed", top)
	}
}
