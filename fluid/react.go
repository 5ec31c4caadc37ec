package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/exact"
)

// What the liquid does to a body beside the solve it takes from the liquid around the body, before the solve: all faces of the rows that
// the body wets change their velocity as those of one rigid body would, so that momentum and angular momentum are what the body gets.

// exert has the liquid press on body i beside the solve. The faces around a body may be too few to take all of a wrench: it returns what the
// body gets.
func (l *Liquid) exert(i int, wrench *[6]float64) (got [6]float64) {
	if *wrench == ([6]float64{}) {
		return got
	}
	r, dt := &l.coupling.rigid[i], l.step.dt
	got = l.react(i, wrench)
	for a := range 3 {
		r.V[a] += float64(dt * r.InverseMass * got[a])
		for b := range 3 {
			r.V[3+a] += float64(dt * r.InverseInertia[a][b] * got[3+b])
		}
	}
	return got
}

// react takes a wrench from the liquid around body i, as far as that can be, and returns what it took.
func (l *Liquid) react(i int, wrench *[6]float64) (took [6]float64) {
	gr, rows, centre := &l.graph, l.graph.Bodies[i].Row, l.coupling.solid[i].Centre
	var inertia [36]float64
	for _, r := range rows {
		for _, f := range &gr.Sides[r] {
			if f < 0 {
				continue
			}
			q, mass := l.pull(f, centre)
			for a := range q {
				for b := range a + 1 {
					inertia[6*a+b] += float64(mass * q[a] * q[b])
				}
			}
		}
	}
	acceleration := give(&inertia, wrench)
	for _, r := range rows {
		for _, f := range &gr.Sides[r] {
			if f < 0 {
				continue
			}
			q, mass := l.pull(f, centre)
			along := 0.
			for a := range q {
				along += float64(q[a] * acceleration[a])
			}
			gr.U[f] -= float64(l.step.dt * along)
			for a := range q {
				took[a] += float64(mass * along * q[a])
			}
		}
	}
	return took
}

// pull is the wrench about a point, m, of a unit force along a face's axis, and the mass of liquid, kg, that the face moves.
func (l *Liquid) pull(f int32, about r3.Vec) (q [6]float64, mass float64) {
	gr := &l.graph
	var n [3]float64
	n[gr.Axis[f]] = 1
	axis := toVec(n)
	return twist(axis, exact.Cross(r3.Sub(toVec(gr.FaceCentre(int(f))), about), axis)), l.def.Density * gr.Area[f] * gr.Open[f] * gr.Dist[f]
}

// leastPivot is the part of its inertia that a motion must have left when those before it are taken out.
const leastPivot = 1e-6

// give is what a wrench does to an inertia, 6×6 and of which the lower triangle is given, by Cholesky's factors. Motions that add nothing to
// those before them are left alone.
func give(inertia *[36]float64, wrench *[6]float64) (x [6]float64) {
	m, skip := inertia, [6]bool{}
	for j := range 6 {
		whole := m[7*j]
		for k := range j {
			m[7*j] -= float64(m[6*j+k] * m[6*j+k])
		}
		if skip[j] = !(m[7*j] > leastPivot*whole); skip[j] {
			for i := j; i < 6; i++ {
				m[6*i+j] = 0
			}
			for k := range j {
				m[6*j+k] = 0
			}
			continue
		}
		m[7*j] = math.Sqrt(m[7*j])
		for i := j + 1; i < 6; i++ {
			for k := range j {
				m[6*i+j] -= float64(m[6*i+k] * m[6*j+k])
			}
			m[6*i+j] /= m[7*j]
		}
	}
	for i := range 6 {
		if skip[i] {
			continue
		}
		x[i] = wrench[i]
		for k := range i {
			x[i] -= float64(m[6*i+k] * x[k])
		}
		x[i] /= m[7*i]
	}
	for i := 5; i >= 0; i-- {
		if skip[i] {
			continue
		}
		for k := i + 1; k < 6; k++ {
			x[i] -= float64(m[6*k+i] * x[k])
		}
		x[i] /= m[7*i]
	}
	return x
}
