package contour_test

import (
	"cmp"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What acts on a liquid with a level set acts on one with a surface of its own: nothing goes wrong in its steps, and its litres are kept.
func TestFollowedFeatures(t *testing.T) {
	for _, s := range []struct {
		name  string
		with  func(d *fluid.Def)
		begin func(t *testing.T, l *fluid.Liquid)
		check func(t *testing.T, r fluid.Report)
		steps int // in a short run; 0: the ball is in the pool by the twentieth
	}{
		{name: "viscosity", with: func(d *fluid.Def) { d.Physics.Viscosity = .01 }},
		{name: "tension", with: func(d *fluid.Def) { d.Physics.SurfaceTension = .5 }},
		{name: "wind", begin: func(t *testing.T, l *fluid.Liquid) {
			testrig.Must(t, l.SetWind(fluid.Wind{Velocity: r3.Vec{X: 10}, Drag: .01}))
		}},
		{name: "weightless", with: func(d *fluid.Def) { d.Physics.Weightless, d.Physics.SurfaceTension = true, .5 }},
		{name: "blow", begin: func(t *testing.T, l *fluid.Liquid) {
			testrig.Must(t, l.Impulse(r3.Vec{X: .6, Y: .2, Z: .4}, .2, r3.Vec{Y: 40}))
		}},
		{name: "drained", begin: func(t *testing.T, l *fluid.Liquid) {
			testrig.Must(t, l.Drain(fluid.Sphere(r3.Vec{X: .6, Y: .3, Z: .4}, .25)))
		}},
		{name: "control", begin: func(t *testing.T, l *fluid.Liquid) {
			_, err := l.AddControl(fluid.ControlDef{
				Clip: testrig.BallClip(t, .15, r3.Vec{Z: .1}), Strength: 1, Loop: true, Arrival: control.Appear,
				Pose: control.Pose{Position: r3.Vec{X: .6, Y: .55, Z: .4}},
			})
			testrig.Must(t, err)
		}, check: func(t *testing.T, r fluid.Report) {
			if held := r.Controls[0].HeldL; held < 10 {
				t.Errorf("%.1f litres are in a ball of 14.1 that the liquid follows", held)
			}
		}, steps: 40},
	} {
		steps := testrig.InShort(cmp.Or(s.steps, 20), 40)
		for _, tracker := range []fluid.Tracker{fluid.Contouring, fluid.ExplicitMesh} {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				d := fluid.Def{Domain: testrig.FollowedDomain, CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: tracker}
				if s.with != nil {
					s.with(&d)
				}
				l := testrig.New(t, d)
				testrig.Must(t, l.Fill(fluid.Below(.3)))
				testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .3, Y: .6, Z: .4}, .15)))
				if s.begin != nil {
					s.begin(t, l)
				}
				white := float32(0)
				var r fluid.Report
				for range steps {
					r = *l.Step(testrig.Frame)
					testrig.Sound(t, l, r)
					if r.Err != nil {
						t.Fatal(r.Err)
					}
					white = max(white, testrig.Whitest(l))
				}
				if s.check != nil {
					s.check(t, r)
				}
				g := l.Ledger()
				t.Logf("tracker %d: %+v, foam %.2f, %+v", tracker, g, white, testrig.Report(l).Surface)
				if all := g.FilledL + g.EmittedL; math.Abs(g.DriftL) > .01*all {
					t.Errorf("%.3f of %.1f litres drifted", g.DriftL, all)
				}
				for _, v := range l.Surface().Positions {
					if !geom.Finite(float64(v)) {
						t.Fatal("a vertex is not finite")
					}
				}
			})
		}
	}
}
