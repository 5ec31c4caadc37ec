package rigid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Pose is the pose and the twist of a solid when the surface last moved.
type Pose struct {
	Known  bool
	Centre r3.Vec
	Turned quat.Number
	Twist  [6]float64
}

// Code encodes and decodes a pose. Numbers have no limits, since they come from a game's engine.
func (p *Pose) Code(c *codec.Codec) {
	c.Bool(&p.Known)
	q := &p.Turned
	c.Bits(&p.Centre.X, &p.Centre.Y, &p.Centre.Z, &q.Real, &q.Imag, &q.Jmag, &q.Kmag)
	for d := range p.Twist {
		c.Bits(&p.Twist[d])
	}
}

// Turned returns an orientation after dt seconds of a spin, rad/s.
func Turned(q quat.Number, spin r3.Vec, dt float64) quat.Number {
	angle := reproducible.Norm(spin) * dt
	if !(angle > 0) && !(angle < 0) {
		return q
	}
	sin, cos := reproducible.Sincos(angle / 2)
	axis := reproducible.Scale(sin*dt/angle, spin)
	q = reproducible.QuatMul(quat.Number{Real: cos, Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}, q)
	return reproducible.QuatScale(1/reproducible.QuatAbs(q), q)
}
