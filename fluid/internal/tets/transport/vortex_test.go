package transport

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
)

// vortex is the velocity of Taylor's and Green's vortex in a grid, m/s: cells of half its extent turn against each other between sides that they slip along.
func (r *rig) vortex(x [3]float64) [3]float64 {
	e := r.grid.H * 8 * float64(r.grid.Dim[0])
	sx, cx := math.Sincos(math.Pi * (x[0] - r.grid.Origin[0]) / e)
	sy, cy := math.Sincos(math.Pi * (x[1] - r.grid.Origin[1]) / e)
	return [3]float64{sx * cy, -cx * sy, 0}
}

// tank is a closed box that is full of liquid.
type tank struct {
	*rig
	g  *graph.Graph
	s  *pressure.Solver
	pi []float64
}

func newTank(r *rig) *tank { return &tank{r, r.fill(nil), pressure.New(r.pool), nil} }

// project makes the graph's velocity free of divergence.
func (k *tank) project(dt float64) {
	k.t.Helper()
	k.s.Prepare(k.g)
	if len(k.pi) != k.g.Rows {
		k.pi = make([]float64, k.g.Rows)
	}
	opt := pressure.Options{Tolerance: 1e-8, MaxIterations: 200}
	if rep, err := k.s.Solve(k.g, 1000, dt, nil, nil, make([]float64, k.g.Rows), k.pi, opt); err != nil {
		k.t.Fatal(rep, err)
	}
}

// begin has the tank's liquid flow.
func (k *tank) begin(u flow) {
	set(k.g, u)
	k.project(1)
	k.tr.Begin(k.l)
	k.tr.Extrapolate(k.g, &Solids{})
	k.tr.Publish()
}

func (k *tank) step(dt float64, secondOrder bool) {
	k.tr.Begin(k.l)
	k.tr.Advect(k.g, dt, secondOrder)
	k.project(dt)
	k.tr.Extrapolate(k.g, &Solids{})
	k.tr.Publish()
}

func TestVortexKeepsEnergy(t *testing.T) {
	const steps, turnover = 64, 2.
	for _, c := range []struct{ linear, second bool }{{false, true}, {false, false}, {true, false}} {
		r := newRig(t, [3]int{2, 2, 1}, 1./16, 2, uniform(3))
		k := newTank(r)
		r.tr.LinearEnd = c.linear
		k.begin(r.vortex)
		e := energy(k.g)
		for n := range steps {
			k.step(turnover/steps, c.second)
			if n%16 == 15 {
				t.Logf("%+v step %d: %.4f", c, n+1, energy(k.g)/e)
			}
		}
	}
}
