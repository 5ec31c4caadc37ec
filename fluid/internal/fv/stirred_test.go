package fv_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Water that was stirred comes to rest: its eddies get smaller and die, and none gets stronger by itself.
func TestStirredWaterCalmsDown(t *testing.T) {
	if testing.Short() {
		t.Skip("25 s of a tank")
	}
	size := r3.Vec{X: 1.2, Y: 1.4, Z: 1.2}
	l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: size}, CellSize: .1, Resources: fluid.Resources{Workers: 2}, Numerics: fluid.Numerics{Undamped: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	const level = .93
	if err := l.Fill(fluid.Below(level)); err != nil {
		t.Fatal(err)
	}
	var spoons []fluid.FieldID
	for _, f := range []fluid.Field{
		{Centre: r3.Vec{X: .36, Y: .47, Z: .48}, Axis: r3.Vec{Y: .3, Z: .5}},
		{Centre: r3.Vec{X: .84, Y: .37, Z: .66}, Axis: r3.Vec{X: .7, Y: 1.3, Z: -.5}},
		{Centre: r3.Vec{X: .6, Y: .56, Z: .84}, Axis: r3.Vec{Y: 2.3, Z: -1.5}},
	} {
		f.Kind, f.Radius, f.Strength = fluid.VortexField, .36, 2
		id, err := l.AddField(f)
		if err != nil {
			t.Fatal(err)
		}
		spoons = append(spoons, id)
	}
	var at []r3.Vec
	for x := .05; x < size.X; x += .1 {
		for y := .05; y < level; y += .1 {
			for z := .05; z < size.Z; z += .1 {
				at = append(at, r3.Vec{X: x, Y: y, Z: z})
			}
		}
	}
	there := make([]fluid.Sample, len(at))
	energy := func() (mean float64) { // J/kg
		l.Sample(there, at)
		for i := range there {
			mean += r3.Norm2(there[i].Velocity) / 2 / float64(len(there))
		}
		return mean
	}
	early := 0.
	for n := 1; n <= 1500; n++ {
		if r := *l.Step(1. / 60); r.Err != nil {
			t.Fatal(r.Err)
		}
		switch n {
		case 60:
			for _, id := range spoons {
				if err := l.RemoveField(id); err != nil {
					t.Fatal(err)
				}
			}
		case 300:
			early = energy()
		}
	}
	late := energy()
	t.Logf("%.4f J/kg after 5 s, %.4f after 25", early, late)
	if early < .01 {
		t.Errorf("%.4f J/kg after 5 s: that is hardly stirred", early)
	}
	if late > .25*early {
		t.Errorf("%.4f J/kg after 5 s, and %.4f after 25", early, late)
	}
}
