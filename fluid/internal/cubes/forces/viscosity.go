package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// shut is blocks.Shut: a face that a solid covers, with liquid beside it.
const shut = 2

// visGrain is how many faces share a chunk, and so a slot of every sum.
const visGrain = 1024

// Viscosity is the liquid's resistance to strain.
//
// A face stands for the liquid that the pressure accelerates on it. The rates of strain are those of cells, ∂u_a/∂a, and of the lines where four cells meet,
// ∂u_a/∂b + ∂u_b/∂a, each a sum over the faces around, in which a uniform or a turning flow leaves nothing. What power
// they dissipate is a square each, and the new velocity is that with the least sum of them and of its way from the
// old. So the matrix is symmetric and positive, momentum and angular momentum are passed on and not made, and where a
// face of the sum is in the air nothing pulls: that is the condition at a free surface, (∇u + ∇uᵀ)n = 0.
//
// Solids are part of the sums: where a face lies in one the strain is that up to its surface, and the velocity there the solid's. That of bodies
// is solved for with the liquid's, six numbers each, so that they and the liquid get the same stresses from both sides.
//
// Source: Batty, Bridson 2008, with whole cells in place of fractions; Gibou, Fedkiw, Cheng, Kang 2002 for the way to the solid's surface.
type Viscosity struct {
	// FreeSlip lets the liquid slip along walls, as where exact solutions ask for it: the decay of Taylor-Green vortices, by which the
	// solver is verified. No liquid of package fluid sets it: walls hold the liquid beside them back.
	FreeSlip bool
	// Solids are what the liquid sticks to. nil: what shuts faces, at rest.
	Solids *rigid.NoSlip
	// Phi is the signed distance of each cell, m, negative in the liquid, from which to tell how much of a face's cube is
	// liquid; nil: all of it.
	Phi []float32
	// Tolerance is the velocity that the stresses of the residual add when the solve ends, in parts of the change of velocity that the diagonal alone
	// makes at its start. Default 1e-4.
	Tolerance float64
	// Iterations is how many the last Apply took.
	Iterations int

	g     *layout.Grid
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
	volume []float64 // of liquid, m³
	part   []float64 // of a face's cube that is liquid

	x, y, r, z, p []float64
	sums          [][4]float64
	alpha         float64

	in, out   []float64
	bare      bool // multiply leaves out what sides do
	near      nearby
	held      bodies
	extension extension
}

// links is the strains that a face takes part in, -1 for none, and by how much, 1/m: of the cells below and above, and of
// the lines along its sides, below and above on the next axis, then on the one after.
type links struct {
	strain [6]int32
	by     [6]float64
}

const (
	visBlocks = 16 // blocks per chunk of links
	// negligible is the ν·dt/h² below which nothing is done: in a minute of 3600 steps it would take 2 % off a
	// wave of eight cells. The transport takes that in two seconds from a flow of 0.1 m/s.
	negligible     = 1e-5
	mostIterations = 1000 // iterations; what is left then is accepted
	// mostDiffusion is the ν·dt/h² beyond which it is not raised further: in a step a wave of 60 cells loses nine tenths.
	mostDiffusion = 1e3
)

// NewViscosity makes one for a grid.
func NewViscosity(g *layout.Grid, pool *par.Pool) *Viscosity {
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
	v.initNear()
	v.initExtension()
	return v
}

// Apply dissipates gr.U over dt, s, with the kinematic viscosity nu, m²/s: backward Euler,
// u - ν dt ∇·(∇u + ∇uᵀ) = u*, which is stable for any dt and adds no energy. At the air there is no stress, and at Solids
// no slip. Where its effect is negligible, as water's on cells of some centimetres, Apply returns at once.
//
// state: per face slot, blocks.State. velocity: per face, m/s, what is to
// dissipate: gr.U, or that less what the pressure will take of it. The change is made to gr.U, and Solids.Impulse is what the solids receive.
//
// The solve's result enters as the stresses between faces and solids, so that momentum is kept to rounding
// however loose the tolerance.
// Source: Batty, Bridson 2008 eq. 8; Hestenes, Stiefel 1952.
func (v *Viscosity) Apply(gr *graph.Graph, state *[3][]uint8, velocity []float64, nu, dt float64) {
	v.Iterations = 0
	v.startBodies()
	if n := gr.Faces(); nu*dt < negligible*v.g.H*v.g.H || n == 0 {
		return
	}
	v.gr, v.state, v.k = gr, state, min(nu*dt, mostDiffusion*v.g.H*v.g.H)
	v.build()
	v.x = append(v.x[:0], velocity...)
	if v.solve() {
		v.settleBodies()
		v.bare = false
		v.multiply(v.x, v.y, v.held.v)
		par.For(v.pool, gr.Faces(), visGrain, v, (*Viscosity).applyStresses)
		v.pushBodies()
	} else { // the stresses of what is far from the solution would add energy
		for f, x := range v.x {
			gr.U[f] += x - velocity[f]
		}
	}
	v.gr, v.state = nil, nil
}

// build makes L: the links and the diagonal.
func (v *Viscosity) build() {
	n := v.gr.Faces()
	v.links, v.diag, v.volume = arrays.Resize(v.links, n), arrays.Resize(v.diag, n), arrays.Resize(v.volume, n)
	v.part = arrays.Resize(v.part, n)
	v.x, v.y, v.r, v.z, v.p = arrays.Resize(v.x, n), arrays.Resize(v.y, n), arrays.Resize(v.r, n), arrays.Resize(v.z, n), arrays.Resize(v.p, n)
	v.sums = arrays.Resize(v.sums, par.Chunks(n, visGrain))
	par.For(v.pool, n, visGrain, v, (*Viscosity).indexFaces)
	v.measureNear()
	par.For(v.pool, v.g.Bases(), visBlocks, v, (*Viscosity).findStrains)
	count := int32(0)
	for i := range v.linker {
		v.linker[i].first = count
		count += int32(len(v.linker[i].strains))
	}
	v.weight, v.stress = arrays.Resize(v.weight, int(count)), arrays.Resize(v.stress, int(count))
	par.For(v.pool, v.g.Bases(), visBlocks, v, (*Viscosity).linkStrains)
	par.For(v.pool, n, visGrain, v, (*Viscosity).sumDiagonal)
	v.addToBodies()
}

// indexFaces enters some faces in the index, and sets what each has of its own.
func (v *Viscosity) indexFaces(_, lo, hi int) {
	for f := lo; f < hi; f++ {
		v.index[v.gr.Cubes.Axis[f]][v.gr.Slot[f]] = int32(f)
		v.part[f] = v.liquidFraction(f)
		v.volume[f] = v.gr.Area[f] * v.gr.Open[f] * v.gr.Dist[f]
		v.links[f] = links{strain: [6]int32{-1, -1, -1, -1, -1, -1}}
	}
}

// leastPart is the part of its cube that is taken for liquid at least.
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
	for _, r := range v.gr.Cubes.Quads[^side] {
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
	if int(f) < v.gr.Faces() && int(v.gr.Slot[f]) == slot && int(v.gr.Cubes.Axis[f]) == a {
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

// multiply writes L·x into y, m²/s, with the solids moving as twists.
func (v *Viscosity) multiply(x, y []float64, twists [][6]float64) {
	v.in, v.out, v.held.in = x, y, twists
	par.For(v.pool, v.g.Bases(), visBlocks, v, (*Viscosity).setStresses)
	par.For(v.pool, len(x), visGrain, v, (*Viscosity).sumStresses)
	v.sumBodies()
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
func (v *Viscosity) findStrains(_, lo, hi int) { v.linker[lo/visBlocks].findStrains(lo, hi) }

// linkStrains enters the strains of a chunk at their faces.
func (v *Viscosity) linkStrains(_, lo, _ int) { v.linker[lo/visBlocks].linkStrains() }

// setStresses sets the stresses of a chunk for the velocities at hand.
func (v *Viscosity) setStresses(_, lo, _ int) { v.linker[lo/visBlocks].setStresses() }

// applyStresses applies the stresses.
func (v *Viscosity) applyStresses(_, lo, hi int) {
	for f := lo; f < hi; f++ {
		v.gr.U[f] -= float64(v.k / v.volume[f] * v.y[f])
	}
}

// solve finds x and the bodies' velocities with (V + ν dt L)x = V u* by conjugate gradients with the
// diagonal as preconditioner, of bodies 6×6, from u*. It tells whether it converged: the velocity that the stresses of the residual add has little energy.
func (v *Viscosity) solve() bool {
	n := v.gr.Faces()
	v.bare = false
	v.multiply(v.x, v.y, v.held.v)
	par.For(v.pool, n, visGrain, v, (*Viscosity).startSolve)
	own := v.startBodySolve()
	rz, rr := v.total(0)+own, v.total(1)+own
	goal := max(v.Tolerance*v.Tolerance*(v.total(2)+own), v.total(3))
	v.bare = true
	for v.Iterations < mostIterations && rr > goal {
		v.Iterations++
		v.multiply(v.p, v.y, v.held.p)
		par.For(v.pool, n, visGrain, v, (*Viscosity).applyMatrix) // y = A p, and p·y
		py := v.total(0) + v.applyBodyMatrix()
		if !(py > 0) {
			return false
		}
		v.alpha = rz / py
		par.For(v.pool, n, visGrain, v, (*Viscosity).advanceSolve)
		own, was := v.advanceBodies(), rz
		rz, rr = v.total(0)+own, v.total(1)+own
		beta := rz / was
		for f, z := range v.z {
			v.p[f] = z + float64(beta*v.p[f])
		}
		v.turnBodies(beta)
	}
	return rr <= goal
}

// rounding is the part of a residual's terms that is rounding.
const rounding = 1e-16

// startSolve sets r = b - A x, z and p, and sums r·z, the residual's energy, that of z, and that of what rounding leaves of a residual.
func (v *Viscosity) startSolve(_, lo, hi int) {
	rz, rr, scale, least := 0., 0., 0., 0.
	for f := lo; f < hi; f++ {
		r, own := -v.k*v.y[f], v.volume[f]+float64(v.k*v.diag[f])
		z := r / own
		v.r[f], v.z[f], v.p[f] = r, z, z
		rz += float64(r * z)
		rr += float64(r * r / v.volume[f])
		error := rounding * own * v.x[f]
		scale += float64(v.volume[f] * z * z)
		least += float64(error * error / v.volume[f])
	}
	v.sums[lo/visGrain] = [4]float64{rz, rr, scale, least}
}

// applyMatrix sets y = A p, where y is L·p, and sums p·y.
func (v *Viscosity) applyMatrix(_, lo, hi int) {
	sum := 0.
	for f := lo; f < hi; f++ {
		v.y[f] = float64(v.volume[f]*v.p[f]) + float64(v.k*v.y[f])
		sum += float64(v.p[f] * v.y[f])
	}
	v.sums[lo/visGrain][0] = sum
}

// advanceSolve sets x, r and z after a step along p, and sums r·z and the residual's energy.
func (v *Viscosity) advanceSolve(_, lo, hi int) {
	rz, rr := 0., 0.
	for f := lo; f < hi; f++ {
		v.x[f] += float64(v.alpha * v.p[f])
		r := v.r[f] - float64(v.alpha*v.y[f])
		z := r / (v.volume[f] + float64(v.k*v.diag[f]))
		v.r[f], v.z[f] = r, z
		rz += float64(r * z)
		rr += float64(r * r / v.volume[f])
	}
	v.sums[lo/visGrain] = [4]float64{rz, rr}
}

// total adds the chunks' sums in their order.
func (v *Viscosity) total(which int) float64 {
	sum := 0.
	for i := range v.sums {
		sum += v.sums[i][which]
	}
	return sum
}
