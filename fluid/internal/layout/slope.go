package layout

// Slope is the field at a point, trilinear in the cells of its block, its gradient there per metre, and the edge of the cells, m.
func (s *Scalar) Slope(p Point) (value float32, grad [3]float32, edge float64) {
	b, fx, fy, fz := s.g.Locate(p)
	l := s.g.Prev.Level[b]
	n := 1 << l
	e := n + 2
	x, y, z := float64(fx*float64(n))+.5, float64(fy*float64(n))+.5, float64(fz*float64(n))+.5
	i, j, k := int(x), int(y), int(z)
	u, v, w := float32(x-float64(i)), float32(y-float64(j)), float32(z-float64(k))
	t := s.of(l, s.g.Prev.First[b])[i+e*(j+e*k):]
	lo, hi := t[:e+2], t[e*e:][:e+2]
	near := [4]float32{mix(lo[0], lo[1], u), mix(lo[e], lo[e+1], u), mix(hi[0], hi[1], u), mix(hi[e], hi[e+1], u)} // between the ends of lines along x
	low, high := mix(near[0], near[1], v), mix(near[2], near[3], v)
	edge = s.g.CellSize(l)
	inv := float32(1 / edge)
	grad[0] = inv * mix(mix(lo[1]-lo[0], lo[e+1]-lo[e], v), mix(hi[1]-hi[0], hi[e+1]-hi[e], v), w)
	grad[1] = inv * mix(near[1]-near[0], near[3]-near[2], w)
	grad[2] = inv * (high - low)
	return mix(low, high, w), grad, edge
}
