package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// shut is blocks.Shut: a face that a solid covers, with liquid beside it.
const shut = 2

// visGrain is how many faces share a chunk, and so a slot of every sum.
const visGrain = 1024

// Viscosity is the liquid's resistance to strain.
//
// A face stands for a cube of its own size. The rates of strain are those of cells, ∂u_a/∂a, and of the lines where four cells meet,
// ∂u_a/∂b + ∂u_b/∂a, each a sum over the faces around, in which a uniform or a turning flow leaves nothing. What power
// they dissipate is a square each, and the new velocity is that with the least sum of them and of its way from the
// old. So the matrix is symmetric and positive, momentum and angular momentum are passed on and not made, and where a
// face of the sum is in the air nothing pulls: that is the condition at a free surface, (∇u + ∇uᵀ)n = 0.
//
// Source: Batty, Bridson 2008, with whole cells in place of fractions.
type Viscosity struct {
	// FreeSlip lets the liquid slip along walls, as where exact solutions ask for it: the decay of Taylor-Green vortices, by which the
	// solver is verified. No liquid of package fluid sets it: walls hold the liquid beside them back.
	FreeSlip bool
	// Wall writes the velocity of the solid at places, m, along an axis each, m/s, into dst. It is
	// called from several workers. nil: what is stored at a shut face, or rest.
	Wall func(worker int, axis []uint8, at [][3]float64, dst []float64)
	// Phi is the signed distance of each cell, m, negative in the liquid, from which to tell how much of a face's cube is
	// liquid; nil: all of it.
	Phi []float32
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
	weight []float64 // per strain, m³
	stress []float64 // per strain: its rate times its weight, m³/s
	diag   []float64 // of L, m
	inflow []float64 // from walls, m²/s
	volume []float64 // of liquid, m³
	part   []float64 // of a face's cube that is liquid

	x, y, r, z, p, b []float64
	sums             []float64
	alpha            float64

	in, out   []float64
	bare      bool // press leaves out what walls do
	extension extension
}

// links is the strains that a face takes part in, -1 for none, and by how much, 1/m: of the cells below and above, and of
// the lines along its sides, below and above on the next axis, then on the one after.
type links struct {
	strain [6]int32
	by     [6]float64
}

const (
	visBlocks     = 16   // blocks per chunk of links
	explicitLimit = 1e-3 // ν·dt/h² below which an explicit step is as good, and stable with room
	// negligible is the ν·dt/h² below which nothing is done: in a minute of 3600 steps it would take 2 % off a
	// wave of eight cells. The transport takes that in two seconds from a flow of 0.1 m/s.
	negligible     = 1e-5
	mostIterations = 1000 // iterations; what is left then is accepted
	// mostDiffusion is the ν·dt/h² beyond which it is not raised further: in a step a wave of 60 cells loses nine tenths.
	mostDiffusion = 1e3
)

// NewViscosity makes one for a grid.
func NewViscosity(g *grid.Grid, pool *par.Pool) *Viscosity {
	v := &Viscosity{Tolerance: 1e-4, g: g, pool: pool}
	g.OnGrow(func(n int) {
		for a := range v.index {
			v.index[a] = arrays.Lengthen(v.index[a], n)
		}
	})
	v.linker = make([]linker, par.Chunks(g.Bases(), visBlocks))
	for i := range v.linker {
		v.linker[i].Viscosity = v
	}
	v.initExtension()
	return v
}

// Apply dissipates gr.U over dt, s, with the kinematic viscosity nu, m²/s: backward Euler,
// u - ν dt ∇·(∇u + ∇uᵀ) = u*, which is stable for any dt and adds no energy, or where ν·dt/h² is
// tiny an explicit step. At the air there is no stress. Where its effect is negligible, as water's on cells of
// some centimetres, Apply returns at once.
//
// faces: velocity per face slot, m/s, read at shut faces. state: per face slot, blocks.State. velocity: per face, m/s, what is to
// dissipate: gr.U, or that less what the pressure will take of it. The change is made to gr.U.
//
// The solve's result enters as the stresses between faces, so that momentum is kept to rounding
// however loose the tolerance.
// Source: Batty, Bridson 2008 eq. 8; Hestenes, Stiefel 1952.
func (v *Viscosity) Apply(gr *graph.Graph, faces *[3][]float32, state *[3][]uint8, velocity []float64, nu, dt float64) {
	v.Iterations = 0
	if n := gr.Faces(); nu*dt < negligible*v.g.H*v.g.H || n == 0 {
		return
	}
	v.gr, v.wall, v.state, v.k, v.bare = gr, faces, state, min(nu*dt, mostDiffusion*v.g.H*v.g.H), false
	v.build()
	v.x = append(v.x[:0], velocity...)
	if v.k < explicitLimit*v.g.H*v.g.H || v.solve() {
		v.multiply(v.x, v.y)
		par.For(v.pool, gr.Faces(), visGrain, v, (*Viscosity).applyStresses)
	} else { // the stresses of what is far from the solution would add energy
		for f, x := range v.x {
			gr.U[f] += x - velocity[f]
		}
	}
	v.gr, v.wall, v.state = nil, nil, nil
}

// build makes L: the links, the diagonal and what the walls bring in.
func (v *Viscosity) build() {
	n := v.gr.Faces()
	v.links, v.diag, v.inflow, v.volume = arrays.Resize(v.links, n), arrays.Resize(v.diag, n), arrays.Resize(v.inflow, n), arrays.Resize(v.volume, n)
	v.part = arrays.Resize(v.part, n)
	v.x, v.y, v.r, v.z = arrays.Resize(v.x, n), arrays.Resize(v.y, n), arrays.Resize(v.r, n), arrays.Resize(v.z, n)
	v.p, v.b = arrays.Resize(v.p, n), arrays.Resize(v.b, n)
	v.sums = arrays.Resize(v.sums, 2*par.Chunks(n, visGrain))
	par.For(v.pool, n, visGrain, v, (*Viscosity).indexFaces)
	par.For(v.pool, v.g.Bases(), visBlocks, v, (*Viscosity).findStrains)
	count := int32(0)
	for i := range v.linker {
		v.linker[i].first = count
		count += int32(len(v.linker[i].strains))
	}
	v.weight, v.stress = arrays.Resize(v.weight, int(count)), arrays.Resize(v.stress, int(count))
	par.For(v.pool, v.g.Bases(), visBlocks, v, (*Viscosity).linkStrains)
	par.For(v.pool, n, visGrain, v, (*Viscosity).sumDiagonal)
	clear(v.inflow)
	if v.Wall != nil {
		clear(v.x)
		v.multiply(v.x, v.inflow)
		for f, y := range v.inflow {
			v.inflow[f] = -y
		}
	}
	v.bare = true
}

// indexFaces enters some faces in the index, and sets what each has of its own.
func (v *Viscosity) indexFaces(_, lo, hi int) {
	for f := lo; f < hi; f++ {
		v.index[v.gr.Axis[f]][v.gr.Slot[f]] = int32(f)
		v.part[f] = v.liquidFraction(f)
		v.volume[f] = v.gr.Area[f] * math.Sqrt(v.gr.Area[f]) * v.part[f]
		v.links[f] = links{strain: [6]int32{-1, -1, -1, -1, -1, -1}}
	}
}

// leastPart is the part of its cube that a face has at least: one with next to nothing would take up all errors of the solve.
const leastPart = .1

// liquidFraction is the part of a face's cube that is liquid: from φ in its middle.
func (v *Viscosity) liquidFraction(f int) float64 {
	if v.Phi == nil {
		return 1
	}
	gr := v.gr
	h := math.Sqrt(gr.Area[f])
	lo, hi := v.meanPhi(gr.A[f]), v.meanPhi(gr.B[f])
	switch theta := gr.Dist[f] / h; {
	case gr.A[f] == graph.Air:
		lo = hi - hi/theta
	case gr.B[f] == graph.Air:
		hi = lo - lo/theta
	}
	return max(leastPart, min(1, .5-(lo+hi)/(2*h)))
}

// meanPhi is φ of the rows on a side of a face.
func (v *Viscosity) meanPhi(side int32) float64 {
	if side >= 0 {
		return float64(v.Phi[v.gr.Cell[side]])
	}
	if side == graph.Air {
		return 0
	}
	sum, n := 0., 0.
	for _, r := range v.gr.Quads[^side] {
		if r >= 0 {
			sum += float64(v.Phi[v.gr.Cell[r]])
			n++
		}
	}
	return sum / max(1, n)
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

// sumDiagonal sums up the diagonal of L for some faces.
func (v *Viscosity) sumDiagonal(_, lo, hi int) {
	for f := lo; f < hi; f++ {
		l, sum := &v.links[f], 0.
		for i, s := range l.strain {
			if s >= 0 {
				sum += float64(v.weight[s] * l.by[i] * l.by[i])
			}
		}
		v.diag[f] = sum
	}
}

// multiply writes L·x into y, m²/s.
func (v *Viscosity) multiply(x, y []float64) {
	v.in, v.out = x, y
	par.For(v.pool, v.g.Bases(), visBlocks, v, (*Viscosity).setStresses)
	par.For(v.pool, len(x), visGrain, v, (*Viscosity).sumStresses)
}

// sumStresses writes L·x of some faces, the sum of the stresses at each, into out.
func (v *Viscosity) sumStresses(_, lo, hi int) {
	y := v.out
	for f := lo; f < hi; f++ {
		l, sum := &v.links[f], 0.
		for i, s := range l.strain {
			if s >= 0 {
				sum += float64(l.by[i] * v.stress[s])
			}
		}
		y[f] = sum
	}
}

// findStrains finds the strains of the blocks of a chunk.
func (v *Viscosity) findStrains(worker, lo, hi int) {
	v.linker[lo/visBlocks].findStrains(worker, lo, hi)
}

// linkStrains enters the strains of a chunk at their faces.
func (v *Viscosity) linkStrains(_, lo, _ int) { v.linker[lo/visBlocks].linkStrains() }

// setStresses sets the stresses of a chunk for the velocities at hand.
func (v *Viscosity) setStresses(_, lo, _ int) { v.linker[lo/visBlocks].setStresses() }

// applyStresses applies the stresses.
func (v *Viscosity) applyStresses(_, lo, hi int) {
	for f := lo; f < hi; f++ {
		v.gr.U[f] += float64(v.k / v.volume[f] * (v.inflow[f] - v.y[f]))
	}
}

// solve finds x with (V + ν dt L)x = V u* + ν dt·inflow by conjugate gradients with the
// diagonal as preconditioner, from x = u*. It tells whether it converged.
func (v *Viscosity) solve() bool {
	n := v.gr.Faces()
	v.multiply(v.x, v.y)
	par.For(v.pool, n, visGrain, v, (*Viscosity).startSolve)
	rz, rr, bb := v.reduce(v.r, v.z), v.reduce(v.r, v.r), v.reduce(v.b, v.b)
	goal := v.Tolerance * v.Tolerance * min(rr, bb)
	least := 1e-30 * bb
	for v.Iterations < mostIterations && rr > goal && rr > least {
		v.Iterations++
		v.multiply(v.p, v.y)
		par.For(v.pool, n, visGrain, v, (*Viscosity).applyMatrix) // y = A p, and p·y
		py := v.total(0)
		if !(py > 0) {
			return false
		}
		v.alpha = rz / py
		par.For(v.pool, n, visGrain, v, (*Viscosity).advanceSolve)
		was := rz
		rz, rr = v.total(0), v.total(1)
		beta := rz / was
		for f, z := range v.z {
			v.p[f] = z + float64(beta*v.p[f])
		}
	}
	return rr <= goal || rr <= least
}

// startSolve sets b, r = b - A x, z and p.
func (v *Viscosity) startSolve(_, lo, hi int) {
	for f := lo; f < hi; f++ {
		change := v.k * (v.inflow[f] - v.y[f])
		v.b[f] = float64(v.volume[f]*v.x[f]) + float64(v.k*v.inflow[f])
		v.r[f] = change
		v.z[f] = change / (v.volume[f] + float64(v.k*v.diag[f]))
		v.p[f] = v.z[f]
	}
}

// applyMatrix sets y = A p, where y is L·p, and sums p·y.
func (v *Viscosity) applyMatrix(_, lo, hi int) {
	sum := 0.
	for f := lo; f < hi; f++ {
		v.y[f] = float64(v.volume[f]*v.p[f]) + float64(v.k*v.y[f])
		sum += float64(v.p[f] * v.y[f])
	}
	v.sums[2*(lo/visGrain)] = sum
}

// advanceSolve sets x, r and z after a step along p, and sums r·z and r².
func (v *Viscosity) advanceSolve(_, lo, hi int) {
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
