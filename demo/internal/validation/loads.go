package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// loads is V40: what a load of the game's changes of a body's velocity in a step, for any number of substeps, with one liquid and with two. Tension
// asks for the substeps, and MaxSubsteps has the last word.
func loads(m Method) ([]Row, error) {
	var rows []Row
	for _, load := range []bodyLoad{
		{"force", r3.Vec{X: 20, Y: -3}, r3.Vec{}, func(b physics.Body, v, _ r3.Vec) error { return b.ApplyForce(v, b.CentreOfMass()) }, false},
		{"force off the centre", r3.Vec{X: 20}, r3.Vec{Y: .03}, func(b physics.Body, v, arm r3.Vec) error { return b.ApplyForce(v, r3.Add(b.CentreOfMass(), arm)) }, false},
		{"torque", r3.Vec{}, r3.Vec{X: .02, Z: -.01}, func(b physics.Body, _, w r3.Vec) error { return b.ApplyTorque(w) }, false},
		{"impulse", r3.Vec{X: .3, Z: .1}, r3.Vec{}, func(b physics.Body, v, _ r3.Vec) error { return b.ApplyImpulse(v, b.CentreOfMass()) }, true},
	} {
		for _, substeps := range []int{1, 2, 4, 16} {
			worst := 0.
			for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
				for _, liquids := range []int{1, 2} {
					off, err := load.off(m, substeps, liquids, dt)
					if err != nil {
						return nil, err
					}
					worst = max(worst, off)
				}
			}
			rows = append(rows, row("V40", fmt.Sprintf("%s on a body, %d substeps, 1/30 to 1/240 s: change of velocity in ten steps, off by", load.name, substeps), worst, 0, 1e-9, "1"))
		}
	}
	return rows, nil
}

// bodyLoad is what a game applies to a body before each step: linear with an angular part or the arm of it.
type bodyLoad struct {
	name            string
	linear, angular r3.Vec
	apply           func(b physics.Body, linear, angular r3.Vec) error
	atOnce          bool // an impulse, not a force
}

// off is by what part of what it should be the change of a body's velocity or spin is off.
func (load *bodyLoad) off(m Method, substeps, liquids int, dt float64) (float64, error) {
	const mass, radius, steps = 10., .05, 10
	w := physics.NewWorld(physics.WorldDef{})
	b, err := body(w, physics.Sphere(r3.Vec{}, radius), mass/(4./3*math.Pi*radius*radius*radius), r3.Vec{X: 1, Y: .2, Z: .2})
	if err != nil {
		return 0, err
	}
	var first *fluid.Liquid
	for range liquids {
		// The step that tension bears is .1 ms: more substeps are wanted than there may be.
		l, err := m.filled(fluid.Def{Domain: size(1.2, .4, .4), CellSize: .05,
			Numerics: fluid.Numerics{Levels: 1, MaxSubsteps: substeps}, Physics: fluid.Physics{Weightless: true, Density: 1, SurfaceTension: 1000}}, fluid.Sphere(r3.Vec{X: .2, Y: .2, Z: .2}, .12))
		if err != nil {
			return 0, err
		}
		defer l.Close()
		l.Couple(w.Coupling())
		if first == nil {
			first = l
		}
	}
	for range steps {
		if err := load.apply(b, load.linear, load.angular); err != nil {
			return 0, err
		}
		if r := first.Step(dt); r.Err != nil || r.Substeps != substeps {
			return 0, fmt.Errorf("V40: %d substeps, want %d: %s", r.Substeps, substeps, r.Err)
		}
	}
	time := steps * dt
	if load.atOnce {
		time = steps
	}
	wantV, torque := r3.Scale(time/mass, load.linear), load.angular
	if load.linear != (r3.Vec{}) {
		torque = r3.Cross(load.angular, load.linear) // of a force at an arm
	}
	wantW := r3.Scale(time/(.4*mass*radius*radius), torque)
	off := 0.
	for _, c := range [][2]r3.Vec{{b.Velocity(), wantV}, {b.AngularVelocity(), wantW}} {
		if long := r3.Norm(c[1]); long > 0 {
			off = max(off, r3.Norm(r3.Sub(c[0], c[1]))/long)
		} else {
			off = max(off, r3.Norm(c[0]))
		}
	}
	return off, nil
}
