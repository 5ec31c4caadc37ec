package fluid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/lattice"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/physics"
)

// tetrahedra is the lattice of tetrahedra as a discretisation of a liquid that fills its domain: a stub, which proves that the step needs no cubes. Its
// velocity stays where it is.
type tetrahedra struct {
	*lattice.Lattice
	s       *fv.Solver
	static  shapes.Distance
	set     walls.Set
	impulse []float64
	solids  []lattice.Solid
	top     float64 // m/s
	edge    float64 // m
}

// pickLattice is a method of cubes of an edge, m.
func pickLattice(edge float64) func(s *fv.Solver, d *Def) fv.Method {
	return func(s *fv.Solver, def *Def) fv.Method {
		d := def.Domain
		size := d.Size()
		count := func(x float64) int { return int(math.Round(x / edge)) }
		m := &tetrahedra{Lattice: lattice.New(d.Min, [3]int{count(size.X), count(size.Y), count(size.Z)}, edge), s: s, edge: edge}
		spray := &droplets.Spray{}
		return fv.Method{
			Disc: m, Tracker: fullDomain{}, Volumes: &fixedVolumes{s: s}, Edits: noEdits{}, Sources: noSources{}, Through: noSides{},
			Forces: noForces{}, Parts: noSleep{}, Reader: noReader{}, Coder: noCoder{}, Spray: spray,
		}
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

func (m *tetrahedra) MeasureSolids(solids []rigid.Solid, _ query.Reach) {
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

func (m *tetrahedra) StartPressure() []float64 {
	m.impulse = make([]float64, m.s.Graph.Rows)
	m.WarmStart(&m.s.Graph, m.impulse)
	return m.impulse
}

func (m *tetrahedra) KeepPressure() { m.Store(&m.s.Graph, m.impulse) }

func (m *tetrahedra) BoundVelocity(fastest []float64, run int, limit float64) (bad int) {
	m.top, bad = m.s.Graph.BoundVelocity(fastest, run, limit, func(int) bool { return true })
	return bad
}

func (m *tetrahedra) Stop() { clear(m.Lattice.Velocity) }
func (m *tetrahedra) Revert(_, atRest bool) {
	if atRest {
		m.Stop()
	}
}
func (m *tetrahedra) SetStatic(f shapes.Distance, _ func(r3.Box) float64) { m.static = f }
func (m *tetrahedra) RemeasureSolids(s []rigid.Solid)                     { m.MeasureSolids(s, query.Reach{}) }
func (m *tetrahedra) StepWalls() *walls.Set                               { return &m.set }
func (m *tetrahedra) MaxSpeed() float64                                   { return m.top }
func (m *tetrahedra) OutputDelay() float64                                { return m.s.Around.Now.Dt / 2 }
func (m *tetrahedra) EdgeAt(r3.Vec) float64                               { return m.edge }
func (m *tetrahedra) CountParts() (wet, asleep int)                       { return 1, 0 }
func (m *tetrahedra) CellsInUse() int                                     { return len(m.Pressure) }
func (m *tetrahedra) AppendCells(dst []int) []int                         { return append(dst, len(m.Pressure)) }
func (m *tetrahedra) AppendUnknowns(dst []int) []int                      { return append(dst, m.s.Graph.Rows) }

func (m *tetrahedra) Tiles() boxes.Tiles {
	d := m.s.Settings.Domain
	return boxes.Tiles{Origin: array(d.Min), Edge: max(d.Size().X, d.Size().Y, d.Size().Z), Dim: [3]int{1, 1, 1}}
}

func (m *tetrahedra) Edges(dst []float64, at []r3.Vec) {
	for i := range at {
		dst[i] = m.edge
	}
}

// What the stub has none of.
func (*tetrahedra) BeginSubstep(_, _ float64)                             {}
func (*tetrahedra) Resize(*sizing.Wishes) (o sizing.Outcome)              { return o }
func (*tetrahedra) MarkThinWalls()                                        {}
func (*tetrahedra) AdvectVelocity(bool)                                   {}
func (*tetrahedra) ExtrapolateVelocity(func(body int32, x r3.Vec) r3.Vec) {}
func (*tetrahedra) Publish()                                              {}
func (*tetrahedra) Start()                                                {}
func (*tetrahedra) Refresh()                                              {}
func (*tetrahedra) CarryOver()                                            {}
func (*tetrahedra) Settle()                                               {}
func (*tetrahedra) RestartSizing(int)                                     {}
func (*tetrahedra) ForgetBodies()                                         {}
func (*tetrahedra) ForgetSolids()                                         {}
func (*tetrahedra) SetGravity(r3.Vec)                                     {}
func (*tetrahedra) SetDensity(float64)                                    {}
func (*tetrahedra) SetViews(...query.View) error                          { return nil }
func (*tetrahedra) Views() []query.View                                   { return nil }
func (*tetrahedra) Demand() (o sizing.Outcome)                            { return o }
func (*tetrahedra) AppendParts(dst []query.Part) []query.Part             { return dst }
func (*tetrahedra) Velocity(dst, _ []r3.Vec)                              { clear(dst) }

// fullDomain is the surface of a domain that is full.
type fullDomain struct{ fv.Tracker }

func (fullDomain) Advance()                        {}
func (fullDomain) Complete()                       {}
func (fullDomain) Report() (r query.SurfaceReport) { return r }
func (fullDomain) ClearMoving()                    {}
func (fullDomain) MarkMoving(r3.Box)               {}
func (fullDomain) SetDetailInterval(int)           {}
func (fullDomain) ExtractMesh() query.Triangles    { return query.Triangles{} }
func (fullDomain) ExtrapolateMesh(float32) query.Triangles {
	return query.Triangles{}
}
func (fullDomain) Distance(dst []float32, at []r3.Vec) {
	for i := range at {
		dst[i] = -math.MaxFloat32
	}
}

// fixedVolumes are volumes that nothing has to make up for.
type fixedVolumes struct {
	fv.Volumes
	s       *fv.Solver
	sources []float64
}

func (*fixedVolumes) Note()                                                {}
func (*fixedVolumes) Measure()                                             {}
func (*fixedVolumes) Held() float64                                        { return 1 }
func (*fixedVolumes) Defer()                                               {}
func (*fixedVolumes) Forget()                                              {}
func (*fixedVolumes) MeasureComponents(int, *components.Account) (no bool) { return false }
func (v *fixedVolumes) Correct(*components.Account) []float64 {
	v.sources = append(v.sources[:0], make([]float64, v.s.Graph.Rows)...)
	return v.sources
}

type (
	noEdits   struct{ fv.Editor }
	noSources struct{ flows.Sources }
	noSides   struct{ flows.SideFlow }
	noForces  struct{ fv.Forces }
	noSleep   struct{ fv.Sleeper }
	noReader  struct{ fv.Reader }
	noCoder   struct{ fv.Coder }
)

func (noReader) WetIn(r3.Box) bool                   { return true }
func (noReader) NearWet(r3.Box) bool                 { return true }
func (noSources) RemoveOutflow() []float64           { return nil }
func (noSources) BeginClaims()                       {}
func (noSources) SetClaimed()                        {}
func (noSides) Begin()                               {}
func (noSides) Balance([6]float64)                   {}
func (noForces) Use(bool, bool)                      {}
func (noForces) CapillaryStep(float64) float64       { return math.Inf(1) }
func (noForces) BalanceJunctions()                   {}
func (noSleep) Damp()                                {}
func (noSleep) Measure(float64, bool)                {}
func (noSleep) MaySleep() bool                       { return false }
func (noSleep) KeepAwake()                           {}
func (noSleep) FieldsReachLiquid(*fields.Index) bool { return false }
func (noCoder) Code(*codec.Codec)                    {}

// The public constant stays refused until the lattice is more than a stub.
func TestLatticeIsRefused(t *testing.T) {
	if err := (Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1, Discretisation: Lattice}).Validate(); err == nil {
		t.Error("a definition with a lattice is valid")
	}
}

// Step drives a lattice of tetrahedra: a closed column under gravity that is aslant to it stands still, and its pressure is linear.
func TestLatticeColumnStands(t *testing.T) {
	g := r3.Vec{X: 3, Y: -9, Z: 1.5}
	l := newWith(t, Def{
		Domain: r3.Box{Max: r3.Vec{X: .5, Y: 1, Z: .4}}, CellSize: .1, Gravity: g, Discretisation: Lattice, Solver: SolverDef{Tolerance: 1e-14, MaxIterations: 200, Undamped: true},
	}, pickLattice(.1))
	for range 3 {
		if r := l.Step(frame); r.RolledBack || r.MaxSpeed > 1e-10*r3.Norm(g)*frame {
			t.Fatalf("speed %g m/s after %d iterations to %g, %s", r.MaxSpeed, r.Iterations, r.Residual, r.Reason)
		}
	}
	least := math.Inf(1)
	for r := range fvOf(l).Graph.Rows { // p - ρ g·x is the same everywhere
		x := reproducible.Vector(fvOf(l).Graph.Centre[r])
		least = min(least, fvOf(l).Impulse[r]/frame-l.sim.def.Density*r3.Dot(g, x))
	}
	for r := range fvOf(l).Graph.Rows {
		x := reproducible.Vector(fvOf(l).Graph.Centre[r])
		if off := fvOf(l).Impulse[r]/frame - l.sim.def.Density*r3.Dot(g, x) - least; off > 1e-10*l.sim.def.Density*r3.Norm(g) {
			t.Fatalf("row %d at %v: the pressure is off by %g Pa", r, x, off)
		}
	}
}

// A ball that is coupled to liquid on a lattice, in the middle of a hollow sphere, falls with the mass that it moves there: by Lamb's closed form ½ρV(b³+2a³)/(b³-a³)
// is added to its own.
func TestLatticeCouplesABody(t *testing.T) {
	const edge, a, b, density = .05, .2, .5, 3000. // m, kg/m³: five cells a radius, two of which go to a cube
	middle := r3.Vec{X: .55, Y: .55, Z: .55}
	l := newWith(t, Def{
		Domain: r3.Box{Max: r3.Vec{X: 1.1, Y: 1.1, Z: 1.1}}, CellSize: edge, Discretisation: Lattice, Solver: SolverDef{Tolerance: 1e-10, MaxIterations: 200, Undamped: true},
	}, pickLattice(edge))
	if _, err := l.AddObstacle(Difference(Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 2, Z: 2}}), Sphere(middle, b))); err != nil {
		t.Fatal(err)
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	ball, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: middle})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ball.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, a), Density: density}); err != nil {
		t.Fatal(err)
	}
	l.Couple(w.Coupling())
	const dt = 1e-3
	if r := l.Step(dt); r.RolledBack {
		t.Fatal(r.Reason)
	}
	volume := 4. / 3 * math.Pi * a * a * a
	added := volume * l.sim.def.Density / 2 * (b*b*b + 2*a*a*a) / (b*b*b - a*a*a)
	own := density * volume
	want := -9.81 * (own - volume*l.sim.def.Density) / (own + added)
	got := ball.Velocity().Y / dt
	measured := -9.81*(own-volume*l.sim.def.Density)/got - own
	t.Logf("acceleration %.4f m/s², want %.4f; added mass %.2f kg, want %.2f", got, want, measured, added)
	if math.Abs(measured-added) > .05*added {
		t.Errorf("added mass %g kg, want %g within 5 %%", measured, added)
	}
}
