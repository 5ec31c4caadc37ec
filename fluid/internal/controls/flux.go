package controls

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Apart is the components of the liquid that the control surfaces leave.
func (s *Set) Apart() *graph.Components { return &s.regions.Components }

// Faces is how many faces are at control surfaces.
func (s *Set) Faces() int { return len(s.faces) }

// Relaxed tells whether the velocity without control counts at some of them.
func (s *Set) Relaxed() bool {
	for i := range s.faces {
		if s.faces[i].blend < 1 {
			return true
		}
	}
	return false
}

// Keep notes what a solve without control must leave as it is, and begins Impulse with the last pressure, Pa·s; with none in components that are in
// shapes as a whole: what controls alone bear falls freely without them.
func (s *Set) Keep(gr *graph.Graph, bodies []rigid.Body, impulse []float64, of *graph.Components) {
	s.kept, s.bodies, s.Impulse = append(s.kept[:0], gr.U...), append(s.bodies[:0], bodies...), append(s.Impulse[:0], impulse...)
	s.borne = arrays.Resize(s.borne, len(of.Closed))
	for c, closed := range of.Closed {
		s.borne[c] = !closed
	}
	for r, c := range of.Label {
		s.borne[c] = s.borne[c] && s.owner[r] != 0
	}
	for r, c := range of.Label {
		if s.borne[c] {
			s.Impulse[r] = 0
		}
	}
}

// TakeFree takes the velocity that the graph has for that of the liquid without control.
func (s *Set) TakeFree(gr *graph.Graph) {
	s.free = append(s.free[:0], gr.U...)
}

// Free is TakeFree after a solve, and returns to what Keep noted.
func (s *Set) Free(gr *graph.Graph, bodies []rigid.Body) {
	s.TakeFree(gr)
	copy(gr.U, s.kept)
	copy(bodies, s.bodies)
}

// Prescribe gives the faces their velocities: α of the surface's and 1-α of those that Free took, as if both flows had been mixed everywhere
// (eq. 9), since the projection is linear. Then it spreads evenly over each region's surface what its flux lacks of its sources,
// m³/s per row (§5), less what leaves through its openings. Until Release the graph holds the faces.
func (s *Set) Prescribe(gr *graph.Graph, bodies []rigid.Body, rows []float64) {
	s.regions.FindApart(gr, s.cut)
	s.findParts(gr)
	for i := range s.faces {
		f := &s.faces[i]
		f.before = gr.U[f.face]
		u := f.speed
		if f.blend < 1 {
			u = float64(f.blend*u) + float64((1-f.blend)*s.free[f.face])
		}
		gr.U[f.face] = u
	}
	s.regions.faces = s.faces
	s.findOpenings(gr)
	s.regions.balance(bodies, rows)
	s.TellFlux()
	gr.Held = s.cut
}

// Release lets the faces go, and adds what the controls have given the liquid in the substep to their reports and returns the sum, N·s: of each
// face's change of momentum what the pressure, Pa·s per row, has not given it.
func (s *Set) Release(gr *graph.Graph, pi []float64) (all [3]float64) {
	all, gr.Held = s.raised, nil
	if len(s.faces) > 0 {
		s.TellFlux()
	}
	for i := range s.faces {
		f := &s.faces[i]
		free := float64(gr.Area[f.face] * gr.Open[f.face])
		air := float64(gr.Jump[f.face] * s.dt)
		a, b := gr.A[f.face], gr.B[f.face]
		lean := float64((gr.HydrostaticOffset(b) - gr.HydrostaticOffset(a)) * s.dt)
		push := gr.Mean(b, pi, air) - gr.Mean(a, pi, air) - lean
		gain := float64(free * (float64(*s.Density*gr.Dist[f.face]*(gr.U[f.face]-f.before)) + push))
		gr.AddAlong(int(f.face), &all, gain)
		gr.AddAlong(int(f.face), &s.All[f.control].impulse, gain)
	}
	return all
}

// SetLevels has the pressure, Pa·s per row, of each enclosed region begin at 0 where it is least beside air, as at the top of a still one: the
// solve leaves a constant open.
func (s *Set) SetLevels(gr *graph.Graph, pi []float64) {
	if len(s.faces) == 0 {
		return
	}
	x := &s.regions
	least := x.lambda
	for c := range least {
		least[c] = math.Inf(1)
	}
	for i := range s.faces {
		f := s.faces[i].face
		if a, b := gr.A[f], gr.B[f]; a == graph.Air || b == graph.Air {
			if r := max(a, b); r >= 0 {
				c := x.Label[r]
				least[c] = min(least[c], pi[r])
			}
		}
	}
	for r, c := range x.Label {
		if x.Closed[c] && !math.IsInf(least[c], 1) {
			pi[r] -= least[c]
		}
	}
}

// TellFlux tells each control, between Prescribe and Release, of the balance of the enclosed region at its surface that is the furthest off of all
// in this step, by what flows through all faces between regions, held or not: Prescribe and Release do, before and after the solve.
func (s *Set) TellFlux() {
	x := &s.regions
	x.measureLeft()
	x.measureThrough()
	for i := range s.faces {
		f := &s.faces[i]
		told := &s.All[f.control].Told
		tell := func(r int32, _ float64) {
			c := x.Label[r]
			off, through := math.Abs(x.need[c])/litre, x.image[c]/litre
			if through > 0 && (told.FluxL == 0 || off*told.FluxL > told.FluxErrorL*through) {
				told.FluxL, told.FluxErrorL = through, off
			}
		}
		regionSide(x.gr, x.gr.A[f.face], tell)
		regionSide(x.gr, x.gr.B[f.face], tell)
	}
}
