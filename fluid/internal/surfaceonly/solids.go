package surfaceonly

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boundary"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// solids are what bounds the liquid in a substep: the domain's sides, obstacles and bodies. They are a boundary.Solids.
type solids struct {
	domain r3.Box
	edge   float64 // of the liquid's triangles, m
	around *solver.Surroundings

	list   []query.Solid   // static obstacles as one, if there are any; then all of Coupling.Solids
	moving int             // index in list of the first of Coupling.Solids
	bodies []boundary.Body // of Coupling, all that are known
	which  []int32         // per point: index in list of the nearest, or side
	near   []int32
	at     []r3.Vec
	value  []float32
}

// side stands for the domain's sides among solids.
const side = -1

// slopeStep is the half distance over which slopes are taken, in edges.
const slopeStep = 1. / 32

// read takes the solids as the coupling and the obstacles have them.
func (s *solids) read() {
	a, c := s.around, s.around.Coupling
	s.list = a.Obstacles.AppendStepSolids(s.list[:0], c.Solids)
	s.moving = len(s.list) - len(c.Solids)
	s.bodies = arrays.Resize(s.bodies, c.Known())
	for i := range s.bodies {
		r := &c.Rigid[i]
		s.bodies[i] = boundary.Body{
			InverseMass: r.InverseMass, InverseInertia: r.InverseInertia, Centre: c.Solids[i].Centre,
			Velocity: r3.Vec{X: r.V[0], Y: r.V[1], Z: r.V[2]}, Spin: r3.Vec{X: r.V[3], Y: r.V[4], Z: r.V[5]},
		}
	}
}

// Bodies are the bodies that the liquid moves, and those that are driven.
func (s *solids) Bodies() []boundary.Body { return s.bodies }

// Near writes the nearest solid to each point.
func (s *solids) Near(dst []boundary.Contact, at []r3.Vec) {
	s.which = arrays.Resize(s.which, len(at))
	for i, x := range at {
		dst[i] = s.nearSide(x)
		s.which[i] = side
	}
	for k := range s.list {
		s.nearer(dst, at, int32(k))
	}
	for k := range s.list {
		s.slopes(dst, at, int32(k))
	}
}

// nearSide is what the nearest of the domain's sides is like from a point.
func (s *solids) nearSide(x r3.Vec) boundary.Contact {
	p, lo, hi := reproducible.Array(x), reproducible.Array(s.domain.Min), reproducible.Array(s.domain.Max)
	d, normal := math.Inf(1), [3]float64{}
	for a := range p {
		if below := p[a] - lo[a]; below < d {
			d, normal = below, [3]float64{}
			normal[a] = 1
		}
		if above := hi[a] - p[a]; above < d {
			d, normal = above, [3]float64{}
			normal[a] = -1
		}
	}
	return boundary.Contact{Distance: d, Normal: reproducible.Vector(normal), Body: -1}
}

// nearer lowers the distances to those from a solid.
func (s *solids) nearer(dst []boundary.Contact, at []r3.Vec, solid int32) {
	of := &s.list[solid]
	s.near, s.at = s.near[:0], s.at[:0]
	for i, x := range at {
		if boxes.DistanceOutside(&of.Bounds, &x) < dst[i].Distance {
			s.near, s.at = append(s.near, int32(i)), append(s.at, x)
		}
	}
	if len(s.at) == 0 {
		return
	}
	s.value = arrays.Resize(s.value, len(s.at))
	of.Distance(s.value, s.at)
	for k, i := range s.near {
		if d := float64(s.value[k]); d < dst[i].Distance {
			dst[i].Distance, s.which[i] = d, solid
		}
	}
}

// slopes sets normals and velocities of contacts with a solid. Where its distance has no slope the normal is the one of the domain's nearest side.
func (s *solids) slopes(dst []boundary.Contact, at []r3.Vec, solid int32) {
	s.near, s.at = s.near[:0], s.at[:0]
	step := float64(slopeStep * s.edge)
	for i, x := range at {
		if s.which[i] != solid {
			continue
		}
		s.near = append(s.near, int32(i))
		s.at = append(s.at,
			r3.Vec{X: x.X - step, Y: x.Y, Z: x.Z}, r3.Vec{X: x.X + step, Y: x.Y, Z: x.Z}, r3.Vec{X: x.X, Y: x.Y - step, Z: x.Z},
			r3.Vec{X: x.X, Y: x.Y + step, Z: x.Z}, r3.Vec{X: x.X, Y: x.Y, Z: x.Z - step}, r3.Vec{X: x.X, Y: x.Y, Z: x.Z + step})
	}
	if len(s.at) == 0 {
		return
	}
	s.value = arrays.Resize(s.value, len(s.at))
	s.list[solid].Distance(s.value, s.at)
	for k, i := range s.near {
		v := s.value[6*k : 6*k+6]
		n := r3.Vec{X: float64(v[1] - v[0]), Y: float64(v[3] - v[2]), Z: float64(v[5] - v[4])}
		if size := reproducible.Norm(n); size > 0 && size <= math.MaxFloat32 {
			dst[i].Normal = reproducible.Scale(1/size, n)
		}
		s.setMotion(&dst[i], solid, at[i])
	}
}

// setMotion sets the velocity of a contact with a solid, and which body it is.
func (s *solids) setMotion(c *boundary.Contact, solid int32, x r3.Vec) {
	i := solid - int32(s.moving)
	if i < 0 {
		return
	}
	c.Velocity = s.around.Coupling.SolidVelocity(i, x)
	if int(i) < len(s.bodies) && s.bodies[i].InverseMass > 0 {
		c.Body = i
	}
}

// fastest is the speed of the fastest of the bodies and obstacles that move, m/s, as far as they are in the domain.
func (s *solids) fastest() (most float64) {
	c := s.around.Coupling
	for i := range c.Solids {
		if box := boxes.Intersection(c.Solids[i].Bounds, s.domain); boxes.Valid(box) {
			most = max(most, walls.MaxSpeedIn(box, c.Solids[i].Centre, &c.Rigid[i].V))
		}
	}
	return most
}

// open tells whether a place is in the domain and not in a solid, by a margin, m.
func (s *solids) open(x r3.Vec, margin float64) bool {
	var c [1]boundary.Contact
	s.Near(c[:], []r3.Vec{x})
	return c[0].Distance > margin
}
