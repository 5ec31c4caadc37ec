package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// fallTime, s, is how long V37 lets things fall: .44 m.
const fallTime = .3

// fall is V37: a block and a ball of water, and a cup with its water, let go: how far their centres of mass come.
func fall(m Method) ([]Row, error) {
	const off = .013 // off the grid, m
	middle := r3.Vec{X: .6 + off, Y: 1.9 + off, Z: .6 - off}
	half := r3.Vec{X: .2, Y: .2, Z: .2}
	var rows []Row
	for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120} {
		for _, c := range []struct {
			name  string
			shape fluid.SDF
		}{
			{"block", fluid.Box(r3.Box{Min: r3.Sub(middle, half), Max: r3.Add(middle, half)})},
			{"ball", fluid.Sphere(middle, .25)},
		} {
			way, _, err := fallen(m, c.shape, nil, dt)
			if err != nil {
				return nil, err
			}
			rows = append(rows, fallRow(c.name, dt, way))
		}
		inner := r3.Box{Min: r3.Sub(middle, r3.Vec{X: .25, Y: .2, Z: .25}), Max: r3.Add(middle, r3.Vec{X: .25, Y: .05, Z: .25})}
		water, cup, err := fallen(m, fluid.Box(inner), &inner, dt)
		if err != nil {
			return nil, err
		}
		rows = append(rows, fallRow("cup", dt, cup), fallRow("water in the cup", dt, water))
	}
	return rows, nil
}

func fallRow(name string, dt, way float64) Row {
	const want = 9.81 * fallTime * fallTime / 2
	return row("V37", fmt.Sprintf("free fall, %s, dt 1/%.0f: way of the centre of mass in %g s", name, 1/dt, fallTime), way, want, .005*want, "m")
}

// fallen is how far water falls that is filled into a shape and, if it is in an open cup that is in wide, how far that does.
func fallen(m Method, shape fluid.SDF, in *r3.Box, dt float64) (water, cup float64, err error) {
	l, err := m.filled(fluid.Def{Domain: size(1.2, 2.4, 1.2), CellSize: .05}, shape)
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	height := func() float64 { return meshHeight(l.Surface()) }
	var b physics.Body
	if in != nil {
		const wall, rim = .06, .15
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		d := r3.Add(in.Size(), r3.Vec{X: 2 * wall, Y: wall + rim, Z: 2 * wall})
		at := r3.Scale(.5, r3.Add(in.Min, in.Max))
		if b, err = body(w, physics.OpenBox(physics.Centred(d.X, d.Y, d.Z), wall), 2000, r3.Add(at, r3.Vec{Y: (rim - wall) / 2})); err != nil {
			return 0, 0, err
		}
		l.Couple(w.Coupling())
		cup = b.CentreOfMass().Y
		height = func() float64 { return sliceHeight(l) } // the mesh goes on in walls
	}
	water = height()
	for range int(math.Round(fallTime / dt)) {
		if r := l.Step(dt); r.Err != nil {
			return 0, 0, fmt.Errorf("V37: %s", r.Err)
		}
	}
	if water -= height(); in != nil {
		cup -= b.CentreOfMass().Y
	}
	return water, cup, nil
}

// meshHeight is the height of the centre of what a mesh encloses, m.
func meshHeight(s *fluid.Surface) float64 {
	corner := func(i uint32) r3.Vec {
		p := s.Positions[3*i:]
		return r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
	}
	volume, moment := 0., 0.
	for i := 0; i < len(s.Indices); i += 3 {
		a, b, c := corner(s.Indices[i]), corner(s.Indices[i+1]), corner(s.Indices[i+2])
		v := r3.Dot(a, r3.Cross(b, c))
		volume += v
		moment += v * (a.Y + b.Y + c.Y) / 4
	}
	return moment / volume
}

// sliceHeight is the height of the liquid's centre, m, by what is in slices a quarter of a cell high.
func sliceHeight(l *fluid.Liquid) float64 {
	d := l.Def()
	top, step := d.Domain, d.CellSize/4
	above, moment := 0., 0.
	for y := top.Max.Y; y > d.Domain.Min.Y; y -= step {
		top.Min.Y = y - step
		v, err := l.VolumeIn(fluid.Box(top))
		if err != nil {
			return math.NaN()
		}
		moment += (v - above) * (y - step/2)
		above = v
	}
	return moment / above
}
