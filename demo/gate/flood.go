package main

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// letGoAt is when the ball is let go unless a player does so sooner, s.
const letGoAt = 0.7

// flood is the liquid, the gate, the ball and the wheel, without any picture.
type flood struct {
	play.Base
	gate, ball, wheel physics.Body
	hinge, axle       physics.Joint
	strut, hook       physics.Joint
	river             fluid.EmitterID
	flowing           bool
	spin              float64 // of the wheel, with the stream, rad/s
	power, peak       float64 // that the wheel takes from the water, W; power over powerMemory
	energy            float64 // J
	turns             float64
	onBreak           func() // called when the strut is gone
}

// powerMemory is the time over which the power is averaged, s: two paddles' passing.
const powerMemory = 0.5

// newFlood makes the gate shut, the ball up and the wheel at rest.
func newFlood(def fluid.Def) (*flood, error) {
	def.Domain, def.Sides = domain, fluid.Sides{MaxX: fluid.Open}
	f := new(flood)
	return f, f.Begin(def, f.hang, f.tie, f.mount, f.fill)
}

// Cue lets the ball go when it is time, and the river flow when the strut is gone; call it before
// each step.
func (f *flood) Cue() error {
	if f.Time >= letGoAt {
		if err := f.letGo(); err != nil {
			return err
		}
	}
	if f.strut == (physics.Joint{}) || f.strut.Valid() {
		return nil
	}
	f.strut = physics.Joint{}
	if f.onBreak != nil {
		f.onBreak()
	}
	if f.flowing {
		return nil
	}
	return f.toggleRiver()
}

// letGo opens the ball's hook if it holds.
func (f *flood) letGo() error {
	if !f.hook.Valid() {
		return nil
	}
	return f.hook.Remove()
}

// toggleRiver opens or shuts the river.
func (f *flood) toggleRiver() error {
	f.flowing = !f.flowing
	if f.flowing {
		return f.Liquid().StartEmitter(f.river)
	}
	return f.Liquid().StopEmitter(f.river)
}

// Advanced books the wheel's work in the step that was taken: the water's torque, which is a mean
// over the step, on the mean spin.
func (f *flood) Advanced() {
	f.Base.Advanced()
	was := f.spin
	f.spin = f.axle.Speed()
	mean := (was + f.spin) / 2
	power := f.Liquid().BodyLoad(f.wheel.Index()).Torque.Z * mean
	f.energy += power * play.Timestep
	f.turns += mean * play.Timestep / fullTurn
	f.power += (power - f.power) * play.Timestep / powerMemory
	f.peak = max(f.peak, f.power)
}

// Subject is what a chasing camera follows: the ball, then the wheel.
func (f *flood) Subject() r3.Vec {
	if f.strut != (physics.Joint{}) {
		return f.ball.Position()
	}
	return wheelAt
}

// Bodies reports the gate, the ball and the wheel as they are.
func (f *flood) Bodies() []report.Body {
	var out []report.Body
	for _, b := range []struct {
		body    physics.Body
		density float64
	}{{f.gate, gateDensity}, {f.ball, ballDensity}, {f.wheel, wheelDensity}} {
		out = append(out, f.Describe(b.body, b.density/f.Liquid().Def().Physics.Density))
	}
	return out
}

// Readings are the wheel's.
func (f *flood) Readings() []report.Reading {
	return []report.Reading{
		{Name: "power", Value: f.power, Unit: "W"},
		{Name: "peak", Value: f.peak, Unit: "W"},
		{Name: "work", Value: f.energy, Unit: "J"},
		{Name: "spin", Value: f.spin / fullTurn * 60, Unit: "rpm"},
		{Name: "turns", Value: f.turns},
	}
}
