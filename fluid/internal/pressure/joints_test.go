package pressure

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// rod is one of 1 kg and 1 m along y, its hinge half a metre above its centre.
func rod() rigid.Body {
	b := rigid.Body{InverseMass: 1, InverseInertia: [3][3]float64{{12, 0, 0}, {0, 1200, 0}, {0, 0, 12}}}
	for k := range 3 {
		b.InverseWithGap[k][k] = b.InverseMass
		b.InverseWithGap[3+k][3+k] = b.InverseInertia[k][k]
	}
	return b
}

// hinge holds the point y above the centre of body a to the point y below that of b, or to the
// world, and lets them turn about z against each other.
func hinge(a, b int32, y float64) rigid.Joint {
	return rigid.Joint{A: a, B: b, N: 5, Rows: [6][12]float64{
		{0: -1, 5: y, 6: 1, 11: y},
		{1: -1, 7: 1},
		{2: -1, 3: -y, 8: 1, 9: -y},
		{3: -1, 9: 1},
		{4: -1, 10: 1},
	}}
}

// V8: a hinged rod answers an impulse of 1 at its tip, centre and hinge with 3, .75 and 0,
// however many others, one of them of two rods, are hinged beside it.
func TestHingedRods(t *testing.T) {
	bodies := []rigid.Body{rod(), rod(), rod(), rod(), {}}
	joints := []rigid.Joint{hinge(2, -1, .5), hinge(0, -1, .5), hinge(3, 1, .5), hinge(1, -1, .5), hinge(4, -1, .5)}
	var m mass
	m.set(bodies, joints)
	if len(m.groups) != 3 || len(m.rows) != 20 {
		t.Fatalf("%d articulations of %d rows, want 3 of 20", len(m.groups), len(m.rows))
	}
	for _, b := range []int{0, 2} {
		for _, c := range []struct{ y, want float64 }{{-.5, 3}, {0, .75}, {.5, 0}} {
			src, dst := make([]float64, 30), make([]float64, 30)
			src[6*b], src[6*b+5] = 1, -c.y
			m.apply(dst, src)
			if got := dst[6*b] - c.y*dst[6*b+5]; !(math.Abs(got-c.want) <= 1e-6) {
				t.Errorf("rod %d at %g m: %g, want %g", b, c.y, got, c.want)
			}
		}
	}
	// rigid.Body 1 hangs from the world, 3 from it: J W = 0.
	src, dst := make([]float64, 30), make([]float64, 30)
	src[18], src[23], src[20] = 1, .3, .2
	m.apply(dst, src)
	var moved [5]rigid.Body
	for b := range moved {
		copy(moved[b].V[:], dst[6*b:])
	}
	for _, r := range m.rows {
		if v := r.velocity(moved[:]); math.Abs(v) > 1e-8 {
			t.Errorf("a row's velocity is %g", v)
		}
	}
	if dst[6] == 0 || dst[18] == 0 || dst[0] != 0 {
		t.Errorf("moved: %v", dst)
	}
}
