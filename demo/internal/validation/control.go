package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// moving is a mesh whose vertices go where a function of where they were and of the time, s, says.
type moving struct {
	shapes.Mesh
	at func(p r3.Vec, t float64) r3.Vec
}

func (m *moving) Duration() float64 { return 0 }

func (m *moving) At(t float64, to *control.Mesh) {
	const dt = 1e-4
	to.Positions, to.Velocities = to.Positions[:0], to.Velocities[:0]
	to.Triangles, to.Revision = m.Triangles, 1
	for _, p := range m.Positions {
		to.Positions = append(to.Positions, m.at(p, t))
		to.Velocities = append(to.Velocities, r3.Scale(1/(2*dt), r3.Sub(m.at(p, t+dt), m.at(p, t-dt))))
	}
}

// started is a clock that begins at rest, and goes at its full rate after half a second.
func started(t float64) float64 {
	if t = max(0, t); t < .5 {
		return t * t
	}
	return t - .25
}

// smooth goes from 0 to 1 between two times.
func smooth(t, from, to float64) float64 {
	return (1 - math.Cos(math.Pi*max(0, min(1, (t-from)/(to-from))))) / 2
}

// dancer is the figure, lifted.
type dancer struct {
	figure *shapes.Figure
	lift   float64 // m
}

func (d *dancer) Duration() float64 { return shapes.End }

func (d *dancer) At(t float64, to *control.Mesh) {
	n := len(d.figure.Rest.Positions)
	if len(to.Positions) != n || len(to.Velocities) != n {
		to.Positions, to.Velocities = make([]r3.Vec, n), make([]r3.Vec, n)
	}
	to.Triangles, to.Revision = d.figure.Rest.Triangles, 1
	d.figure.At(t, to.Positions, to.Velocities)
	for i := range to.Positions {
		to.Positions[i].Y += d.lift
	}
}

// act is a shape in the air that liquid is to follow.
type act struct {
	name  string
	clip  control.Source
	start float64 // of the clip, s
	room  r3.Box
	cell  float64 // m
	steps int
}

// acts are three, of which each moves at up to 2 m/s.
func acts() []act {
	sphere := &moving{shapes.Sphere(.4, 4), func(x r3.Vec, t float64) r3.Vec {
		p := 1.16 * started(t)
		s := 1 + .2*math.Sin(3*p)
		return r3.Add(r3.Vec{X: x.X * s, Y: x.Y / s, Z: x.Z}, r3.Vec{X: .33 * math.Sin(4*p), Y: 1, Z: .22 * math.Sin(5*p)})
	}}
	torus := &moving{shapes.Torus(.45, .12, 64, 20), func(x r3.Vec, t float64) r3.Vec {
		p := 1.02 * started(t)
		sin, cos := math.Sincos(1.8 * p)
		x.Y, x.Z = x.Y*cos-x.Z*sin, x.Y*sin+x.Z*cos
		return r3.Add(x, r3.Vec{X: .25 * math.Sin(4*p), Y: 1 + .1*math.Sin(3*p), Z: .25 * math.Sin(3*p)})
	}}
	room := r3.Box{Min: r3.Vec{X: -1, Z: -1}, Max: r3.Vec{X: 1, Y: 2, Z: 1}}
	hall := r3.Box{Min: r3.Vec{X: -1.2, Z: -1.2}, Max: r3.Vec{X: 1.2, Y: 2.4, Z: 1.2}}
	return []act{
		{"sphere that moves and squashes", sphere, 0, room, .05, 165},
		{"torus", torus, 0, room, .05, 180},
		{"figure", &dancer{shapes.NewFigure(), .68}, shapes.Risen, hall, .04, int(60 * (shapes.End - shapes.Risen))},
	}
}

// following is V31: how far the liquid's surface is from the control surface, after every step, where nothing makes up for what is lost, and what a strength
// of 0 does.
func following(m Method) ([]Row, error) {
	var rows []Row
	for _, a := range acts() {
		for _, strength := range []float64{1, .5} {
			got, err := a.follow(m, strength)
			if err != nil {
				return nil, fmt.Errorf("V31: %s: %w", a.name, err)
			}
			text := fmt.Sprintf("control, α = %g, %s (to %.2f m/s): surfaces apart", strength, a.name, got.fastest)
			if strength < 1 {
				rows = append(rows, row("V31", text+", at most", got.worst/a.cell, 0, 3, "cells"))
				continue
			}
			rows = append(rows, row("V31", text+", at most", got.worst/a.cell, 0, .5, "cells"),
				row("V31", text+", the mean of the worst step", got.mean/a.cell, 0, .15, "cells"))
		}
	}
	count, err := withoutStrength(m)
	return append(rows, row("V31", "control, α = 0: steps with other bits than without control", float64(count), 0, 0, "1")), err
}

// track is how far surfaces are apart, m, and how fast the control surface moves, m/s: the greatest of all steps.
type track struct{ worst, mean, fastest float64 }

func (a act) follow(method Method, strength float64) (got track, err error) {
	l, err := method.made(fluid.Def{Domain: a.room, CellSize: a.cell})
	if err != nil {
		return got, err
	}
	defer l.Close()
	_, err = l.AddControl(fluid.ControlDef{Clip: a.clip, Strength: strength, Start: a.start, Arrival: control.Appear})
	if err != nil {
		return got, err
	}
	var m control.Mesh
	for range a.steps {
		r := l.Step(1. / 60)
		if r.Err != nil {
			return got, fmt.Errorf("step %d: %s", r.Step, r.Err)
		}
		a.clip.At(r.Controls[0].Time, &m)
		for _, v := range m.Velocities {
			got.fastest = max(got.fastest, r3.Norm(v))
		}
		worst, mean := surfacesApart(l.Surface(), m.Positions, m.Triangles, a.cell)
		got.worst, got.mean = max(got.worst, worst), max(got.mean, mean)
	}
	return got, nil
}

// withoutStrength is in how many steps a liquid with a control of no strength has another hash than one that never had a control, in copies in which
// that is released: then a hash tells of no control.
func withoutStrength(m Method) (count int, err error) {
	var pools [3]*fluid.Liquid // free, with the control, and to copy them to
	for i := range pools {
		if pools[i], err = m.filled(fluid.Def{Domain: size(1.6, .8, .8), CellSize: .05}, fluid.Box(size(.6, .6, .8))); err != nil {
			return 0, err
		}
		defer pools[i].Close()
	}
	ball := &moving{shapes.Sphere(.2, 3), func(x r3.Vec, t float64) r3.Vec { return r3.Add(x, r3.Vec{X: .8 + .4*math.Sin(3*t), Y: .3, Z: .4}) }}
	d := fluid.ControlDef{Clip: ball, Refill: control.Refill{Rate: 100}}
	id, err := pools[1].AddControl(d)
	if err != nil {
		return 0, err
	}
	released := pools[2]
	for range 90 {
		var hashes [2]uint64
		for i, l := range pools[:2] {
			l.Step(1. / 60)
			err := l.CopyTo(released)
			if err == nil && i == 0 { // released does as much as the other does
				id, err = released.AddControl(d)
			}
			if err == nil {
				err = released.RemoveControl(id)
			}
			if err != nil {
				return 0, err
			}
			hashes[i] = released.Hash()
		}
		if hashes[0] != hashes[1] {
			count++
		}
	}
	return count, nil
}
