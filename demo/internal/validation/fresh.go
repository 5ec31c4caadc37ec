package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// freshRadius is that of the balls of V41, freshCell the cells' edge, m, and freshTime, s, how long a new ball is watched.
const freshRadius, freshCell, freshTime = .15, .05, .3

// fresh is V41: liquid that comes beside liquid that moves at 5 m/s, or where that has passed, has a velocity of its own: none, or that of its
// emitter. Measured is its velocity in its first step, and how far it is from where it should be later.
func fresh(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []struct {
		name string
		wait float64 // s that the other ball flies before
		at   r3.Vec  // of the new one, m
		make func(l *fluid.Liquid, s fluid.SDF, at r3.Vec) error
	}{
		{"filled .6 m beside one of 5 m/s", 0, r3.Vec{X: .5, Y: .4, Z: 1}, fill},
		{"filled where one of 5 m/s has passed", .3, r3.Vec{X: .7, Y: .4, Z: .4}, fill},
		{"filled there between cells", .28, r3.Vec{X: .623, Y: .417, Z: .388}, fill},
		{"made by a control there", .3, r3.Vec{X: .7, Y: .4, Z: .4}, appear},
	} {
		speed, off := 0., 0.
		for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120, 1. / 240} {
			u, away, err := freshBall(m, c.wait, c.at, c.make, dt)
			if err != nil {
				return nil, err
			}
			speed, off = max(speed, u), max(off, away)
		}
		rows = append(rows, row("V41", "ball "+c.name+": speed in its first step, the worst of 1/30 to 1/240 s", speed, 0, .1, "m/s"),
			row("V41", "the same: off its place after .3 s", off/freshCell, 0, .3, "cells"))
	}
	speed, err := resetLevel(m)
	if err != nil {
		return nil, err
	}
	rows = append(rows, row("V41", "tank stirred at 5 m/s, drained and filled: speed in the first step", speed, 0, .1, "m/s"))
	speed, err = freshMouth(m)
	if err != nil {
		return nil, err
	}
	return append(rows, row("V41", "emitter of 1 m/s in air that liquid of 5 m/s has crossed: velocity in its mouth, off by", speed, 0, .1, "m/s")), nil
}

func fill(l *fluid.Liquid, s fluid.SDF, _ r3.Vec) error { return l.Fill(s) }

// appear has a control make a ball at a place, and lets it go.
func appear(l *fluid.Liquid, _ fluid.SDF, at r3.Vec) error {
	ball := &moving{shapes.Sphere(freshRadius, 3), func(p r3.Vec, _ float64) r3.Vec { return p }}
	id, err := l.AddControl(fluid.ControlDef{Clip: ball, Strength: 1, Arrival: control.Appear, Pose: control.Pose{Position: at}})
	if err != nil {
		return err
	}
	return l.RemoveControl(id)
}

// flying makes weightless liquid with a ball of it that flies along x at 5 m/s, for some time already.
func flying(m Method, wait, dt float64) (*fluid.Liquid, error) {
	first := fluid.Sphere(r3.Vec{X: .5, Y: .4, Z: .4}, freshRadius)
	l, err := m.filled(fluid.Def{Domain: size(2.8, .8, 1.4), CellSize: freshCell, Numerics: fluid.Numerics{Levels: 1}, Physics: fluid.Physics{Weightless: true}}, first)
	if err != nil {
		return nil, err
	}
	if err = l.SetVelocity(first, func(r3.Vec) r3.Vec { return r3.Vec{X: 5} }); err != nil {
		l.Close()
		return nil, err
	}
	for range max(1, int(math.Round(wait/dt))) {
		if r := l.Step(dt); r.Err != nil {
			l.Close()
			return nil, fmt.Errorf("V41: %s", r.Err)
		}
	}
	return l, nil
}

// freshBall makes a ball beside one that flies. It returns how fast it is in its first step, and how far from its place later.
func freshBall(m Method, wait float64, at r3.Vec, add func(*fluid.Liquid, fluid.SDF, r3.Vec) error, dt float64) (speed, away float64, err error) {
	l, err := flying(m, wait, dt)
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	if err := l.Drain(fluid.Sphere(at, freshRadius+3*freshCell)); err != nil { // what has been torn off behind it
		return 0, 0, err
	}
	if err := add(l, fluid.Sphere(at, freshRadius), at); err != nil {
		return 0, 0, err
	}
	for n := range int(math.Round(freshTime / dt)) {
		if r := l.Step(dt); r.Err != nil {
			return 0, 0, fmt.Errorf("V41: %s", r.Err)
		}
		if n == 0 {
			speed = fastest(l, r3.Vec{}, around(at, .6*freshRadius))
		}
	}
	// The one that flies is beyond: 3 cells in front of where the new one may end.
	centre, err := centreBefore(l, at.X+freshRadius+3*freshCell)
	return speed, r3.Norm(r3.Sub(centre, at)), err
}

// around is a place and six others so far from it.
func around(x r3.Vec, far float64) []r3.Vec {
	return []r3.Vec{x, r3.Add(x, r3.Vec{X: far}), r3.Add(x, r3.Vec{X: -far}), r3.Add(x, r3.Vec{Y: far}), r3.Add(x, r3.Vec{Y: -far}), r3.Add(x, r3.Vec{Z: far}), r3.Add(x, r3.Vec{Z: -far})}
}

// fastest is the most that liquid at some places differs from a velocity, m/s; infinite if there is none.
func fastest(l *fluid.Liquid, from r3.Vec, places []r3.Vec) float64 {
	out := make([]fluid.Sample, len(places))
	l.Sample(out, places)
	top, some := 0., false
	for _, s := range out {
		if s.Inside {
			top, some = max(top, r3.Norm(r3.Sub(s.Velocity, from))), true
		}
	}
	if !some {
		return math.Inf(1)
	}
	return top
}

// centreBefore is the middle of what the mesh encloses of pieces before an x, m.
func centreBefore(l *fluid.Liquid, x float64) (r3.Vec, error) {
	s := l.Surface()
	volume, moment := 0., r3.Vec{}
	for i := 0; i+2 < len(s.Indices); i += 3 {
		var p [3]r3.Vec
		for k := range p {
			at := s.Positions[3*s.Indices[i+k]:]
			p[k] = r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}
		}
		if p[0].X > x {
			continue
		}
		v := r3.Dot(p[0], r3.Cross(p[1], p[2])) / 6
		volume += v
		moment = r3.Add(moment, r3.Scale(v/4, r3.Add(p[0], r3.Add(p[1], p[2]))))
	}
	if volume <= 0 {
		return r3.Vec{X: math.Inf(1)}, nil // it is gone
	}
	return r3.Scale(1/volume, moment), nil
}

// resetLevel is the speed with which a tank begins that was stirred, drained and filled again.
func resetLevel(m Method) (float64, error) {
	d := size(1.6, 1, .8)
	top := 0.
	for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
		l, err := m.filled(fluid.Def{Domain: d, CellSize: .1, Numerics: fluid.Numerics{Levels: 1}}, fluid.Below(.5))
		if err != nil {
			return 0, err
		}
		defer l.Close()
		if err := l.SetVelocity(fluid.Box(d), func(r3.Vec) r3.Vec { return r3.Vec{X: 5} }); err != nil {
			return 0, err
		}
		for range 4 {
			l.Step(dt)
		}
		if err := l.Drain(fluid.Box(d)); err != nil {
			return 0, err
		}
		if err := l.Fill(fluid.Below(.5)); err != nil {
			return 0, err
		}
		r := l.Step(dt)
		if r.Err != nil {
			return 0, fmt.Errorf("V41: %s", r.Err)
		}
		top = max(top, r.MaxSpeed)
	}
	return top, nil
}

// freshMouth is by how much the velocity of what an emitter lets come is off where a ball has flown past.
func freshMouth(m Method) (float64, error) {
	at, own := r3.Vec{X: .7, Y: .4, Z: .4}, r3.Vec{Y: 1}
	top := 0.
	for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
		l, err := flying(m, .3, dt)
		if err != nil {
			return 0, err
		}
		defer l.Close()
		if _, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(at, .12), Velocity: own, Rate: 30}); err != nil {
			return 0, err
		}
		for range int(math.Round(.2 / dt)) {
			if r := l.Step(dt); r.Err != nil {
				return 0, fmt.Errorf("V41: %s", r.Err)
			}
		}
		top = max(top, fastest(l, own, []r3.Vec{at}))
	}
	return top, nil
}
