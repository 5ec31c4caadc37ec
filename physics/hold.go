package physics

import "gonum.org/v1/gonum/spatial/r3"

// HoldLoads begins a step that is taken in several parts, each a Step: forces, torques and wrenches that have been applied before it act
// through all of them, and end with ReleaseLoads. What AddWrench adds between the two acts in the next Step only, and what
// ApplyForce and ApplyTorque add from then on to the end. A liquid that couples the world calls both. Neither is copied nor saved: save and
// copy between steps.
func (w *World) HoldLoads() {
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

// ReleaseLoads ends what HoldLoads began: what was applied for the step acts no longer, whether the world was stepped or not.
func (w *World) ReleaseLoads() {
	defer w.enter(&inReleaseLoads).leave()
	if !w.holding {
		return
	}
	w.holding, w.prediction.dt = false, 0
	for _, s := range w.order {
		w.bodies[s].clearLoads()
	}
}

// clearLoads has nothing act on the body.
func (b *body) clearLoads() {
	b.force, b.torque, b.load, b.loadTorque, b.push, b.pushTorque = r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}
}
