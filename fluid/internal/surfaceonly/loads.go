package surfaceonly

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boundary"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// loads is what package bodies asks of where the liquid meets the bodies: a graph without cells, and for each wet body one row, in the middle of what is wet.
type loads struct {
	graph    graph.Graph
	contacts []boundary.Contact
	at       []r3.Vec
	area     []float64 // of the faces, m²
	row      []int32
}

// touching, in edges, is how near to a body a face is that wets it.
const touching = .1

// pushBodies enters the liquid's impulses on the bodies where package bodies looks for them, and what of the bodies is wet.
func (s *Solver) pushBodies() {
	c := s.Around.Coupling
	s.loads.begin(c.Known())
	if c.Known() == 0 {
		return
	}
	s.loads.measureWet(s.liquid, &s.solids)
	for i, p := range s.liquid.Impulses() {
		addImpulse(&c.Rigid[i], p.Linear, p.Angular)
	}
}

// begin makes room for n bodies.
func (l *loads) begin(n int) {
	gr := &l.graph
	gr.Bodies, gr.Centre, l.row = arrays.Resize(gr.Bodies, n), arrays.Resize(gr.Centre, n), arrays.Resize(l.row, n)
	for i := range gr.Bodies {
		gr.Bodies[i], gr.Centre[i], l.row[i] = graph.BodyCoupling{}, [3]float64{}, int32(i)
	}
}

// measureWet finds the wet area of each body, and its middle.
func (l *loads) measureWet(of *boundary.Liquid, solids *solids) {
	m := &of.Tracker.Mesh
	l.at, l.area = l.at[:0], l.area[:0]
	for t := range m.Triangle {
		a, b, c := m.Corners(int32(t))
		l.at, l.area = append(l.at, centroid(a, b, c)), append(l.area, reproducible.Norm(geom.TwiceArea(a, b, c))/2)
	}
	l.contacts = arrays.Resize(l.contacts, len(l.at))
	solids.Near(l.contacts, l.at)
	gr := &l.graph
	for t, c := range l.contacts {
		if c.Body < 0 || c.Distance > touching*solids.edge {
			continue
		}
		b, middle, x := &gr.Bodies[c.Body], &gr.Centre[c.Body], reproducible.Array(l.at[t])
		b.Area += l.area[t]
		for a := range middle {
			middle[a] += float64(l.area[t] * x[a])
		}
	}
	for i := range gr.Bodies {
		if b := &gr.Bodies[i]; b.Area > 0 {
			b.Row = l.row[i : i+1]
			for a := range gr.Centre[i] {
				gr.Centre[i][a] /= b.Area
			}
		}
	}
}

// addImpulse adds an impulse of the liquid, N·s and N·m·s about the centre of mass, to a body.
func addImpulse(r *rigid.Body, linear, angular r3.Vec) {
	p := rigid.Twist(linear, angular)
	for a := range 3 {
		r.V[a] += float64(r.InverseMass * p[a])
		for b := range 3 {
			r.V[3+a] += float64(r.InverseInertia[a][b] * p[3+b])
		}
	}
	for a := range p {
		r.Impulse[a] += p[a]
	}
}
