package shapes

import (
	"cmp"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// crossings counts the pairs of triangles that cross each other: an edge of one passes through the other, away from
// corners that they share. Two triangles with a common edge can't, short of lying on each other.
func crossings(positions []r3.Vec, triangles [][3]int32) int {
	boxes := make([]r3.Box, len(triangles))
	order := make([]int32, len(triangles))
	for i, t := range triangles {
		boxes[i] = Mesh{Positions: []r3.Vec{positions[t[0]], positions[t[1]], positions[t[2]]}}.Bounds()
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(boxes[i].Min.X, boxes[j].Min.X) })
	n := 0
	for k, i := range order {
		a := &boxes[i]
		for _, j := range order[k+1:] {
			b := &boxes[j]
			if b.Min.X > a.Max.X {
				break
			}
			if b.Min.Y <= a.Max.Y && a.Min.Y <= b.Max.Y && b.Min.Z <= a.Max.Z && a.Min.Z <= b.Max.Z &&
				(passes(positions, triangles[i], triangles[j]) || passes(positions, triangles[j], triangles[i])) {
				n++
			}
		}
	}
	return n
}

// passes says whether an edge of a, with no corner of b, passes through b.
func passes(positions []r3.Vec, a, b [3]int32) bool {
	for c := range a {
		u, v := a[c], a[(c+1)%3]
		if slices.Contains(b[:], u) || slices.Contains(b[:], v) {
			continue
		}
		p, q := positions[u], positions[v]
		x, y, z := positions[b[0]], positions[b[1]], positions[b[2]]
		if side(p, x, y, z)*side(q, x, y, z) >= 0 {
			continue
		}
		s, t, r := side(p, q, x, y), side(p, q, y, z), side(p, q, z, x)
		if s > 0 && t > 0 && r > 0 || s < 0 && t < 0 && r < 0 {
			return true
		}
	}
	return false
}

// side is six times the volume of a tetrahedron, with its sign.
func side(a, b, c, d r3.Vec) float64 {
	return r3.Dot(r3.Sub(b, a), r3.Cross(r3.Sub(c, a), r3.Sub(d, a)))
}

func TestCrossingsAreFound(t *testing.T) {
	at := []r3.Vec{
		{}, {X: 1}, {Y: 1}, // one triangle
		{X: .2, Y: .2, Z: -1}, {X: .2, Y: .2, Z: 1}, {X: 2, Y: 2, Z: 1}, // passes through it
		{X: .2, Y: .2, Z: .1}, {X: 3, Z: 1}, // above it
	}
	for _, c := range []struct {
		triangles [][3]int32
		want      int
	}{
		{[][3]int32{{0, 1, 2}, {3, 4, 5}}, 1},
		{[][3]int32{{0, 1, 2}, {6, 4, 5}}, 0},
		{[][3]int32{{0, 1, 2}, {0, 3, 4}}, 1}, // they share a corner
		{[][3]int32{{0, 1, 2}, {0, 6, 4}}, 0},
		{[][3]int32{{0, 1, 2}, {1, 0, 7}}, 0}, // they share an edge
	} {
		if got := crossings(at, c.triangles); got != c.want {
			t.Errorf("%v: %d crossings, want %d", c.triangles, got, c.want)
		}
	}
}
