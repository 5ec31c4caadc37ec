package physics

import (
	"gonum.org/v1/gonum/spatial/r3"
)

// sdfScratch asks a signed-distance function about points of boxes and spheres.
type sdfScratch struct {
	pts [32]r3.Vec
	out [32]float32
}

// boxSamples are points of the box of half extents 1: corners, middles of edges and faces.
// Corners come first, since on flat ground they alone should carry.
var boxSamples = func() (s [26]r3.Vec) {
	n := 0
	for zeros := range 3 {
		for k := range 27 {
			v := [3]int{k%3 - 1, k/3%3 - 1, k/9 - 1}
			z := 0
			for _, x := range v {
				if x == 0 {
					z++
				}
			}
			if z == zeros {
				s[n] = r3.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])}
				n++
			}
		}
	}
	return s
}()

// at is the distance of the points k < n of q.pts, moved from the world into the axes of s.
func (q *sdfScratch) at(s *solid, n int) []float32 {
	for k := range q.pts[:n] {
		q.pts[k] = mulVecT(s.rot, r3.Sub(q.pts[k], s.pos))
	}
	s.dist(q.out[:n], q.pts[:n])
	return q.out[:n]
}

// gradient is the world gradient of the distance at the world point p by central
// differences of width e, m.
func (q *sdfScratch) gradient(s *solid, p r3.Vec, e float64) r3.Vec {
	for k := range 3 {
		d := r3.Scale(e, column(s.rot, k))
		q.pts[2*k], q.pts[2*k+1] = r3.Add(p, d), r3.Sub(p, d)
	}
	out := q.at(s, 6)
	g := r3.Vec{X: float64(out[0] - out[1]), Y: float64(out[2] - out[3]), Z: float64(out[4] - out[5])}
	return mulVec(s.rot, r3.Scale(1/(2*e), g))
}

// normal is the unit vector into the solid at p; ok is false where the gradient says nothing.
func (q *sdfScratch) normal(s *solid, p r3.Vec, e float64) (n r3.Vec, ok bool) {
	g := q.gradient(s, p, e)
	l := r3.Norm(g)
	return r3.Scale(-1/l, g), l > 1e-3 && finite(l)
}

// width of the differences for a part of size h, m: small against the part, large against
// the rounding of float32 distances.
func width(h float64) float64 { return max(1e-2*h, 1e-4) }

func (q *sdfScratch) sphere(a, b *solid, margin float64, m *manifold) {
	q.pts[0] = a.pos
	sep := float64(q.at(b, 1)[0]) - a.radius
	if !(sep <= margin) {
		return
	}
	if n, ok := q.normal(b, a.pos, width(a.radius)); ok {
		m.add(hit{pos: r3.Add(a.pos, r3.Scale(a.radius+sep/2, n)), normal: n, sep: sep})
	}
}

// box finds where the box a meets the solid b: at its sample points, and at the deepest
// point of it, which a descent from the deepest sample finds.
func (q *sdfScratch) box(a, b *solid, margin float64, m *manifold) {
	for k, s := range boxSamples {
		p := r3.Vec{X: s.X * a.half.X, Y: s.Y * a.half.Y, Z: s.Z * a.half.Z}
		q.pts[k] = r3.Add(a.pos, mulVec(a.rot, p))
	}
	world := q.pts
	best, low := 0, float32(unbounded)
	for k, d := range q.at(b, len(boxSamples)) {
		if d < low {
			best, low = k, d
		}
		if float64(d) <= margin {
			m.add(hit{pos: world[k], sep: float64(d), id: uint32(k)})
		}
	}
	if float64(low) > margin+r3.Norm(a.half) || best >= len(boxSamples) {
		return
	}
	p, d := q.descend(a, b, world[best], float64(low))
	if d <= margin && r3.Norm(r3.Sub(p, world[best])) > 0.1*smallest(a.half) {
		m.add(hit{pos: p, sep: d, id: uint32(len(boxSamples))})
	}
	q.orient(a, b, m)
}

// descend lowers the distance from p, a point of the box a, along the box by projected
// gradient steps that halve when they fail.
func (q *sdfScratch) descend(a, b *solid, p r3.Vec, d float64) (r3.Vec, float64) {
	e := width(smallest(a.half))
	step := max(a.half.X, a.half.Y, a.half.Z) / 2
	for range 8 {
		g := q.gradient(b, p, e)
		local := mulVecT(a.rot, r3.Sub(r3.Sub(p, r3.Scale(step, g)), a.pos))
		local = maxVec(r3.Scale(-1, a.half), minVec(local, a.half))
		next := r3.Add(a.pos, mulVec(a.rot, local))
		q.pts[0] = next
		if f := float64(q.at(b, 1)[0]); f < d {
			p, d = next, f
		} else {
			step /= 2
		}
	}
	return p, d
}

// orient gives the hits their normals and drops those that have none.
func (q *sdfScratch) orient(a, b *solid, m *manifold) {
	e, n := width(smallest(a.half)), 0
	for _, h := range m.hits[:m.n] {
		var ok bool
		if h.normal, ok = q.normal(b, h.pos, e); ok {
			h.pos = r3.Add(h.pos, r3.Scale(h.sep/2, h.normal))
			m.hits[n] = h
			n++
		}
	}
	m.n = n
}
