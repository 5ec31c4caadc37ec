package validation

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// breachLevel is that of the pool of V46, m.
const breachLevel = 1.2

// breach is V46: how fast a ball and a cube that were let go under water leave it, against the mean of steps of 1/30 to 1/240 s.
func breach(m Method) ([]Row, error) {
	steps := []float64{1. / 30, 1. / 60, 1. / 120, 1. / 240}
	var rows []Row
	for _, c := range []struct {
		name    string
		shape   physics.Geometry
		half    float64 // of its height, m
		density float64
	}{
		{"ball of .2 m, 100 kg/m³", physics.Sphere(r3.Vec{}, .2), .2, 100},
		{"ball of .2 m, 10 kg/m³", physics.Sphere(r3.Vec{}, .2), .2, 10},
		{"cube of .36 m, 100 kg/m³", physics.Box(physics.Centred(.36, .36, .36)), .18, 100},
	} {
		var speeds []float64
		mean := 0.
		for _, dt := range steps {
			u, err := exitSpeed(m, c.shape, c.half, c.density, dt)
			if err != nil {
				return nil, err
			}
			speeds = append(speeds, u)
			mean += u / float64(len(steps))
		}
		for i, u := range speeds {
			rows = append(rows, row("V46", fmt.Sprintf("%s that breaches, dt 1/%.0f: speed as it leaves the water", c.name, 1/steps[i]), u, mean, .06*mean, "m/s"))
		}
	}
	return rows, nil
}

// exitSpeed lets a body that does not turn go .8 m under the surface, and is its speed, m/s, when its lowest point is as high as the pool was: between
// the two steps around that moment.
func exitSpeed(m Method, shape physics.Geometry, half, density, dt float64) (float64, error) {
	l, err := m.filled(fluid.Def{Domain: size(1.6, 3.2, 1.6), CellSize: .1}, fluid.Below(breachLevel))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .813, Y: breachLevel - .8, Z: .787}, NoSleep: true,
		Lock: physics.Locks{Angular: physics.Axes{X: true, Y: true, Z: true}}})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: shape, Density: density})
	}
	if err != nil {
		return 0, err
	}
	l.Couple(w.Coupling())
	y, v := b.Position().Y-half-breachLevel, 0.
	for t := 0.; t < 2; t += dt {
		if r := l.Step(dt); r.Err != nil {
			return 0, fmt.Errorf("V46: %s", r.Err)
		}
		before, was := y, v
		y, v = b.Position().Y-half-breachLevel, b.Velocity().Y
		if y >= 0 {
			return was + (v-was)*before/(before-y), nil
		}
	}
	return 0, fmt.Errorf("V46: a body of %g kg/m³ does not leave the water in 2 s", density)
}
