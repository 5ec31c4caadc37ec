package bodies

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// maxDrag is the greatest valid coefficient of LiquidDrag; greater ones have no effect.
const maxDrag = 1e3

// drag returns the wrench of LiquidDrag on body i, N and N·m. It is implicit in the body's motion, and so stable for any step.
func (u *unsolved) drag(i int) (wrench [6]float64) {
	c := u.c
	s, r := &c.state[i], &c.Rigid[i]
	from, can := c.Bodies.(engine.Dragging)
	if !can || r.InverseMass == 0 || !c.stillThere(i) {
		return wrench
	}
	skin, form := from.LiquidDrag(i)
	wet := c.submergedFraction(i)
	area := wet.area
	if !(skin >= 0 && skin <= maxDrag && form >= 0 && form <= maxDrag && skin+form > 0 && area > 0) {
		return wrench
	}
	k := c.now.Density / 2 * area * (skin + float64(form/4)) // kg/m
	radius := math.Sqrt(area / (4 * math.Pi))
	var v r3.Vec // relative to the liquid
	if flow, ok := u.flowAround(i, wet); ok {
		v = r3.Sub(reproducible.Vector([3]float64(s.before[:3])), flow)
	}
	w := reproducible.Vector([3]float64(s.before[3:]))
	pull := k * reproducible.Norm(v)
	pull /= 1 + float64(pull*c.now.Dt*r.InverseMass)
	turn := k * radius * radius * radius * reproducible.Norm(w)
	turn /= 1 + float64(turn*c.now.Dt*mostInverse(&r.InverseInertia))
	return rigid.Twist(reproducible.Scale(-pull, v), reproducible.Scale(-turn, w))
}

// mostInverse returns an upper bound of the inverse inertia about any axis, 1/(kg·m²): the greatest row sum of absolute values.
func mostInverse(m *[3][3]float64) (most float64) {
	for i := range m {
		most = max(most, math.Abs(m[i][0])+math.Abs(m[i][1])+math.Abs(m[i][2]))
	}
	return most
}

// flowProbe is scratch: places around a body, and the liquid there.
type flowProbe struct {
	places   []r3.Vec
	side     []int // of the places
	velocity []r3.Vec
	distance []float32
}

// flowPlaces is the number of places on each side of a body.
const flowPlaces = 4

// flowAround returns the velocity of the liquid around body i, m/s: the mean over the sides with liquid. The flow that the body's own motion
// causes nearly cancels in the mean, the better the farther away. Each side therefore counts with its farthest place in liquid, up to the
// body's greatest extent from its centre. For a floating body all places are at the depth of its wet part. ok is false if no side has liquid.
func (u *unsolved) flowAround(i int, wet submersion) (mean r3.Vec, ok bool) {
	c := u.c
	solid, p := &c.Solids[i], &u.probe
	size := reproducible.Array(r3.Sub(solid.Bounds.Max, solid.Bounds.Min))
	up, high := opposite(c.accelerations[i]), 0.
	for a, x := range reproducible.Array(up) {
		high += float64(math.Abs(x) * size[a])
	}
	middle := solid.Centre
	if wet.whole > 0 {
		middle = r3.Sub(middle, reproducible.Scale(high/2*max(0, 1-wet.under/wet.whole), up))
	}
	far := max(size[0], size[1], size[2])
	ends := [2][3]float64{reproducible.Array(solid.Bounds.Max), reproducible.Array(solid.Bounds.Min)}
	p.places, p.side = p.places[:0], p.side[:0]
	for side := range 6 {
		near := min(far, math.Abs(ends[side&1][side/2]-reproducible.Array(middle)[side/2])+float64(c.edges[i]/4))
		for k := range flowPlaces {
			way := [3]float64{}
			way[side/2] = (far - float64((far-near)*float64(k)/(flowPlaces-1))) * float64(1-2*(side&1))
			if x := r3.Add(middle, reproducible.Vector(way)); boxes.Contains(c.Domain, x) {
				p.places, p.side = append(p.places, x), append(p.side, side)
			}
		}
	}
	p.velocity, p.distance = arrays.Resize(p.velocity, len(p.places)), arrays.Resize(p.distance, len(p.places))
	c.Liquid.Distance(p.distance, p.places)
	c.Liquid.Velocity(p.velocity, p.places)
	n, found := 0., -1
	for k, d := range p.distance {
		if d < 0 && p.side[k] != found {
			mean, found = r3.Add(mean, p.velocity[k]), p.side[k]
			n++
		}
	}
	if n == 0 {
		return mean, false
	}
	return reproducible.Scale(1/n, mean), true
}
