package fluid_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A ball of liquid in the void that is given a velocity flies on with it; what is outside of the shape does not.
func TestSetVelocity(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 1.6, 1.6), CellSize: .1, Physics: fluid.Physics{Weightless: true}})
	flying, resting := r3.Vec{X: .6, Y: .8, Z: .5}, r3.Vec{X: .6, Y: .8, Z: 1.2}
	testrig.Must(t, l.Fill(fluid.Union(fluid.Sphere(flying, .25), fluid.Sphere(resting, .25))))
	testrig.Must(t, l.SetVelocity(fluid.Sphere(flying, .35), func(r3.Vec) r3.Vec { return r3.Vec{X: 2} }))
	var s [2]fluid.Sample
	l.Sample(s[:], []r3.Vec{flying, resting})
	if s[0].Velocity.X < 1.99 || s[1].Velocity != (r3.Vec{}) {
		t.Fatalf("at once: %v and %v m/s", s[0].Velocity, s[1].Velocity)
	}
	for range 60 {
		l.Step(1. / 60)
	}
	l.Sample(s[:], []r3.Vec{{X: 2.6, Y: .8, Z: .5}, resting})
	if !s[0].Inside || math.Abs(s[0].Velocity.X-2) > .02 || !s[1].Inside || r3.Norm(s[1].Velocity) > 1e-3 {
		t.Errorf("after a second: %+v where it should be, %+v", s[0], s[1])
	}
}

// A velocity that can't be is refused by name, and nothing changes; liquid that sleeps wakes.
func TestSetVelocityRefuses(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1})
	testrig.Must(t, l.Fill(fluid.Below(.4)))
	for range 60 {
		l.Step(1. / 60)
	}
	was := l.Hash()
	still := func(r3.Vec) r3.Vec { return r3.Vec{} }
	for name, err := range map[string]error{
		"SDF":      l.SetVelocity(nil, still),
		"velocity": l.SetVelocity(fluid.Below(.4), nil),
		"finite":   l.SetVelocity(fluid.Below(.4), func(x r3.Vec) r3.Vec { return r3.Vec{Y: 1 / (x.X - x.X)} }),
		"at most":  l.SetVelocity(fluid.Below(.4), func(x r3.Vec) r3.Vec { return r3.Vec{Y: 2 * fluid.MaxMotion * x.X} }),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "fluid: SetVelocity: ") || !strings.Contains(err.Error(), name) && name != "SDF" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l.Hash() != was {
		t.Error("a refused velocity changed something")
	}
	testrig.Must(t, l.SetVelocity(fluid.Below(.4), func(x r3.Vec) r3.Vec { return r3.Vec{X: math.Sin(math.Pi * x.X / .8), Y: 0} }))
	if r := *l.Step(1. / 60); r.AsleepBlocks > 0 || r.MaxSpeed < .05 {
		t.Errorf("%d blocks sleep, %g m/s", r.AsleepBlocks, r.MaxSpeed)
	}
}
