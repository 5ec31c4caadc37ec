package fluid

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

func TestZZThin(t *testing.T) {
	for _, g := range []struct {
		n string
		g physics.Geometry
	}{
		{"plate .5 .005", physics.Box(.5, .005, .5)}, {"plank .6 .2 .005", physics.Box(.6, .005, .2)}, {"plank .6 .15 .01", physics.Box(.6, .01, .15)}, {"plank .6 .18 .01", physics.Box(.6, .01, .18)},
		{"disc .09 .01", physics.Cylinder(.09, .01)}, {"disc .2 .005", physics.Cylinder(.2, .005)}, {"coin", physics.Cylinder(.07, .004)}, {"tile", physics.Box(.13, .02, .13)}, {"cube .14", physics.Box(.14, .14, .14)}, {"ball .07", physics.Sphere(.07)},
	} {
		for _, dens := range []float64{100, 400, 2000} {
			for k, q := range []float64{.2, 1.5} {
				t.Run(fmt.Sprintf("%s %g turn %d", g.n, dens, k), func(t *testing.T) {
					d := drop{parts: part(g.g), density: dens, at: r3.Vec{X: .77, Y: .95, Z: .83}, turn: turned(q, r3.Vec{X: .3, Y: .1, Z: 1}), seconds: 3}
					if k == 1 {
						d.at.Y = 1.12
					}
					r := d.run(t)
					t.Logf("at most %.3g m/s, %.3g rad/s, %.3g weights; then %.3g m/s, %.3f under water, at %.4f m", r.speed, r.spin, r.load, r.end, r.fraction, r.y)
				})
			}
		}
	}
}
