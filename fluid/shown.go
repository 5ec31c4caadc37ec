package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// Surface and velocity take turns: the surface moves through a step by the velocity that it has in its middle, and the pressure is
// found for where the surface is there (drift, kick, drift; Störmer and Verlet's scheme). The state is kept between the kick and the
// second half of the drift. What is shown of it, to Surface, Sample and VolumeIn, has made that half, and is where it belongs at the
// step's end: what falls freely has come by ½gt², whatever the step is.

// lag is how long what is kept has yet to move with its velocity to be where it is shown, s.
func (l *Liquid) lag() float64 { return l.m.Dt / 2 }

// kept is where what is shown at a place, m, is kept, in base cells. It inverts, to second order, x + lag·u(x).
func (l *Liquid) kept(x r3.Vec) grid.Point {
	p := l.m.Grid.ToPoint(x.X, x.Y, x.Z)
	q := l.ahead(p, p, -l.lag())
	return l.ahead(p, q, -l.lag())
}

// ahead is a place t seconds on from p with the velocity at another, base cells.
func (l *Liquid) ahead(p, at grid.Point, t float64) grid.Point {
	s := t / (l.m.Grid.H * grid.Edge)
	x, y, z := l.m.Vel.At(at)
	return grid.Point{X: p.X + float64(s*float64(x)), Y: p.Y + float64(s*float64(y)), Z: p.Z + float64(s*float64(z))}
}

// show moves places, m, to where what is kept there is shown. It tells whether any moves.
func (l *Liquid) show(pts []r3.Vec) (moves bool) {
	t := l.lag()
	for i, x := range pts {
		u, v, w := l.m.Vel.At(l.m.Grid.ToPoint(x.X, x.Y, x.Z))
		if u != 0 || v != 0 || w != 0 {
			pts[i] = r3.Add(x, r3.Vec{X: float64(t * float64(u)), Y: float64(t * float64(v)), Z: float64(t * float64(w))})
			moves = true
		}
	}
	return moves
}
