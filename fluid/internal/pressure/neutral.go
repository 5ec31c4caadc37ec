package pressure

import (
	"github.com/meniscus3d/meniscus/fluid/internal/amg"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// assembleListed writes a part of L and of the right-hand side from the faces that the graph lists for each row: what assembleRows does where cells
// are cubes.
func (s *Solver) assembleListed(_, lo, hi int) {
	g, m, rows := s.gr, &s.matrix, &s.matrix.Part[lo/amg.PartRows]
	rows.Ptr, rows.Col, rows.Val = append(rows.Ptr[:0], 0), rows.Col[:0], rows.Val[:0]
	for r := lo; r < hi; r++ {
		diag, rhs := 0., s.source[r]
		for _, i := range g.FacesOf(int32(r)) {
			f := &s.face[i]
			other, flux := f.b, f.flux
			if other == int32(r) {
				other, flux = f.a, -flux
			}
			diag += f.coef
			if rhs -= flux; other == graph.Air {
				rhs += float64(f.coef * (g.Jump[i] * s.dt))
			} else {
				rows.Col, rows.Val = append(rows.Col, other), append(rows.Val, -f.coef)
			}
		}
		rows.Ptr = append(rows.Ptr, int32(len(rows.Col)))
		m.Diag[r], s.rhs[r], m.Red[r] = diag, rhs, false
	}
}

// leastInertia is what a patch's mass is made up to be more by along all axes, as a part of it: faces that point one way take no impulse
// across it.
const leastInertia = 1e-9

// reactListed is react where cells are no cubes: the faces of the body's rows, whatever way they point, get together the velocities of a rigid
// motion along their normals, whose momentum and angular momentum are the impulse.
func (s *Solver) reactListed(b *rigid.Body, w *graph.BodyCoupling, impulse *[6]float64) {
	mass, centre := s.weigh(w)
	if !(mass > 0) {
		return
	}
	var inertia [36]float64
	s.eachFace(w, func(f int32, half float64) {
		push := s.wrench(f, &centre)
		for i, u := range push {
			for j, v := range push {
				inertia[6*i+j] += float64(half * u * v)
			}
		}
	})
	edge := float64(s.gr.Size[w.Row[0]])
	for i := range 3 {
		inertia[7*i] = max(inertia[7*i]+float64(leastInertia*mass), b.Resists[i][i]) // a film is not driven faster than the body
		inertia[7*(3+i)] += float64(loose * edge * edge * mass)
	}
	factor(inertia[:], 6)
	motion := *impulse
	for i := range 3 { // about the patch's centre, where pushing it evenly turns it little
		y, z := (i+1)%3, (i+2)%3
		motion[3+i] -= float64((centre[y]-b.Centre[y])*impulse[z]) - float64((centre[z]-b.Centre[z])*impulse[y])
	}
	solve(inertia[:], motion[:])
	s.eachFace(w, func(f int32, _ float64) {
		push := s.wrench(f, &centre)
		s.gr.U[f] += float64(rigid.Dot(&push, &motion) / 2)
	})
}

// weigh is the mass of the liquid on the faces of a body's rows, kg, each counted for one direction, and its centre, m.
func (s *Solver) weigh(w *graph.BodyCoupling) (mass float64, centre [3]float64) {
	s.eachFace(w, func(f int32, half float64) {
		mass += half
		for d, x := range s.gr.FaceCentre(int(f)) {
			centre[d] += float64(half * x)
		}
	})
	for d := range centre {
		centre[d] /= max(mass, 1e-300)
	}
	return mass, centre
}

// eachFace is eachSide for listed faces.
func (s *Solver) eachFace(w *graph.BodyCoupling, visit func(f int32, half float64)) {
	g := s.gr
	for _, r := range w.Row {
		for _, f := range g.FacesOf(r) {
			if g.IsHeld(f) {
				continue
			}
			visit(f, float64(s.rho*g.Area[f]*g.Open[f]*g.Dist[f]/2))
		}
	}
}

// wrench is a unit force along a face's normal, and its moment about a point.
func (s *Solver) wrench(f int32, about *[3]float64) [6]float64 {
	n, x := s.gr.Normal(int(f)), s.gr.FaceCentre(int(f))
	for d := range x {
		x[d] -= about[d]
	}
	return [6]float64{
		n[0], n[1], n[2],
		float64(x[1]*n[2]) - float64(x[2]*n[1]), float64(x[2]*n[0]) - float64(x[0]*n[2]), float64(x[0]*n[1]) - float64(x[1]*n[0]),
	}
}
