package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// carriedBox is the surface of a box that moves at a velocity.
type carriedBox struct {
	box      r3.Box
	velocity r3.Vec // m/s
}

func (carriedBox) Duration() float64 { return 0 }

func (b carriedBox) At(t float64, to *control.Mesh) {
	to.Positions, to.Velocities, to.Revision = to.Positions[:0], to.Velocities[:0], 1
	size := b.box.Size()
	for k := range 8 {
		corner := r3.Vec{X: float64(k&1) * size.X, Y: float64(k>>1&1) * size.Y, Z: float64(k>>2) * size.Z}
		to.Positions = append(to.Positions, r3.Add(r3.Add(b.box.Min, corner), r3.Scale(t, b.velocity)))
		to.Velocities = append(to.Velocities, b.velocity)
	}
	to.Triangles = [][3]int32{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}}
}

// solvedLattice is cells that note the faces that a solve has held, by their velocities, m/s.
type solvedLattice struct {
	fv.Cells
	graph *graph.Graph
	held  map[int]float64
}

func (m *solvedLattice) BoundVelocity(fastest []float64, run int, limit float64) (bad int) {
	for f, is := range m.graph.Held {
		if is {
			m.held[f] = m.graph.U[f]
		}
	}
	return m.Cells.BoundVelocity(fastest, run, limit)
}

// Where liquid on a lattice follows a control surface, the faces there keep its velocity, whatever way they point, what flows through it is in balance, and
// the liquid gets the momentum that it gets on cubes.
func TestLatticeFollowsAControl(t *testing.T) {
	const edge = .05
	velocity := r3.Vec{X: .5, Y: -.3, Z: .2}
	d := fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: edge, Physics: fluid.Physics{Weightless: true}, Numerics: fluid.Numerics{Tolerance: 1e-10, MaxIterations: 300, Undamped: true}}
	surface := carriedBox{r3.Box{Min: r3.Vec{X: .3, Y: .3, Z: .3}, Max: r3.Vec{X: .7, Y: .7, Z: .7}}, velocity}
	follow := func(l *fluid.Liquid) r3.Vec {
		t.Helper()
		if _, err := l.AddControl(fluid.ControlDef{Clip: surface, Strength: 1}); err != nil {
			t.Fatal(err)
		}
		r := *l.Step(testrig.Frame)
		if r.Err != nil || len(r.Warnings) > 0 || len(r.Controls) != 1 {
			t.Fatalf("rolled back %v, %s, warnings %v, %d controls", r.Err != nil, r.Err, r.Warnings, len(r.Controls))
		}
		if c := r.Controls[0]; !(c.FluxL > 0) || c.FluxErrorL > 1e-6*c.FluxL {
			t.Errorf("%g of %g litres/s are out of balance", c.FluxErrorL, c.FluxL)
		}
		return r.Controls[0].Force
	}
	solved := &solvedLattice{held: map[int]float64{}}
	full := newWith(t, d, func(s *fv.Solver, d *fluid.Def) fv.Method {
		m := fluid.LatticeMethod(s, d)
		solved.Cells, solved.graph = m.Cells, &s.Graph
		m.Cells = solved
		return m
	})
	testrig.Must(t, full.Fill(fluid.Box(d.Domain)))
	got := follow(full)
	aslant := 0
	for f, u := range solved.held {
		n := reproducible.Vector(testrig.FV(full).Graph.Normal(f))
		if want := r3.Dot(velocity, n); math.Abs(u-want) > 1e-9 {
			t.Fatalf("face %d along %.3g at %.3g m moves at %g m/s, its surface at %g m/s", f, n, testrig.FV(full).Graph.FaceCentre(f), u, want)
		}
		if max(math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)) < .9 {
			aslant++
		}
	}
	if aslant < 500 {
		t.Errorf("of %d faces that are held %d are aslant", len(solved.held), aslant)
	}
	cubes := testrig.New(t, d)
	testrig.Must(t, cubes.Fill(fluid.Box(d.Domain)))
	want := follow(cubes)
	t.Logf("%d faces, %d aslant; force %.4g N, on cubes %.4g N", len(solved.held), aslant, got, want)
	if off := r3.Norm(r3.Sub(got, want)); !(off < .1*r3.Norm(want)) {
		t.Errorf("force %.4g N, on cubes %.4g N", got, want)
	}
}
