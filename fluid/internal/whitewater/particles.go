package whitewater

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// Particles is a structure of arrays.
type Particles struct {
	Spheres    []float32 // xyz and radius per particle, m
	Velocities []float32 // xyz per particle, m/s
	Life       []float32 // share of the life that is left, 0 to 1
	Kind       []Kind
	span       []float32 // life, s
}

// BytesPerParticle is the memory per particle of Config.Most, bytes: the particles are stored twice.
const BytesPerParticle = 2 * (4*(4+3+1+1) + 1)

// particle is the data of a particle.
type particle struct {
	x, v         r3.Vec
	radius, life float32
	span         float32
	kind         Kind
}

// Len returns the number of particles.
func (p *Particles) Len() int { return len(p.Life) }

// resize sets the number of particles to n. The contents of new ones are undefined.
func (p *Particles) resize(n int) {
	p.Spheres, p.Velocities = arrays.Resize(p.Spheres, 4*n), arrays.Resize(p.Velocities, 3*n)
	p.Life, p.Kind, p.span = arrays.Resize(p.Life, n), arrays.Resize(p.Kind, n), arrays.Resize(p.span, n)
}

// cut keeps the first n particles.
func (p *Particles) cut(n int) {
	p.Spheres, p.Velocities = p.Spheres[:4*n], p.Velocities[:3*n]
	p.Life, p.Kind, p.span = p.Life[:n], p.Kind[:n], p.span[:n]
}

// at returns particle i.
func (p *Particles) at(i int) particle {
	s, v := p.Spheres[4*i:][:4], p.Velocities[3*i:][:3]
	return particle{
		x: r3.Vec{X: float64(s[0]), Y: float64(s[1]), Z: float64(s[2])}, radius: s[3],
		v:    r3.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])},
		life: p.Life[i], span: p.span[i], kind: p.Kind[i],
	}
}

// set stores q as particle i.
func (p *Particles) set(i int, q *particle) {
	s, v := p.Spheres[4*i:][:4], p.Velocities[3*i:][:3]
	s[0], s[1], s[2], s[3] = float32(q.x.X), float32(q.x.Y), float32(q.x.Z), q.radius
	v[0], v[1], v[2] = float32(q.v.X), float32(q.v.Y), float32(q.v.Z)
	p.Life[i], p.span[i], p.Kind[i] = q.life, q.span, q.kind
}

// dropDead removes the particles without life from first on, and keeps the order of the others.
func (p *Particles) dropDead(first int) {
	n := first
	for i := first; i < p.Len(); i++ {
		if !(p.Life[i] > 0) {
			continue
		}
		if n < i {
			copy(p.Spheres[4*n:][:4], p.Spheres[4*i:])
			copy(p.Velocities[3*n:][:3], p.Velocities[3*i:])
			p.Life[n], p.Kind[n], p.span[n] = p.Life[i], p.Kind[i], p.span[i]
		}
		n++
	}
	p.cut(n)
}
