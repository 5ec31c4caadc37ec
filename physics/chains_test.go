package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// pulley is a chain of capsules over a drum with a ball at each end.
type pulley struct {
	links                int
	link, left, right    float64 // masses, kg
	pitch, radius, thick float64 // of a link, the drum and half a link, m
	friction, dt         float64
	later                [2]float64 // masses from half of the steps on, kg
	substeps, gone       int        // substeps as defined, and steps to go
}

// swing has a pulley go, and returns the greatest distance of joints, m, how deep links are in the drum at most, how far the right ball falls, and the most
// substeps.
func (c *pulley) swing(t *testing.T) (torn, sunk, fell float64, most int) {
	t.Helper()
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true, Substeps: c.substeps})
	add(w, BodyDef{Rotation: about(r3.Vec{X: 1}, math.Pi/2)}, ShapeDef{Geometry: Cylinder(r3.Vec{Y: -1}, r3.Vec{Y: 1}, c.radius), Material: Material{Friction: c.friction}})
	d := draped{w: w, radius: c.radius + c.thick, half: c.pitch / 2}
	length := float64(c.links) * c.pitch
	at := func(s float64) r3.Vec { // along the chain from its middle
		side, quarter := math.Copysign(1, s), math.Pi/2*d.radius
		if s = math.Abs(s); s > quarter {
			return r3.Vec{X: side * d.radius, Y: quarter - s}
		}
		return r3.Vec{X: side * d.radius * math.Sin(s/d.radius), Y: d.radius * math.Cos(s/d.radius)}
	}
	hang := func(p r3.Vec, mass float64) Body {
		return add(w, BodyDef{Kind: Dynamic, Position: r3.Sub(p, r3.Vec{Y: .1})},
			ShapeDef{Geometry: Sphere(r3.Vec{}, .1), Density: mass / (4. / 3 * math.Pi * 1e-3), Filter: Filter{Group: -1}})
	}
	first := hang(at(-length/2), c.left)
	last := first
	join := func(b Body, p r3.Vec) {
		d.joints = append(d.joints, must(w.AddJoint(JointDef{Kind: BallJoint, A: last, B: b, Anchor: p})))
		last = b
	}
	volume := math.Pi*c.thick*c.thick*c.pitch + 4./3*math.Pi*c.thick*c.thick*c.thick
	for i := range c.links {
		p, q := at(float64(i)*c.pitch-length/2), at(float64(i+1)*c.pitch-length/2)
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Scale(.5, r3.Add(p, q)), Rotation: about(r3.Vec{Z: 1}, math.Atan2(p.X-q.X, q.Y-p.Y))},
			ShapeDef{Geometry: Capsule(r3.Vec{Y: c.thick - (c.pitch+2*c.thick)/2}, r3.Vec{Y: (c.pitch+2*c.thick)/2 - c.thick}, c.thick), Density: c.link / volume, Material: Material{Friction: c.friction}, Filter: Filter{Group: -1}})
		join(b, p)
		d.links = append(d.links, b)
	}
	heavy := hang(at(length/2), c.right)
	join(heavy, at(length/2))
	y := heavy.Position().Y
	for n := range c.gone {
		if n == c.gone/2 && c.later != ([2]float64{}) {
			for k, b := range [2]Body{first, heavy} {
				m := c.later[k]
				check(t, b.SetMassProperties(MassProperties{Mass: m, Inertia: [3][3]float64{{.004 * m}, {0, .004 * m}, {0, 0, .004 * m}}}))
			}
		}
		w.Step(c.dt)
		torn, sunk, most = max(torn, gap(d.joints...)), max(sunk, d.sunk()), max(most, w.Stats().Substeps)
	}
	return torn, sunk, y - heavy.Position().Y, most
}

// Light links over a drum with heavy weights hold together, do not sink into it, and run over it as Newton says, without being told of substeps.
func TestLightChainsUnderHeavyWeightsHold(t *testing.T) {
	for i, c := range []pulley{
		{links: 60, link: .02, left: 10, right: 12, pitch: .05, radius: .3, thick: .01, friction: Frictionless, dt: tick, gone: 24},
		{links: 60, link: .0065, left: 3, right: 5, pitch: .05, radius: .3, thick: .01, friction: Frictionless, dt: tick, gone: 40},
		{links: 60, link: .02, left: 10, right: 12, pitch: .05, radius: .3, thick: .01, friction: Frictionless, dt: 1. / 120, gone: 80},
		{links: 60, link: .0065, left: 3, right: 5, pitch: .03, radius: .2, thick: .008, friction: .3, dt: tick, gone: 40},
		{links: 60, link: .02, left: .2, right: .2, later: [2]float64{10, 12}, pitch: .05, radius: .3, thick: .01, friction: .3, dt: tick, gone: 40},
		{links: 60, link: .02, left: 10, right: 12, pitch: .05, radius: .1, thick: .01, friction: .3, dt: 1. / 30, gone: 30},
	} {
		if i > 0 && testing.Short() {
			return
		}
		torn, sunk, fell, most := c.swing(t)
		t.Logf("%+v: joints up to %.2g m apart, links %.2g m in the drum, the right ball falls %.4f m; %d substeps", c, torn, sunk, fell, most)
		if !(torn <= 1e-3) || !(sunk <= 3e-3) {
			t.Errorf("%+v: joints up to %.2g m apart, links %.2g m in the drum", c, torn, sunk)
		}
		if c.friction == Frictionless {
			all := float64(c.links)*c.link + c.left + c.right
			if time := float64(c.gone) * c.dt; math.Abs(fell-(c.right-c.left)/all*9.81*time*time/2) > .03*fell {
				t.Errorf("%+v: the right ball falls %.4f m, want %.4f", c, fell, (c.right-c.left)/all*9.81*time*time/2)
			}
		}
	}
}

// What is not pulled hard takes no more substeps for it: chains whose links are as heavy as what hangs from them, and ragdolls.
func TestSlackChainsTakeNoMoreSubsteps(t *testing.T) {
	c := pulley{links: 20, link: .4, left: 2, right: 2, pitch: .1, radius: .5, thick: .03, dt: tick, gone: 20}
	if _, _, _, most := c.swing(t); most != 4 {
		t.Errorf("%d substeps of a chain of heavy links", most)
	}
}
