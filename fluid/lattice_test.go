package fluid_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// bareLattice is a lattice of tetrahedra in a domain that is full of liquid, without all that a method may leave out.
func bareLattice(s *fv.Solver, d *fluid.Def) fv.Method {
	full := *d
	full.Tracker = fluid.NoSurface
	m := fluid.LatticeMethod(s, &full)
	return fv.Method{Cells: m.Cells, Coder: m.Coder, Start: m.Start}
}

// What cells can't do is named: in a definition when the liquid is made, and by the calls that ask for it.
func TestLatticeNamesWhatItLacks(t *testing.T) {
	plain := fluid.Def{Domain: r3.Box{Max: r3.Vec{X: .4, Y: .4, Z: .4}}, CellSize: .1}
	for field, change := range map[string]func(d *fluid.Def){
		"Physics.Viscosity":      func(d *fluid.Def) { d.Physics.Viscosity = 1e-3 },
		"Physics.SurfaceTension": func(d *fluid.Def) { d.Physics.SurfaceTension = .07 },
		"WhiteWater":             func(d *fluid.Def) { d.WhiteWater = 100 },
		"Sides":                  func(d *fluid.Def) { d.Sides.MaxX = fluid.Open },
	} {
		d := plain
		change(&d)
		if l, err := fluid.MakeLiquid(d.WithDefaults(), fluid.OfCells(bareLattice)); err == nil {
			l.Close()
			t.Errorf("%s: no error", field)
		} else if !strings.Contains(err.Error(), "Def."+field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	l := newWith(t, plain, bareLattice)
	_, control := l.AddControl(fluid.ControlDef{})
	for call, err := range map[string]error{
		"Fill": l.Fill(fluid.Box(plain.Domain)), "Drain": l.Drain(fluid.Box(plain.Domain)), "SetWind": l.SetWind(fluid.Wind{Velocity: r3.Vec{X: 1}}), "Control": control,
		"SetViscosity": l.SetViscosity(1e-3), "SetView": l.SetView(fluid.View{}),
	} {
		if err == nil {
			t.Errorf("%s has no error", call)
		}
	}
	if r := *l.Step(testrig.Frame); r.Err != nil || len(r.Cells) == 0 || r.UnknownCount() != testrig.FV(l).Graph.Rows {
		t.Errorf("%s: cells %v, unknowns %v", r.Err, r.Cells, r.Unknowns)
	}
}

// Step drives a lattice of tetrahedra: a closed column under gravity that is aslant to it stands still, and its pressure is linear.
func TestLatticeColumnStands(t *testing.T) {
	g := r3.Vec{X: 3, Y: -9, Z: 1.5}
	l := newWith(t, fluid.Def{
		Domain: r3.Box{Max: r3.Vec{X: .5, Y: 1, Z: .4}}, CellSize: .1, Physics: fluid.Physics{Gravity: g}, Numerics: fluid.Numerics{Tolerance: 1e-14, MaxIterations: 200, Undamped: true},
	}, bareLattice)
	for range 3 {
		if r := *l.Step(testrig.Frame); r.Err != nil || r.MaxSpeed > 1e-10*r3.Norm(g)*testrig.Frame {
			t.Fatalf("speed %g m/s after %d iterations to %g, %s", r.MaxSpeed, r.Iterations, r.Residual, r.Err)
		}
	}
	least := math.Inf(1)
	for r := range testrig.FV(l).Graph.Rows { // p - ρ g·x is the same everywhere
		x := reproducible.Vector(testrig.FV(l).Graph.Centre[r])
		least = min(least, testrig.FV(l).Impulse[r]/testrig.Frame-l.Def().Physics.Density*r3.Dot(g, x))
	}
	for r := range testrig.FV(l).Graph.Rows {
		x := reproducible.Vector(testrig.FV(l).Graph.Centre[r])
		if off := testrig.FV(l).Impulse[r]/testrig.Frame - l.Def().Physics.Density*r3.Dot(g, x) - least; off > 1e-10*l.Def().Physics.Density*r3.Norm(g) {
			t.Fatalf("row %d at %v: the pressure is off by %g Pa", r, x, off)
		}
	}
}
