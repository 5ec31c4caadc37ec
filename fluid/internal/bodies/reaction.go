package bodies

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
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
	inertia := rx.graph.FaceInertia(rows, &about, rx.now.Density)
	factors := inertia
	acceleration := accelerate(&factors, wrench)
	rx.graph.AddMotion(rows, &about, &acceleration, -rx.now.Dt)
	for a := range took {
		for b, x := range acceleration {
			took[a] += float64(inertia[6*max(a, b)+min(a, b)] * x)
		}
	}
	return took
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
	gr := rx.graph
	for _, f := range gr.FacesOf(r) {
		if f < 0 {
			continue
		}
		other, _ := gr.Across(r, f)
		on := gr.RowsOn(other)
		for _, q := range on.Row[:on.N] {
			rx.neighbourhood.add(q)
		}
	}
}

func (s *neighbourhood) add(r int32) {
	if r >= 0 && s.seen[r] != s.last {
		s.seen[r] = s.last
		s.rows = append(s.rows, r)
	}
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
