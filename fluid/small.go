package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A body whose mass lies within about a cell of an axis feels the pressures of single cells when it turns about it: a cube of
// one cell would spin for ever, and so would a rod about itself. About such axes the liquid's torque is not the solve's but
// what a still liquid's is on the part of the body under the surface, with the drag of eddies finer than a cell.

const (
	// unresolved and resolved, in cells, are the radii of gyration up to which that holds wholly, and from which on
	// not at all. That of a cube two and a half cells wide is one.
	unresolved, resolved = .5, 1.

	// eddyDrag k makes k·spin, 1/s, the rate at which the spin of a cube as dense as the liquid dies in it: a drag
	// coefficient of about 1 on its faces.
	eddyDrag = 1.5
)

// tensor is a symmetric 3×3 matrix.
type tensor [3]r3.Vec

func (t *tensor) times(v r3.Vec) r3.Vec {
	return r3.Vec{X: reproducible.Dot(t[0], v), Y: reproducible.Dot(t[1], v), Z: reproducible.Dot(t[2], v)}
}

// turnSmall takes the liquid's torque about axes that the grid does not resolve out of the solve, and adds a still liquid's.
func (l *Liquid) turnSmall(i int) {
	s, r, w := &l.coupling.state[i], &l.coupling.rigid[i], &l.graph.Bodies[i]
	if r.InverseMass == 0 || len(w.Row) == 0 {
		return
	}
	part, some := l.coupling.ellipsoids[i].unresolvedPart(r.InverseMass, l.m.EdgeAt(l.coupling.solid[i].Centre))
	if !some {
		return
	}
	l.coupling.slides[i].spare(&part)
	for e := range w.K {
		without(&part, w.K[e][3:])
	}
	without(&part, w.Still[3:])
	for _, m := range []*[6][6]float64{&w.More, &w.Less, &w.Steps} {
		for a := range m {
			without(&part, m[a][3:])
		}
		transpose(m)
		for a := range m {
			without(&part, m[a][3:])
		}
	}
	if s.subgrid { // loadSubgrid does the rest
		return
	}
	rho, dt := l.def.Density, l.m.Dt
	whole := withContact(r)
	spin := reproducible.Vector([3]float64(whole[3:]))
	torque := reproducible.Scale(-rho, reproducible.Cross(reproducible.Vector(w.Moment), l.accelerationAt(l.coupling.solid[i].Centre))) // of what still liquid presses with, -ρg of the volume
	rate := eddyDrag * reproducible.Norm(spin) * rho * w.Volume * r.InverseMass
	inverse := inverseInertia(r)
	kick := reproducible.Scale(dt, inverse.times(part.times(torque)))
	kick = r3.Sub(kick, reproducible.Scale(rate*dt/(1+float64(rate*dt)), part.times(spin)))
	t := reproducible.Scale(1/dt, inertiaTimes(&r.InverseInertia, kick))
	for a, x := range reproducible.Array(kick) {
		r.V[3+a] += x
		s.aside[3+a] += reproducible.Array(t)[a]
	}
}

// without takes part of a vector of three off it.
func without(part *tensor, v []float64) {
	for a, x := range reproducible.Array(part.times(reproducible.Vector([3]float64(v)))) {
		v[a] -= x
	}
}

func transpose(m *[6][6]float64) {
	for i := range m {
		for j := range i {
			m[i][j], m[j][i] = m[j][i], m[i][j]
		}
	}
}

// unresolvedPart is the projection onto the principal axes of a body that cells of edge h are too coarse for to turn it
// about, each by how much they are so, and whether there are any.
func (e *ellipsoid) unresolvedPart(inverseMass, h float64) (part tensor, some bool) {
	for i, v := range e.values {
		radius := math.Sqrt(inverseMass/v) / h
		share := min(1, (resolved-radius)/(resolved-unresolved))
		if !(v > 0 && share > 0) {
			continue
		}
		some = true
		n := e.axes[i]
		for a, x := range reproducible.Array(n) {
			part[a] = r3.Add(part[a], reproducible.Scale(share*x, n))
		}
	}
	return part, some
}

// ellipsoid is a body's inverse principal moments of inertia, 1/(kg·m²), and their axes.
type ellipsoid struct {
	values [3]float64
	axes   tensor
}

func inverseInertia(r *rigid.Body) tensor {
	return tensor{reproducible.Vector(r.InverseInertia[0]), reproducible.Vector(r.InverseInertia[1]), reproducible.Vector(r.InverseInertia[2])}
}

// principal is the eigenvalues of a symmetric matrix and its unit eigenvectors, by Jacobi's rotations.
func principal(m tensor) ellipsoid {
	a := [3][3]float64{reproducible.Array(m[0]), reproducible.Array(m[1]), reproducible.Array(m[2])}
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} // rows are the axes
	for range 8 {                                       // they converge quadratically
		for _, pq := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
			p, q := pq[0], pq[1]
			if a[p][q] == 0 {
				continue
			}
			θ := (a[q][q] - a[p][p]) / (2 * a[p][q])
			t := math.Copysign(1, θ) / (math.Abs(θ) + math.Sqrt(float64(θ*θ)+1))
			c := 1 / math.Sqrt(float64(t*t)+1)
			s := t * c
			for k := range 3 {
				a[k][p], a[k][q] = float64(c*a[k][p])-float64(s*a[k][q]), float64(s*a[k][p])+float64(c*a[k][q])
			}
			for k := range 3 {
				a[p][k], a[q][k] = float64(c*a[p][k])-float64(s*a[q][k]), float64(s*a[p][k])+float64(c*a[q][k])
				v[p][k], v[q][k] = float64(c*v[p][k])-float64(s*v[q][k]), float64(s*v[p][k])+float64(c*v[q][k])
			}
		}
	}
	return ellipsoid{[3]float64{a[0][0], a[1][1], a[2][2]}, tensor{reproducible.Vector(v[0]), reproducible.Vector(v[1]), reproducible.Vector(v[2])}}
}
