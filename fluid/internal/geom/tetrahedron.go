package geom

import "math"

// Tetrahedron is a tetrahedron with two fields, F and G, that are linear in it, given at its corners.
type Tetrahedron struct {
	X    [4][3]float64
	F, G [4]float64
}

// SwapFields makes F the field that was G.
func (t *Tetrahedron) SwapFields() { t.F, t.G = t.G, t.F }

// zero returns where F is 0 on the edge between two corners, and G there.
func (t *Tetrahedron) zero(in, out int) (x [3]float64, g float64) {
	s := t.F[in] / (t.F[in] - t.F[out])
	x = t.X[in]
	for a := range x {
		x[a] += float64(s * (t.X[out][a] - x[a]))
	}
	return x, t.G[in] + float64(s*(t.G[out]-t.G[in]))
}

// Below fills parts with the tetrahedra, at most three, that make up what of t has F < 0, and returns how many they are. Their F has no meaning.
func (t *Tetrahedron) Below(parts *[3]Tetrahedron) int {
	var order [4]int
	n, far := 0, 3
	for i, v := range t.F { // those below first
		if v < 0 {
			order[n] = i
			n++
		} else {
			order[far] = i
			far--
		}
	}
	put := func(part, corner int, x [3]float64, g float64) { parts[part].X[corner], parts[part].G[corner] = x, g }
	own := func(part, corner, i int) { put(part, corner, t.X[order[i]], t.G[order[i]]) }
	cut := func(part, corner, in, out int) {
		x, g := t.zero(order[in], order[out])
		put(part, corner, x, g)
	}
	switch n {
	case 0:
		return 0
	case 1:
		own(0, 0, 0)
		cut(0, 1, 0, 1)
		cut(0, 2, 0, 2)
		cut(0, 3, 0, 3)
		return 1
	case 2: // a wedge on the edge 0-1
		own(0, 0, 0)
		own(0, 1, 1)
		cut(0, 2, 1, 2)
		cut(0, 3, 1, 3)
		own(1, 0, 0)
		cut(1, 1, 0, 2)
		cut(1, 2, 1, 2)
		cut(1, 3, 1, 3)
		own(2, 0, 0)
		cut(2, 1, 0, 2)
		cut(2, 2, 0, 3)
		cut(2, 3, 1, 3)
		return 3
	case 3: // a frustum: all but the corner 3
		own(0, 0, 0)
		own(0, 1, 1)
		own(0, 2, 2)
		cut(0, 3, 2, 3)
		own(1, 0, 0)
		own(1, 1, 1)
		cut(1, 2, 1, 3)
		cut(1, 3, 2, 3)
		own(2, 0, 0)
		cut(2, 1, 0, 3)
		cut(2, 2, 1, 3)
		cut(2, 3, 2, 3)
		return 3
	}
	parts[0] = *t
	return 1
}

// Volume returns the volume, which is positive whichever way the tetrahedron is turned.
func (t *Tetrahedron) Volume() float64 {
	return math.Abs(SixfoldOf(&t.X[0], &t.X[1], &t.X[2], &t.X[3])) / 6
}

// SixfoldOf returns six times the volume of the tetrahedron of four points, which is negative if it is inside out.
func SixfoldOf(a, b, c, d *[3]float64) float64 {
	u, v, w := Sub(b, a), Sub(c, a), Sub(d, a)
	turn := Cross(&u, &v)
	return Dot(&turn, &w)
}

// PartBelow returns the part of a tetrahedron's volume where a field is less than 0 that is linear in it and has the values f at its corners.
func PartBelow(f *[4]float64) (part float64) {
	t := Tetrahedron{X: [4][3]float64{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, F: *f}
	var parts [3]Tetrahedron
	for i := range t.Below(&parts) {
		part += float64(6 * parts[i].Volume())
	}
	return min(part, 1)
}

// BarycentricGradients returns the gradients of the barycentric coordinates of a tetrahedron, per unit of length, and six times its volume, which is negative if the
// tetrahedron is inside out.
func BarycentricGradients(a, b, c, d *[3]float64) (to [4][3]float64, sixfold float64) {
	u, v, w := Sub(b, a), Sub(c, a), Sub(d, a)
	to[1], to[2], to[3] = Cross(&v, &w), Cross(&w, &u), Cross(&u, &v)
	sixfold = Dot(&u, &to[1])
	by := 1 / sixfold
	for i := range 3 {
		for k := 1; k < 4; k++ {
			to[k][i] *= by
		}
		to[0][i] = -(to[1][i] + to[2][i] + to[3][i])
	}
	return to, sixfold
}
