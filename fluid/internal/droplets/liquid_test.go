package droplets_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What a droplet too small for any cell brings a ball at rest, as it flies into it without weight, is its momentum, to .2 % in the step in
// which it lands, and its litres.
func TestDropletBringsMomentum(t *testing.T) {
	for _, aim := range []r3.Vec{{X: -1}, {X: -.6, Z: .8}} {
		l := testrig.New(t, fluid.Def{
			Domain: testrig.Box(1, 1, 1), CellSize: .05,
			Numerics: fluid.Numerics{Levels: 1, SurfaceDetail: 2, Undamped: true}, Physics: fluid.Physics{Weightless: true}, Resources: fluid.Resources{Workers: 1}, Tracker: fluid.ExplicitMesh,
		})
		centre := r3.Vec{X: .5, Y: .5, Z: .5}
		droplet := r3.Sub(centre, r3.Scale(.35, aim))
		testrig.Must(t, l.Fill(fluid.Sphere(centre, .2)))
		testrig.Must(t, l.Fill(fluid.Sphere(droplet, .016)))
		testrig.Must(t, l.SetVelocity(fluid.Sphere(droplet, .09), func(r3.Vec) r3.Vec { return aim }))
		flew, landed := r3.Vec{}, false
		for !landed {
			r := *l.Step(testrig.Frame / 2)
			if r.Err != nil || r.Step > 60 {
				t.Fatalf("step %d: %d droplets, %s", r.Step, testrig.FV(l).Spray.Len(), r.Err)
			}
			has := dropletMomentum(l)
			if testrig.FV(l).Spray.Len() > 0 {
				flew = has
				continue
			}
			if landed = flew != (r3.Vec{}); !landed {
				continue
			}
			off := r3.Norm(r3.Sub(has, flew)) / r3.Norm(flew)
			t.Logf("step %d: momentum %.4g m³·m/s, was %.4g: %.2g of it off; drift %.4f of %.4f l", r.Step, has, flew, off, r.Ledger.DriftL, r.Ledger.HeldL)
			if off > .002 || math.Abs(r.Ledger.DriftL) > .002*r.Ledger.HeldL {
				t.Errorf("along %v: the liquid has %.4g m³·m/s, the droplet had %.4g; drift %g l", aim, has, flew, r.Ledger.DriftL)
			}
		}
	}
}

// dropletMomentum is that of the liquid on the faces and of the spray, over the density.
func dropletMomentum(l *fluid.Liquid) r3.Vec {
	gr, spray := &testrig.FV(l).Graph, testrig.FV(l).Spray
	var sum [3]float64
	for f, u := range gr.U {
		sum[gr.Cubes.Axis[f]] += gr.Area[f] * gr.Open[f] * gr.Dist[f] * u
	}
	for i, r := range spray.Radius {
		for a := range sum {
			sum[a] += 4 * math.Pi / 3 * float64(r*r*r) * float64(spray.Velocity[3*i+a])
		}
	}
	return r3.Vec{X: sum[0], Y: sum[1], Z: sum[2]}
}
