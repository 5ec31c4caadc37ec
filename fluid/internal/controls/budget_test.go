package controls_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// Mixing with what the liquid would do without control takes a solve that costs less than the other one: in the air, where it starts from no pressure, and in a
// pool that the shape leaves and enters.
func TestRelaxedControlTakesFewIterations(t *testing.T) {
	const of = fluid.Cubes
	m := sphereMesh(4, .35)
	m.at = func(x r3.Vec, t float64) r3.Vec {
		return r3.Add(x, r3.Vec{X: .3 * math.Sin(3*t), Y: .8 + .3*math.Sin(2*t), Z: .2 * math.Sin(4*t)})
	}
	for _, c := range []struct {
		cell, dt float64
		fill     fluid.SDF
	}{{.1, 1. / 60, nil}, {.1, 1. / 60, fluid.Below(.6)}, {.05, 1. / 60, fluid.Below(.6)}, {.1, 1. / 240, fluid.Below(.63)}, {.1, 1. / 30, nil}} {
		if testing.Short() && c.cell < .1 {
			continue
		}
		def := controlDef(of)
		def.CellSize = c.cell
		var iterations [2]int
		for i, strength := range []float64{1, .5} {
			liq, _ := following(t, def, c.fill, fluid.ControlDef{Clip: m, Strength: strength, Arrival: control.Appear})
			for range 40 {
				iterations[i] += stepped(t, liq, c.dt).Iterations
			}
		}
		name := fmt.Sprintf("cells of %g m, %.4f s, in a pool %v", c.cell, c.dt, c.fill != nil)
		t.Logf("%s: %d iterations with α 1, %d with .5", name, iterations[0], iterations[1])
		if ratio := float64(iterations[1]) / float64(iterations[0]); !(ratio <= 1.7) {
			t.Errorf("%s: α .5 takes %.2f times the iterations of α 1", name, ratio)
		}
	}
}

// Within a budget a figure's surface is coarser by degrees: what the liquid is off by on the mean grows steadily as the unknowns get fewer, and no jet leaves it.
func TestControlWithinBudgets(t *testing.T) {
	const of = fluid.Cubes
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	def := controlDef(of)
	def.CellSize = 1. / 32
	last, first := 0., 0.
	for i, work := range []float64{0, 4, 2.6, 1.6} { // it has some four thousand unknowns
		def.Budget.Work = work
		fig := newFigure(1)
		liq, _ := following(t, def, nil, fluid.ControlDef{Clip: fig, Strength: 1, Arrival: control.Appear, Refill: control.Refill{Rate: 100}})
		var got tracking
		fastest, unknowns, coarse := 0., 0, 0
		var mesh control.Mesh
		for k := range 45 {
			r := stepped(t, liq, 1./60)
			fastest = max(fastest, r.MaxSpeed)
			unknowns, coarse = max(unknowns, r.UnknownCount()), r.UnknownCount()-r.Unknowns[0]
			if k%5 == 4 {
				fig.At(r.Controls[0].Time, &mesh)
				got.measure(trackedShape{"figure", fig, fig.hidden}, liq.Surface(), &mesh, r.Controls[0].Time, def.CellSize)
			}
		}
		t.Logf("%g thousand: %d unknowns, %d of them coarse in the end; %.3f cells off on the mean, %.2f at most, to %.2f m/s", work, unknowns, coarse, got.mean/def.CellSize, got.worst/def.CellSize, fastest)
		if i == 0 {
			first = got.mean
		} else if !(got.mean <= 2.5*max(last, first) && got.mean <= .5*def.CellSize) {
			t.Errorf("%g thousand unknowns: %.3f cells off on the mean, %.3f with more", work, got.mean/def.CellSize, last/def.CellSize)
		}
		if !(got.worst <= 5*def.CellSize) {
			t.Errorf("%g thousand unknowns: %.2f cells off at most", work, got.worst/def.CellSize)
		}
		if !(fastest <= 4) {
			t.Errorf("%g thousand unknowns: to %.2f m/s", work, fastest)
		}
		last = got.mean
	}
}
