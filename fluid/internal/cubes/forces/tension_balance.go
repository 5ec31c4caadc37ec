package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// balance keeps tension from pushing or turning liquid that touches air alone. The pull of a closed surface on what it encloses adds up to no force and no torque; curvatures that are
// fitted face by face, and velocities that are eased, add up to some, by which a drop at rest would gain speed for ever. What they add up to the piece gets back as the motion of a rigid
// body: that has no divergence, and the pressure leaves it as it is.
//
// Source: Brochu 2006 §4.3: the forces of tension on the vertices of a closed mesh add up to zero, and so do their torques.
type balance struct {
	components graph.Components
	pieces     []freePiece // per component
}

// freePiece is what balance adds up of a component. Momenta are per density, about middle: three of momentum, m⁴/s, three of spin, m⁵/s.
type freePiece struct {
	free    bool
	volume  float64    // of the rows' cells, m³
	middle  [3]float64 // of their centres
	least   float64    // area of a face at the air, m²; 0 if there is none
	closing [3]float64 // sum of the area vectors of its faces at the air, m²
	outward float64    // sum of the area vectors times the way from the middle, m³: three times the volume that they enclose
	inertia [36]float64
	gained  [6]float64
}

// begin finds the pieces that touch air alone, and notes their momentum before tension acts. It tells whether there are any.
func (s *balance) begin(gr *graph.Graph) (some bool) {
	s.components.Find(gr)
	s.pieces = arrays.Resize(s.pieces, len(s.components.Closed))
	clear(s.pieces)
	for r, label := range s.components.Label {
		p, v := &s.pieces[label], float64(gr.Volume[r])
		p.volume += v
		for a, x := range gr.Centre[r] {
			p.middle[a] += float64(v * x)
		}
	}
	for i := range s.pieces {
		p := &s.pieces[i]
		for a := range p.middle {
			p.middle[a] /= p.volume
		}
	}
	for f, a := range gr.A {
		if b := gr.B[f]; a|b < 0 {
			s.close(gr, f, a, b)
		}
	}
	for i := range s.pieces {
		p := &s.pieces[i]
		p.free = p.closed()
		some = some || p.free
	}
	if some {
		s.addMomentum(gr, -1)
	}
	return some
}

// close adds a face that has not a row on each side to what tells whether its piece is closed by air.
func (s *balance) close(gr *graph.Graph, f int, a, b int32) {
	r, out := max(a, b), float64(gr.Area[f]*gr.Open[f])
	if min(a, b) != graph.Air || r < 0 { // of two levels of cells
		for _, side := range [2]int32{a, b} {
			s.spoil(gr, side)
		}
		return
	}
	if r == b {
		out = -out
	}
	p, n, x := &s.pieces[s.components.Label[r]], gr.Normal(f), gr.FaceCentre(f)
	for i := range n {
		p.closing[i] += float64(out * n[i])
		p.outward += float64(float64(out*n[i]) * (x[i] - p.middle[i]))
	}
	if area := math.Abs(out); p.least == 0 || area < p.least {
		p.least = area
	}
}

// spoil leaves the piece of a side of several rows out if one of them is air.
func (s *balance) spoil(gr *graph.Graph, side int32) {
	if side >= 0 || side == graph.Air {
		return
	}
	rows := gr.Cubes.Quads[^side]
	if min(rows[0], rows[1], rows[2], rows[3]) != graph.Air {
		return
	}
	for _, r := range rows {
		if r != graph.Air {
			s.pieces[s.components.Label[r]].closing[0] = math.Inf(1)
		}
	}
}

// closed tells whether the faces at the air enclose the piece: their area vectors add up to nothing, and the divergence theorem has them enclose its volume.
func (p *freePiece) closed() bool {
	const slack = .01 // of one face
	if p.least == 0 || !(geom.Dot(&p.closing, &p.closing) < float64(slack*p.least)*float64(slack*p.least)) {
		return false
	}
	return math.Abs(p.outward-float64(3*p.volume)) < float64(slack*p.least*math.Sqrt(p.least))+float64(1e-6*p.volume)
}

// twist is how a rigid motion of a piece, three of velocity and three of angular velocity, moves a place along a normal.
func (p *freePiece) twist(n, x [3]float64) (w [6]float64) {
	for a := range x {
		x[a] -= p.middle[a]
	}
	for a := range n {
		b, c := (a+1)%3, (a+2)%3
		w[a], w[3+a] = n[a], float64(x[b]*n[c])-float64(x[c]*n[b])
	}
	return w
}

// of is the piece of a face, or nil if it is not free.
func (s *balance) of(gr *graph.Graph, f int) *freePiece {
	r := max(gr.A[f], gr.B[f])
	if r < 0 {
		return nil
	}
	if p := &s.pieces[s.components.Label[r]]; p.free {
		return p
	}
	return nil
}

// addMomentum adds the momentum on all faces, times a factor, to what their pieces have gained.
func (s *balance) addMomentum(gr *graph.Graph, factor float64) {
	for f, u := range gr.U {
		if p := s.of(gr, f); p != nil {
			w := p.twist(gr.Normal(f), gr.FaceCentre(f))
			u *= float64(factor * gr.Area[f] * gr.Open[f] * gr.Dist[f])
			for i := range w {
				p.gained[i] += float64(u * w[i])
			}
		}
	}
}

// end gives the pieces back what tension has added: to the velocities, and by the jumps in the solve that follows. push: a step over the density, m³s/kg.
func (s *balance) end(gr *graph.Graph, push float64) {
	s.addMomentum(gr, 1)
	for f, j := range gr.Jump {
		p := s.of(gr, f)
		if p == nil {
			continue
		}
		w, area := p.twist(gr.Normal(f), gr.FaceCentre(f)), float64(gr.Area[f]*gr.Open[f])
		mass := float64(area * gr.Dist[f])
		for i := range w {
			for k := range i + 1 {
				p.inertia[6*i+k] += float64(float64(mass*w[i]) * w[k])
			}
		}
		switch graph.Air {
		case gr.A[f]:
			area = -area
		case gr.B[f]:
		default:
			continue
		}
		for i := range w {
			p.gained[i] -= float64(float64(push*j) * float64(area*w[i]))
		}
	}
	for i := range s.pieces {
		if p := &s.pieces[i]; p.free {
			p.solve()
		}
	}
	for f := range gr.U {
		if p := s.of(gr, f); p != nil {
			for i, w := range p.twist(gr.Normal(f), gr.FaceCentre(f)) {
				gr.U[f] -= float64(w * p.gained[i])
			}
		}
	}
}

// solve makes gained the rigid motion, m/s and rad/s, that has that momentum. A piece of so few cells that their faces tell no spin has none.
func (p *freePiece) solve() {
	const slight = 1e-6 // of the area of a face: of the radius of gyration, squared
	for i := 3; i < 6; i++ {
		p.inertia[7*i] += float64(slight * p.least * p.inertia[0])
	}
	dense.Factor(p.inertia[:], 6)
	dense.Solve(p.inertia[:], p.gained[:])
}
