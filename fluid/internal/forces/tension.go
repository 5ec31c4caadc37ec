package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// bent, in cells, is how far from the surface cells get a curvature: a face that the surface
// crosses has both centres within one cell of it.
const bent = 1.5

// Tension turns the surface's curvature into pressure.
type Tension struct {
	g     *grid.Grid
	pool  *par.Pool
	raw   []float32 // per cell near the surface: curvature there, 1/m
	kappa []float32 // raw, averaged over the cells around
	near  []bool    // per base cell: some have one
	work  []tensionScratch

	gr    *graph.Graph
	phi   []float32
	gamma float64

	cellChunk, smoothChunk, faceChunk par.Body
}

// tensionScratch is blocks with a layer of halo.
type tensionScratch struct{ phi, raw, spare [haloSize]float32 }

// NewTension makes one for a grid.
func NewTension(g *grid.Grid, pool *par.Pool) *Tension {
	t := &Tension{g: g, pool: pool, near: make([]bool, g.Bases()), work: make([]tensionScratch, pool.Workers())}
	g.OnGrow(func(n int) { t.raw, t.kappa = lengthen(t.raw, n), lengthen(t.kappa, n) })
	t.cellChunk = func(w, lo, hi int) {
		for b := lo; b < hi; b++ {
			t.curve(t.work[w].phi[:], int32(b))
		}
	}
	t.smoothChunk = func(w, lo, hi int) {
		for b := lo; b < hi; b++ {
			t.smooth(&t.work[w], int32(b))
		}
	}
	t.faceChunk = func(_, lo, hi int) { t.faces(lo, hi) }
	return t
}

// CapillaryStep is the longest stable time step, s, of explicit surface tension on cells of edge
// h, m: dt < √(ρh³/(4πγ)). Density in kg/m³, gamma in N/m.
// Source: Brackbill, Kothe, Zemach 1992 eq. 61; methods.md §6.
func CapillaryStep(density, gamma, h float64) float64 {
	if gamma <= 0 {
		return math.Inf(1)
	}
	return math.Sqrt(density * h * h * h / (4 * math.Pi * gamma))
}

// StiffestTension is the greatest tension, N/m, for which a step of dt, s, is stable: CapillaryStep
// the other way round.
func StiffestTension(density, h, dt float64) float64 {
	return density * h * h * h / (4 * math.Pi * dt * dt)
}

// Apply writes the pressure jump p = γκ, Pa, into gr.Jump for every face that the surface
// crosses, and 0 for the others. κ, the sum of the principal curvatures, is positive for a drop, and
// at most 1/h in size: a tighter bend is noise that cells of edge h can't tell. It is averaged over
// the cells around: what the distance's rounding bends from cell to cell would drive currents.
//
// phi:   per cell of Cur, signed distance, m, negative in the liquid, true within 3 cells.
// gamma: N/m; 0 clears the jumps.
// Source: Batty, Xenos, Houston 2010 (p_Γ = γκ); Osher, Fedkiw 2003 eq. 1.8.
func (t *Tension) Apply(gr *graph.Graph, phi []float32, gamma float64) {
	if gamma == 0 {
		clear(gr.Jump)
		return
	}
	t.gr, t.phi, t.gamma = gr, phi, gamma
	t.pool.For(t.g.Bases(), 8, t.cellChunk)
	t.pool.For(t.g.Bases(), 8, t.smoothChunk)
	t.pool.For(gr.Faces(), 1024, t.faceChunk)
	t.gr, t.phi = nil, nil
}

// curve writes the raw curvature of the cells near the surface of a block.
func (t *Tension) curve(tile []float32, b int32) {
	l, first := t.g.Cur.Level[b], int(t.g.Cur.First[b])
	n := 1 << l
	h := float32(t.g.CellSize(l))
	t.near[b] = false
	for _, v := range t.phi[first : first+n*n*n] {
		if max(v, -v) < bent*h {
			t.near[b] = true
			break
		}
	}
	if !t.near[b] {
		clear(t.raw[first : first+n*n*n])
		return
	}
	gather(t.g, b, t.phi, tile)
	e := n + 2
	c := first
	for k := range n {
		for j := range n {
			i := 1 + e*(j+1+e*(k+1))
			for x := range n {
				t.raw[c] = 0
				if v := tile[i+x]; max(v, -v) < bent*h {
					t.raw[c] = curvature(tile, i+x, e, h)
				}
				c++
			}
		}
	}
}

// smooth averages a block's curvature over the cells around that are near the surface, the nearest
// counting most.
func (t *Tension) smooth(w *tensionScratch, b int32) {
	l, first := t.g.Cur.Level[b], int(t.g.Cur.First[b])
	n := 1 << l
	kappa := t.kappa[first : first+n*n*n]
	clear(kappa)
	if !t.near[b] {
		return
	}
	h := float32(t.g.CellSize(l))
	e := n + 2
	sum, weight, spare := w.raw[:e*e*e], w.phi[:e*e*e], w.spare[:e*e*e]
	clear(sum)
	gather(t.g, b, t.phi, weight)
	gatherInside(t.g, b, t.raw, sum)
	for i, v := range weight {
		weight[i] = 0
		if q := 1 - max(v, -v)/(bent*h); q > 0 && sum[i] != 0 {
			weight[i] = q
		}
		sum[i] *= weight[i]
	}
	for _, f := range [2][]float32{sum, weight} {
		blur(spare, f, 1)
		blur(f, spare, e)
		blur(spare, f, e*e)
		copy(f, spare)
	}
	for c := range kappa {
		if i := 1 + c%n + e*(1+c/n%n+e*(1+c/(n*n))); weight[i] > 0 {
			kappa[c] = sum[i] / weight[i]
		}
	}
}

// blur adds up neighbours a stride apart, 1 : 2 : 1. What lies on the rim is rubbish.
func blur(dst, src []float32, stride int) {
	mid, hi := src[stride:], src[2*stride:]
	out := dst[stride:][:len(hi)]
	for i, v := range hi {
		out[i] = src[i] + 2*mid[i] + v
	}
}

// curvature is ∇·(∇φ/|∇φ|) at a place of a tile with e values along an edge, 1/m, by central
// differences, clamped to ±1/h.
func curvature(t []float32, i, e int, h float32) float32 {
	q := e * e
	x, y, z := (t[i+1]-t[i-1])/2, (t[i+e]-t[i-e])/2, (t[i+q]-t[i-q])/2
	c := 2 * t[i]
	xx, yy, zz := t[i+1]+t[i-1]-c, t[i+e]+t[i-e]-c, t[i+q]+t[i-q]-c
	xy := (t[i+1+e] - t[i+1-e] - t[i-1+e] + t[i-1-e]) / 4
	xz := (t[i+1+q] - t[i+1-q] - t[i-1+q] + t[i-1-q]) / 4
	yz := (t[i+e+q] - t[i+e-q] - t[i-e+q] + t[i-e-q]) / 4
	s := float32(x*x) + float32(y*y) + float32(z*z)
	if !(s > 1e-4*h*h) {
		return 0 // a ridge, or out of the band: no direction to speak of
	}
	k := float32(x*x*(yy+zz)) + float32(y*y*(xx+zz)) + float32(z*z*(xx+yy)) - 2*(float32(x*y*xy)+float32(x*z*xz)+float32(y*z*yz))
	k /= s * float32(math.Sqrt(float64(s)))
	return max(-1, min(1, k)) / h
}

func (t *Tension) faces(lo, hi int) {
	gr := t.gr
	for f := lo; f < hi; f++ {
		gr.Jump[f] = 0
		if t.meetsAir(gr.A[f]) || t.meetsAir(gr.B[f]) {
			gr.Jump[f] = t.gamma * float64(t.crossing(f))
		}
	}
}

// meetsAir tells whether some of a side is air.
func (t *Tension) meetsAir(side int32) bool {
	if side >= 0 || side == graph.Air {
		return side == graph.Air
	}
	q := &t.gr.Quads[^side]
	return q[0] == graph.Air || q[1] == graph.Air || q[2] == graph.Air || q[3] == graph.Air
}

// crossing is the curvature where the surface cuts a face's edge between centres; where levels
// meet, the mean over those of the four edges that it cuts.
func (t *Tension) crossing(f int) float32 {
	gr := t.gr
	x, a := gr.FaceCentre(f), int(gr.Axis[f])
	size := math.Sqrt(gr.Area[f])
	lo, coarse0 := t.beside(x, a, -size/8, size)
	hi, coarse1 := t.beside(x, a, size/8, size)
	if coarse0 && coarse1 {
		k, _ := t.between(lo, hi)
		return k
	}
	sum, count := float32(0), float32(0)
	for c := range 4 {
		p := x
		p[(a+1)%3] += float64(size * (float64(.5*float64(c&1)) - .25))
		p[(a+2)%3] += float64(size * (float64(.5*float64(c>>1)) - .25))
		lo, _ := t.beside(p, a, -size/8, size)
		hi, _ := t.beside(p, a, size/8, size)
		if k, cut := t.between(lo, hi); cut {
			sum += k
			count++
		}
	}
	return sum / max(1, count)
}

// beside is the cell of Cur that is shift m along an axis from a point, and whether it is as
// large as the face.
func (t *Tension) beside(x [3]float64, axis int, shift, size float64) (cell int32, whole bool) {
	x[axis] += shift
	b, fx, fy, fz := t.g.Locate(t.g.ToPoint(x[0], x[1], x[2]))
	return t.g.Cur.CellIn(b, fx, fy, fz), t.g.CellSize(t.g.Cur.Level[b]) > .75*size
}

// between is the curvature at the crossing of two cells, and whether there is one.
func (t *Tension) between(lo, hi int32) (float32, bool) {
	p, q := t.phi[lo], t.phi[hi]
	if (p < 0) == (q < 0) {
		return 0, false
	}
	theta := p / (p - q)
	return t.kappa[lo] + float32(theta*(t.kappa[hi]-t.kappa[lo])), true
}
