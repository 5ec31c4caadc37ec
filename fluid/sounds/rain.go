package sounds

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// rainHalfLife, s, is the half-life of droplets' weights.
	rainHalfLife = .5
	// leastDrops is the least weighted number of droplets in rain.
	leastDrops = 4
)

// rain sums the droplets of the last second or so, with decaying weights.
type rain struct {
	time           float64 // s
	count          float64
	volume, energy float64 // m³, J
	speed          float64 // m/s, summed
	at             r3.Vec  // m, summed
	xx, yy, xy     float64 // m², summed: places across Up, from origin
	origin         r3.Vec
	last           r3.Vec // Up
}

// hear adds a step's droplets.
func (r *rain) hear(s *Step) (src Source, ok bool) {
	if s.Up != r.last {
		*r = rain{last: s.Up}
	}
	keep := reproducible.Exp2(-s.Dt / rainHalfLife)
	for _, v := range [...]*float64{&r.time, &r.count, &r.volume, &r.energy, &r.speed, &r.xx, &r.yy, &r.xy} {
		*v = float64(*v * keep)
	}
	r.at = reproducible.Scale(keep, r.at)
	r.time += s.Dt
	u, v := reproducible.Basis(cmp.Or(s.Up, r3.Vec{Y: 1}))
	for i := range s.Drops {
		r.add(&s.Drops[i], s.Density, u, v)
	}
	if r.count < leastDrops {
		return src, false
	}
	mean, energy := reproducible.Scale(1/r.count, r.at), r.energy/r.time
	area := r.area(reproducible.Dot(mean, u), reproducible.Dot(mean, v))
	return Source{
		Kind: Rain, Key: 1, Position: r3.Add(r.origin, mean), Size: sphereRadius(r.volume / r.count), Spread: radiusOf(area),
		Energy: energy * s.Dt, Speed: r.speed / r.count, Litres: r.volume / litre / r.time, Rate: r.count / r.time, Area: area,
	}, true
}

func (r *rain) add(d *Droplet, density float64, u, v r3.Vec) {
	if r.count == 0 {
		r.origin = d.Position
	}
	p := r3.Sub(d.Position, r.origin)
	x, y := reproducible.Dot(p, u), reproducible.Dot(p, v)
	r.count++
	r.volume += sphere(d.Radius)
	r.energy += d.energy(density)
	r.speed += d.Speed
	r.at = r3.Add(r.at, p)
	r.xx, r.yy, r.xy = r.xx+float64(x*x), r.yy+float64(y*y), r.xy+float64(x*y)
}

// area returns the area of a rectangle, m², on which evenly distributed droplets have the same covariance, for the mean x, y.
func (r *rain) area(x, y float64) float64 {
	xx, yy, xy := r.xx/r.count-float64(x*x), r.yy/r.count-float64(y*y), r.xy/r.count-float64(x*y)
	return 12 * math.Sqrt(max(0, float64(xx*yy)-float64(xy*xy)))
}
