package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// spinRate, rad/s, is what round things turn at.
const spinRate = 5.

// round is something that is round about z once it lies, half sunk.
type round struct {
	name   string
	shape  physics.Geometry // about y
	hinged bool
}

// spinning is V34: pressure has no arm about the axis of what is round. It turns on, whatever the step's length, and a twentieth of
// a radian per second is lost at most.
func spinning(m Method) ([]Row, error) {
	var rows []Row
	for _, r := range []round{
		{"log", physics.Cylinder(r3.Vec{Y: -.5}, r3.Vec{Y: .5}, .2), false}, {"ball", physics.Sphere(r3.Vec{}, .25), false}, {"wheel on a hinge", physics.Cylinder(r3.Vec{Y: -.125}, r3.Vec{Y: .125}, .3), true},
	} {
		for _, off := range []float64{0, .37} {
			for _, rate := range []float64{30, 60, 240} {
				spin, err := r.spin(m, off, rate)
				if err != nil {
					return nil, err
				}
				rows = append(rows, row("V34", fmt.Sprintf("half-sunk %s spun, %g cells off the grid, %g steps/s: after 1 s", r.name, off, rate), spin, spinRate, .1, "rad/s"))
			}
		}
	}
	return rows, nil
}

// spin is that about its own axis after 1 s, rad/s.
func (r round) spin(m Method, off, rate float64) (float64, error) {
	const cell, level = .1, .6
	at := r3.Vec{X: 1 + off*cell, Y: level + off*cell, Z: 1 + off*cell}
	l, err := m.filled(fluid.Def{Domain: size(2, 1.2, 2), CellSize: cell}, fluid.Below(at.Y))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := w.AddBody(physics.BodyDef{
		Kind: physics.Dynamic, Position: at, NoSleep: true, Rotation: quat.Number{Real: math.Sqrt(.5), Imag: math.Sqrt(.5)}, AngularVelocity: r3.Vec{Z: spinRate},
	})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: r.shape, Density: 500})
	}
	if err == nil && r.hinged {
		_, err = w.AddJoint(physics.JointDef{Kind: physics.HingeJoint, B: b, Anchor: at, Axis: r3.Vec{Z: 1}})
	}
	if err != nil {
		return 0, err
	}
	l.Couple(w.Coupling())
	for range int(rate) {
		l.Step(1 / rate)
	}
	return r3.Dot(b.AngularVelocity(), r3.Rotation(b.Rotation()).Rotate(r3.Vec{Y: 1})), nil
}
