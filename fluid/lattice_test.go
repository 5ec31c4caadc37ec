package fluid_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/lattice"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/physics"
)

// tetrahedra is the lattice of tetrahedra as cells of a liquid that fills its domain: a stub, which proves that the step needs no cubes. Its
// velocity stays where it is.
type tetrahedra struct {
	*lattice.Lattice
	s       *fv.Solver
	grid    *layout.Grid
	static  shapes.Distance
	impulse []float64
	settled []float64 // per face of the lattice: the velocity at the end of the last substep, m/s
	solids  []lattice.Solid
	dt      float64 // s
	top     float64 // m/s
}

// pickLattice is a method of cubes of an edge, m.
func pickLattice(edge float64) func(s *fv.Solver, d *fluid.Def) fv.Method {
	return func(s *fv.Solver, def *fluid.Def) fv.Method {
		size := def.Domain.Size()
		count := func(x float64) int { return int(math.Round(x / edge)) }
		m := &tetrahedra{Lattice: lattice.New(def.Domain.Min, [3]int{count(size.X), count(size.Y), count(size.Z)}, edge), s: s}
		origin, dim := layout.Place(def.Domain, edge, [6]bool{})
		m.grid = layout.New(origin, edge, dim, layout.MaxLevel)
		m.Publish()
		return fv.Method{Cells: m, Coder: m}
	}
}

func double(f shapes.Distance) lattice.Distance {
	return func(dst []float64, pts []r3.Vec) {
		single := make([]float32, len(pts))
		f(single, pts)
		for i, d := range single {
			dst[i] = float64(d)
		}
	}
}

func (m *tetrahedra) Layout() *layout.Grid { return m.grid }

func (m *tetrahedra) BeginSubstep(dt, _ float64) { m.dt = dt }

func (m *tetrahedra) SetStatic(f shapes.Distance, _ func(r3.Box) float64) { m.static = f }

func (m *tetrahedra) MeasureSolids(solids []rigid.Solid, _ *query.Reach) {
	m.solids = m.solids[:0]
	for i := range solids {
		m.solids = append(m.solids, lattice.Solid{Distance: double(solids[i].Distance), Body: i, Centre: solids[i].Centre})
	}
	if m.static != nil {
		m.solids = append(m.solids, lattice.Solid{Distance: double(m.static), Body: -1})
	}
	m.Solids(m.solids, len(solids))
}

func (m *tetrahedra) Discretise(int) { m.Fill(&m.s.Graph, nil) }

func (m *tetrahedra) AdvectVelocity(bool) {
	for f, i := range m.s.Graph.Slot {
		m.s.Graph.U[f] = m.settled[i]
	}
}

func (m *tetrahedra) StartPressure() []float64 {
	m.impulse = make([]float64, m.s.Graph.Rows)
	m.WarmStart(&m.s.Graph, m.impulse)
	for r := range m.impulse {
		m.impulse[r] *= m.dt
	}
	return m.impulse
}

func (m *tetrahedra) KeepPressure() {
	m.StorePressure(&m.s.Graph, m.impulse)
	m.ScalePressure(1 / m.dt)
}

func (m *tetrahedra) ScalePressure(by float64) {
	for v := range m.Pressure {
		m.Pressure[v] *= by
	}
}

func (m *tetrahedra) BoundVelocity(fastest []float64, run int, limit float64) (bad int) {
	m.top, bad = m.s.Graph.BoundVelocity(fastest, run, limit, func(int) bool { return true })
	return bad
}

func (m *tetrahedra) MaxSpeed() float64 { return m.top }

func (m *tetrahedra) ExtrapolateVelocity(func(body int32, x r3.Vec) r3.Vec) {
	m.StoreVelocity(&m.s.Graph)
}

func (m *tetrahedra) Publish() { m.settled = append(m.settled[:0], m.Lattice.Velocity...) }

func (m *tetrahedra) Revert(_, atRest bool) {
	if atRest {
		m.Stop()
	}
	copy(m.Lattice.Velocity, m.settled)
}

func (m *tetrahedra) Stop() {
	clear(m.settled)
	m.top = 0
}

func (m *tetrahedra) Velocity(dst, at []r3.Vec) {
	for i, x := range at {
		if dst[i] = (r3.Vec{}); m.s.Graph.Rows > 0 {
			if r := m.RowAt(array(x)); r >= 0 {
				dst[i] = reproducible.Vector(m.s.Graph.MeanVelocity(r, m.s.Graph.U))
			}
		}
	}
}

func (m *tetrahedra) Held() float64 { return m.OpenVolume() }

func (m *tetrahedra) Code(c *codec.Codec) {
	c.Float64s(m.settled, len(m.settled), -1e9, 1e9)
	c.Float64s(m.Pressure, len(m.Pressure), -math.MaxFloat64, math.MaxFloat64)
}

func (m *tetrahedra) CodeMeasured(c *codec.Codec) { c.Float64(&m.top, 0, math.MaxFloat64) }

func (m *tetrahedra) Resume() { copy(m.Lattice.Velocity, m.settled) }

func (m *tetrahedra) Most() int { return 8 * (len(m.settled) + len(m.Pressure) + 1) }

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
		if l, err := fluid.MakeLiquid(d.WithDefaults(), fluid.FiniteVolumes(pickLattice(.1))); err == nil {
			l.Close()
			t.Errorf("%s: no error", field)
		} else if !strings.Contains(err.Error(), "Def."+field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	l := newWith(t, plain, pickLattice(.1))
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
	}, pickLattice(.1))
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

// A ball that is coupled to liquid on a lattice, in the middle of a hollow sphere, falls with the mass that it moves there: by Lamb's closed form ½ρV(b³+2a³)/(b³-a³)
// is added to its own.
func TestLatticeCouplesABody(t *testing.T) {
	const edge, a, b, density = .05, .2, .5, 3000. // m, kg/m³: five cells a radius, two of which go to a cube
	middle := r3.Vec{X: .55, Y: .55, Z: .55}
	l := newWith(t, fluid.Def{
		Domain: r3.Box{Max: r3.Vec{X: 1.1, Y: 1.1, Z: 1.1}}, CellSize: edge, Numerics: fluid.Numerics{Tolerance: 1e-10, MaxIterations: 200, Undamped: true},
	}, pickLattice(edge))
	if _, err := l.AddObstacle(fluid.Difference(fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 2, Z: 2}}), fluid.Sphere(middle, b))); err != nil {
		t.Fatal(err)
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	ball := testrig.Place(t, w, physics.Dynamic, middle, physics.Sphere(r3.Vec{}, a), density)
	l.Couple(w.Coupling())
	const dt = 1e-3
	if r := *l.Step(dt); r.Err != nil {
		t.Fatal(r.Err)
	}
	volume := 4. / 3 * math.Pi * a * a * a
	added := volume * l.Def().Physics.Density / 2 * (b*b*b + 2*a*a*a) / (b*b*b - a*a*a)
	own := density * volume
	want := -9.81 * (own - volume*l.Def().Physics.Density) / (own + added)
	got := ball.Velocity().Y / dt
	measured := -9.81*(own-volume*l.Def().Physics.Density)/got - own
	t.Logf("acceleration %.4f m/s², want %.4f; added mass %.2f kg, want %.2f", got, want, measured, added)
	if math.Abs(measured-added) > .05*added {
		t.Errorf("added mass %g kg, want %g within 5 %%", measured, added)
	}
}
