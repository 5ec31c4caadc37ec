package physics

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ApplyForce adds a force, N, at the world point p, m. It acts through the next Step; if a liquid couples the world, through the liquid's next
// Step, however often that steps the world.
func (b Body) ApplyForce(force, p r3.Vec) error {
	return b.push("Body.ApplyForce: force", force, p, func(s *body, arm r3.Vec) {
		s.force = r3.Add(s.force, force)
		s.torque = r3.Add(s.torque, reproducible.Cross(arm, force))
	})
}

// ApplyTorque adds a torque in world axes, N·m, which acts as long as a force does.
func (b Body) ApplyTorque(torque r3.Vec) error {
	return b.push("Body.ApplyTorque: torque", torque, b.CentreOfMass(), func(s *body, _ r3.Vec) { s.torque = r3.Add(s.torque, torque) })
}

// ApplyImpulse changes the velocity at once by the impulse, N·s, at the world point p, m.
func (b Body) ApplyImpulse(impulse, p r3.Vec) error {
	return b.push("Body.ApplyImpulse: impulse", impulse, p, func(s *body, arm r3.Vec) {
		s.v = r3.Add(s.v, s.velocityChange(impulse))
		s.w = r3.Add(s.w, mulVec(&s.invI, reproducible.Cross(arm, impulse)))
	})
}

// ApplyAngularImpulse changes the angular velocity at once by the impulse in world axes, N·m·s.
func (b Body) ApplyAngularImpulse(impulse r3.Vec) error {
	return b.push("Body.ApplyAngularImpulse: impulse", impulse, b.CentreOfMass(), func(s *body, _ r3.Vec) { s.w = r3.Add(s.w, mulVec(&s.invI, impulse)) })
}

// push applies f to a dynamic body with the arm from its centre of mass to p. field names the load.
func (b Body) push(field string, load, p r3.Vec, f func(s *body, arm r3.Vec)) error {
	if b.Valid() && b.Kind() != Dynamic {
		return fmt.Errorf("%w: only a dynamic body can be pushed", ErrKind)
	}
	err := checkField(finiteVec(load), field, load, "finite")
	if err == nil && !near(p) {
		err = &FieldError{field + " at p", p, limitPosition}
	}
	return b.write(err, func(s *body) { f(s, r3.Sub(p, s.x)) })
}
