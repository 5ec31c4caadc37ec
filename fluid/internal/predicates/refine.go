package predicates

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// near is how near a pair is, in parts of its size, whose nearest points need more care.
const near = 0x1p-10

// sides are those of the triangle and of the parallelogram of the differences.
var sides = [2][4][2]int{{{0, 1}, {1, 2}, {2, 0}}, {{0, 1}, {1, 3}, {3, 2}, {2, 0}}}

// refine finds the nearest points of a pair that is near anew. What Ericson's formulas lose by cancellation, and the error of a direction that is the difference of
// much longer vectors, are in parts of the size: below √half of that a wrong side may come out as the nearest, and the direction be turned to the other side of a far end. Here weights come from
// products across, and the direction is made normal to what it starts from.
func (p *pair) refine(m *moment) {
	x := &m.x
	n := p.n
	var best moment
	for k, s := range sides[n-3][:n] {
		i, j := s[0], s[1]
		side := r3.Sub(x[j], x[i])
		t, d := 0., x[i]
		if square := reproducible.Norm2(side); square > 0 {
			if t = -reproducible.Dot(x[i], side) / square; t > 0 && t < 1 {
				d = geom.Lerp(t, &x[i], &x[j])
				d = r3.Sub(d, reproducible.Scale(reproducible.Dot(d, side)/square, side))
			} else if t >= 1 {
				t, d = 1, x[j]
			} else {
				t = 0
			}
		}
		at := geom.Lerp(t, &x[i], &x[j])
		if distance := reproducible.Norm(at); k == 0 || distance < best.distance {
			best.nearest, best.distance = d, distance
			var w [4]float64
			w[i] = 1 - t
			w[j] = t
			best.weigh(n, &w)
		}
	}
	m.w, m.u, m.v, m.nearest, m.distance = best.w, best.u, best.v, best.nearest, best.distance
	p.within(m)
}

// weigh sets the place on a side from the weights of its two differences.
func (m *moment) weigh(n int, w *[4]float64) {
	if n == 3 {
		m.w, m.u, m.v = w[0], w[1], w[2]
		return
	}
	// One of two sums is a single weight, so that none exceeds 1.
	m.u, m.v = w[2]+w[3], w[1]+w[3]
}

// within makes the moment that of a place within the triangle or parallelogram, if that is not farther.
func (p *pair) within(m *moment) {
	x := &m.x
	first, second := r3.Sub(x[1], x[0]), r3.Sub(x[2], x[0])
	n := reproducible.Cross(first, second)
	square := reproducible.Norm2(n)
	if square == 0 {
		return
	}
	// 0 is seen along n at x[0] + a first + b second.
	a := reproducible.Dot(reproducible.Cross(second, x[0]), n) / square
	b := reproducible.Dot(reproducible.Cross(x[0], first), n) / square
	c := 1.
	if p.n == 3 {
		c = 1 - a - b
	}
	if !(a > 0 && b > 0 && a < 1 && b < 1 && c > 0) {
		return
	}
	at := r3.Add(r3.Add(x[0], reproducible.Scale(a, first)), reproducible.Scale(b, second))
	if distance := reproducible.Norm(at); distance <= m.distance {
		m.distance = distance
		m.nearest = reproducible.Scale(reproducible.Dot(n, x[0])/square, n)
		if p.n == 3 {
			m.w, m.u, m.v = c, a, b
		} else {
			m.u, m.v = b, a
		}
	}
}
