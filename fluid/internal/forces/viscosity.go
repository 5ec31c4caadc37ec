package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// shut is blocks.Shut: a face that a solid covers, with liquid beside it.
const shut = 2

// visGrain is how many faces share a chunk, and so a slot of every sum.
const visGrain = 1024

// Viscosity diffuses each velocity component over the graph's faces.
//
// A face stands for a cube of its own size s: volume s³, s² towards each of its six
// neighbours of the same axis. Where levels meet the finer face decides on the coupling and both
// get it, so that the matrix is symmetric and momentum is passed on, not made.
type Viscosity struct {
	// NoSlip has walls hold the liquid beside them back; otherwise it slips along them.
	// Default true.
	NoSlip bool
	// Wall writes the velocity of the solid at places, m, along an axis each, m/s, into dst. It is
	// called from several workers. nil: what is stored at a shut face, or rest.
	Wall func(worker int, axis []uint8, at [][3]float64, dst []float64)
	// Tolerance is the residual at which the solve ends, against its start and against the
	// momentum, whichever is less. Default 1e-4.
	Tolerance float64
	// Iterations is how many the last Apply took; 0 if it was explicit.
	Iterations int

	g     *grid.Grid
	pool  *par.Pool
	index [3][]int32 // face slot → face; true only if the face says the same

	gr     *graph.Graph
	wall   *[3][]float32
	state  *[3][]uint8
	k      float64 // ν·dt, m²
	links  []links
	linker []linker  // per chunk of blocks
	diag   []float64 // of L, m
	inflow []float64 // from walls, m²/s
	volume []float64 // m³

	x, y, r, z, p, b []float64
	sums             []float64
	alpha            float64

	indexChunk, linkChunk, flowChunk, startChunk, moveChunk, turnChunk, endChunk par.Body
	in, out                                                                      []float64
}

// links is a face's neighbours of its own size, -1 for none, and the couplings area/distance, m.
type links struct {
	to [6]int32
	w  [6]float64
}

// linker links the faces of a chunk of blocks.
type linker struct {
	*Viscosity
	unlike []unlike // couplings between levels
	held   held
}

// held is where walls hold faces back, for Wall to be asked at once: couplings, m, places, m, and the
// walls' velocities, m/s.
type held struct {
	face  []int32
	w     []float64
	axis  []uint8
	at    [][3]float64
	speed []float64
}

// unlike is a coupling between a fine and a coarse face.
type unlike struct {
	fine, coarse int32
	w            float64
}

const (
	visBlocks = 16   // blocks per chunk of links
	mild      = 1e-3 // ν·dt/h² below which an explicit step is as good, and stable with room
	// faint is the ν·dt/h² below which nothing is done: in a minute of 3600 steps it would take 2 % off a
	// wave of eight cells. The transport takes that in two seconds from a flow of 0.1 m/s.
	faint   = 1e-5
	visMost = 300 // iterations; what is left then is accepted
)

// NewViscosity makes one for a grid.
func NewViscosity(g *grid.Grid, pool *par.Pool) *Viscosity {
	v := &Viscosity{NoSlip: true, Tolerance: 1e-4, g: g, pool: pool}
	g.OnGrow(func(n int) {
		for a := range v.index {
			v.index[a] = lengthen(v.index[a], n)
		}
	})
	v.linker = make([]linker, par.Chunks(g.Bases(), visBlocks))
	for i := range v.linker {
		v.linker[i].Viscosity = v
	}
	v.indexChunk = func(_, lo, hi int) { v.enter(lo, hi) }
	v.linkChunk = func(worker, lo, hi int) { v.linker[lo/visBlocks].run(worker, lo, hi) }
	v.flowChunk = func(_, lo, hi int) { v.flow(lo, hi) }
	v.startChunk = func(_, lo, hi int) { v.start(lo, hi) }
	v.moveChunk = func(_, lo, hi int) { v.move(lo, hi) }
	v.turnChunk = func(_, lo, hi int) { v.turn(lo, hi) }
	v.endChunk = func(_, lo, hi int) { v.end(lo, hi) }
	return v
}

// Apply diffuses gr.U over dt, s, with the kinematic viscosity nu, m²/s: backward Euler,
// (I - ν dt ∇²)u = u*, which is stable for any dt and adds no energy, or where ν·dt/h² is
// tiny an explicit step. Air pulls on nothing. Where it is too faint to tell, as water's on cells of
// some centimetres, Apply returns at once.
//
// faces: velocity per face slot, m/s, read at shut faces. state: per face slot, blocks.State.
//
// The solve's result enters as the fluxes between faces, so that momentum is kept to rounding
// however loose the tolerance.
// Source: Bridson 2015 §10 (component-wise, constant viscosity); Hestenes, Stiefel 1952.
func (v *Viscosity) Apply(gr *graph.Graph, faces *[3][]float32, state *[3][]uint8, nu, dt float64) {
	v.Iterations = 0
	if n := gr.Faces(); nu*dt < faint*v.g.H*v.g.H || n == 0 {
		return
	}
	v.gr, v.wall, v.state, v.k = gr, faces, state, nu*dt
	v.build()
	v.x = append(v.x[:0], gr.U...)
	if v.k >= mild*v.g.H*v.g.H {
		v.solve()
	}
	v.multiply(v.x, v.y)
	v.pool.For(gr.Faces(), visGrain, v.endChunk)
	v.gr, v.wall, v.state = nil, nil, nil
}

// build makes L: the links, the diagonal and what the walls bring in.
func (v *Viscosity) build() {
	n := v.gr.Faces()
	v.links, v.diag, v.inflow, v.volume = resize(v.links, n), resize(v.diag, n), resize(v.inflow, n), resize(v.volume, n)
	v.x, v.y, v.r, v.z = resize(v.x, n), resize(v.y, n), resize(v.r, n), resize(v.z, n)
	v.p, v.b = resize(v.p, n), resize(v.b, n)
	v.sums = resize(v.sums, 2*par.Chunks(n, visGrain))
	v.pool.For(n, visGrain, v.indexChunk)
	v.pool.For(v.g.Bases(), visBlocks, v.linkChunk)
	for i := range v.linker {
		for _, u := range v.linker[i].unlike {
			v.diag[u.fine] += u.w
			v.diag[u.coarse] += u.w
		}
	}
}

func (v *Viscosity) enter(lo, hi int) {
	for f := lo; f < hi; f++ {
		v.index[v.gr.Axis[f]][v.gr.Slot[f]] = int32(f)
		v.volume[f] = v.gr.Area[f] * math.Sqrt(v.gr.Area[f])
		v.links[f] = links{to: [6]int32{-1, -1, -1, -1, -1, -1}}
		v.diag[f], v.inflow[f] = 0, 0
	}
}

// face is the graph's face at a slot, or -1.
func (v *Viscosity) face(a, slot int) int32 {
	if slot < 0 {
		return -1
	}
	f := v.index[a][slot]
	if int(f) < v.gr.Faces() && int(v.gr.Slot[f]) == slot && int(v.gr.Axis[f]) == a {
		return f
	}
	return -1
}

// multiply writes L·x into y, m²/s.
func (v *Viscosity) multiply(x, y []float64) {
	v.in, v.out = x, y
	v.pool.For(len(x), visGrain, v.flowChunk)
	for i := range v.linker {
		for _, u := range v.linker[i].unlike {
			y[u.fine] -= float64(u.w * x[u.coarse])
			y[u.coarse] -= float64(u.w * x[u.fine])
		}
	}
}

func (v *Viscosity) flow(lo, hi int) {
	x, y := v.in, v.out
	for f := lo; f < hi; f++ {
		l := &v.links[f]
		sum := v.diag[f] * x[f]
		for i, g := range l.to {
			if g >= 0 {
				sum -= float64(l.w[i] * x[g])
			}
		}
		y[f] = sum
	}
}

// end applies the fluxes.
func (v *Viscosity) end(lo, hi int) {
	for f := lo; f < hi; f++ {
		v.gr.U[f] += float64(v.k / v.volume[f] * (v.inflow[f] - v.y[f]))
	}
}

// solve finds x with (V + ν dt L)x = V u* + ν dt·inflow by conjugate gradients with the
// diagonal as preconditioner, from x = u*.
func (v *Viscosity) solve() {
	n := v.gr.Faces()
	v.multiply(v.x, v.y)
	v.pool.For(n, visGrain, v.startChunk)
	rz, rr, bb := v.reduce(v.r, v.z), v.reduce(v.r, v.r), v.reduce(v.b, v.b)
	goal := v.Tolerance * v.Tolerance * min(rr, bb)
	least := 1e-30 * bb
	for v.Iterations < visMost && rr > goal && rr > least {
		v.Iterations++
		v.multiply(v.p, v.y)
		v.pool.For(n, visGrain, v.turnChunk) // y = A p, and p·y
		py := v.total(0)
		if !(py > 0) {
			return
		}
		v.alpha = rz / py
		v.pool.For(n, visGrain, v.moveChunk)
		was := rz
		rz, rr = v.total(0), v.total(1)
		beta := rz / was
		for f, z := range v.z {
			v.p[f] = z + float64(beta*v.p[f])
		}
	}
}

// start sets b, r = b - A x, z and p.
func (v *Viscosity) start(lo, hi int) {
	for f := lo; f < hi; f++ {
		change := v.k * (v.inflow[f] - v.y[f])
		v.b[f] = float64(v.volume[f]*v.x[f]) + float64(v.k*v.inflow[f])
		v.r[f] = change
		v.z[f] = change / (v.volume[f] + float64(v.k*v.diag[f]))
		v.p[f] = v.z[f]
	}
}

func (v *Viscosity) turn(lo, hi int) {
	sum := 0.
	for f := lo; f < hi; f++ {
		v.y[f] = float64(v.volume[f]*v.p[f]) + float64(v.k*v.y[f])
		sum += float64(v.p[f] * v.y[f])
	}
	v.sums[2*(lo/visGrain)] = sum
}

func (v *Viscosity) move(lo, hi int) {
	rz, rr := 0., 0.
	for f := lo; f < hi; f++ {
		v.x[f] += float64(v.alpha * v.p[f])
		r := v.r[f] - float64(v.alpha*v.y[f])
		z := r / (v.volume[f] + float64(v.k*v.diag[f]))
		v.r[f], v.z[f] = r, z
		rz += float64(r * z)
		rr += float64(r * r)
	}
	v.sums[2*(lo/visGrain)], v.sums[2*(lo/visGrain)+1] = rz, rr
}

// total adds the chunks' sums in their order.
func (v *Viscosity) total(which int) float64 {
	sum := 0.
	for i := which; i < len(v.sums); i += 2 {
		sum += v.sums[i]
	}
	return sum
}

func (v *Viscosity) reduce(x, y []float64) float64 {
	sum := 0.
	for f := range x {
		sum += float64(x[f] * y[f])
	}
	return sum
}
