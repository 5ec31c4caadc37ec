package bodies

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// What the liquid does to a body beside the solve it takes from the liquid around the body, before the solve: all faces there change their
// velocity as those of one rigid body would, so that it loses the momentum and the angular momentum that the body gets.

// neighbourRings is how far around the rows that a body wets the liquid is that does so. With the nearest rows alone most would come back at
// once, as the body's own pressure.
const neighbourRings = 2

// reaction takes from the liquid what it gives to bodies.
type reaction struct {
	graph         *graph.Graph
	now           *Substep
	neighbourhood neighbourhood
}

// neighbourhood lists the rows around a body.
type neighbourhood struct {
	rows []int32
	seen []int64 // per row: the last list that it was on
	last int64
}

// Transfer has the liquid press on body i beside the solve. The faces around a body may be too few to take all of a wrench: it returns what the
// body gets. One that the grid takes for a porous one gets all: its rows may be in the next cells.
func (c *Coupling) Transfer(i int, wrench *[6]float64) (got [6]float64) {
	if *wrench == ([6]float64{}) {
		return got
	}
	if got = c.reaction.take(i, c.Solids[i].Centre, wrench); c.state[i].subgrid {
		got = *wrench
	}
	r, dt := &c.Rigid[i], c.now.Dt
	for a := range 3 {
		r.V[a] += float64(dt * r.InverseMass * got[a])
		for b := range 3 {
			r.V[3+a] += float64(dt * r.InverseInertia[a][b] * got[3+b])
		}
	}
	return got
}

// take removes a wrench, N and N·m about the body's centre, m, from the liquid around body i, as far as that can be, and returns what it took.
func (rx *reaction) take(i int, centre r3.Vec, wrench *[6]float64) (took [6]float64) {
	rows, about := rx.neighboursOf(i), reproducible.Array(centre)
	var inertia [36]float64
	if rx.graph.Cubic() {
		inertia = rx.cubesInertia(rows, &about)
	} else {
		inertia = rx.facesInertia(rows, &about)
	}
	factors := inertia
	acceleration := accelerate(&factors, wrench)
	if rx.graph.Cubic() {
		rx.accelerateCubes(rows, &about, &acceleration)
	} else {
		rx.accelerateFaces(rows, &about, &acceleration)
	}
	for a := range took {
		for b, x := range acceleration {
			took[a] += float64(inertia[6*max(a, b)+min(a, b)] * x)
		}
	}
	return took
}

// cubesInertia is the inertia about a point of the liquid on the faces of rows, 6×6, its lower triangle. A face between two of the rows counts
// twice, and is accelerated twice.
func (rx *reaction) cubesInertia(rows []int32, about *[3]float64) [36]float64 {
	gr := rx.graph
	var sums [3][6]float64 // per axis of faces: of mass, and its moments as in faceArms
	for _, r := range rows {
		for side, f := range &gr.Sides[r] {
			if f >= 0 {
				s := &sums[side/2]
				u, v, mass := rx.faceArms(r, f, side, about)
				s[0] += mass
				s[1] += float64(mass * u)
				s[2] += float64(mass * v)
				s[3] += float64(mass * u * u)
				s[4] += float64(mass * u * v)
				s[5] += float64(mass * v * v)
			}
		}
	}
	return inertiaOf(&sums)
}

// accelerateCubes takes from the faces of rows an acceleration about a point, m/s² and rad/s².
func (rx *reaction) accelerateCubes(rows []int32, about *[3]float64, acceleration *[6]float64) {
	gr := rx.graph
	for _, r := range rows {
		for side, f := range &gr.Sides[r] {
			if f >= 0 {
				a := side / 2
				u, v, _ := rx.faceArms(r, f, side, about)
				along := acceleration[a] + float64(u*acceleration[3+(a+1)%3]) + float64(v*acceleration[3+(a+2)%3])
				gr.U[f] -= float64(rx.now.Dt * along)
			}
		}
	}
}

// facesInertia is cubesInertia where faces point any way.
func (rx *reaction) facesInertia(rows []int32, about *[3]float64) (m [36]float64) {
	gr := rx.graph
	for _, r := range rows {
		for _, f := range gr.FacesOf(r) {
			q := rx.faceWrench(f, about)
			mass := rx.now.Density * gr.Area[f] * gr.Open[f] * gr.Dist[f]
			for i := range 6 {
				for j := range i + 1 {
					m[6*i+j] += float64(mass * q[i] * q[j])
				}
			}
		}
	}
	return m
}

// accelerateFaces is accelerateCubes where faces point any way.
func (rx *reaction) accelerateFaces(rows []int32, about *[3]float64, acceleration *[6]float64) {
	gr := rx.graph
	for _, r := range rows {
		for _, f := range gr.FacesOf(r) {
			q := rx.faceWrench(f, about)
			gr.U[f] -= float64(rx.now.Dt * rigid.Dot(&q, acceleration))
		}
	}
}

// faceWrench is that of a unit force along a face's normal, about a point.
func (rx *reaction) faceWrench(f int32, about *[3]float64) [6]float64 {
	n, x := reproducible.Vector(rx.graph.Normal(int(f))), reproducible.Vector(rx.graph.FaceCentre(int(f)))
	return wrenchAt(n, r3.Sub(x, reproducible.Vector(*about)))
}

// neighboursOf is the rows that body i wets, and those around them.
func (rx *reaction) neighboursOf(i int) []int32 {
	gr, s := rx.graph, &rx.neighbourhood
	s.seen, s.rows, s.last = arrays.Resize(s.seen, gr.Rows), s.rows[:0], s.last+1
	for _, r := range gr.Bodies[i].Row {
		s.add(r)
	}
	from := 0
	for range neighbourRings {
		to := len(s.rows)
		for _, r := range s.rows[from:to] {
			rx.addNeighbours(r)
		}
		from = to
	}
	return s.rows
}

// addNeighbours lists the rows that share a face with a row.
func (rx *reaction) addNeighbours(r int32) {
	gr, s := rx.graph, &rx.neighbourhood
	if !gr.Cubic() {
		for _, f := range gr.FacesOf(r) {
			s.add(gr.A[f])
			s.add(gr.B[f])
		}
		return
	}
	for side, f := range &gr.Sides[r] {
		if f < 0 {
			continue
		}
		other := gr.A[f]
		if side&1 == 1 {
			other = gr.B[f]
		}
		if other >= 0 {
			s.add(other)
		} else if other != graph.Air {
			for _, q := range &gr.Quads[^other] {
				s.add(q)
			}
		}
	}
}

func (s *neighbourhood) add(r int32) {
	if r >= 0 && s.seen[r] != s.last {
		s.seen[r] = s.last
		s.rows = append(s.rows, r)
	}
}

// faceArms is the moments about a point, along the next two axes, of a unit force on the face on a side of row r, m, and the mass of liquid, kg,
// that the face moves.
func (rx *reaction) faceArms(r, f int32, side int, about *[3]float64) (u, v, mass float64) {
	gr, a := rx.graph, side/2
	x := &gr.Centre[r]
	if gr.A[f]|gr.B[f] < 0 { // a composite face, perhaps
		centre := gr.FaceCentre(int(f))
		x = &centre
	}
	y, z := (a+1)%3, (a+2)%3
	return x[z] - about[z], about[y] - x[y], rx.now.Density * gr.Area[f] * gr.Open[f] * gr.Dist[f]
}

// inertiaOf is the 6×6 inertia, its lower triangle, of faces by their sums per axis.
func inertiaOf(sums *[3][6]float64) (m [36]float64) {
	for a := range 3 {
		s, u, v := &sums[a], 3+(a+1)%3, 3+(a+2)%3
		m[7*a] += s[0]
		m[6*u+a] += s[1]
		m[6*v+a] += s[2]
		m[7*u] += s[3]
		m[6*max(u, v)+min(u, v)] += s[4]
		m[7*v] += s[5]
	}
	return m
}

// leastPivot is the part of its inertia that a motion must have left when those before it are taken out.
const leastPivot = 1e-6

// accelerate is what a wrench does to an inertia, 6×6 and of which the lower triangle is given, by Cholesky's factors. Motions that add nothing to
// those before them are left alone.
func accelerate(inertia *[36]float64, wrench *[6]float64) (x [6]float64) {
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
