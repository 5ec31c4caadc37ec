package boundary

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// coupling is the system of the bodies' changes of velocity in a substep.
type coupling struct {
	place  []int32 // of each body among the wet ones, or -1
	wet    []int32
	matrix []float64
	pivot  []int32
	x      []float64
	change []float64 // six of each body: of its centre's velocity and of its spin
}

// inverse returns what a body's velocities change by with an impulse on it.
func (b *Body) respond(p *Impulse) (v [6]float64) {
	i := &b.InverseInertia
	spin := times3(&[3]r3.Vec{{X: i[0][0], Y: i[0][1], Z: i[0][2]}, {X: i[1][0], Y: i[1][1], Z: i[1][2]}, {X: i[2][0], Y: i[2][1], Z: i[2][2]}}, p.Angular)
	return [6]float64{b.InverseMass * p.Linear.X, b.InverseMass * p.Linear.Y, b.InverseMass * p.Linear.Z, spin.X, spin.Y, spin.Z}
}

// couple solves for the changes of the bodies' velocities with which those are what the impulses of the pressure and of the rims give: v = W (J + A v), of all bodies at once.
func (l *Liquid) couple() {
	c := &l.coupling
	bodies := l.step.bodies
	c.place, c.change, c.wet = arrays.Resize(c.place, len(bodies)), arrays.Resize(c.change, 6*len(bodies)), c.wet[:0]
	clear(c.change)
	for b := range c.place {
		c.place[b] = -1
	}
	for i := range l.regions {
		if r := &l.regions[i]; r.err == nil && r.wetting.faces > 0 {
			for _, b := range r.response.bodies {
				if c.place[b] < 0 {
					c.place[b] = int32(len(c.wet))
					c.wet = append(c.wet, b)
				}
			}
		}
	}
	if len(c.wet) == 0 {
		return
	}
	n := 6 * len(c.wet)
	c.matrix, c.pivot, c.x = arrays.Resize(c.matrix, n*n), arrays.Resize(c.pivot, n), arrays.Resize(c.x, n)
	clear(c.matrix)
	clear(c.x)
	for k := range n {
		c.matrix[k*n+k] = 1
	}
	for i := range l.regions {
		if r := &l.regions[i]; r.err == nil && r.wetting.faces > 0 {
			c.enter(&r.response, bodies, n)
		}
	}
	if dense.FactorLU(c.matrix, c.pivot, 0) < n {
		return // the bodies don't move: W is infinite
	}
	dense.SolveLU(c.matrix, c.pivot, c.x)
	for k, b := range c.wet {
		copy(c.change[6*b:][:6], c.x[6*k:])
	}
}

// enter adds a region's terms.
func (c *coupling) enter(p *response, bodies []Body, n int) {
	for b, body := range p.bodies {
		row := 6 * int(c.place[body])
		for column := range 1 + 6*len(p.bodies) {
			j := p.impulses[column][b]
			if column == 0 {
				j.Linear, j.Angular = r3.Add(j.Linear, p.line[b].Linear), r3.Add(j.Angular, p.line[b].Angular)
			}
			v := bodies[body].respond(&j)
			for k := range 6 {
				if column == 0 {
					c.x[row+k] += v[k]
				} else {
					at := 6*int(c.place[p.bodies[(column-1)/6]]) + (column-1)%6
					c.matrix[(row+k)*n+at] -= v[k]
				}
			}
		}
	}
}

// record adds what the regions have done to the bodies to the impulses of the step. What a region's momenta have changed by beyond the acceleration, and beyond what is told of its bodies, is shared by the wet area.
func (l *Liquid) record() {
	c := &l.coupling
	for i := range l.regions {
		r := &l.regions[i]
		if r.err != nil || len(r.response.bodies) == 0 || r.wetting.faces == 0 {
			continue
		}
		p := &r.response
		lost := Impulse{r3.Sub(r.wanted.linear, r.momenta.linear), r3.Sub(r.wanted.angular, r.momenta.angular)}
		for b, body := range p.bodies {
			j := p.line[b]
			for column, all := range p.impulses {
				by := 1.
				if column > 0 {
					by = c.change[6*int(p.bodies[(column-1)/6])+(column-1)%6]
				}
				j.Linear = r3.Add(j.Linear, reproducible.Scale(by, all[b].Linear))
				j.Angular = r3.Add(j.Angular, reproducible.Scale(by, all[b].Angular))
			}
			l.give(body, j)
			arm := r3.Sub(l.step.bodies[body].Centre, r.body.centre)
			lost.Linear = r3.Sub(lost.Linear, j.Linear)
			lost.Angular = r3.Sub(lost.Angular, r3.Add(j.Angular, reproducible.Cross(arm, j.Linear)))
		}
		for _, body := range p.bodies {
			area := 0.
			for k, wet := range r.wet {
				if wet && r.solidOf(k) == body {
					area += r.area(k)
				}
			}
			by := area / r.wetting.area
			arm := r3.Sub(r.body.centre, l.step.bodies[body].Centre)
			linear := reproducible.Scale(by, lost.Linear)
			l.give(body, Impulse{linear, r3.Add(reproducible.Scale(by, lost.Angular), reproducible.Cross(arm, linear))})
		}
	}
}

// give adds an impulse on a body.
func (l *Liquid) give(body int32, j Impulse) {
	p, b := &l.impulses[body], &l.step.bodies[body]
	p.Linear, p.Angular = r3.Add(p.Linear, j.Linear), r3.Add(p.Angular, j.Angular)
	v, g := b.respond(&j), &l.gained[body]
	g.velocity = r3.Add(g.velocity, r3.Vec{X: v[0], Y: v[1], Z: v[2]})
	g.spin = r3.Add(g.spin, r3.Vec{X: v[3], Y: v[4], Z: v[5]})
}
