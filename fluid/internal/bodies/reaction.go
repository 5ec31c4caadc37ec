package bodies

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// A force of the liquid on a body outside of the solve is balanced before the solve: all faces around the body change their
// velocity like those of one rigid body, so that the liquid loses the momentum and the angular momentum that the body gains.

// neighbourRings is the number of rings of rows, around those that a body wets, that lose the momentum. With the nearest rows alone most would return at
// once, as pressure on the body.
const neighbourRings = 2

// reaction removes from the liquid the momentum that bodies gain.
type reaction struct {
	graph         *graph.Graph
	now           *Substep
	neighbourhood neighbourhood
}

// neighbourhood is a list of rows around a body.
type neighbourhood struct {
	rows []int32
	seen []int64 // per row: number of the last list with it
	last int64
}

// Transfer applies a wrench of the liquid to body i before the solve, and its reaction to the liquid. It returns the wrench that the body gets, which is less
// where too few faces are around the body. A porous body gets all: its rows may be in the next cells.
func (c *Coupling) Transfer(i int, wrench *[6]float64) (got [6]float64) {
	if *wrench == ([6]float64{}) {
		return got
	}
	if got = c.reaction.remove(i, c.Solids[i].Centre, wrench); c.state[i].subgrid {
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

// remove removes the momentum of a wrench, N and N·m about the body's centre, m, from the liquid around body i, as far as possible, and returns the
// part removed.
func (rx *reaction) remove(i int, centre r3.Vec, wrench *[6]float64) (took [6]float64) {
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

// neighboursOf returns the rows that body i wets and those around them.
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

// addNeighbours adds the rows that share a face with a row.
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

// leastPivot is the least pivot, relative to the diagonal, of a motion that is not skipped.
const leastPivot = 1e-6

// accelerate returns the acceleration of an inertia, of which the lower triangle is given, by a wrench. It uses Cholesky's method, and skips motions that are
// dependent on those before them. It overwrites inertia.
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
