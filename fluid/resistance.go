package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// maxDrag bounds the coefficients of LiquidDrag; what is beyond is none.
const maxDrag = 1e3

// takes tells whether body i is one that the liquid takes.
func (c *coupling) takes(i int) bool {
	from, can := c.bodies.(Filtering)
	return !can || from.LiquidCategory(i)&c.mask != 0
}

// dragOnBody is the wrench of LiquidDrag on body i, N and N·m. It is implicit in the body's motion: no step is too long for it.
func (l *Liquid) dragOnBody(i int) (wrench [6]float64) {
	c := &l.coupling
	s, r := &c.state[i], &c.rigid[i]
	from, can := c.bodies.(Dragging)
	if !can || r.InverseMass == 0 || !c.there(i) {
		return wrench
	}
	skin, form := from.LiquidDrag(i)
	area := l.submergedFraction(i).area
	if !(skin >= 0 && skin <= maxDrag && form >= 0 && form <= maxDrag && skin+form > 0 && area > 0) {
		return wrench
	}
	k := l.def.Density / 2 * area * (skin + float64(form/4)) // kg/m
	radius := math.Sqrt(area / (4 * math.Pi))
	v := r3.Sub(reproducible.Vector([3]float64(s.before[:3])), l.flowAround(i))
	w := reproducible.Vector([3]float64(s.before[3:]))
	pull := k * reproducible.Norm(v)
	pull /= 1 + float64(pull*l.m.Dt*r.InverseMass)
	turn := k * radius * radius * radius * reproducible.Norm(w)
	turn /= 1 + float64(turn*l.m.Dt*mostInverse(&r.InverseInertia))
	return rigid.Twist(reproducible.Scale(-pull, v), reproducible.Scale(-turn, w))
}

// mostInverse is no less than the inverse inertia about any axis, 1/(kg·m²): the greatest sum of a row's sizes.
func mostInverse(m *[3][3]float64) (most float64) {
	for i := range m {
		most = max(most, math.Abs(m[i][0])+math.Abs(m[i][1])+math.Abs(m[i][2]))
	}
	return most
}

// flowAround is the velocity of the liquid that body i is in, m/s: the mean over six places around it, of those in liquid. What moves the liquid
// because the body itself moves cancels in the mean.
func (l *Liquid) flowAround(i int) (mean r3.Vec) {
	solid := &l.coupling.solid[i]
	box, n := solid.Bounds, 0.
	size := r3.Sub(box.Max, box.Min)
	reach := max(size.X, size.Y, size.Z)
	for side := range 6 {
		way := [3]float64{}
		way[side/2] = reach * float64(1-2*(side&1))
		x := r3.Add(solid.Centre, reproducible.Vector(way))
		if !boxes.Contains(l.def.Domain, x) {
			continue
		}
		p := l.m.Grid.ToPoint(x.X, x.Y, x.Z)
		if l.m.Set.Tiles.At(p) < 0 {
			a, b, c := l.m.Vel.At(p)
			mean = r3.Add(mean, r3.Vec{X: float64(a), Y: float64(b), Z: float64(c)})
			n++
		}
	}
	return reproducible.Scale(1/max(1, n), mean)
}
