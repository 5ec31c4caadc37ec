// Package viscosity lets viscous stresses act on the velocity of a graded lattice of tetrahedra and on the solids that the liquid sticks to.
//
// The velocity is linear in each tetrahedron, between vectors at its corners, and what a rate of strain dissipates there counts by how much of the tetrahedron
// is liquid. The new velocity is that with the least sum of it and of its way from the old, so that nothing pulls where the air begins: that is the condition
// at a free surface, (∇u + ∇uᵀ)n = 0. Vertices in solids move with them; bodies that can move are solved for with the liquid. Edges take on half of the change of
// the velocity at each of their ends that is free, so that where nothing is sheared nothing changes. A vertex has the mass that its edges pass on so: half of each,
// along it. With that what the edges lose in momentum and moment is what the solids receive.
//
// Source: Batty, Bridson 2008 (the least sum, volumes of liquid as weights), with linear finite elements in place of staggered differences.
package viscosity

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

type vec = [3]float64

// What a vertex is to the viscous stresses.
const (
	absent uint8 = iota // no liquid is around it
	liquid              // it moves with the liquid
	solid               // it moves with a solid
)

const (
	// negligible is the ν·dt/h² below which nothing is done: in a minute of 3600 steps it would take 2 % off a wave of eight cells.
	negligible = 1e-5
	// mostDiffusion is the ν·dt/h² beyond which it is not raised further: in a step a wave of 60 cells loses nine tenths.
	mostDiffusion = 1e3
	// tolerance is the residual at which the solve ends, in parts of that at its start, and mostIterations what bounds it.
	tolerance      = 1e-4
	mostIterations = 1000
	// grain is how many vertices or tetrahedra make a chunk, and so a slot of every sum.
	grain = 512
)

// Solver dissipates velocity. It holds scratch alone.
type Solver struct {
	Iterations int // of the last Apply

	pool *par.Pool
	l    *bcc.Lattice
	gr   *graph.Graph
	in   Liquid
	k    float64 // ν·dt, m²

	kind  []uint8   // per vertex
	mass  []mass    // per vertex
	diag  []float64 // per vertex: m
	solid []int32   // per vertex: the solid that it moves with, -1 for a static one
	low   vec       // corners of the layout, m
	high  vec
	at    []vec // scratch of findSolids
	away  []float64
	which []int32
	list  []int32 // vertices that are asked for

	elements   []element
	first      []int32 // per vertex: where in uses its elements begin
	uses       []int32 // four times the element, and which of its corners
	stress     [][6]float64
	old, v     []vec // per vertex, m/s
	r, z, p, y []vec
	sums       []float64
	arg        []vec // of multiply
	alpha      float64

	bodies bodies
}

// Liquid is where the liquid is.
type Liquid struct {
	Lattice *bcc.Lattice
	Phi     []float64 // per vertex: signed distance of the surface, m, negative in the liquid
	Row     []int32   // per vertex: its row in the graph, or -1
	Finest  float64   // edge of the finest cells, m
}

// element is a tetrahedron with liquid in it: what of it is liquid, m³, and the gradients of the functions that are 1 at a corner and 0 at the others, 1/m.
type element struct {
	corner [4]int32
	weight float64
	slope  [4]vec
}

// New makes a solver.
func New(pool *par.Pool) *Solver { return &Solver{pool: pool} }

// Apply dissipates gr.U with the kinematic viscosity nu, m²/s, over dt, s, by backward Euler: u - ν dt ∇·(∇u + ∇uᵀ) = u*, which is stable for any dt. Where its effect
// is negligible it returns at once.
//
// velocity: per face, m/s: what is to dissipate. The change is made to gr.U, and solids.Impulse and Walls are what the solids receive; solids may be nil.
func (s *Solver) Apply(gr *graph.Graph, in Liquid, velocity []float64, solids *rigid.NoSlip, nu, dt float64) {
	s.Iterations = 0
	s.bodies.begin(solids)
	if h := in.Finest; nu*dt < negligible*h*h || gr.Faces() == 0 {
		return
	}
	s.l, s.gr, s.in, s.k = in.Lattice, gr, in, min(nu*dt, mostDiffusion*in.Finest*in.Finest)
	s.resize()
	s.findSolids(solids)
	s.findMass()
	s.listElements()
	s.listUses()
	s.findVelocity(velocity)
	s.solve()
	s.applyChange()
	s.l, s.gr, s.in = nil, nil, Liquid{}
}

func (s *Solver) resize() {
	n := s.l.Vertices()
	s.kind, s.mass, s.diag, s.solid = arrays.Resize(s.kind, n), arrays.Resize(s.mass, n), arrays.Resize(s.diag, n), arrays.Resize(s.solid, n)
	clear(s.kind)
	clear(s.mass)
	clear(s.diag)
	for _, a := range [6]*[]vec{&s.old, &s.v, &s.r, &s.z, &s.p, &s.y} {
		*a = arrays.Resize(*a, n)
		clear(*a)
	}
	s.sums = arrays.Resize(s.sums, par.Chunks(n, grain))
}

// findVelocity gives the vertices the velocity that those along the edges around tell, those in the air what it goes on to
// from the liquid, and those in solids that of these.
func (s *Solver) findVelocity(velocity []float64) {
	for v := range s.kind {
		if r := s.in.Row[v]; s.kind[v] == liquid && r >= 0 {
			s.old[v] = s.fit(r, velocity)
		}
	}
	for v := range s.kind {
		switch {
		case s.kind[v] == solid:
			x := s.place(int32(v))
			s.old[v] = s.bodies.velocity(s.solid[v], &x)
		case s.kind[v] == liquid && s.in.Row[v] < 0:
			s.old[v] = s.extend(int32(v))
		}
	}
	copy(s.v, s.old)
}

// fit is the velocity that agrees best with those on a row's faces, each by the volume that it stands for.
func (s *Solver) fit(r int32, velocity []float64) vec {
	var m [3][3]float64
	var b vec
	whole := 0.
	for _, f := range s.gr.FacesOf(r) {
		n, weight := s.gr.Normals[f], float64(s.gr.Area[f]*s.gr.Open[f]*s.gr.Dist[f])
		for i := range n {
			for j := range n {
				m[i][j] += float64(weight * n[i] * n[j])
			}
			b[i] += float64(weight * n[i] * velocity[f])
		}
		whole += weight
	}
	for i := range m { // what no face tells of is at rest
		m[i][i] += float64(1e-9*whole) + math.SmallestNonzeroFloat64
	}
	return solve3(&m, &b)
}

// solve3 solves a symmetric positive system.
func solve3(m *[3][3]float64, b *vec) (x vec) {
	var cof [3]vec
	for i := range cof {
		p, q := (i+1)%3, (i+2)%3
		for j := range 3 {
			c, d := (j+1)%3, (j+2)%3
			cof[i][j] = float64(m[p][c]*m[q][d]) - float64(m[p][d]*m[q][c])
		}
	}
	det := geom.Dot(&m[0], &cof[0])
	if det == 0 {
		return x
	}
	for i := range x {
		for j := range 3 {
			x[i] += float64(cof[j][i] * b[j])
		}
		x[i] /= det
	}
	return x
}

// extend is the mean of what the velocity at the rows around a vertex goes on to there, each by its own gradient.
func (s *Solver) extend(v int32) (u vec) {
	l, n := s.l, 0.
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		other := l.Ends[e][0] + l.Ends[e][1] - v
		if s.in.Row[other] < 0 || s.kind[other] != liquid {
			continue
		}
		slope := s.gradient(other)
		for a := range u {
			u[a] += s.old[other][a]
			for b := range 3 {
				u[a] += float64(slope[a][b] * (l.Position[v][b] - l.Position[other][b]))
			}
		}
		n++
	}
	for a := range u {
		u[a] /= max(1, n)
	}
	return u
}

// gradient is ∂u_a/∂x_b at a row, 1/s, that fits the velocity at the rows around best.
func (s *Solver) gradient(v int32) (slope [3]vec) {
	l := s.l
	var m [3][3]float64
	var b [3]vec
	whole := 0.
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		other := l.Ends[e][0] + l.Ends[e][1] - v
		if s.in.Row[other] < 0 || s.kind[other] != liquid {
			continue
		}
		for i := range 3 {
			way := l.Position[other][i] - l.Position[v][i]
			for j := range 3 {
				m[i][j] += float64(way * (l.Position[other][j] - l.Position[v][j]))
				b[j][i] += float64(way * (s.old[other][j] - s.old[v][j]))
			}
			whole += float64(way * way)
		}
	}
	for i := range m { // along what no row is seen it is 0
		m[i][i] += float64(1e-9*whole) + math.SmallestNonzeroFloat64
	}
	for a := range slope {
		slope[a] = solve3(&m, &b[a])
	}
	return slope
}

// applyChange gives the faces half of what the velocity at each free end of their edges has changed by.
func (s *Solver) applyChange() {
	gr, l := s.gr, s.l
	for f, e := range gr.Slot {
		var by vec
		for _, v := range l.Ends[e] {
			if s.isFree(int(v)) {
				for a := range by {
					by[a] += float64(.5 * (s.v[v][a] - s.old[v][a]))
				}
			}
		}
		gr.U[f] += geom.Dot(&gr.Normals[f], &by)
	}
}
