package control

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// span is the bounds of a triangle along the axis of the sweep, and across it.
type span struct {
	lo, hi   float64
	min, max [2]float64
	triangle int32
}

// crossings returns the number of pairs of triangles that cross each other, and the first. Triangles that share an edge don't count, nor do pairs that
// only touch.
//
// It sweeps the bounds along the longest side of the mesh: about n^1.5 comparisons for n triangles of similar size.
func crossings(positions []r3.Vec, triangles [][3]int32) (count int, first [2]int32) {
	return crossingsOf(sortedSpans(nil, positions, triangles), positions, triangles)
}

// crossingsOf is crossings for triangles with sorted spans.
func crossingsOf(spans []span, positions []r3.Vec, triangles [][3]int32) (count int, first [2]int32) {
	for i := range spans {
		a := &spans[i]
		for j := i + 1; j < len(spans) && spans[j].lo <= a.hi; j++ {
			b := &spans[j]
			if a.min[0] > b.max[0] || b.min[0] > a.max[0] || a.min[1] > b.max[1] || b.min[1] > a.max[1] {
				continue
			}
			if cross(positions, triangles[a.triangle], triangles[b.triangle]) {
				if pair := [2]int32{min(a.triangle, b.triangle), max(a.triangle, b.triangle)}; count == 0 || slices.Compare(pair[:], first[:]) < 0 {
					first = pair
				}
				count++
			}
		}
	}
	return count, first
}

// checkCrossing returns an error that names the first frame in which a clip's surface crosses itself.
func (c *Clip) checkCrossing() error {
	var spans []span
	for f, time := range c.times {
		x := c.positions[f*c.vertices : (f+1)*c.vertices]
		spans = sortedSpans(spans, x, c.triangles)
		if n, first := crossingsOf(spans, x, c.triangles); n > 0 {
			return fmt.Errorf("%w in frame %d (%.4g s): %d pairs of triangles, the first %d and %d; must be none: more keys between", ErrCrossing, f, time, n, first[0], first[1])
		}
	}
	return nil
}

// sortedSpans returns the spans of triangles in the order of the sweep, in dst if it has room.
func sortedSpans(dst []span, positions []r3.Vec, triangles [][3]int32) []span {
	size := reproducible.Array(boxes.Around(positions).Size())
	axis := 0
	for k := 1; k < 3; k++ {
		if size[k] > size[axis] {
			axis = k
		}
	}
	u, v := (axis+1)%3, (axis+2)%3
	spans := slices.Grow(dst[:0], len(triangles))[:len(triangles)]
	for i, t := range triangles {
		a, b, c := reproducible.Array(positions[t[0]]), reproducible.Array(positions[t[1]]), reproducible.Array(positions[t[2]])
		spans[i] = span{
			min(a[axis], b[axis], c[axis]), max(a[axis], b[axis], c[axis]),
			[2]float64{min(a[u], b[u], c[u]), min(a[v], b[v], c[v])},
			[2]float64{max(a[u], b[u], c[u]), max(a[v], b[v], c[v])}, int32(i),
		}
	}
	slices.SortFunc(spans, func(a, b span) int {
		if c := cmp.Compare(a.lo, b.lo); c != 0 {
			return c
		}
		return int(a.triangle) - int(b.triangle)
	})
	return spans
}

// cross reports whether a side of one triangle passes through the other.
func cross(positions []r3.Vec, s, t [3]int32) bool {
	shared := 0
	for _, v := range s {
		if v == t[0] || v == t[1] || v == t[2] {
			shared++
		}
	}
	if shared > 1 {
		return false
	}
	return pierces(positions, s, t) || pierces(positions, t, s)
}

// pierces reports whether a side of s passes through t. Sides with a vertex of t don't.
func pierces(positions []r3.Vec, s, t [3]int32) bool {
	a := positions[t[0]]
	ab, ac := r3.Sub(positions[t[1]], a), r3.Sub(positions[t[2]], a)
	n := reproducible.Cross(ab, ac)
	var side [3]float64 // of the plane of t on which a vertex of s lies
	shared := int32(-1)
	for k, v := range s {
		if v == t[0] || v == t[1] || v == t[2] {
			shared = v
			continue
		}
		d := r3.Sub(positions[v], a)
		side[k] = reproducible.Dot(d, n)
		// Distances from the plane within rounding count as zero.
		if most := reproducible.Norm(d) * reproducible.Norm(n); side[k] <= touching*most && side[k] >= -touching*most {
			side[k] = 0
		}
	}
	for k := range 3 {
		l := (k + 1) % 3
		if !(side[k] > 0 && side[l] < 0 || side[k] < 0 && side[l] > 0) {
			continue
		}
		from, to := positions[s[k]], positions[s[l]]
		at := r3.Add(from, reproducible.Scale(side[k]/(side[k]-side[l]), r3.Sub(to, from)))
		// A side of a degenerate s may pass through its own third vertex.
		if shared >= 0 && reproducible.Norm(r3.Sub(at, positions[shared])) <= touching*reproducible.Norm(r3.Sub(to, from)) {
			continue
		}
		if inside(r3.Sub(at, a), ab, ac, n) {
			return true
		}
	}
	return false
}

// touching is the relative tolerance within which a point counts as in a plane, or on an edge.
const touching = 1e-12

// inside reports whether a point in a triangle's plane is in the triangle or on its edge, by its barycentric coordinates.
func inside(p, ab, ac, n r3.Vec) bool {
	nn := reproducible.Norm2(n)
	v := reproducible.Dot(reproducible.Cross(p, ac), n)
	w := reproducible.Dot(reproducible.Cross(ab, p), n)
	slack := float64(touching * nn)
	return nn > 0 && v >= -slack && w >= -slack && v+w <= nn+slack
}
