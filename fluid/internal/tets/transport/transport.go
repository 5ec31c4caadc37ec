// Package transport carries the velocity on a graded lattice of tetrahedra: from the old lattice to the edges of the new one, beyond the liquid and into
// solids, to the faces of the layout's cells, and to any place.
//
// The velocity is one number per edge, m/s: along the edge, at its polygon. From it follow vectors: one per vertex, between which the velocity is linear, and one per
// tetrahedron, at the circumcentre, which is a corner of the Voronoi cells around.
//
// Transport is generalised semi-Lagrangian: traced through the old lattice with what is linear between vertices, and evaluated at the trace's end by the
// tetrahedra around (Klingner et al. 2006 §3.1.2 and §3.2; Chentanez et al. 2007 §3.3). To the second order the tetrahedra's velocities are first corrected for what
// interpolation will smooth: see findTets. An edge's excess is its velocity less the part along it of the vectors around: what vectors can't hold of a velocity per edge. Where
// liquid hardly moves, most of it stays with the edge and decays from step to step.
package transport

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// Transport moves velocity. It keeps that of the settled lattice until Publish, and makes that of the new one.
type Transport struct {
	// LinearEnd has the end of a trace evaluated linearly between vertices, as the trace is, which damps (Chentanez et al. 2007 §3.3). It is for comparison.
	LinearEnd bool

	// Lag is the time, s, in which what the velocity along an edge to the air has over the mean around decays; 0: as along others.
	Lag float64

	grid   *layout.Grid
	pool   *par.Pool
	meshes [2]mesh
	fields [2]field
	now    int // of fields: the settled one; the other is the new one

	details details

	spread spread
	rise   rise
	step   step
	traces []trace
	batch  batch
	faces  *[3][]float32
	fast   []float64
}

// New makes a transport for lattices on a grid. Start must follow.
func New(g *layout.Grid, pool *par.Pool) *Transport {
	t := &Transport{grid: g, pool: pool}
	for i := range t.fields {
		t.fields[i].pool, t.fields[i].details = pool, &t.details
	}
	return t
}

func (t *Transport) settled() *field { return &t.fields[t.now] }
func (t *Transport) next() *field    { return &t.fields[1-t.now] }

// Start has liquid be at rest on a lattice.
func (t *Transport) Start(l *bcc.Lattice) {
	t.meshes[0].build(l, t.grid, t.pool)
	t.meshes[1].Lattice = nil
	for i := range t.fields {
		t.fields[i].use(&t.meshes[0])
	}
}

// Begin begins a substep on a lattice: the settled one, or one that was made since from other levels. No lattice may change that is in use here.
func (t *Transport) Begin(l *bcc.Lattice) {
	m := t.settled().mesh
	if m.Lattice != l {
		if m = &t.meshes[0]; m == t.settled().mesh {
			m = &t.meshes[1]
		}
		m.build(l, t.grid, t.pool)
	}
	t.next().use(m)
}

// Publish makes the velocity of the substep that ends the settled one.
func (t *Transport) Publish() { t.now = 1 - t.now }

// Revert drops what the substep has made; at rest the settled velocity is 0 afterwards.
func (t *Transport) Revert(atRest bool) {
	t.next().use(t.settled().mesh)
	if atRest {
		t.settled().clear()
	}
}

// Edges are the settled velocities along the edges of the settled lattice, m/s, and what is known of each. They are the state: who changes them calls Resume.
func (t *Transport) Edges() (u []float64, known []uint8) {
	f := t.settled()
	n := f.Edges()
	return f.u[:n], f.state[:n]
}

// Resume makes anew what follows from the settled velocities along edges, when these were read or changed.
func (t *Transport) Resume() {
	f := t.settled()
	f.findReached()
	f.findVertices()
}

// Reached tells per base cell whether the velocity of the substep is known there, once it is extrapolated.
func (t *Transport) Reached() []bool { return t.next().reached }

// step is what Advect is about.
type step struct {
	gr       *graph.Graph
	dt       float64
	from, to *field
	by       order
	linear   bool
	airs     float64 // keptExcess along edges to the air
	traces   []trace // per face
}

// trace is where what arrives at an edge comes from.
type trace struct {
	y      [3]float64 // see arrival
	vertex int32
	old    int32   // the old edge there, or none
	stays  float64 // the part of its excess that stays
}

// Advect writes the settled velocity, carried over dt, s, to the edges of the new lattice that are faces of a graph: into its U. secondOrder adds the correction.
//
// gr: Slot is the edge, along whose direction the face points.
func (t *Transport) Advect(gr *graph.Graph, dt float64, secondOrder bool) {
	from, to := t.settled(), t.next()
	by := first
	if secondOrder {
		by = second
	}
	t.traces = arrays.Resize(t.traces, gr.Faces())
	t.step = step{gr, dt, from, to, by, t.LinearEnd, keptExcess, t.traces}
	if t.Lag > 0 {
		t.step.airs = max(0, 1-math.Abs(dt)/t.Lag)
	}
	par.For(t.pool, gr.Faces(), faceGrain, &t.step, (*step).trace)
	if !t.LinearEnd {
		t.step.want()
		from.findWantedTets(by)
		par.For(t.pool, gr.Faces(), faceGrain, &t.step, (*step).advect)
		from.has = neither
	}
	t.step = step{}
}

// faceGrain is how many faces make a chunk.
const faceGrain = 256

// trace finds where faces' velocities come from.
func (s *step) trace(_, lo, hi int) {
	k := kinship{step: s}
	for i := lo; i < hi; i++ {
		e, t := s.gr.Slot[i], &s.traces[i]
		t.old = k.old(e)
		x, stays := s.origin(e, t.old)
		if s.linear {
			u := s.from.linear(&x)
			s.gr.U[i] = geom.Dot(&s.gr.Normals[i], &u)
			continue
		}
		a := s.from.arrive(&x)
		t.y, t.vertex, t.stays = a.y, a.vertex, stays
	}
}

// want marks what traces lead to as needed.
func (s *step) want() {
	f := s.from
	f.wantNone()
	for i := range s.traces {
		t := &s.traces[i]
		if t.vertex >= 0 {
			f.want(t.vertex)
		}
		if t.stays > 0 {
			f.want(f.Ends[t.old][0])
			f.want(f.Ends[t.old][1])
		}
	}
}

func (s *step) advect(_, lo, hi int) {
	for i := lo; i < hi; i++ {
		t := &s.traces[i]
		u := s.from.arrived(&arrival{t.y, t.vertex})
		s.gr.U[i] = geom.Dot(&s.gr.Normals[i], &u)
		if t.stays > 0 && s.from.excess[t.old] != 0 {
			s.gr.U[i] += float64(t.stays * s.from.excess[t.old])
		}
	}
}

// kinship finds edges of the old lattice again: those of base cells that have the levels that they had, there and around.
type kinship struct {
	*step
	lo, hi, by int32 // new edges of the base cell at hand, and how far the old ones lie from them
	same       bool
}

// old is the old edge that a new one is, or none.
func (k *kinship) old(e int32) int32 {
	if k.from.mesh == k.to.mesh {
		return e
	}
	if e < k.lo || e >= k.hi {
		runs := k.to.EdgeRuns
		after, _ := slices.BinarySearch(runs, e+1)
		b := int32(after - 1)
		k.lo, k.hi = runs[b], runs[b+1]
		lo, hi := k.from.EdgeRuns.Of(b)
		k.by, k.same = lo-k.lo, hi-lo == k.hi-k.lo && sameAround(k.from.mesh, k.to.mesh, b)
	}
	if !k.same {
		return none
	}
	return e + k.by
}

// maxStraight is the way, in edges, up to which the midpoint rule has nothing to add: on a curve of radius R a straight step is off by way²/2R, .005 edges on the smallest
// that the lattice holds.
const maxStraight = .1

// keptExcess is how much of what an edge's velocity has over the mean around stays with it in a step in which nothing moves, where that mean is not corrected: what all of the
// lattice's edges have beyond what vectors can tell decays, so that the liquid comes to rest.
const keptExcess = .9

// origin is where what arrives at the middle of an edge's polygon comes from, m, and the part of what the old edge there has over the mean around that stays.
func (s *step) origin(e, old int32) (x [3]float64, stays float64) {
	var u [3]float64
	from, at := s.from, &s.to.Middle[e]
	if old >= 0 && from.ring[old] != 0 {
		p, q := &from.vertex[from.Ends[old][0]], &from.vertex[from.Ends[old][1]]
		u = [3]float64{.5 * (p[0] + q[0]), .5 * (p[1] + q[1]), .5 * (p[2] + q[2])}
	} else {
		u = from.linear(at)
	}
	if way := s.dt * (math.Abs(u[0]) + math.Abs(u[1]) + math.Abs(u[2])); way > maxStraight*s.to.Dist[e] {
		x := *at
		geom.AddScaled(&x, -.5*s.dt, &u)
		u = from.linear(&x)
	}
	x = *at
	geom.AddScaled(&x, -s.dt, &u)
	if old >= 0 && s.by == second && from.hasRest(old) {
		left := max(0, 1-math.Abs(s.dt)*geom.Norm(&u)/s.to.Dist[e])
		stays = keptExcess * left * left
		if from.state[old] == surface {
			stays = s.airs * left * left
		}
	}
	return x, stays
}

// batch is what Velocity is about.
type batch struct {
	*field
	dst, at []r3.Vec
}

// Velocity writes the settled velocity at places, m/s, linear between vertices; beyond the layout it is that at its sides.
func (t *Transport) Velocity(dst, at []r3.Vec) {
	t.batch = batch{t.settled(), dst, at}
	par.For(t.pool, len(at), faceGrain, &t.batch, (*batch).sample)
	t.batch = batch{}
}

func (s *batch) sample(_, lo, hi int) {
	for i := lo; i < hi; i++ {
		u := s.linear(&[3]float64{s.at[i].X, s.at[i].Y, s.at[i].Z})
		s.dst[i] = r3.Vec{X: u[0], Y: u[1], Z: u[2]}
	}
}

// MaxSpeeds writes the greatest speed of each base cell's vertices and along its edges in the settled velocity, m/s.
//
// dst: len base cells.
func (t *Transport) MaxSpeeds(dst []float64) {
	t.fast = dst
	par.Each(t.pool, t.grid.Bases(), baseGrain, t, (*Transport).maxSpeed)
	t.fast = nil
}

func (t *Transport) maxSpeed(_ int, b int32) {
	f, most := t.settled(), 0.
	lo, hi := f.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		most = max(most, geom.Norm(&f.vertex[v]))
	}
	lo, hi = f.EdgeRuns.Of(b)
	for _, u := range f.u[lo:hi] {
		most = max(most, math.Abs(u))
	}
	t.fast[b] = most
}

// At is the settled velocity at a place, m/s, linear between vertices; beyond the layout it is that at its sides.
func (t *Transport) At(x [3]float64) [3]float64 { return t.settled().linear(&x) }
