package stuffed

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Trace is what Advect needs beside the velocity.
type Trace struct {
	// Dt is how far back, s.
	Dt float64
	// Beyond is the velocity outside of the old mesh, m/s. Several goroutines ask at a time.
	Beyond func(x [3]float64) [3]float64
	// LinearEnd has the end of a trace evaluated linearly between vertices, as the trace is, which damps (Chentanez et al. 2007 §3.3). It is for comparison.
	LinearEnd bool

	from *Field
	gr   *graph.Graph
}

// Advect writes the velocity of the old mesh, carried along, to the faces of a graph: into its U. From each face's centroid it goes back through what is linear
// between the old mesh's vertices, by the midpoint rule, and there interpolates between the tetrahedra around.
//
// Source: Klingner et al. 2006 §3.2 (generalised semi-Lagrangian, after Feldman et al. 2005); Chentanez et al. 2007 §3.3.
func (f *Field) Advect(gr *graph.Graph, by *Trace) {
	by.from, by.gr = f, gr
	par.For(f.pool, gr.Faces(), grain, by, (*Trace).advect)
	by.from, by.gr = nil, nil
}

func (s *Trace) advect(worker, lo, hi int) {
	for i := lo; i < hi; i++ {
		size := s.gr.Size[max(s.gr.A[i], s.gr.B[i])]
		u := s.carried(&s.gr.FaceCentres[i], float64(size), worker)
		s.gr.U[i] = geom.Dot(&s.gr.Normals[i], &u)
	}
}

// maxStraight is the way, in cells, up to which the midpoint rule has nothing to add: on a curve of a cell's radius a straight step is off by .005 cells.
const maxStraight = .1

// carried is the velocity that arrives at a place in a cell of a size, m.
func (s *Trace) carried(at *[3]float64, size float64, worker int) [3]float64 {
	u := s.linear(at)
	if way := math.Abs(s.Dt) * geom.Norm(&u); way > maxStraight*size {
		middle := back(at, &u, .5*s.Dt)
		u = s.linear(&middle)
	}
	end := back(at, &u, s.Dt)
	if s.LinearEnd || !s.from.Known() {
		return s.linear(&end)
	}
	if v, known := s.from.accurate(&end, &s.from.work[worker]); known {
		return v
	}
	return s.Beyond(end)
}

// linear is the velocity to trace with.
func (s *Trace) linear(x *[3]float64) [3]float64 {
	if s.from.Known() {
		if u, known := s.from.linear(x); known {
			return u
		}
	}
	return s.Beyond(*x)
}

func back(x, u *[3]float64, dt float64) [3]float64 {
	return [3]float64{x[0] - float64(dt*u[0]), x[1] - float64(dt*u[1]), x[2] - float64(dt*u[2])}
}
