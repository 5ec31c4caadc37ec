package pressure

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// lightBox is a box of a mass, kg, and of .4 m, that falls for 1/60 s.
func lightBox(mass float64) rigid.Body {
	b := rigid.Body{InverseMass: 1 / mass}
	for i := range 3 {
		b.InverseInertia[i][i] = 6 / (mass * .16)
	}
	b.Fall[1] = -9.81 / 60
	b.Liquid = b.Fall
	b.V = b.Fall
	return b
}

// What steps at the surface weigh moves a body at rest the way that it leads, no faster than it would move the body alone, and, however light that
// is, no faster than the liquid would be by its own weight.
func TestStepsThrowNoLightBody(t *testing.T) {
	up := [3]float64{1: 1}
	const fall = 9.81 / 60
	for _, mass := range []float64{1e-4, 1e-2, .064, .5, .9} {
		for _, lift := range []float64{1e-3, 5e-3, -1e-3, -5e-3} { // m³
			for _, torque := range []float64{0, 2e-4, -3e-3} {
				b, w := lightBox(mass), graph.BodyCoupling{}
				w.Steps = graph.StepInertia(&up, &[6]float64{1: lift, 5: torque})
				fillGap(&b, &w, 1000)
				includeGap(&b)
				alone := (1000*lift - mass) / mass * fall
				if v := b.V[1]; !(v*alone >= 0 && math.Abs(v) <= 1.0001*math.Abs(alone) && math.Abs(v) <= 1.0001*fall) {
					t.Errorf("%g kg, lift %g m³, torque %g m⁴: moves with %g m/s; alone with %g", mass, lift, torque, v, alone)
				}
				if spin := b.V[5]; lift > 0 && math.Abs(spin)*.163 > 1.01*fall {
					t.Errorf("%g kg, torque %g m⁴: turns with %g rad/s", mass, torque, spin)
				}
			}
		}
	}
}

// A body that no liquid is at responds by its own inertia, as the general way has it.
func TestBodyApartIsItsOwn(t *testing.T) {
	b := lightBox(3)
	b.InverseInertia = [3][3]float64{{2, .3, -.1}, {.3, 1, .2}, {-.1, .2, 3}}
	c, w, zero := b, graph.BodyCoupling{}, [6][6]float64{}
	fillGap(&b, &w, 1000)
	root := inverseRoot(&c)
	combine(&c, &root, &zero, &zero, 1)
	for i := range 6 {
		for j := range 6 {
			if math.Abs(b.InverseWithGap[i][j]-c.InverseWithGap[i][j]) > 1e-12 {
				t.Errorf("inverse %d, %d is %g; want %g", i, j, b.InverseWithGap[i][j], c.InverseWithGap[i][j])
			}
		}
	}
}

// A body that is too light to lose what liquid in its gaps takes off along one axis loses all that it can along the others, where no faces can be shortened instead.
func TestLightBodyLosesAlongEachMotion(t *testing.T) {
	w := graph.BodyCoupling{Row: []int32{0}}
	w.Less[0][0], w.Less[1][1], w.Less[3][3] = -5, -.3, -.01 // of a mass of 1 and an inertia of .1
	body := rigid.Body{InverseMass: 1}
	for i := range 3 {
		body.InverseInertia[i][i] = 10
	}
	if part := fillGap(&body, &w, 1); part != 1 {
		t.Errorf("a part of %g is left out", 1-part)
	}
	for i, want := range [6]float64{5, 1 / .7, 1, 1 / .09, 10, 10} {
		if got := body.InverseWithGap[i][i]; math.Abs(got-want) > 1e-5*want {
			t.Errorf("motion %d: an impulse of 1 moves it at %g, want %g", i, got, want)
		}
	}
}
