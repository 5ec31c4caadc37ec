package bodies_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// heldBox is a box that is held at a place, tilted about z, in still liquid below a level.
type heldBox struct {
	cell, level   float64
	width, height float64
	at            r3.Vec
	tilt          float64
}

// load is what the liquid does to it in the first step.
func (h heldBox) load(t *testing.T) fluid.BodyLoad {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 1.2, 2), CellSize: h.cell, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-9}})
	testrig.Must(t, l.Fill(fluid.Below(h.level)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Kinematic, Position: h.at,
		Rotation: quat.Number{Real: math.Cos(h.tilt / 2), Kmag: math.Sin(h.tilt / 2)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(h.width, h.height, h.width))}); err != nil {
		t.Fatal(err)
	}
	l.Couple(w.Coupling())
	l.Step(1. / 60)
	return l.BodyLoad(0)
}

// archimedes is the force up and the torque about z, by quadrature.
func (h heldBox) archimedes() (force, torque float64) {
	const n = 400
	cos, sin := math.Cos(h.tilt), math.Sin(h.tilt)
	for i := range n {
		for j := range n {
			x, y := h.width*((float64(i)+.5)/n-.5), h.height*((float64(j)+.5)/n-.5)
			if h.at.Y+sin*x+cos*y < h.level {
				force++
				torque += cos*x - sin*y
			}
		}
	}
	per := 9810 * h.width * h.width * h.height / (n * n)
	return per * force, per * torque
}

// A box held in still liquid feels what Archimedes says, wherever its faces lie in the grid: no push to a
// side, and the moment that rights it.
func TestStillLiquidCarriesAsArchimedesSays(t *testing.T) {
	for _, h := range []heldBox{
		{cell: .1, level: .6, width: .4, height: .3, at: r3.Vec{X: 1, Y: .606, Z: 1}},
		{cell: .1, level: .6, width: .4, height: .3, at: r3.Vec{X: 1.03, Y: .606, Z: 1.04}},
		{cell: .1, level: .6, width: .4, height: .15, at: r3.Vec{X: 1.03, Y: .574, Z: 1.03}},
		{cell: .05, level: .6, width: .4, height: .3, at: r3.Vec{X: 1.03, Y: .606, Z: 1.02}, tilt: .1},
		{cell: .05, level: .6, width: .4, height: .3, at: r3.Vec{X: 1.03, Y: .606, Z: 1.02}, tilt: -.3},
		{cell: .05, level: .61, width: .4, height: .3, at: r3.Vec{X: 1.03, Y: .3, Z: 1.03}, tilt: .3},
	} {
		load := h.load(t)
		force, torque := h.archimedes()
		f, m := load.Force, load.Torque
		t.Logf("%+v: force %.4g, %.4g, %.4g N (%.4g), torque %.3g, %.3g, %.3g N·m (%.3g)", h, f.X, f.Y, f.Z, force, m.X, m.Y, m.Z, torque)
		if under := force / 9810; math.Abs(load.Submerged-under) > .02*under {
			t.Errorf("%+v: %g m³ under water, want %g", h, load.Submerged, under)
		}
		if math.Abs(f.Y-force) > .008*force {
			t.Errorf("%+v: carried by %g N, want %g", h, f.Y, force)
		}
		if side := math.Hypot(f.X, f.Z); side > 1e-4*force {
			t.Errorf("%+v: pushed sideways by %g N", h, side)
		}
		if scale := force * h.width / 2; math.Abs(m.Z-torque) > .002*scale || math.Hypot(m.X, m.Y) > .002*scale {
			t.Errorf("%+v: torque %v N·m, want %g about z", h, m, torque)
		}
	}
}

// A dry tub whose walls are thinner than a cell is carried by what it displaces, wherever they stand in the grid.
func TestStillLiquidCarriesThinHulls(t *testing.T) {
	testrig.EachDiscretisation(t, stillLiquidCarriesThinHulls)
}

func stillLiquidCarriesThinHulls(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	const wall, density = .04, 900.
	mass := density * (.4*.3*.4 - .32*.26*.32)
	draft := mass / (1000 * .4 * .4)
	sum, n := 0., 0.
	for _, c := range []struct{ cell, off float64 }{{.1, 0}, {.1, .033}, {.1, .05}, {.05, 0}, {.05, .01}, {.05, .033}} {
		p := newPinned(t, fluid.Def{Discretisation: of, Domain: testrig.Box(2, 1.2, 2), CellSize: c.cell, Numerics: fluid.Numerics{Tolerance: 1e-9}}, fluid.Below(.63))
		at := r3.Vec{X: 1 + c.off, Y: .63 - draft + .15, Z: 1 + c.off}
		p.add(t, physics.Kinematic, physics.OpenBox(physics.Centred(.4, .3, .4), wall), 0, at)
		l := p.liquid
		half := r3.Vec{X: .2 - wall/2, Y: .15 - wall/2, Z: .2 - wall/2}
		testrig.Must(t, l.Drain(fluid.Box(r3.Box{Min: r3.Sub(at, half), Max: r3.Add(at, r3.Vec{X: half.X, Y: .3, Z: half.Z})})))
		l.Step(1. / 60)
		carried := l.BodyLoad(0).Force.Y / (9.81 * mass)
		t.Logf("cells of %g m, %g m off the grid: %.3f of the weight", c.cell, c.off, carried)
		sum, n = sum+math.Abs(carried-1), n+1
		if math.Abs(carried-1) > .11 {
			t.Errorf("cells of %g m, %g m off the grid: carried by %.3f of the weight, want all", c.cell, c.off, carried)
		}
	}
	if sum/n > .04 {
		t.Errorf("off by %.3f of the weight in the mean", sum/n)
	}
}

// A crate three cells high, heeled as light cubes lie, reports the part of it that is under water.
func TestCrateOnCoarseCellsKnowsItsDraft(t *testing.T) {
	const edge, cell = .46, .46 / 3
	sum, n := 0., 0.
	for _, ratio := range []float64{.3, .7} {
		for _, off := range []float64{0, .2, .4, .6} {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(2.4, 2, 2.4), CellSize: cell, Numerics: fluid.Numerics{Levels: 1}})
			level := .8 + off*cell
			testrig.Must(t, l.Fill(fluid.Below(level)))
			w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
			testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1.2 + off*cell, Y: level + edge*(.5-ratio), Z: 1.2}, LinearDamping: 2, AngularDamping: 2},
				physics.ShapeDef{Geometry: physics.Box(physics.Centred(edge, edge, edge)), Density: 1000 * ratio})
			l.Couple(w.Coupling())
			mean := 0.
			const steps, last = 240, 60
			for i := range steps {
				l.Step(1. / 60)
				if i >= steps-last {
					mean += l.BodyLoad(0).Fraction / last
				}
			}
			t.Logf("ratio %g, %g cells off the grid: %.3f under water", ratio, off, mean)
			sum, n = sum+math.Abs(mean-ratio), n+1
		}
	}
	if sum/n > .009 {
		t.Errorf("the part under water is off by %.3f in the mean", sum/n)
	}
	t.Logf("off by %.4f in the mean", sum/n)
}

// A hull whose floor is as thick as it draws says that half of its planks are under water, wherever the water's level is in the grid:
// below a dry floor the distance is 0 where no surface is.
func TestHullTellsHowFarItIsUnderWater(t *testing.T) {
	size, wall := r3.Vec{X: 1.4, Y: .4, Z: .9}, .1
	planks := size.X*size.Y*size.Z - (size.X-2*wall)*(size.Y-wall)*(size.Z-2*wall)
	draught := planks / 2 / (size.X * size.Z)
	for _, level := range []float64{.53, .59, .55, .5, .57}[:testrig.InShort(2, 5)] {
		p := newPinned(t, fluid.Def{Domain: testrig.Box(2.4, 1.2, 1.8), CellSize: .1}, fluid.Below(level))
		level += planks / 2 / (2.4 * 1.8)
		b := p.add(t, physics.Dynamic, physics.OpenBox(physics.Centred(size.X, size.Y, size.Z), wall), 500, r3.Vec{X: 1.17, Y: level - draught + size.Y/2, Z: .93})
		const steps, last = 150, 50
		fraction, off := 0., 0.
		for i := range steps {
			p.liquid.Step(1. / 60)
			if i >= steps-last {
				fraction += p.liquid.BodyLoad(0).Fraction / last
				off += (b.Position().Y - size.Y/2 - (level - draught)) / last
			}
		}
		t.Logf("level %.3f m: %.3f under water, %.1f mm too high", level, fraction, 1000*off)
		if math.Abs(fraction-.5) > .03 || math.Abs(off) > .005 {
			t.Errorf("level %.3f m: %.3f of the planks are under water, want half; the hull floats %.1f mm too high", level, fraction, 1000*off)
		}
	}
}
