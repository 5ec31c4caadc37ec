package physics

import "gonum.org/v1/gonum/spatial/r3"

// clear is v without its components along the axes.
func (a Axes) clear(v r3.Vec) r3.Vec {
	if a.X {
		v.X = 0
	}
	if a.Y {
		v.Y = 0
	}
	if a.Z {
		v.Z = 0
	}
	return v
}

func (a Axes) has(k int) bool { return [3]bool{a.X, a.Y, a.Z}[k] }

// velocityChange is the change of the velocity by the impulse j.
func (b *body) velocityChange(j r3.Vec) r3.Vec { return mulElem(b.mobility, j) }

// inverseInertia is the inverse inertia in world axes of the body turned by r, with the locked axes eliminated.
func (b *body) inverseInertia(r *mat3) mat3 {
	m := conjugate(r, &b.invLocal)
	if b.lock.Angular == (Axes{}) {
		return m
	}
	for k := range 3 {
		if !b.lock.Angular.has(k) {
			continue
		}
		c := m[k]
		for i := range 3 {
			for j := range 3 {
				if c[k] > 0 {
					m[i][j] -= c[i] * c[j] / c[k]
				}
			}
		}
		for i := range 3 {
			m[i][k], m[k][i] = 0, 0
		}
	}
	return m
}

// updateRotation updates the rotation matrix and the inverse inertia.
func (b *body) updateRotation() {
	b.rot = rotationMatrix(b.q)
	b.invI = b.inverseInertia(&b.rot)
}

// listLocked lists the bodies whose locks are rows of the coupling.
func (w *World) listLocked() {
	w.locked = w.locked[:0]
	for _, s := range w.order {
		if b := &w.bodies[s]; b.kind == Dynamic && b.lock.Linear != (Axes{}) {
			w.locked = append(w.locked, s)
		}
	}
}

// lockRows writes the rows of a body's locked axes of motion, as JointRows does.
func (w *World) lockRows(slot int32, out *[6][12]float64) (a, b, n int) {
	s := &w.bodies[slot]
	for k := range 3 {
		if s.awake && s.lock.Linear.has(k) {
			out[n] = [12]float64{}
			out[n][k] = 1
			n++
		}
	}
	return int(s.index), -1, n
}
