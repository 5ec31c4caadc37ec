package obstacles

import (
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Nothing is known to have moved from a pose that is not known.
func TestUnknownPoseDoesNotMove(t *testing.T) {
	domain := r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	s := New(domain, .1, 1)
	solid, to := rigid.Solid{Bounds: domain}, rigid.Pose{Known: true, Centre: r3.Vec{X: .001}, Turned: quat.Number{Real: 1}}
	if m := s.Motions.between(&solid, &rigid.Pose{}, &to); m.Moves() {
		t.Error("a pose that is not known moves")
	}
	if m := s.Motions.between(&solid, &stood, &to); !m.Moves() {
		t.Error("a pose that is known does not move")
	}
}
