package walls

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// A motion maps places between two poses, and back.
func TestMotionIsRigid(t *testing.T) {
	turn := func(axis r3.Vec, angle float64) quat.Number {
		u := r3.Scale(math.Sin(angle/2), r3.Unit(axis))
		return quat.Number{Real: math.Cos(angle / 2), Imag: u.X, Jmag: u.Y, Kmag: u.Z}
	}
	for _, angle := range []float64{0, .01, .5, 3} {
		from, p := r3.Vec{X: 1, Y: 2, Z: -3}, turn(r3.Vec{X: 1, Y: -1}, .7)
		spin := turn(r3.Vec{X: .2, Y: 1, Z: .4}, angle)
		to, q := r3.Vec{X: 1.5, Y: 2, Z: -2.9}, quat.Mul(spin, p)
		m := Between(from, p, to, q)
		before, after := shapes.Place(nil, p, from), shapes.Place(nil, q, to)
		for _, local := range []r3.Vec{{}, {X: .3, Y: -.2, Z: .1}, {X: -2, Y: 1, Z: 5}} {
			was := before.Outer(local)
			now := after.Outer(local)
			if off := r3.Norm(r3.Sub(m.Forward(was), now)); off > 1e-12 {
				t.Errorf("turned by %g: %v is %g m off", angle, local, off)
			}
			if off := r3.Norm(r3.Sub(m.Back(now), was)); off > 1e-12 {
				t.Errorf("turned back by %g: %v is %g m off", angle, local, off)
			}
		}
	}
	if m := Between(r3.Vec{X: 1}, quat.Number{Real: 1}, r3.Vec{X: 1}, quat.Number{Real: 1}); m.Moves() {
		t.Error("what stays where it is moves")
	}
}

// An unknown pose gives no motion.
func TestUnknownPoseDoesNotMove(t *testing.T) {
	domain := r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	m := NewMotions(domain, .1)
	solid, to := rigid.Solid{Bounds: domain}, rigid.Pose{Known: true, Centre: r3.Vec{X: .001}, Turned: quat.Number{Real: 1}}
	if moved := m.between(&solid, &rigid.Pose{}, &to); moved.Moves() {
		t.Error("a pose that is not known moves")
	}
	if moved := m.between(&solid, &rigid.Pose{Known: true, Turned: quat.Number{Real: 1}}, &to); !moved.Moves() {
		t.Error("a pose that is known does not move")
	}
}
