package fluid

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/exact"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
)

// A rigid-body engine may answer with numbers that no solve can take: a body that blew up, one that a
// level editor shot across the map, an inertia that was never set. Such a body stands still for the
// liquid, or is slower than it is, and a warning says so; the liquid goes on.

// tame keeps body i from spoiling the step.
func (l *Liquid) tame(i int) {
	c := &l.coupling
	s, r := &c.state[i], &c.rigid[i]
	_, turned := c.bodies.Pose(i)
	if !s.ok {
		if box := c.bodies.Bounds(i); finiteVec(c.solid[i].Centre) && finiteVec(box.Min) && finiteVec(box.Max) {
			return // elsewhere
		}
	}
	if !s.ok || !finiteQuat(turned) || !finiteTwist(&r.V) || !finiteTwist(&r.Contact) || !finiteTwist(&c.moved[i]) || !goodMass(r) {
		s.ok, s.contact, s.before = false, [6]float64{}, [6]float64{}
		*r, c.moved[i] = pressure.Body{}, [6]float64{}
		l.warn("Bodies", "a body's pose, velocity or inverse mass is not finite, or the mass is negative; it stands still for the liquid")
		return
	}
	box := c.solid[i].Bounds
	reach := exact.Norm(r3.Sub(box.Max, box.Min)) / 2
	limit := l.swiftest()
	fast := slow(&c.moved[i], limit, reach)
	v := withContact(r)
	if whole := v; slow(&v, limit, reach) {
		fast = true
		for d := range v {
			s.cut[d] = v[d] - whole[d]
			r.V[d] += s.cut[d]
		}
	}
	if fast {
		l.warn("CellSize", "a body is faster than the substeps follow; for the liquid it is slower")
	}
}

// swiftest, m/s, is what the substeps follow at most.
func (l *Liquid) swiftest() float64 {
	s := &l.def.Solver
	return s.CFL * l.def.CellSize * float64(s.MaxSubsteps) / l.step.whole
}

// slow bounds a twist to a speed, m/s, of the centre and of what is reach, m, away from it.
func slow(v *[6]float64, limit, reach float64) (cut bool) {
	for part, top := range [2]float64{limit, limit / max(reach, 1e-9)} {
		u := v[3*part : 3*part+3]
		if n := math.Sqrt(float64(u[0]*u[0]) + float64(u[1]*u[1]) + float64(u[2]*u[2])); n > top {
			cut = true
			for d := range u {
				u[d] *= top / n
			}
		}
	}
	return cut
}

// goodMass tells whether the inverse mass is one: finite, not negative, and the inverse inertia
// symmetric and no less than zero along any axis or between any two.
func goodMass(b *pressure.Body) bool {
	if !(b.InverseMass >= 0 && b.InverseMass <= math.MaxFloat32) {
		return false
	}
	m := &b.InverseInertia
	size := math.Abs(m[0][0]) + math.Abs(m[1][1]) + math.Abs(m[2][2])
	for i := range 3 {
		if !(m[i][i] >= 0 && m[i][i] <= math.MaxFloat32) {
			return false
		}
		for j := range i {
			if !(math.Abs(m[i][j]-m[j][i]) <= 1e-6*size && m[i][j]*m[i][j] <= (1+1e-6)*m[i][i]*m[j][j]) {
				return false
			}
		}
	}
	return true
}

// goodJoint tells whether a joint's numbers are finite and it is between bodies there are.
func goodJoint(j *pressure.Joint, bodies int) bool {
	if j.N < 0 || j.N > len(j.Rows) || j.A < -1 || j.B < -1 || int(j.A) >= bodies || int(j.B) >= bodies {
		return false
	}
	for _, row := range j.Rows[:j.N] {
		for _, v := range row {
			if !finite(v) {
				return false
			}
		}
	}
	return true
}

func finiteTwist(v *[6]float64) bool {
	sum := 0.
	for _, x := range v {
		sum += float64(x * 0)
	}
	return sum == 0
}

func finiteQuat(q quat.Number) bool {
	return finite(q.Real) && finite(q.Imag) && finite(q.Jmag) && finite(q.Kmag)
}
