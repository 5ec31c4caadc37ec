package decor

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Park is a low wall about a paved place on the ground at a height, m, with a hedge and trees behind it.
func Park(ground float64) *Set {
	const (
		far   = 9.0 // m, from the middle to the wall
		thick = .3
		trees = 7 // on each side
	)
	s := &Set{}
	g := s.Here()
	wall := func(x0, z0, x1, z1 float64) {
		g.Box(x0, ground-.3, z0, x1, ground+.75, z1, Sand)
		g.Box(x0-.06, ground+.75, z0-.06, x1+.06, ground+.85, z1+.06, Kerb)
	}
	wall(-far-thick, -far-thick, far+thick, -far)
	wall(-far-thick, far, far+thick, far+thick)
	wall(-far-thick, -far, -far, far)
	wall(far, -far, far+thick, far)
	const near, deep, high = far + .5, 1.0, 1.9
	g.Hedge(-near-deep, -near-deep, near+deep, -near, ground, high)
	g.Hedge(-near-deep, near, near+deep, near+deep, ground, high)
	g.Hedge(-near-deep, -near, -near, near, ground, high)
	g.Hedge(near, -near, near+deep, near, ground, high)
	for side := range 4 {
		sin, cos := math.Sincos(math.Pi / 2 * float64(side))
		for k := range trees {
			n := float64(trees*side + k)
			along, out := (float64(k)+.5)/trees*2-1, far+2.6+.6*math.Sin(5.1*n)
			x, z := along*(far+1.5)+.4*math.Sin(7.3*n), out
			g.Cypress(r3.Vec{X: x*cos + z*sin, Y: ground, Z: z*cos - x*sin}, 4.2+.9*math.Sin(3.1*n), .7)
		}
	}
	return s
}
