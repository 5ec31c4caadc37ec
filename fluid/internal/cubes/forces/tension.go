package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// curvatureReach, in cells, is how far from the surface cells may get a curvature: a face that the surface
// crosses has both centres within one cell of it.
const curvatureReach = 1.5

// Tension turns the surface's curvature into pressure.
type Tension struct {
	g       *layout.Grid
	pool    *par.Pool
	ahead   []float32 // per cell: φ a little later, m; see Apply
	kappa   []float32 // per cell beside the surface: curvature of the surface where it is nearest, 1/m
	work    []fitter
	known   surfacePoints
	films   films
	balance balance

	gr    *graph.Graph
	phi   []float32
	old   *layout.Scalar
	lead  float32
	ease  float64
	gamma float64
	push  float64 // see ApplyTo
	// aslant is set where faces are not between the layout's cells, so that the surface may cross them anywhere.
	aslant bool
}

// NewTension makes one for a grid.
func NewTension(g *layout.Grid, pool *par.Pool) *Tension {
	t := &Tension{g: g, pool: pool, work: make([]fitter, pool.Workers())}
	g.OnGrow(func(n int) { t.ahead, t.kappa = arrays.Lengthen(t.ahead, n), arrays.Lengthen(t.kappa, n) })
	return t
}

// CapillaryStep is the longest stable time step, s, of explicit surface tension on cells of edge
// h, m: dt < √(ρh³/(4πγ)). Density in kg/m³, gamma in N/m.
// Source: Brackbill, Kothe, Zemach 1992 eq. 61.
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

// damping, in times of the longest stable step, is by how much the curvature is that of a later surface. The growth that it must
// stop comes from the grid and not of the step: waves of some cells gain a few per cent a period, because the curvature
// and the velocities at the surface are not exactly each other's adjoint.
const damping = .05

// easing, in a longest stable step, is by what part velocities just outside of the liquid come to agree with those within; see easeVelocity.
const easing = .1

// easingAslant is easing where faces are not between the layout's cells: a row has up to seven faces to the air there, in place of three, through which liquid may come in and go out.
const easingAslant = .2

// Apply writes the pressure jump p = γκ, Pa, into gr.Jump for every face that the surface
// crosses, and 0 for the others. κ, the sum of the principal curvatures, is positive for a drop, and
// at most 1/h in size: a tighter bend is noise that cells of edge h do not resolve.
//
// κ is that of the surface as it will be after some of a step if it goes on as in the last one. This damps a wave of frequency
// ω by damping·t·ω²/2 in a second, with t the longest stable step: the shortest waves at once, those of ten cells by less than a per cent a
// period. It also brings gr.U on faces at the air closer to what follows from the liquid within.
//
// phi:   per cell of Cur, signed distance, m, negative in the liquid, true within 3 cells.
// old:   phi before the last step; nil: not known.
// gamma: N/m; 0 clears the jumps.
// room:  the longest stable step over the step, CapillaryStep/dt.
// Source: Batty, Xenos, Houston 2010 (p_Γ = γκ); Hysing 2006 (γκ at a later time).
func (t *Tension) Apply(gr *graph.Graph, phi []float32, old *layout.Scalar, gamma, room float64) {
	if gamma == 0 {
		clear(gr.Jump)
		return
	}
	t.known.all, t.films.some = nil, false
	t.apply(gr, phi, old, gamma, room)
}

// Lead is the part of a step that the surface is ahead whose curvature Apply takes; room is as there.
func Lead(room float64) float64 { return min(1, damping*max(1, room)) }

// ApplyTo is Apply with the curvature of a surface that is told by points, which are Lead of a step ahead. phi is that of where they were. A fit sees what is within
// fitReach cells, however many points there are: waves shorter than a cell leave less than a twentieth of their curvature, so that CapillaryStep of the cells is the limit with points of any density.
//
// Where surfaces of two labels touch it changes gr.U besides, each being pulled by its own tension. What touches air alone gets no momentum and no spin: see balance. push: a step over the density, m³s/kg.
func (t *Tension) ApplyTo(gr *graph.Graph, phi []float32, points []track.SurfacePoint, gamma, room, push float64) {
	if gamma == 0 || len(points) == 0 {
		clear(gr.Jump)
		return
	}
	t.known.sort(t.g, points)
	t.films.begin(points, len(t.kappa))
	t.push = push
	free := t.balance.begin(gr)
	t.apply(gr, phi, nil, gamma, room)
	if free {
		t.balance.end(gr, push)
	}
	t.known.all = nil
}

func (t *Tension) apply(gr *graph.Graph, phi []float32, old *layout.Scalar, gamma, room float64) {
	t.gr, t.phi, t.old, t.gamma, t.aslant = gr, phi, old, gamma, len(gr.Cubes.Axis) < gr.Faces()
	t.lead, t.ease = float32(Lead(room)), easing/max(1, room)
	if t.aslant {
		t.ease = easingAslant / max(1, room)
	}
	par.Each(t.pool, t.g.Bases(), 16, t, (*Tension).predictBlock)
	par.Each(t.pool, t.g.Bases(), 2, t, (*Tension).fitBlock)
	par.For(t.pool, gr.Faces(), 1024, t, (*Tension).setJumps)
	if t.films.some { // once no face beside is eased any more by what is pulled
		par.For(t.pool, gr.Faces(), 1024, t, (*Tension).pullFilms)
	}
	t.gr, t.phi, t.old = nil, nil, nil
}

// furthest, in cells, bounds how far φ is taken to have changed in a step.
const furthest = .5

// predictBlock writes a block's ahead. Of a block that has changed its level the old φ isn't known cell by cell.
func (t *Tension) predictBlock(_ int, b int32) {
	l, first := t.g.Cur.Level[b], int(t.g.Cur.First[b])
	n := 1 << l
	phi, ahead := t.phi[first:][:n*n*n], t.ahead[first:][:n*n*n]
	copy(ahead, phi)
	if t.old == nil || t.g.Prev.First[b] != t.g.Cur.First[b] || t.g.Prev.Level[b] != l {
		return
	}
	tile, most := t.old.Tile(b), furthest*float32(t.g.CellSize(l))
	for r := range n * n {
		row := tile[1+(n+2)*(r%n+1+(n+2)*(r/n+1)):][:n]
		for x, v := range row {
			i := x + n*r
			ahead[i] += float32(t.lead * max(-most, min(most, phi[i]-v)))
		}
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

// setJumps sets the pressure jumps of some faces, and eases the velocities of those at the air.
func (t *Tension) setJumps(_, lo, hi int) {
	gr := t.gr
	for f := lo; f < hi; f++ {
		gr.Jump[f] = 0
		if !t.meetsAir(gr.A[f]) && !t.meetsAir(gr.B[f]) {
			continue
		}
		if t.aslant {
			r := max(gr.A[f], gr.B[f])
			gr.Jump[f] = t.gamma * t.curvatureAt(crossingOf(gr, int32(f), r))
			t.easeAslant(int32(f), r)
		} else {
			gr.Jump[f] = t.gamma * t.crossing(f)
			t.easeVelocity(f)
		}
	}
}

// meetsAir tells whether a side is air, at least in part.
func (t *Tension) meetsAir(side int32) bool {
	if side >= 0 || side == graph.Air {
		return side == graph.Air
	}
	q := &t.gr.Cubes.Quads[^side]
	return q[0] == graph.Air || q[1] == graph.Air || q[2] == graph.Air || q[3] == graph.Air
}

// crossing is the curvature where the surface cuts a face's edge between centres; where levels
// meet, the mean over those of the four edges that it cuts.
func (t *Tension) crossing(f int) float64 {
	gr := t.gr
	x, a := gr.FaceCentre(f), int(gr.Cubes.Axis[f])
	size := math.Sqrt(gr.Area[f])
	lo, coarse0 := t.beside(x, a, -size/8, size)
	hi, coarse1 := t.beside(x, a, size/8, size)
	if coarse0 && coarse1 {
		k, _ := t.between(lo, hi)
		return k
	}
	sum, count := 0., 0.
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

// between is the curvature at the crossing of two cells, and whether there is one. It is in double precision: faces of a row whose centre the surface nearly
// touches divide the differences of their pressures by next to nothing.
func (t *Tension) between(lo, hi int32) (float64, bool) {
	p, q := float64(t.phi[lo]), float64(t.phi[hi])
	if (p < 0) == (q < 0) {
		return 0, false
	}
	theta := p / (p - q)
	k := float64(t.kappa[lo])
	return k + float64(theta*(float64(t.kappa[hi])-k)), true
}

// easeVelocity brings the velocity on a face beyond the last cell of the liquid closer to the straight line through the two behind it.
//
// Where the surface passes close to a cell's centre, liquid may come in through one face to the air and go out through another
// without moving the surface there: only this stops such a flow, which the least differences in curvature drive. The
// closer the surface, the less of the face's velocity is the liquid's own. A uniform strain stays as it is.
func (t *Tension) easeVelocity(f int) {
	gr := t.gr
	r, side := gr.A[f], 2*int(gr.Cubes.Axis[f])
	if r == graph.Air {
		r, side = gr.B[f], side+1
	}
	first, r := t.faceBehind(r, side)
	second, _ := t.faceBehind(r, side)
	if second < 0 {
		return
	}
	near := max(0, 1-gr.Dist[f]/math.Sqrt(gr.Area[f]))
	gr.U[f] += float64(t.ease * near * (2*gr.U[first] - gr.U[second] - gr.U[f]))
}

// faceBehind is the face on a side of a row, and the row beyond it; -1 where that is no single row.
func (t *Tension) faceBehind(r int32, side int) (face, next int32) {
	if r < 0 {
		return -1, -1
	}
	f := t.gr.Cubes.Sides[r][side]
	if f < 0 || t.gr.A[f] < 0 || t.gr.B[f] < 0 {
		return -1, -1
	}
	return f, t.gr.A[f] + t.gr.B[f] - r
}
