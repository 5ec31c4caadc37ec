package stuffed_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffed"
)

// tank is a full rig whose liquid goes on.
type tank struct {
	*rig
	old, now *stuffed.Field
	solver   *pressure.Solver
	pi       []float64
	trace    stuffed.Trace
}

func newTank(r *rig) *tank {
	k := &tank{rig: r, old: stuffed.NewField(r.pool), now: stuffed.NewField(r.pool), solver: pressure.New(r.pool)}
	k.trace = stuffed.Trace{Dt: dt, Beyond: func(x [3]float64) [3]float64 { return k.old.Nearest(&x, 0) }}
	return k
}

// begin gives the liquid a velocity, m/s, free of divergence.
func (k *tank) begin(u func(x [3]float64) [3]float64) {
	k.fill(nil)
	k.pi = make([]float64, k.g.Rows)
	for f, n := range k.g.Normals {
		v := u(k.g.FaceCentres[f])
		k.g.U[f] = n[0]*v[0] + n[1]*v[1] + n[2]*v[2]
	}
	k.project()
}

// step carries the velocity on by a step.
func (k *tank) step() {
	k.d.Fill(k.g, k.l, k.phi, nil)
	k.old.Advect(k.g, &k.trace)
	k.project()
}

func (k *tank) project() {
	k.t.Helper()
	k.solver.Prepare(k.g)
	if _, err := k.solver.Solve(k.g, density, dt, nil, nil, make([]float64, k.g.Rows), k.pi, pressure.Options{Tolerance: 1e-8, MaxIterations: 200}); err != nil {
		k.t.Fatal(err)
	}
	k.now.Take(k.d, k.g, k.l, func(int32, r3.Vec) r3.Vec { return r3.Vec{} })
	k.old, k.now = k.now, k.old
}

// energy is that of all, by the velocities on faces, J.
func (k *tank) energy() (sum float64) {
	for f, u := range k.g.U {
		sum += density * k.g.Area[f] * k.g.Dist[f] * u * u / 2
	}
	return sum
}

// V15: of the energy of Taylor's and Green's vortex more is left if traces' ends are evaluated by the tetrahedra around than linearly between vertices, which damps
// (Chentanez et al. 2007 §3.3).
func TestVortexKeepsEnergy(t *testing.T) {
	steps, least, more := 60, .37, .35
	if testing.Short() {
		steps, least, more = 6, .85, .15
	}
	var left [2]float64
	for i, linear := range []bool{false, true} {
		k := newTank(newRig(t, 2, [3]int{1, 1, 1}, 1./8, [3]float64{}, uniform([3]int{1, 1, 1}, 3), [3]float64{}, [3]float64{}))
		k.trace.LinearEnd = linear
		k.surface(nil)
		k.begin(func(x [3]float64) [3]float64 {
			sx, cx := math.Sincos(math.Pi * x[0])
			sy, cy := math.Sincos(math.Pi * x[1])
			return [3]float64{sx * cy, -cx * sy, 0}
		})
		start := k.energy()
		last := start
		for n := range steps {
			k.step()
			e := k.energy()
			if e > last {
				t.Errorf("linear end %v: step %d adds %g of the energy", linear, n+1, e/last-1)
			}
			last = e
		}
		left[i] = last / start
	}
	t.Logf("left of the energy after %d steps: %.4f, linear end %.4f", steps, left[0], left[1])
	if left[0] < least || left[0] < left[1]+more {
		t.Errorf("left %.4f, want %g, and %g more than with a linear end", left, least, more)
	}
}
