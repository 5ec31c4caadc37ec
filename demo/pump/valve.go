package main

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// A flap hangs from its hinge over an opening and is larger than that. It falls shut by its
// weight, which is that of stone: a lighter one lets more flow back before it is shut.
const (
	flapHinge   = 0.40 // height of the hinge, m
	flapFoot    = 0.04 // m
	flapThick   = 0.1  // m: two cells, or liquid would be seen through it
	flapDensity = 4000 // kg/m³
	flapOpen    = 0.6  // rad, as far as it goes
	flapShut    = 1e-3 // rad: it lies on its seat

	meterAt = 0.3 // m from the middle, inside the walls, where faces of 0.05 m cells are
)

// valve is a flap on a hinge that only the liquid opens, and shuts, and a meter in its opening.
type valve struct {
	flap    physics.Body
	hinge   physics.Joint
	points  []r3.Vec
	samples []fluid.Sample

	shut   bool    // at the end of the last step
	passed float64 // litres, in this stroke
	leaked float64 // litres, back through the shut valve in this stroke
}

// newValve hangs a flap on the right of a wall's face at seat; gauge is where its meter is, both x in m.
func newValve(world *physics.World, name string, seat, gauge float64) (*valve, error) {
	tall, wide := flapHinge-flapFoot, domain.Size().Z+2*seal
	flap, err := world.AddBody(physics.BodyDef{
		Kind: physics.Dynamic, Name: name, NoSleep: true,
		Position: r3.Vec{X: seat + flapThick/2, Y: flapFoot + tall/2},
	})
	if err != nil {
		return nil, err
	}
	if _, err = flap.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(flapThick, tall, wide)), Density: flapDensity}); err != nil {
		return nil, err
	}
	hinge, err := world.AddJoint(physics.JointDef{
		Kind: physics.HingeJoint, Name: name, B: flap,
		Anchor: r3.Vec{X: seat, Y: flapHinge}, Axis: r3.Vec{Z: 1},
		Limits: physics.Limits{Lower: 0, Upper: flapOpen},
	})
	if err != nil {
		return nil, err
	}
	v := &valve{flap: flap, hinge: hinge, shut: true, points: across(gauge)}
	v.samples = make([]fluid.Sample, len(v.points))
	return v, nil
}

// across are points evenly over the openings' section at x, m: the middles of faces of 0.05 m cells, so
// that what they sum up to is what the solve let through.
func across(x float64) []r3.Vec {
	const rows, columns = 5, 10
	var out []r3.Vec
	for i := range rows {
		for k := range columns {
			out = append(out, r3.Vec{
				X: x,
				Y: sill + (lintel-sill)*(float64(i)+.5)/rows,
				Z: domain.Min.Z + domain.Size().Z*(float64(k)+.5)/columns,
			})
		}
	}
	return out
}

// flow is what passes the opening to the right, litres/s.
func (v *valve) flow(liq *fluid.Liquid) float64 {
	liq.Sample(v.samples, v.points)
	sum := 0.
	for _, s := range v.samples {
		if s.Height > 0 { // the flap may be there
			sum += s.Velocity.X
		}
	}
	return 1000 * (lintel - sill) * domain.Size().Z * sum / float64(len(v.points))
}

// measure books the step that was taken.
func (v *valve) measure(liq *fluid.Liquid) {
	litres := v.flow(liq) * play.Timestep
	shut := v.hinge.Angle() < flapShut
	v.passed += litres
	if v.shut && shut {
		v.leaked += max(0, -litres)
	}
	v.shut = shut
}

// restart forgets the stroke and returns its litres.
func (v *valve) restart() (passed, leaked float64) {
	passed, leaked = v.passed, v.leaked
	v.passed, v.leaked = 0, 0
	return passed, leaked
}
