package bodies_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// pinned is liquid with bodies in it that press on each other or on walls.
type pinned struct {
	liquid *fluid.Liquid
	world  *physics.World
	bodies []physics.Body // that can move
	dry    fluid.SDF      // where no liquid may come; nil: anywhere
}

func newPinned(t testing.TB, d fluid.Def, fill fluid.SDF) *pinned {
	t.Helper()
	d.Numerics.Levels = 1
	p := &pinned{liquid: testrig.New(t, d), world: physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})}
	testrig.Must(t, p.liquid.Fill(fill))
	p.liquid.Couple(p.world.Coupling())
	return p
}

// add adds a body of one shape, to be watched if it is dynamic.
func (p *pinned) add(t testing.TB, kind physics.BodyKind, g physics.Geometry, density float64, at r3.Vec) physics.Body {
	t.Helper()
	b := testrig.Place(t, p.world, kind, at, g, density)
	if kind == physics.Dynamic {
		p.bodies = append(p.bodies, b)
	}
	return b
}

// walls adds static boxes between corners.
func (p *pinned) walls(t testing.TB, boxes ...r3.Box) {
	t.Helper()
	for _, b := range boxes {
		s := b.Size()
		p.add(t, physics.Static, physics.Box(physics.Centred(s.X, s.Y, s.Z)), 0, r3.Scale(.5, r3.Add(b.Min, b.Max)))
	}
}

// underBeam is a float below a beam that is under water, and shift cells off the grid.
func underBeam(t testing.TB, shift float64) *pinned {
	const h = .06
	p := newPinned(t, fluid.Def{Domain: testrig.Box(.96, .96, .96), CellSize: h}, fluid.Below(.8))
	p.walls(t, testrig.Between(.2+shift*h, .5+shift*h, .2, .76+shift*h, .62+shift*h, .76))
	p.add(t, physics.Dynamic, physics.Box(physics.Centred(.24, .24, .24)), 50, r3.Vec{X: .48 + shift*h, Y: .36 + shift*h, Z: .48})
	return p
}

// dammed is water behind a light gate that leans on two posts.
func dammed(t testing.TB, shift, density float64) *pinned {
	const h = .05
	x := .6 + shift*h
	p := newPinned(t, fluid.Def{Domain: testrig.Box(1.2, .8, .4), CellSize: h}, fluid.Box(testrig.Between(0, 0, 0, x-h, .5, .4)))
	p.add(t, physics.Dynamic, physics.Box(physics.Centred(2*h, .65, .398)), density, r3.Vec{X: x, Y: .325, Z: .2})
	p.walls(t, testrig.Between(-.1, -.1, -.1, 1.3, 0, .5), testrig.Between(-.1, -.1, -.1, 1.3, .9, 0), testrig.Between(-.1, -.1, .4, 1.3, .9, .5),
		testrig.Between(x+h, -.1, -.1, x+.1, .7, .06), testrig.Between(x+h, -.1, .34, x+.1, .7, .5))
	p.dry = fluid.Box(testrig.Between(x+h, 0, 0, 1.2, .8, .4))
	return p
}

// plugged is a floor with a hole, a plate over it, water above and air below.
func plugged(t testing.TB, shift, density float64) *pinned {
	const h = .05
	y := .4 + shift*h
	p := newPinned(t, fluid.Def{Domain: testrig.Box(.8, 1, .8), CellSize: h}, fluid.Box(testrig.Between(0, y, 0, .8, .8, .8)))
	p.walls(t, testrig.Between(-.1, y-.1, -.1, .3, y, .9), testrig.Between(.5, y-.1, -.1, .9, y, .9),
		testrig.Between(.3, y-.1, -.1, .5, y, .3), testrig.Between(.3, y-.1, .5, .5, y, .9))
	p.add(t, physics.Dynamic, physics.Box(physics.Centred(.4, 2*h, .4)), density, r3.Vec{X: .4, Y: y + h, Z: .4})
	p.dry = fluid.Box(testrig.Between(0, 0, 0, .8, y-.11, .8))
	return p
}

// covered is a tub that is full to the brim, with a lid on it.
func covered(t testing.TB, density float64) *pinned {
	const h, y = .05, .5
	p := newPinned(t, fluid.Def{Domain: testrig.Box(.8, 1, .8), CellSize: h}, fluid.Box(testrig.Between(.2, .1, .2, .6, y, .6)))
	p.walls(t, testrig.Between(.1, 0, .1, .7, .1, .7), testrig.Between(.1, 0, .1, .2, y, .7), testrig.Between(.6, 0, .1, .7, y, .7),
		testrig.Between(.2, 0, .1, .6, y, .2), testrig.Between(.2, 0, .6, .6, y, .7))
	p.add(t, physics.Dynamic, physics.Box(physics.Centred(.56, 2*h, .56)), density, r3.Vec{X: .4, Y: y + h, Z: .4})
	p.dry = fluid.Box(testrig.Between(0, y+2*h, 0, .8, 1, .8))
	return p
}

// stacked is a crate on a raft.
func stacked(t testing.TB, shift, density float64) *pinned {
	const h = .05
	p := newPinned(t, fluid.Def{Domain: testrig.Box(1.2, 1, 1.2), CellSize: h}, fluid.Below(.5))
	draft := .3 * density / 1000
	p.add(t, physics.Dynamic, physics.Box(physics.Centred(.4, .2, .4)), density, r3.Vec{X: .6 + shift*h, Y: .6 - draft, Z: .6})
	p.add(t, physics.Dynamic, physics.Box(physics.Centred(.2, .2, .2)), 2*density, r3.Vec{X: .6 + shift*h, Y: .8 - draft, Z: .6})
	return p
}

// wedged is a light box between two walls that are 4 mm too near to each other.
func wedged(t testing.TB, shift float64) *pinned {
	const h = .05
	s := shift * h
	p := newPinned(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: h}, fluid.Box(testrig.Between(.3+s, 0, 0, .496+s, .5, .8)))
	p.walls(t, testrig.Between(.1, -.1, -.1, .3+s, .9, .9), testrig.Between(.496+s, -.1, -.1, .7, .9, .9))
	p.add(t, physics.Dynamic, physics.Box(physics.Centred(.2, .2, .2)), 100, r3.Vec{X: .4 + s, Y: .42, Z: .4})
	return p
}

// What the liquid presses on something lies still, and sleeps; the load on it is steady, and nothing leaks by. The engine
// knows the body's mass alone; were the contacts not rows of the solve, the load would take a second or more to
// come to what it is, and go back when the body falls asleep or wakes.
func TestBodiesThatLiquidPinsLieStill(t *testing.T) {
	scenes := map[string]*pinned{
		"float under a beam, off the grid": underBeam(t, .37),
		"light gate, off the grid":         dammed(t, .37, 100),
		"heavy gate":                       dammed(t, 0, 2000),
		"plate over a drain":               plugged(t, .37, 100),
		"heavy lid on a full tub":          covered(t, 20000),
		"crate on a raft":                  stacked(t, .37, 100),
		"box wedged between walls":         wedged(t, 0),
	}
	if !testing.Short() {
		maps.Copy(scenes, map[string]*pinned{
			"float under a beam":       underBeam(t, 0),
			"light gate":               dammed(t, 0, 100),
			"heavy plate over a drain": plugged(t, .37, 2000),
			"light lid on a full tub":  covered(t, 100),
			"box wedged off the grid":  wedged(t, .37),
		})
	}
	for name, p := range scenes {
		t.Run(name, func(t *testing.T) {
			const steps, last = 360, 60
			held, fastest := 0., 0.
			loads, jumps := make([]r3.Vec, len(p.bodies)), []float64(nil)
			for n := range steps {
				r := *p.liquid.Step(1. / 60)
				if r.Err != nil {
					t.Fatal(r.Err)
				}
				if n == 60 {
					held = r.Ledger.HeldL // what solids displaced where they appeared is back
				}
				for i, b := range p.bodies {
					load := p.liquid.BodyLoad(b.Index()).Force
					if n > steps-last {
						fastest = max(fastest, r3.Norm(b.Velocity()))
						jumps = append(jumps, r3.Norm(r3.Sub(load, loads[i]))/(r3.Norm(load)+9.81*b.Mass()))
					}
					loads[i] = load
				}
			}
			slices.Sort(jumps)
			uneven, usual := jumps[len(jumps)-1], jumps[len(jumps)*95/100]
			drift := p.liquid.Ledger().HeldL/held - 1
			leaked, awake := 0., 0
			if p.dry != nil {
				leaked, _ = p.liquid.VolumeIn(p.dry)
			}
			for _, b := range p.bodies {
				if b.Awake() {
					awake++
				}
			}
			t.Logf("fastest %.2g m/s, load uneven by %.2g, %d awake, leaked %.2g l, drift %.2g", fastest, uneven, awake, leaked, drift)
			if fastest > 3e-3 {
				t.Errorf("after 5 s: %g m/s", fastest)
			}
			if leaked > .01 || math.Abs(drift) > 2e-3 {
				t.Errorf("%g l leaked, the volume drifted by %g", leaked, drift)
			}
			if name == "heavy plate over a drain" { // it stands .3 mm above the floor, and rows in that gap come and go: so does its sleep
				testrig.FallsShort(t, "the load changes from step to step by, in parts", max(usual, uneven/2), .01, .03)
			}
			if awake > 0 || usual > .01 || uneven > .02 {
				t.Errorf("after 5 s %d are awake, the load changes by %g from step to step, by %g in one", awake, usual, uneven)
			}
		})
	}
}

// A door on a hinge that higher water on one side shuts stays shut, under a steady load: its contacts and its joint hold it together.
func TestDoorThatWaterShuts(t *testing.T) {
	const h = .05
	p := newPinned(t, fluid.Def{Domain: testrig.Box(1.2, .8, .4), CellSize: h}, fluid.Union(fluid.Box(testrig.Between(0, 0, 0, .6, .6, .4)), fluid.Box(testrig.Between(.6, 0, 0, 1.2, .35, .4))))
	p.walls(t, testrig.Between(-.1, -.1, -.1, 1.3, 0, .5), testrig.Between(.6, -.1, -.1, .7, .9, .06), testrig.Between(.6, -.1, .34, .7, .9, .5))
	door, hinge := jointed(t, p.world, physics.Box(physics.Centred(2*h, .68, .38)), 300, r3.Vec{X: .6 - h, Y: .36, Z: .2}, r3.Vec{X: .6 - h, Y: .7, Z: .2})
	last, uneven, widest := 0., 0., 0.
	for n := range 180 {
		if r := *p.liquid.Step(1. / 60); r.Err != nil {
			t.Fatal(r.Err)
		}
		load := p.liquid.BodyLoad(door.Index()).Force.X
		if n >= 120 {
			uneven = max(uneven, math.Abs(load-last)/math.Abs(load))
			widest = max(widest, math.Abs(hinge.Angle()))
		}
		last = load
	}
	t.Logf("open by %.2g rad at most, load %.0f N uneven by %.2g", widest, last, uneven)
	if uneven > .03 || last < 100 {
		t.Errorf("pressed on with %g N that change by %g from step to step", last, uneven)
	}
	testrig.FallsShort(t, "the door is open by, rad", widest, 1e-3, 1.2e-3)
}

// A float under a plate that is gone at once rises as one with the water that it takes along does, not as one of its own mass
// alone, which would be ten times as fast. Half a cube's volume and some for the walls comes along.
func TestFloatLetGoUnderWater(t *testing.T) {
	const side, ratio, dt = .2, .05, 1. / 60
	p := newPinned(t, fluid.Def{Domain: testrig.Box(.8, 1, .8), CellSize: .05}, fluid.Below(.9))
	float := testrig.AddBody(t, p.world, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .4, Y: .29, Z: .4}, Lock: physics.Locks{Angular: physics.Axes{X: true, Y: true, Z: true}}},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(side, side, side)), Density: 1000 * ratio})
	plate := p.add(t, physics.Static, physics.Box(physics.Centred(.4, .05, .05)), 0, r3.Vec{X: .4, Y: .425, Z: .4})
	for range 60 {
		p.liquid.Step(dt)
	}
	if y := float.CentreOfMass().Y; math.Abs(y-.3) > .01 {
		t.Fatalf("the float is at %v, want it under the plate", float.CentreOfMass())
	}
	testrig.Must(t, plate.Remove())
	speed := float.Velocity().Y
	for n := range 12 {
		p.liquid.Step(dt)
		v := float.Velocity().Y
		if a := (v - speed) / dt; a > 2.5*9.81 || a < -9.81 {
			t.Errorf("step %d after it was let go: from %g to %g m/s, %.2g g", n, speed, v, a/9.81)
		}
		speed = v
	}
	t.Logf("after .2 s it rises at %.2f m/s", speed)
	if least := .4 * (1 - ratio) / (ratio + .7) * 9.81 * 12 * dt; speed < least {
		t.Errorf("it rises at %g m/s, want %g at least", speed, least)
	}
}

// What stands on a float beyond the domain, where the liquid knows nothing of it, weighs on it and does not hold it fast.
func TestCrateBeyondTheDomainWeighsOnItsRaft(t *testing.T) {
	p := newPinned(t, fluid.Def{Domain: testrig.Box(.9, .6, .9), CellSize: .05}, fluid.Below(.45))
	raft := p.add(t, physics.Dynamic, physics.Box(physics.Centred(.6, .3, .6)), 300, r3.Vec{X: .45, Y: .5, Z: .45})
	p.add(t, physics.Dynamic, physics.Box(physics.Centred(.2, .2, .2)), 1000, r3.Vec{X: .45, Y: .76, Z: .45})
	for range 300 {
		p.liquid.Step(1. / 60)
	}
	load, weight := p.liquid.BodyLoad(raft.Index()), (raft.Mass()+8)*9.81
	if math.Abs(load.Force.Y-weight) > .03*weight {
		t.Errorf("the raft is carried by %g N, want %g", load.Force.Y, weight)
	}
}

// A heap of light boxes in water, whose contacts contradict each other, does not burst.
func TestHeapAfloatHoldsTogether(t *testing.T) {
	p := newPinned(t, fluid.Def{Domain: testrig.Box(1.2, 1.6, 1.2), CellSize: .05}, fluid.Below(.5))
	p.walls(t, testrig.Between(-.2, -.1, -.1, 0, 1.6, 1.3), testrig.Between(1.2, -.1, -.1, 1.4, 1.6, 1.3), testrig.Between(-.1, -.1, -.1, 1.3, 1.6, 0),
		testrig.Between(-.1, -.1, 1.2, 1.3, 1.6, 1.4), testrig.Between(-.1, -.1, -.1, 1.3, 0, 1.3))
	for i := range 45 {
		x := r3.Vec{X: .3 + .3*float64(i%3) + .01*float64(i%7), Y: .3 + .25*float64(i/9), Z: .3 + .3*float64(i/3%3) + .01*float64(i%5)}
		p.add(t, physics.Dynamic, physics.Box(physics.Centred(.2, .2, .2)), 500, x)
	}
	fastest := 0.
	for n := range testrig.InShort(90, 180) {
		if r := *p.liquid.Step(1. / 60); r.Err != nil {
			t.Fatal(r.Err)
		}
		for _, b := range p.bodies {
			if v := r3.Norm(b.Velocity()); v > fastest {
				fastest = v
				if v > 5 {
					t.Fatalf("step %d: %g m/s", n, v)
				}
			}
		}
	}
	t.Logf("fastest %.2f m/s", fastest)
}

// lying is a world that tells of a contact that can't be.
type lying struct {
	*physics.Coupling
	a, b            int
	at, normal      r3.Vec
	force, friction float64
}

func (w *lying) EachContact(visit func(a, b int, at, normal r3.Vec, force, friction float64)) {
	visit(w.a, w.b, w.at, w.normal, w.force, w.friction)
}

// Contacts that can't be do not keep the liquid from going on, nor move what does not touch.
func TestBadContacts(t *testing.T) {
	up, nan := r3.Vec{Y: 1}, math.NaN()
	for name, c := range map[string]lying{
		"no such body":      {a: 0, b: 9, normal: up},
		"negative index":    {a: -1, b: 0, normal: up},
		"nowhere":           {a: 1, b: 0, at: r3.Vec{X: nan}, normal: up},
		"no normal":         {a: 1, b: 0, force: 1, friction: 1},
		"normal not finite": {a: 1, b: 0, normal: r3.Vec{Y: nan}, force: 1},
		"long normal":       {a: 1, b: 0, normal: r3.Vec{Y: 1e9}, force: 1},
		"force":             {a: 1, b: 0, normal: up, force: nan},
		"huge force":        {a: 1, b: 0, normal: up, force: 1e300},
		"endless force":     {a: 1, b: 0, normal: up, force: math.Inf(1)},
		"friction":          {a: 1, b: 0, normal: up, force: 1, friction: math.Inf(1)},
	} {
		p := newPinned(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1}, fluid.Below(.4))
		p.add(t, physics.Dynamic, physics.Box(physics.Centred(.3, .3, .3)), 500, r3.Vec{X: .4, Y: .4, Z: .4})
		p.walls(t, testrig.Between(0, 0, 0, .1, .1, .1))
		c.Coupling = p.world.Coupling()
		p.liquid.Couple(&c)
		told := 0
		for n := range 20 {
			r := *p.liquid.Step(1. / 60)
			if r.Err != nil {
				t.Errorf("%s, step %d: %s", name, n, r.Err)
			}
			for _, w := range r.Warnings {
				if told++; w.Knob != "Bodies" || !strings.Contains(w.Text, fmt.Sprintf("bodies %d and %d of 2", c.a, c.b)) {
					t.Errorf("%s, step %d: %v", name, n, w)
				}
			}
		}
		if told != 1 {
			t.Errorf("%s: %d warnings, want one", name, told)
		}
		if v := r3.Norm(p.bodies[0].Velocity()); !(v < .3) {
			t.Errorf("%s: the box moves at %g m/s", name, v)
		}
	}
}
