package bodies

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// maxDrag bounds the coefficients of LiquidDrag; what is beyond is none.
const maxDrag = 1e3

// drag is the wrench of LiquidDrag on body i, N and N·m. It is implicit in the body's motion: no step is too long for it.
func (u *unsolved) drag(i int) (wrench [6]float64) {
	c := u.c
	s, r := &c.state[i], &c.Rigid[i]
	from, can := c.Bodies.(dragging)
	if !can || r.InverseMass == 0 || !c.stillThere(i) {
		return wrench
	}
	skin, form := from.LiquidDrag(i)
	area := c.submergedFraction(i).area
	if !(skin >= 0 && skin <= maxDrag && form >= 0 && form <= maxDrag && skin+form > 0 && area > 0) {
		return wrench
	}
	k := c.now.Density / 2 * area * (skin + float64(form/4)) // kg/m
	radius := math.Sqrt(area / (4 * math.Pi))
	v := r3.Sub(reproducible.Vector([3]float64(s.before[:3])), u.flowAround(i))
	w := reproducible.Vector([3]float64(s.before[3:]))
	pull := k * reproducible.Norm(v)
	pull /= 1 + float64(pull*c.now.Dt*r.InverseMass)
	turn := k * radius * radius * radius * reproducible.Norm(w)
	turn /= 1 + float64(turn*c.now.Dt*mostInverse(&r.InverseInertia))
	return rigid.Twist(reproducible.Scale(-pull, v), reproducible.Scale(-turn, w))
}

// mostInverse is no less than the inverse inertia about any axis, 1/(kg·m²): the greatest sum of a row's sizes.
func mostInverse(m *[3][3]float64) (most float64) {
	for i := range m {
		most = max(most, math.Abs(m[i][0])+math.Abs(m[i][1])+math.Abs(m[i][2]))
	}
	return most
}

// flowProbe is where the liquid around a body is looked at: scratch.
type flowProbe struct {
	places   []r3.Vec
	velocity []r3.Vec
	distance []float32
}

// flowAround is the velocity of the liquid that body i is in, m/s: the mean over six places around it, of those in liquid. What moves the liquid
// because the body itself moves cancels in the mean. If none is, as for a body on a thin layer of liquid, places closer to the body are taken.
func (u *unsolved) flowAround(i int) (mean r3.Vec) {
	c := u.c
	solid, p := &c.Solids[i], &u.probe
	size := r3.Sub(solid.Bounds.Max, solid.Bounds.Min)
	for _, far := range [...]float64{1, .7} {
		n := 0.
		reach := float64(far * max(size.X, size.Y, size.Z))
		p.places = p.places[:0]
		for side := range 6 {
			way := [3]float64{}
			way[side/2] = reach * float64(1-2*(side&1))
			if x := r3.Add(solid.Centre, reproducible.Vector(way)); boxes.Contains(c.Domain, x) {
				p.places = append(p.places, x)
			}
		}
		p.velocity, p.distance = arrays.Resize(p.velocity, len(p.places)), arrays.Resize(p.distance, len(p.places))
		c.Liquid.Distance(p.distance, p.places)
		c.Liquid.Velocity(p.velocity, p.places)
		for k, d := range p.distance {
			if d < 0 {
				mean = r3.Add(mean, p.velocity[k])
				n++
			}
		}
		if n > 0 {
			return reproducible.Scale(1/n, mean)
		}
	}
	return r3.Vec{}
}
