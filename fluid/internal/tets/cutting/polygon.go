package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// vec is a place, m, or a vector.
type vec = [3]float64

// polygon is a flat convex polygon with the distances of a solid at its corners, m.
type polygon struct {
	x []vec
	d []float64
}

func (p *polygon) clear() { p.x, p.d = p.x[:0], p.d[:0] }

func (p *polygon) add(x vec, d float64) { p.x, p.d = append(p.x, x), append(p.d, d) }

// clip writes into to what of p is where some values at its corners, linear along its sides, are not less than 0.
func (p *polygon) clip(to *polygon, values []float64) {
	to.clear()
	n := len(p.x)
	for i, here := range values[:n] {
		k := i + 1
		if k == n {
			k = 0
		}
		next := values[k]
		if here >= 0 {
			to.add(p.x[i], p.d[i])
		}
		if (here < 0) != (next < 0) {
			t := here / (here - next)
			x := p.x[i]
			for a := range x {
				x[a] += float64(t * (p.x[k][a] - x[a]))
			}
			to.add(x, p.d[i]+float64(t*(p.d[k]-p.d[i])))
		}
	}
}

// measure is the area of a polygon with a normal, m², and its centroid. One of no area has its first corner for that.
func (p *polygon) measure(normal *vec) (area float64, centre vec) {
	if len(p.x) == 0 {
		return 0, centre
	}
	var sum vec
	for i := 2; i < len(p.x); i++ {
		u, v := geom.Sub(&p.x[i-1], &p.x[0]), geom.Sub(&p.x[i], &p.x[0])
		turn := geom.Cross(&u, &v)
		part := float64(geom.Dot(&turn, normal) / 2)
		area += part
		for a := range sum {
			sum[a] += float64(part * (u[a] + v[a]) / 3)
		}
	}
	centre = p.x[0]
	if area != 0 {
		for a := range centre {
			centre[a] += sum[a] / area
		}
	}
	return math.Abs(area), centre
}

// wrench is a force along n at an arm from what moments are about, and its moment.
func wrench(n, arm *vec) [6]float64 {
	m := geom.Cross(arm, n)
	return [6]float64{n[0], n[1], n[2], m[0], m[1], m[2]}
}
