package physics

import "gonum.org/v1/gonum/spatial/r3"

// AddWrench adds a force, N, and a torque, N·m, about the centre of mass of body i, in world
// axes. They act evenly through the next Step and do not wake the body; a
// sleeping body ignores them. What is added before HoldLoads acts until ReleaseLoads. A wrench
// that is not finite is dropped, and World.Events says so.
func (c *Coupling) AddWrench(i int, force, torque r3.Vec) {
	b := c.at(i)
	b.load = r3.Add(b.load, force)
	b.loadTorque = r3.Add(b.loadTorque, torque)
}

// HoldLoads begins a step that is taken in several parts, each a Step. Forces, torques and wrenches that were applied before it act
// through all of them and end with ReleaseLoads. Between the two, what AddWrench adds acts in the next Step only, and what Body.ApplyForce and
// Body.ApplyTorque add acts until ReleaseLoads. A liquid calls both in each of its steps. Loads that are held are neither copied nor saved:
// save and copy between steps.
func (c *Coupling) HoldLoads() {
	w := (*World)(c)
	defer w.enter(&inHoldLoads).leave()
	w.holding, w.prediction.dt = true, 0
	for _, s := range w.order {
		b := &w.bodies[s]
		force, torque := r3.Add(b.force, b.load), r3.Add(b.torque, b.loadTorque)
		if finiteVec(force) && finiteVec(torque) { // else the next Step drops and reports it
			b.force, b.torque, b.load, b.loadTorque = force, torque, r3.Vec{}, r3.Vec{}
		}
	}
}

// ReleaseLoads ends what HoldLoads began, whether the world was stepped or not.
func (c *Coupling) ReleaseLoads() {
	w := (*World)(c)
	defer w.enter(&inReleaseLoads).leave()
	if !w.holding {
		return
	}
	w.holding, w.prediction.dt = false, 0
	for _, s := range w.order {
		w.bodies[s].clearLoads()
	}
}

// clearLoads drops the forces and torques on the body.
func (b *body) clearLoads() {
	b.force, b.torque, b.load, b.loadTorque, b.push, b.pushTorque = r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}
}
