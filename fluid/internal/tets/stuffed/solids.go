package stuffed

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// solids are all that shuts the mesh within the layout: static solids, the domain's sides where they are no sides of the layout, and bodies.
type solids struct {
	static shapes.Distance // nil: none
	sides  []side
	reach  float64 // how far from a body's bounds its distance is asked for, m
	bodies []rigid.Solid
	vertex []float64 // per vertex of the lattice, m
	single sync.Pool // of *[batch]float32
	work   []probe   // per worker

	// While measure runs.
	d   *Discretiser
	phi []float64
}

// side is a side of the domain within the layout.
type side struct {
	axis int
	at   float64 // m
	high bool
}

// away is how far inside of the side a place is, m.
func (s *side) away(x *r3.Vec) float64 {
	v := reproducible.Array(*x)[s.axis]
	if s.high {
		return s.at - v
	}
	return v - s.at
}

// batch is for how many places a distance is asked at once.
const batch = 256

// probe is places whose distance is asked, and what they belong to.
type probe struct {
	pts [batch]r3.Vec
	dst [batch]float64
	at  [batch]int32
	n   int
}

// add adds a place, with the distance that is known so far, and tells whether there is no room for more.
func (p *probe) add(x r3.Vec, dst float64, at int32) (full bool) {
	p.pts[p.n], p.dst[p.n], p.at[p.n] = x, dst, at
	p.n++
	return p.n == batch
}

// sameSide, in edges of the finest cells, is how near to a side of the layout one of the domain is the same.
const sameSide = 1e-6

func (s *solids) init(g *layout.Grid, lo, hi [3]float64) {
	whole := g.Whole()
	first, last := reproducible.Array(whole.Min), reproducible.Array(whole.Max)
	for a := range 3 {
		if lo[a] > first[a]+float64(sameSide*g.H) {
			s.sides = append(s.sides, side{a, lo[a], false})
		}
		if hi[a] < last[a]-float64(sameSide*g.H) {
			s.sides = append(s.sides, side{a, hi[a], true})
		}
	}
	s.reach = 2 * g.CellSize(0)
	s.single.New = func() any { return new([batch]float32) }
}

// distance writes the signed distance of all solids, m, negative inside. What is no number counts as none.
func (s *solids) distance(dst []float64, pts []r3.Vec) {
	for i := range pts {
		dst[i] = math.Inf(1)
		for k := range s.sides {
			dst[i] = min(dst[i], s.sides[k].away(&pts[i]))
		}
	}
	s.fixed(dst, pts)
	for i := range s.bodies {
		s.body(i, dst, pts)
	}
}

// fixed lowers distances to that of the static solids.
func (s *solids) fixed(dst []float64, pts []r3.Vec) {
	if s.static != nil {
		s.lower(s.static, dst, pts)
	}
}

// body lowers distances to that of a body that cuts the mesh, if some place is near it.
func (s *solids) body(i int, dst []float64, pts []r3.Vec) {
	b := &s.bodies[i]
	if b.Porous >= 1 {
		return
	}
	box := boxes.Grown(b.Bounds, s.reach)
	for _, x := range pts {
		if boxes.Contains(box, x) {
			s.lower(b.Distance, dst, pts)
			return
		}
	}
}

func (s *solids) lower(f shapes.Distance, dst []float64, pts []r3.Vec) {
	some := s.single.Get().(*[batch]float32)
	for from := 0; from < len(pts); from += batch {
		to := min(from+batch, len(pts))
		one := some[:to-from]
		f(one, pts[from:to])
		for i, v := range one {
			if v := float64(v); v < dst[from+i] {
				dst[from+i] = v
			}
		}
	}
	s.single.Put(some)
}

// measure finds the distance at the lattice's vertices, and tells whether there are solids at all.
func (s *solids) measure(d *Discretiser, phi []float64, bodies []rigid.Solid) bool {
	s.bodies = bodies
	if s.static == nil && len(bodies) == 0 && len(s.sides) == 0 {
		return false
	}
	s.vertex = arrays.Resize(s.vertex, d.l.Vertices())
	s.d, s.phi = d, phi
	par.Each(d.pool, d.g.Bases(), 2, s, (*solids).measureBase)
	s.d, s.phi = nil, nil
	return true
}

// beyondSurface, in edges of a vertex's cell, is how far from the surface solids don't matter in the air.
const beyondSurface = 2

// measureBase finds the distance at a base cell's vertices.
func (s *solids) measureBase(worker int, b int32) {
	d, l, p := s.d, s.d.l, &s.work[worker]
	lo, hi := l.VertexRuns.Of(b)
	near := d.Near == nil || d.Near(b)
	for v := lo; v < hi; v++ {
		if s.vertex[v] = math.Inf(1); l.Beyond[v] || s.phi[v] > float64(beyondSurface*d.g.CellSize(l.Level[v])) {
			continue
		}
		x := reproducible.Vector(l.Position[v])
		for k := range s.sides {
			s.vertex[v] = min(s.vertex[v], s.sides[k].away(&x))
		}
		if near && p.add(x, s.vertex[v], v) {
			s.ask(p)
		}
	}
	s.ask(p)
}

// ask lowers the distances of vertices to those of static solids and bodies.
func (s *solids) ask(p *probe) {
	dst, pts := p.dst[:p.n], p.pts[:p.n]
	s.fixed(dst, pts)
	for i := range s.bodies {
		s.body(i, dst, pts)
	}
	for i, v := range p.at[:p.n] {
		s.vertex[v] = dst[i]
	}
	p.n = 0
}
