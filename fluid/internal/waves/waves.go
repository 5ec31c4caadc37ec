// Package waves moves small waves over a triangle mesh: the height h of each vertex along its normal, as detail that the cells of a liquid can't hold.
//
// A step is implicit Newmark on the cotangent stiffness S and the lumped mass M, for waves of every length with their own speed c:
//
//	(M + ¼dt²c²S) hⁿ⁺¹ = (M - ¼dt²c²S) hⁿ + dt M h_tⁿ,   c² = g/k·tanh kd + γk/ρ.
//
// With L = M⁻¹S, whose eigenvalues are k², and y = h + ½dt h_t, that is m = p(L) y, hⁿ⁺¹ = 2m - hⁿ, h_tⁿ⁺¹ = 2(hⁿ⁺¹ - hⁿ)/dt - h_tⁿ with p = 1/(1 + ¼dt²c²k²). Bands of
// wavelengths that smoothing tells apart, each with a solve for its own speed, are an approximation of p by functions of L. Here p is a polynomial, fitted to
// the speeds of all lengths (propagator). L is self-adjoint and 0 < p ≤ 1, so that every mode turns by an angle whose cosine is 2p - 1, whatever the error of the fit:
// energy neither grows nor decays on any mesh, and no sum over all vertices is needed.
//
// Sources: Raveendran, Thuerey, Wojtan, Turk 2012, "Controlling liquids using meshes", §6.3; Thürey, Wojtan, Gross, Turk 2010, "A multiscale approach to
// mesh-based surface tension flows". Lengths are in m, times in s, velocities in m/s.
package waves

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Medium is what decides the speed of waves.
type Medium struct {
	Gravity float64 // m/s², ≥ 0
	Depth   float64 // m, > 0
	Tension float64 // γ/ρ, m³/s²
}

// Waves are the waves on a mesh. SetMesh comes first.
type Waves struct {
	Height []float64 // per vertex, m
	Speed  []float64 // its rate, m/s

	pool     *par.Pool
	now, old shape // Height and Speed are now's
	mesh     operator
	prop     propagator
	pieces   pieces
	limit    limiter
	bounds   r3.Box
	unbuilt  bool // the mesh comes from CopyTo

	dt        float64
	mean, sum []float64    // scratch: y, then the mean of the heights before and after a step; q(L) y
	t         [2][]float64 // scratch: Chebyshev polynomials of the operator, applied to y
	pass      pass         // the loop in progress
	shown     *Shown
	slopes    []slope   // scratch of Show
	bend      float64   // what Bend takes from the rates per curvature, m²/s
	curvature []float64 // scratch of Bend
	found     []int32   // scratch: vertices
	batch     struct {  // scratch of Push
		at       [query.BatchSize]r3.Vec
		distance [query.BatchSize]float32
	}
}

// New makes waves without a mesh.
func New(pool *par.Pool) *Waves { return &Waves{pool: pool} }

// SetMesh takes a copy of a mesh, of which the free triangles count. There are no waves on it.
func (w *Waves) SetMesh(m *query.Triangles) {
	w.now.copyOf(m)
	w.build()
}

// CopyTo makes the waves of dst what they are here.
func (w *Waves) CopyTo(dst *Waves) {
	dst.now.copyFrom(&w.now)
	dst.Height, dst.Speed = dst.now.height, dst.now.speed
	dst.unbuilt = true
}

// build makes what follows from the mesh.
func (w *Waves) build() {
	w.unbuilt = false
	s := &w.now
	w.Height, w.Speed = s.height, s.speed
	n := len(w.Height)
	l := &s.lookup
	l.positions, l.normals, l.labels, l.triangles = s.positions, s.normals, s.labels, s.triangles
	l.fans.set(n, s.triangles)
	w.mesh.set(w.pool, s.positions, s.triangles, &l.fans)
	w.mean, w.sum = arrays.Resize(w.mean, n), arrays.Resize(w.sum, n)
	for k := range w.t {
		w.t[k] = arrays.Resize(w.t[k], n)
	}
	w.pieces.find(n, s.triangles)
	l.set(w.mesh.mass, w.spacing())
	w.bounds = boundsOf(s.positions)
}

func boundsOf(positions []float32) (b r3.Box) {
	for v := range len(positions) / 3 {
		x := at(positions, uint32(v))
		if v == 0 {
			b = r3.Box{Min: x, Max: x}
		}
		b.Min, b.Max = boxes.Min(b.Min, x), boxes.Max(b.Max, x)
	}
	return b
}

// spacing is the length of an edge, m, of a mesh of squares that is as stiff as this one.
func (w *Waves) spacing() float64 { return math.Sqrt(8 / w.mesh.stiffest) }

// Mass is what each vertex weighs in the means, m²: the area of the free triangles that is nearest to it, but more where edges are too short. It is 0
// where there are none.
func (w *Waves) Mass() []float64 { return w.mesh.mass }

// Step moves the waves on by dt > 0. No part of the mesh that hangs together gains volume.
func (w *Waves) Step(medium Medium, dt float64) {
	w.RemoveMean(w.Speed)
	w.dt = dt
	w.prop.fit(medium, w.mesh.stiffest, dt)
	par.For(w.pool, len(w.mean), grain, w, (*Waves).begin)
	w.propagate()
	par.For(w.pool, len(w.mean), grain, w, (*Waves).end)
}

// shortestFade is how fast the shortest waves lose their rates, 1/s. Waves of 5 edges, the shortest that move as fast as they should, lose theirs 30 times more slowly, those of 20
// edges 7000 times.
const shortestFade = 40

// Damp lowers all waves as they fade in dt, with a time, s, in which heights fall to 1/e, and those too short for the mesh faster.
func (w *Waves) Damp(time, dt float64) {
	w.pass = pass{x: w.Speed, to: w.t[0]}
	par.For(w.pool, len(w.Speed), grain, w, (*Waves).smooth)
	w.pass = pass{x: w.t[0], to: w.t[1]}
	par.For(w.pool, len(w.Speed), grain, w, (*Waves).smooth)
	w.pass = pass{}
	// With S = 1 - L: L² = 1 - 2S + S².
	part, left := 1-reproducible.Exp2(-math.Log2E*shortestFade*dt), reproducible.Exp2(-math.Log2E*dt/time)
	for v, u := range w.Speed {
		short := u - float64(2*w.t[0][v]) + w.t[1][v]
		w.Height[v], w.Speed[v] = float64(w.Height[v]*left), float64((u-float64(part*short))*left)
	}
}

// Clear takes all waves away.
func (w *Waves) Clear() {
	clear(w.Height)
	clear(w.Speed)
}

// Highest is the greatest height, m, up or down.
func (w *Waves) Highest() (most float64) {
	for _, h := range w.Height {
		most = max(most, math.Abs(h))
	}
	return most
}

// RemoveMean takes from values of the vertices what they are in the mean of their piece of the mesh.
func (w *Waves) RemoveMean(values []float64) { w.pieces.removeMean(values, w.mesh.mass) }

// grain is how many vertices are a chunk.
const grain = 1024

func (w *Waves) begin(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		w.mean[v] = w.Height[v] + float64(w.dt/2*w.Speed[v])
	}
}

func (w *Waves) end(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		h := w.Height[v]
		next := float64(2*w.mean[v]) - h
		w.Height[v] = next
		w.Speed[v] = float64(2/w.dt*(next-h)) - w.Speed[v]
	}
}
