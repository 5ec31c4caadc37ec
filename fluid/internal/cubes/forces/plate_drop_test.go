package forces_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// plateDrop is a drop of water on the floor in cells of a millimetre, part of a ball around a place over the floor, m, that is to meet it at an angle, rad.
func plateDrop(t *testing.T, def fluid.Def, ball r3.Vec, radius, angle float64) *fluid.Liquid {
	t.Helper()
	def.Domain, def.CellSize, def.Physics.SurfaceTension, def.Physics.ContactAngle = testrig.Box(.016, .012, .016), 1e-3, .0728, angle
	def.Resources.Workers, def.Numerics.MaxSubsteps = 1, 40
	l := testrig.New(t, def)
	testrig.Must(t, l.Fill(fluid.Sphere(ball, radius)))
	return l
}

// dropEnergy is what the liquid's motion, its height and its surface hold, J, the floor's part less by the cosine of the contact angle.
func dropEnergy(l *fluid.Liquid) float64 {
	d, gr := l.Def(), &testrig.FV(l).Graph
	sum := 0.
	for f, u := range gr.U {
		sum += float64(.5 * d.Physics.Density * gr.Area[f] * gr.Dist[f] * u * u)
	}
	eachCell(l, func(x r3.Vec, volume float64) { sum -= volume * d.Physics.Density * d.Physics.Gravity.Y * x.Y })
	free, wet := 0., 0.
	for _, c := range testrig.TrianglesOf(l.Surface()) {
		if n := r3.Scale(.5, r3.Cross(r3.Sub(c[1], c[0]), r3.Sub(c[2], c[0]))); max(c[0].Y, c[1].Y, c[2].Y) > 1e-6 {
			free, wet = free+r3.Norm(n), wet+n.Y
		}
	}
	return sum + d.Physics.SurfaceTension*(free-math.Cos(d.Physics.ContactAngle)*wet)
}

// A drop that a mesh follows swings on a plate without any gain of energy, as it spreads far beyond its shape at rest, whatever the step.
func TestDropSwingsOnPlate(t *testing.T) {
	for _, c := range []struct {
		radius, height, x, z, angle float64 // of the ball and its centre: mm, beyond the middle of the floor; degrees
		dt                          float64
		weightless, long            bool
	}{
		{4, 1.5, .1, .3, 110, testrig.Frame, false, false},
		{4, 1.5, .45, .05, 110, testrig.Frame / 4, false, true},
		{4, 1.5, 0, 0, 110, 2 * testrig.Frame, false, true},
		{4, 1.5, .1, .3, 110, testrig.Frame, true, true},
		{4, .3, .45, .05, 140, testrig.Frame / 4, true, true},
		{3, 1.2, .1, .3, 110, testrig.Frame / 2, false, true},
	} {
		if c.long && testing.Short() {
			continue
		}
		l := plateDrop(t, fluid.Def{Tracker: fluid.ExplicitMesh, Physics: fluid.Physics{Weightless: c.weightless}}, r3.Vec{X: 8e-3 + c.x*1e-3, Y: c.height * 1e-3, Z: 8e-3 + c.z*1e-3}, c.radius*1e-3, c.angle*math.Pi/180)
		first, later, fast := 0., 0., 0.
		for n := 1; float64(n)*c.dt < testrig.InShort(.15, .3); n++ {
			if r := *l.Step(c.dt); r.Err != nil {
				t.Fatal(r.Err)
			}
			if e := dropEnergy(l); float64(n)*c.dt < .06 {
				first = max(first, e)
			} else {
				later, fast = max(later, e), max(fast, testrig.Fastest(l))
			}
		}
		t.Logf("%+v: energy of %.4g J, later %.4g; %.3f m/s", c, first, later, fast)
		if later > 1.03*first || fast > .25 {
			t.Errorf("%+v: energy of %.4g J, later %.4g; %.3f m/s", c, first, later, fast)
		}
	}
}

// youngLaplace is the height and the greatest radius at the floor, m, of a still drop of a volume, m³, whose surface bends as much as its height tells.
// Source: Bashforth and Adams 1883.
func youngLaplace(volume, tension, gravity, angle float64) (height, base float64) {
	drop := func(top float64) (r, z, v float64) { // with a radius of curvature of so much at the top
		const ds = 1e-6
		phi := 0.
		for phi < angle {
			bend := 2/top + 1e3*gravity*z/tension - 1/top
			if r > 0 {
				bend = 2/top + 1e3*gravity*z/tension - math.Sin(phi)/r
			}
			phi += bend * ds
			r += math.Cos(phi) * ds
			z += math.Sin(phi) * ds
			v += math.Pi * r * r * math.Sin(phi) * ds
		}
		return r, z, v
	}
	lo, hi := 1e-4, .1
	for range 40 {
		if _, _, v := drop((lo + hi) / 2); v > volume {
			hi = (lo + hi) / 2
		} else {
			lo = (lo + hi) / 2
		}
	}
	base, height, _ = drop(lo)
	return height, base
}

// A drop that a mesh follows comes to rest on a plate, as Young and Laplace have it.
func TestDropRestsOnPlate(t *testing.T) {
	for _, c := range []struct {
		height, x, angle float64 // of the ball's centre, mm, one way beyond the middle; degrees
		dt               float64
		long             bool
	}{{1.5, .1, 110, testrig.Frame, false}, {1.5, .45, 110, testrig.Frame / 4, true}, {2.5, .3, 140, 2 * testrig.Frame, true}} {
		if c.long && testing.Short() {
			continue
		}
		angle := c.angle * math.Pi / 180
		l := plateDrop(t, fluid.Def{Tracker: fluid.ExplicitMesh, Physics: fluid.Physics{Viscosity: 1e-4}}, r3.Vec{X: 8e-3 + c.x*1e-3, Y: c.height * 1e-3, Z: 8.3e-3}, 4e-3, angle)
		fast := 0.
		for n := 1; float64(n)*c.dt < .25; n++ {
			if r := *l.Step(c.dt); r.Err != nil {
				t.Fatal(r.Err)
			}
			if fast = max(fast, testrig.Fastest(l)); float64(n)*c.dt < .2 {
				fast = 0
			}
		}
		height, base := youngLaplace(l.Ledger().HeldL/1e3, .0728, 9.81, angle)
		gotBase, gotHeight := sizes(l, 5e-5)
		t.Logf("%+v: base %.3f mm, want %.3f; height %.3f mm, want %.3f; %.4f m/s", c, 1e3*gotBase, 1e3*base, 1e3*gotHeight, 1e3*height, fast)
		if c.angle > 120 {
			testrig.FallsShort(t, "140°: base beside what is wanted", math.Abs(gotBase/base-1), .05, .1)
		} else if math.Abs(gotBase/base-1) > .05 || math.Abs(gotHeight/height-1) > .05 || fast > .01 {
			t.Errorf("%+v: base %.3f mm, want %.3f; height %.3f mm, want %.3f; %.4f m/s", c, 1e3*gotBase, 1e3*base, 1e3*gotHeight, 1e3*height, fast)
		}
	}
}
