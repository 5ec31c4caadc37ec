package pressure

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// The momentum that Body.Resists takes from a body goes to the liquid: to the faces of the body's rows, after the
// solve. The next solve removes the divergence that this leaves.

// patch is the liquid on the faces of a body's rows: per axis its mass, kg, and the centre of that, m.
type patch struct {
	mass   [3]float64
	centre [3][3]float64
}

// react gives the liquid what Resists has taken from a body.
func (s *Solver) react(b *rigid.Body, w *graph.BodyCoupling) {
	var impulse [6]float64
	some := false
	for i := range impulse {
		impulse[i] = rigid.Dot(&b.Resists[i], &b.V) - b.Drives[i]
		some = some || impulse[i] != 0
	}
	if !some || len(w.Row) == 0 {
		return
	}
	if !s.gr.Cubic() {
		s.reactListed(b, w, &impulse)
		return
	}
	p := s.patchOf(w)
	var shift [3]float64
	for a := range 3 {
		if p.mass[a] > 0 {
			shift[a] = impulse[a] / max(p.mass[a], b.Resists[a][a]) // a film is not driven faster than the body
			// A uniform push acts at the centre of mass.
			y, z := (a+1)%3, (a+2)%3
			impulse[3+y] -= float64(impulse[a] * (p.centre[a][z] - b.Centre[z]))
			impulse[3+z] += float64(impulse[a] * (p.centre[a][y] - b.Centre[y]))
		}
	}
	spin := s.spinOf(w, &p, impulse[3:])
	s.eachSide(w, func(f int32, _ float64) {
		a := s.gr.Axis[f]
		arm := p.arm(a, s.gr.FaceCentre(int(f)))
		s.gr.U[f] += float64((shift[a] + float64(spin[0]*arm[0]) + float64(spin[1]*arm[1]) + float64(spin[2]*arm[2])) / 2)
	})
}

// eachSide visits the faces of a body's rows that aren't held, those between two of them twice, with half of the liquid's mass on each, kg.
func (s *Solver) eachSide(w *graph.BodyCoupling, visit func(f int32, half float64)) {
	gr := s.gr
	for _, r := range w.Row {
		for _, f := range &gr.Sides[r] {
			if f >= 0 && !gr.IsHeld(f) {
				visit(f, float64(s.rho*gr.Area[f]*gr.Open[f]*gr.Dist[f]/2))
			}
		}
	}
}

func (s *Solver) patchOf(w *graph.BodyCoupling) (p patch) {
	s.eachSide(w, func(f int32, half float64) {
		a := s.gr.Axis[f]
		p.mass[a] += half
		for d, x := range s.gr.FaceCentre(int(f)) {
			p.centre[a][d] += float64(half * x)
		}
	})
	for a, mass := range p.mass {
		for d := range p.centre[a] {
			p.centre[a][d] /= max(mass, 1e-300)
		}
	}
	return p
}

// arm is the moment about the patch's centre of a unit force along axis a at x.
func (p *patch) arm(a uint8, x [3]float64) (arm [3]float64) {
	y, z := (a+1)%3, (a+2)%3
	arm[y], arm[z] = x[z]-p.centre[a][z], p.centre[a][y]-x[y]
	return arm
}

// loose is what a patch's inertia is made up to be more by, in terms of that of all its mass a cell's edge off the axis: the faces of
// a row or two have no arm about some axes, and what they would turn by to take on an angular impulse is no motion of the liquid.
const loose = .1

// spinOf is how fast an angular impulse, N·m·s, turns a patch, rad/s.
func (s *Solver) spinOf(w *graph.BodyCoupling, p *patch, impulse []float64) (spin [3]float64) {
	var inertia [9]float64
	s.eachSide(w, func(f int32, half float64) {
		arm := p.arm(s.gr.Axis[f], s.gr.FaceCentre(int(f)))
		for i, u := range arm {
			for j, v := range arm {
				inertia[3*i+j] += float64(half * u * v)
			}
		}
	})
	edge := float64(s.gr.Size[w.Row[0]])
	add := float64(loose * edge * edge * (p.mass[0] + p.mass[1] + p.mass[2]))
	if !(add > 0) {
		return spin
	}
	for i := range 3 {
		inertia[4*i] += add
	}
	factor(inertia[:], 3)
	copy(spin[:], impulse)
	solve(inertia[:], spin[:])
	return spin
}
