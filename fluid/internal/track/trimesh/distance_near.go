package trimesh

import "gonum.org/v1/gonum/spatial/r3"

// Near is the distance of one place, right to rounding, and whether it is less than within, m.
func (q *Probe) Near(m *Mesh, x r3.Vec, within float64) (d float64, ok bool) {
	q.mesh = m
	if s := q.nearest(&x, within); s.best < within {
		d, ok = float64(q.sign(&s, &x))*s.best, true
	}
	q.mesh = nil
	return d, ok
}
