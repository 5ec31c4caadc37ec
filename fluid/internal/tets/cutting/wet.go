package cutting

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// coupling fills the graph's couplings to bodies.
//
// A cell's wetted patch closes what faces leave open of it, so that its area vector is minus the sum of theirs, and so is its moment: both are what the body
// covers of the cell's polygons.
type coupling struct {
	d *Discretiser

	// While it runs.
	gr  *graph.Graph
	phi []float64
}

// patch is where a body meets the liquid of one row.
type patch struct {
	row  int32
	k    [6]float64
	film [6]float64 // likewise, of the films that the row is at the rim of
}

// run fills the couplings of so many bodies.
func (cp *coupling) run(gr *graph.Graph, phi []float64, bodies int) {
	cp.gr, cp.phi = gr, phi
	for len(gr.Bodies) < bodies {
		gr.Bodies = append(gr.Bodies, graph.BodyCoupling{})
	}
	gr.Bodies = gr.Bodies[:bodies]
	par.Each(cp.d.pool, bodies, 1, cp, (*coupling).couple)
	cp.gr, cp.phi = nil, nil
}

// couple fills the coupling of a body.
func (cp *coupling) couple(worker int, i int32) {
	d, w := cp.d, &cp.gr.Bodies[i]
	*w = graph.BodyCoupling{Row: w.Row[:0], K: w.K[:0], Films: w.Films[:0]}
	if int(i) >= len(d.bodies.jobs) {
		return
	}
	jobs := d.bodies.jobs[i]
	if len(jobs) == 0 || jobs[0].at.Fixed {
		return
	}
	s := &d.work[worker]
	s.patches = s.patches[:0]
	for n := range jobs {
		cp.coupleEdges(s, w, &jobs[n])
		cp.couplePores(s, w, &jobs[n])
	}
	cp.coupleFilms(s, w, jobs)
	cp.settle(s, w)
	cp.weigh(s, w, jobs)
	if jobs[0].at.Sampled {
		cp.addGapStill(w)
	}
	s.clearFilms()
}

// coupleEdges adds to the patches what a job's covers take.
func (cp *coupling) coupleEdges(s *scratch, w *graph.BodyCoupling, j *job) {
	d, l := cp.d, cp.d.l
	for n := range j.list.covers {
		c := &j.list.covers[n]
		e := l.EdgeRuns[j.base] + c.edge
		p, q := d.Row[l.Ends[e][0]], d.Row[l.Ends[e][1]]
		if c.taken == 0 || p == none && q == none {
			continue
		}
		push := pushOf(l.Normal(e), c, j.at)
		cp.pushEnds(s, w, e, &push)
		if j.at.Sampled {
			cp.addStill(w, e, &push)
		}
	}
}

// pushEnds adds what a body has of an edge's polygon to the patches of those ends that are rows.
func (cp *coupling) pushEnds(s *scratch, w *graph.BodyCoupling, e int32, push *[6]float64) {
	for side, v := range cp.d.l.Ends[e] {
		if r := cp.d.Row[v]; r != none {
			s.push(w, v, r, push, 1-2*float64(side))
		}
	}
}

// pushOf is the area vector of what a solid takes of a polygon, along the edge, and its moment.
func pushOf(n vec, c *cover, at *rigid.Solid) [6]float64 {
	arm := armOf(&c.at, at)
	for a := range n {
		n[a] *= c.taken
	}
	return wrench(&n, &arm)
}

// armOf is where a place is from the solid's centre of moments.
func armOf(x *vec, at *rigid.Solid) vec {
	return vec{x[0] - at.Centre.X, x[1] - at.Centre.Y, x[2] - at.Centre.Z}
}

// push adds to the patch of a vertex, which is a row.
func (s *scratch) push(w *graph.BodyCoupling, v, row int32, by *[6]float64, sign float64) {
	i := s.ids[v]
	if i == none {
		i = int32(len(s.patches))
		s.ids[v] = i
		s.patches = append(s.patches, patch{row: row})
		w.Row = append(w.Row, row)
	}
	k := &s.patches[i].k
	for a, x := range by {
		k[a] += float64(sign * x)
	}
}

// settle writes the patches, in the order of rows.
func (cp *coupling) settle(s *scratch, w *graph.BodyCoupling) {
	slices.Sort(w.Row)
	for _, r := range w.Row {
		v := cp.d.rows.vertex[r]
		p := &s.patches[s.ids[v]]
		k := p.k
		s.ids[v] = none
		if w.K = append(w.K, k); len(s.films.rims) > 0 {
			w.Films = append(w.Films, vec{p.film[0], p.film[1], p.film[2]})
			for i, x := range p.film {
				w.K[len(w.K)-1][i] += x
			}
		}
		w.Area += math.Sqrt(float64(k[0]*k[0]) + float64(k[1]*k[1]) + float64(k[2]*k[2]))
	}
}
