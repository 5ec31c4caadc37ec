package main

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// The cannons toss the light rabbit, and the heavy one drops as if they were not there.
func TestLightRabbitIsTossed(t *testing.T) {
	def, _ := gas(settings{workers: 1}, rabbitRoom, .03)
	l, b, err := newRabbits(def)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	from := [2]r3.Vec{b.light.Position(), b.heavy.Position()}
	const steps = 18
	for n := range steps {
		if err := blow(l, n); err != nil {
			t.Fatal(err)
		}
		if r := l.Step(dt); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	light, heavy := r3.Sub(b.light.Position(), from[0]), r3.Sub(b.heavy.Position(), from[1])
	fall := 9.81 * (steps * dt) * (steps * dt) / 2
	t.Logf("light %.3f m, heavy %.3f m, a free fall %.3f m", light, heavy, -fall)
	if light.Z < .1 || light.Y < -.75*fall {
		t.Errorf("the light one went %.3f m", light)
	}
	if heavy.Y > -.9*fall || heavy.Z > .1*light.Z {
		t.Errorf("the heavy one went %.3f m; a free fall goes %.3f m", heavy, -fall)
	}
}
