package boundary

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// response is what a region does to the bodies that it wets: at rest, and for each of their six velocities.
type response struct {
	bodies   []int32     // ascending
	normal   []float64   // derivatives of the pressure on faces, of the solution and then of each unit velocity
	pressure []float64   // per vertex, likewise
	impulses [][]Impulse // on each body, likewise
	line     []Impulse   // of the tension at the rim on each body
}

// pressWet solves for the pressure of a region with wet faces, where its normal derivative is ρ n·(u - u_s), and for that which unit velocities of the bodies add.
//
// Sources: SOL, section 4.3; the coupling is that of Batty, Bertails, Bridson 2007, with unknown velocities instead of unknown pressures.
func (r *region) pressWet(w *workspace, s *stepInput) error {
	p, n, m := &r.response, len(r.at), len(r.triangles)
	r.listBodies()
	count := 1 + 6*len(p.bodies)
	p.normal, p.pressure = arrays.Resize(p.normal, count*m), arrays.Resize(p.pressure, count*n)
	clear(p.normal)
	clear(p.pressure)
	copy(p.pressure, w.pressure)
	for i, wet := range r.wet {
		if wet {
			p.normal[i] = float64(s.material.Density * reproducible.Dot(r.unitNormal(i), r3.Sub(r.velocity[i], r.solidVelocity(i))))
		}
	}
	for b, body := range p.bodies {
		for k := range 6 {
			motion := unitMotion(s.bodies[body].Centre, k)
			q := p.normal[(1+6*b+k)*m:][:m]
			for i, wet := range r.wet {
				if wet && r.solidOf(i) == body {
					q[i] = -float64(s.material.Density * reproducible.Dot(r.unitNormal(i), motion.at(r.centroid(i))))
				}
			}
		}
	}
	p.impulses = arrays.Resize(p.impulses, count)
	for k := range count {
		if err := w.mixed.Solve(p.pressure[k*n:][:n], p.normal[k*m:][:m]); err != nil {
			return err
		}
		p.impulses[k] = arrays.Resize(p.impulses[k], len(p.bodies))
		for b, body := range p.bodies {
			p.impulses[k][b] = r.pressureOn(p.pressure[k*n:][:n], body, s.bodies[body].Centre)
		}
	}
	return nil
}

// unitMotion is the k-th of a body's velocities: three of its centre and three spins.
func unitMotion(centre r3.Vec, k int) rigidMotion {
	unit := [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[k%3]
	if k < 3 {
		return rigidMotion{centre: centre, velocity: unit}
	}
	return rigidMotion{centre: centre, spin: unit}
}

// listBodies finds the bodies that are wet.
func (r *region) listBodies() {
	p := &r.response
	p.bodies = p.bodies[:0]
	for i, wet := range r.wet {
		if body := r.solidOf(i); wet && body >= 0 {
			if at, found := slices.BinarySearch(p.bodies, body); !found {
				p.bodies = slices.Insert(p.bodies, at, body)
			}
		}
	}
}

func (r *region) unitNormal(i int) r3.Vec { return reproducible.Unit(r.normal(i)) }

// pressureOn is the impulse of a pressure, by vertex, on a body.
func (r *region) pressureOn(pressure []float64, body int32, centre r3.Vec) (sum Impulse) {
	for i, t := range r.triangles {
		if r.wet[i] && r.solidOf(i) == body {
			mean := (pressure[t[0]] + pressure[t[1]] + pressure[t[2]]) / 6
			sum.add(reproducible.Scale(mean, r.normal(i)), r3.Sub(r.centroid(i), centre))
		}
	}
	return sum
}

// add adds an impulse at an arm from the body's centre.
func (p *Impulse) add(linear, arm r3.Vec) {
	p.Linear = r3.Add(p.Linear, linear)
	p.Angular = r3.Add(p.Angular, reproducible.Cross(arm, linear))
}

// curveWet is curve for a region with wet faces, which have no tension of their own: the rim is pulled along the solid, outwards of the wet faces, by the cosine of the contact angle times the tension, and its
// pressure is that with which tension and pressure leave it at rest along the solid.
//
// Source: Young's equation for the tensions of three surfaces that meet; SOL, section 4.4.
func (r *region) curveWet(w *workspace, s *stepInput) {
	clear(w.pull)
	clear(w.outward)
	clear(w.share)
	for i, t := range r.triangles {
		n := r.normal(i)
		twice := reproducible.Norm(n)
		if twice == 0 || r.wet[i] {
			continue
		}
		for k, v := range t {
			a, b, c := r.at[v], r.at[t[(k+1)%3]], r.at[t[(k+2)%3]]
			share := nearestShare(r3.Sub(b, a), r3.Sub(c, a), r3.Sub(c, b), twice)
			w.pull[v] = r3.Add(w.pull[v], reproducible.Scale(.5/twice, reproducible.Cross(r3.Sub(c, b), n)))
			if r.touched[v] {
				w.outward[v] = r3.Add(w.outward[v], reproducible.Scale(share/twice, n))
			} else {
				w.outward[v] = r3.Add(w.outward[v], reproducible.Scale(1./6, n))
			}
			w.share[v] += share
		}
	}
	r.pullLine(w, s)
	_, cosine := reproducible.Sincos(s.material.ContactAngle)
	for i, t := range r.triangles {
		if !r.wet[i] {
			continue
		}
		for k, p := range t { // sides between two wet faces cancel
			q := t[(k+1)%3]
			n := reproducible.Unit(r3.Add(r.contacts[p].Normal, r.contacts[q].Normal))
			pull := reproducible.Scale(.5*cosine, reproducible.Cross(n, r3.Sub(r.at[q], r.at[p])))
			w.pull[p], w.pull[q] = r3.Add(w.pull[p], pull), r3.Add(w.pull[q], pull)
		}
	}
	r.lean(w)
	r.pressByTension(w, s)
}

// pressByTension makes the pressure at the vertices that tension gives. Curvatures are bounded by what edges can show.
func (r *region) pressByTension(w *workspace, s *stepInput) {
	most := mostCurved / s.edge
	for v := range w.pressure {
		w.pressure[v] = float64(s.material.Tension*s.dt) * max(-most, min(most, r.curvature(w, v)))
	}
}

// mostCurved is the most that the sum of the principal curvatures may be, times the length of an edge: that of a ball with a radius of half an edge.
const mostCurved = 4

// leastLean is the least sine of the angle, between free surface and solid, that the pressure at the rim is divided by.
const leastLean = .2

// curvature is the sum of the principal curvatures at a vertex, 1/m, and at the rim what stands for it.
func (r *region) curvature(w *workspace, v int) float64 {
	if !(w.share[v] > 0) || w.outward[v] == (r3.Vec{}) { // all its faces are wet, or without area
		return 0
	}
	if r.touched[v] {
		if w.across[v] == 0 {
			return 0
		}
		return w.along[v] / w.across[v]
	}
	return -reproducible.Dot(w.pull[v], w.outward[v]) / float64(reproducible.Norm(w.outward[v])*w.share[v])
}

// lean finds the forces along the solid at the vertices of the rim, and what the pressure does there, with half of those of the neighbours along the rim.
func (r *region) lean(w *workspace) {
	clear(w.along)
	clear(w.across)
	for i, t := range r.triangles {
		if !r.wet[i] {
			continue
		}
		for k, p := range t {
			q := t[(k+1)%3]
			if w.share[p] > 0 && w.share[q] > 0 {
				for _, x := range [4][2]int32{{p, p}, {q, q}, {p, q}, {q, p}} {
					force, push := r.leaning(w, x[0])
					w.along[x[1]] += force
					w.across[x[1]] += push
				}
			}
		}
	}
}

// leaning is what tension does to a vertex of the rim along what the pressure does to it along the solid, and the square of that.
func (r *region) leaning(w *workspace, v int32) (force, push float64) {
	n, outward := r.contacts[v].Normal, w.outward[v]
	outward = r3.Sub(outward, reproducible.Scale(reproducible.Dot(outward, n), n))
	least := float64(leastLean * w.share[v])
	return -reproducible.Dot(w.pull[v], outward), max(reproducible.Norm2(outward), float64(least*least))
}

// pullLine finds what the free surface does to the bodies along the rim: it pulls the vertices there as the tension of its faces does.
func (r *region) pullLine(w *workspace, s *stepInput) {
	r.listBodies()
	p := &r.response
	p.line = arrays.Resize(p.line, len(p.bodies))
	clear(p.line)
	r.line = r3.Vec{}
	for v, touched := range r.touched {
		if touched {
			r.line = r3.Add(r.line, reproducible.Scale(float64(s.material.Tension*s.dt), w.pull[v]))
		}
		if at, found := slices.BinarySearch(p.bodies, r.contacts[v].Body); touched && found {
			p.line[at].add(reproducible.Scale(float64(s.material.Tension*s.dt), w.pull[v]), r3.Sub(r.at[v], s.bodies[p.bodies[at]].Centre))
		}
	}
}

// finishWet sets the pressure to that with the bodies' changes of velocity, as six numbers each by body, and subtracts its gradient.
func (r *region) finishWet(w *workspace, s *stepInput, change []float64) {
	p, n, m := &r.response, len(r.at), len(r.triangles)
	copy(w.pressure, p.pressure[:n])
	copy(w.normal, p.normal[:m])
	for b, body := range p.bodies {
		for k := range 6 {
			by := change[6*int(body)+k]
			column := 1 + 6*b + k
			for v, x := range p.pressure[column*n:][:n] {
				w.pressure[v] += float64(by * x)
			}
			for i, x := range p.normal[column*m:][:m] {
				w.normal[i] += float64(by * x)
			}
		}
	}
	r.subtractGradient(w, s)
}

// slide gives a wet region, along its solids, the momentum that the impulses on it add up to: those of the pressure on the wet faces, of the rim, of friction, and of the acceleration. What the discrete equations
// miss of it would push it about. Across the solids they alone say how it moves.
func (r *region) slide(w *workspace) {
	lacks := r3.Sub(r3.Add(r.wanted.linear, r.rubbed), r3.Add(r.line, r.momentaOf(r.velocity).linear))
	var normal r3.Vec
	for i, t := range r.triangles {
		if r.wet[i] {
			n := r.normal(i)
			normal = r3.Add(normal, n)
			lacks = r3.Sub(lacks, reproducible.Scale((w.pressure[t[0]]+w.pressure[t[1]]+w.pressure[t[2]])/6, n))
		}
	}
	normal = reproducible.Unit(normal)
	lacks = r3.Sub(lacks, reproducible.Scale(reproducible.Dot(lacks, normal), normal))
	if geom.FiniteVec(lacks) {
		r.addRigid(&rigidMotion{velocity: reproducible.Scale(1/r.body.mass, lacks)})
	}
}
