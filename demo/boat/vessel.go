package main

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// The hull, m: a lighter with upright sides and an upright prow ahead of its box, so that its draft is a division. Its bow looks
// along x. Plates are heavier than water: without its air it sinks, though the prow is of wood.
const (
	length, beam, depth = 1.8, 0.9, 0.5 // of the box
	plate               = 0.07
	plateDensity        = 1600.0 // kg/m³
	hatchLength         = 0.5    // of the middle plate of the bottom, which can be knocked out

	prowLength  = 0.6
	sheer       = 0.12  // how high the prow stands over the sides
	prowDensity = 471.0 // kg/m³: at the draft with its cargo the prow carries itself, and the boat lies level
)

// waterplane is the area that the hull cuts out of the water's surface, m².
const waterplane = length*beam + prowLength*beam/2

// The cabin stands on the bottom at the stern, m.
var (
	cabinSize = r3.Vec{X: 0.30, Y: 0.46, Z: 0.42}
	cabinAt   = r3.Vec{X: -length/2 + plate + 0.30/2 + 0.02, Y: -depth/2 + plate + 0.46/2}
)

const cabinDensity = 300.0 // kg/m³, air included

// The rudder hangs behind the stern and carries the motor, m.
var rudderSize = r3.Vec{X: 0.26, Y: 0.30, Z: 0.06}

const (
	rudderGap = 0.03
	thrust    = 800.0 // N, at full throttle: the boat makes about 1.8 m/s and a wave as long as itself, beyond which it hardly gets faster
	lock      = 0.8   // rad, to either side
)

// part is what a shape of the vessel is.
type part int

const (
	hullPart part = iota
	hatchPart
	cabinPart
	prowPart
)

// vessel is a hull with a cabin, and a rudder on a hinge.
type vessel struct {
	hull, rudder    physics.Body
	tiller          physics.Joint
	hatch           physics.Shape
	throttle, wheel float64 // -1 to 1, the wheel to port
	hullMass        float64 // kg, of hull and cabin as built
}

// newVessel builds one with the hull's middle at a point.
func newVessel(world *physics.World, at r3.Vec) (*vessel, error) {
	v := &vessel{}
	var err error
	if v.hull, err = world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: "lighter", Position: at, AngularDamping: .1}); err != nil {
		return nil, err
	}
	for _, s := range hullShapes() {
		shape, err := v.hull.AddShape(s)
		if err != nil {
			return nil, err
		}
		if s.UserData == hatchPart {
			v.hatch = shape
		}
	}
	v.hullMass = v.hull.Mass()
	return v, v.hangRudder(world, at)
}

// hullShapes are the plates and the cabin. The bottom lies under the sides, which run past the
// ends.
func hullShapes() []physics.ShapeDef {
	box := func(p part, density float64, size, at r3.Vec) physics.ShapeDef {
		return physics.ShapeDef{Geometry: physics.Box(physics.Centred(size.X, size.Y, size.Z)), Offset: at, Density: density, UserData: p}
	}
	const side, low = depth - plate, (plate - depth) / 2
	const rest = (length - hatchLength) / 2
	shapes := []physics.ShapeDef{
		prow(),
		box(hatchPart, plateDensity, r3.Vec{X: hatchLength, Y: plate, Z: beam}, r3.Vec{Y: low}),
		box(cabinPart, cabinDensity, cabinSize, cabinAt),
	}
	for _, way := range []float64{-1, 1} {
		shapes = append(shapes,
			box(hullPart, plateDensity, r3.Vec{X: rest, Y: plate, Z: beam}, r3.Vec{X: way * (hatchLength + rest) / 2, Y: low}),
			box(hullPart, plateDensity, r3.Vec{X: length, Y: side, Z: plate}, r3.Vec{Y: plate / 2, Z: way * (beam - plate) / 2}),
			box(hullPart, plateDensity, r3.Vec{X: plate, Y: side, Z: beam - 2*plate}, r3.Vec{X: way * (length - plate) / 2, Y: plate / 2}))
	}
	return shapes
}

// prow is a wedge ahead of the box.
func prow() physics.ShapeDef {
	var corners []r3.Vec
	for _, y := range []float64{-depth / 2, depth/2 + sheer} {
		corners = append(corners, r3.Vec{Y: y, Z: -beam / 2}, r3.Vec{Y: y, Z: beam / 2}, r3.Vec{X: prowLength, Y: y})
	}
	return physics.ShapeDef{Geometry: physics.Hull(corners), Offset: r3.Vec{X: length / 2}, Density: prowDensity, UserData: prowPart}
}

// hangRudder puts the rudder, as heavy as water, on a hinge that a spring turns.
func (v *vessel) hangRudder(world *physics.World, hull r3.Vec) (err error) {
	hinge := r3.Add(hull, r3.Vec{X: -length/2 - rudderGap, Y: -depth/2 + rudderSize.Y/2})
	at := r3.Sub(hinge, r3.Vec{X: rudderSize.X / 2})
	if v.rudder, err = world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: "rudder", Position: at}); err != nil {
		return err
	}
	if _, err = v.rudder.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(rudderSize.X, rudderSize.Y, rudderSize.Z))}); err != nil {
		return err
	}
	v.tiller, err = world.AddJoint(physics.JointDef{Kind: physics.HingeJoint, A: v.hull, B: v.rudder, Anchor: hinge, Axis: r3.Vec{Y: 1}})
	return err
}

// steer turns the rudder and, where the motor is in the water, pushes. submerged tells of a point.
func (v *vessel) steer(submerged func(p r3.Vec) bool) error {
	if err := v.tiller.SetSpring(physics.Spring{Frequency: 3, Damping: 1, Rest: -lock * v.wheel}); err != nil || v.throttle == 0 {
		return err
	}
	screw := v.rudder.CentreOfMass()
	if !submerged(screw) {
		return nil
	}
	ahead := r3.Rotation(v.rudder.Rotation()).Rotate(r3.Vec{X: 1})
	return v.rudder.ApplyForce(r3.Scale(thrust*v.throttle, ahead), screw)
}

// hole knocks the middle plate out of the bottom.
func (v *vessel) hole() error {
	if !v.hatch.Valid() {
		return nil
	}
	return v.hatch.Remove()
}

// draftFor is the draft, m, at which the hull carries a load, kg, besides itself: what it
// displaces weighs as much. The rudder carries itself.
func (v *vessel) draftFor(load, density float64) float64 {
	return (v.hullMass + load) / (density * waterplane)
}

// axes are where the hull's x, y and z axes point.
func (v *vessel) axes() (ahead, up, side r3.Vec) {
	turn := r3.Rotation(v.hull.Rotation())
	return turn.Rotate(r3.Vec{X: 1}), turn.Rotate(r3.Vec{Y: 1}), turn.Rotate(r3.Vec{Z: 1})
}

// heel is how far the hull leans to its z side, rad.
func (v *vessel) heel() float64 {
	_, up, side := v.axes()
	return -math.Atan2(side.Y, up.Y)
}

// heading is the angle of the bow from the x axis, rad, towards -z.
func (v *vessel) heading() float64 {
	ahead, _, _ := v.axes()
	return math.Atan2(-ahead.Z, ahead.X)
}

// speed ahead, m/s.
func (v *vessel) speed() float64 {
	ahead, _, _ := v.axes()
	return r3.Dot(ahead, v.hull.Velocity())
}

// keel is the height of the middle of the bottom's lower face, m.
func (v *vessel) keel() float64 {
	_, up, _ := v.axes()
	return v.hull.Position().Y - depth/2*up.Y
}

// carries reports whether a point is in the hold, or not far above it.
func (v *vessel) carries(p r3.Vec) bool {
	local := r3.Rotation(quat.Conj(v.hull.Rotation())).Rotate(r3.Sub(p, v.hull.Position()))
	return math.Abs(local.X) < length/2 && math.Abs(local.Z) < beam/2 && local.Y > -depth/2 && local.Y < depth
}
