package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tolerances of the builder, in shares of the largest extent of the points. Points nearer
// than weldShare are one; points that far above a face do not change it: both are well above
// the rounding of float32 models. Faces whose vertices are within mergeShare of one plane
// are one face, so that a box made of triangles has six.
const (
	weldShare  = 1e-5
	mergeShare = 1e-4
	// lostShare is how far outside of merged faces a vertex may be.
	lostShare = 5 * mergeShare
	// flatShare is the least thickness of a solid.
	flatShare = 1e-4
)

// quickhull builds the convex hull of points by repeated insertion of the farthest point outside, so that the loss at
// MaxHullVertices is small. Source: Barber, Dobkin, Huhdanpaa 1996.
type quickhull struct {
	points []r3.Vec
	eps    float64
	verts  []int // points that are vertices
	faces  []triFace
	owner  [MaxHullVertices][MaxHullVertices]int16 // 1 + the face with the directed edge
}

type triFace struct {
	v [3]int16 // in verts
	plane
	dead bool
}

// buildHull is the hull of the points, or what is wrong with them.
func buildHull(points []r3.Vec) (*hull, string) {
	if len(points) < 4 {
		return nil, "at least 4 points"
	}
	if len(points) > maxHullPoints {
		return nil, "at most 16384 points"
	}
	for _, p := range points {
		if !near(p) {
			return nil, "finite points, each coordinate within ±1e6 m"
		}
	}
	size := boxOf(points).Size()
	extent := max(size.X, size.Y, size.Z)
	if extent < minSize {
		return nil, "points that are not all one: the largest extent at least 1e-4 m"
	}
	q := &quickhull{points: points, eps: weldShare * extent}
	if flaw := q.start(extent); flaw != "" {
		return nil, flaw
	}
	for len(q.verts) < MaxHullVertices {
		i := q.farthest()
		if i < 0 {
			break
		}
		if !q.addPoint(i) {
			return nil, "points whose hull is not thinner than rounding anywhere"
		}
	}
	h := q.merged(mergeShare * extent)
	if h == nil || !q.contains(h, lostShare*extent) { // so thin that opposite faces merge
		if h = q.merged(0); h != nil && !q.contains(h, lostShare*extent) {
			return nil, "points whose hull is not thinner than rounding anywhere"
		}
	}
	if h == nil || h.width < max(minSize, flatShare*extent) {
		return nil, "points that enclose a volume: the least width at least 1e-4 m and 1e-4 of the largest extent"
	}
	return h, ""
}

// start makes a tetrahedron of points far from each other.
func (q *quickhull) start(extent float64) string {
	far := func(f func(p r3.Vec) float64) (int, float64) {
		best, most := 0, -1.0
		for i, p := range q.points {
			if x := f(p); x > most {
				best, most = i, x
			}
		}
		return best, most
	}
	lowest, _ := far(func(p r3.Vec) float64 { return maxCoordinate*4 - p.X - float64(1e-3*p.Y) - float64(1e-6*p.Z) })
	a := q.points[lowest]
	j, l := far(func(p r3.Vec) float64 { return reproducible.Norm(r3.Sub(p, a)) })
	u := reproducible.Scale(1/l, r3.Sub(q.points[j], a))
	k, wide := far(func(p r3.Vec) float64 { return reproducible.Norm(reproducible.Cross(u, r3.Sub(p, a))) })
	if wide < flatShare*extent {
		return "points that are not all on a line"
	}
	n := unit(reproducible.Cross(u, r3.Sub(q.points[k], a)))
	m, high := far(func(p r3.Vec) float64 { return math.Abs(reproducible.Dot(n, r3.Sub(p, a))) })
	if high < flatShare*extent {
		return "points that are not all on a plane"
	}
	q.verts = []int{lowest, j, k, m}
	if reproducible.Dot(n, r3.Sub(q.points[m], a)) > 0 {
		q.verts[1], q.verts[2] = k, j
	}
	for _, f := range [4][3]int16{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}} {
		q.addFace(f)
	}
	return ""
}

func (q *quickhull) point(v int16) r3.Vec { return q.points[q.verts[v]] }

// addFace is false if the triangle has no area.
func (q *quickhull) addFace(v [3]int16) bool {
	a, b, c := q.point(v[0]), q.point(v[1]), q.point(v[2])
	n := reproducible.Cross(r3.Sub(b, a), r3.Sub(c, a))
	l := reproducible.Norm(n)
	if !(l > 0) {
		return false
	}
	n = reproducible.Scale(1/l, n)
	for k := range 3 {
		q.owner[v[k]][v[(k+1)%3]] = int16(len(q.faces) + 1)
	}
	q.faces = append(q.faces, triFace{v: v, plane: plane{n, reproducible.Dot(n, a)}})
	return true
}

// farthest is the point farthest outside, or -1.
func (q *quickhull) farthest() int {
	best, most := -1, q.eps
	for i, p := range q.points {
		for f := range q.faces {
			if q.faces[f].dead {
				continue
			}
			if d := q.faces[f].above(p); d > most {
				best, most = i, d
			}
		}
	}
	return best
}

// addPoint replaces the faces that point i is above by a fan from it to their rim.
func (q *quickhull) addPoint(i int) bool {
	p := q.points[i]
	seed, most := 0, math.Inf(-1)
	for f := range q.faces {
		if d := q.faces[f].above(p); !q.faces[f].dead && d > most {
			seed, most = f, d
		}
	}
	// A flood fill from the face that p is farthest above keeps the rim a single loop under rounding.
	var rim [][2]int16
	stack := []int{seed}
	q.faces[seed].dead = true
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for k := range 3 {
			a, b := q.faces[f].v[k], q.faces[f].v[(k+1)%3]
			g := int(q.owner[b][a]) - 1
			switch {
			case q.faces[g].dead:
			case q.faces[g].above(p) > 0:
				q.faces[g].dead = true
				stack = append(stack, g)
			}
		}
	}
	for f := range q.faces {
		if !q.faces[f].dead {
			continue
		}
		for k := range 3 {
			a, b := q.faces[f].v[k], q.faces[f].v[(k+1)%3]
			if q.owner[a][b] == int16(f+1) && !q.faces[q.owner[b][a]-1].dead {
				rim = append(rim, [2]int16{a, b})
			}
		}
	}
	q.verts = append(q.verts, i)
	apex := int16(len(q.verts) - 1)
	for _, e := range rim {
		if !q.addFace([3]int16{e[0], e[1], apex}) {
			return false
		}
	}
	q.faces = slices.DeleteFunc(q.faces, func(f triFace) bool { return f.dead })
	q.owner = [MaxHullVertices][MaxHullVertices]int16{}
	for f := range q.faces {
		for k := range 3 {
			q.owner[q.faces[f].v[k]][q.faces[f].v[(k+1)%3]] = int16(f + 1)
		}
	}
	return true
}

// merged is the polyhedron whose faces are groups of triangles within tol of one plane, or
// nil if that is none.
func (q *quickhull) merged(tol float64) *hull {
	group := q.groups(tol)
	h := &hull{first: []uint16{0}}
	loops := [][]int16{}
	uses := make([]int, len(q.verts))
	for g := range len(q.faces) {
		loop := q.outline(group, g)
		if loop == nil {
			continue
		}
		loops = append(loops, loop)
		for _, v := range loop {
			uses[v]++
		}
	}
	name := make([]uint8, len(q.verts))
	for v, n := range uses {
		if n >= 3 { // of two faces only: a point on an edge
			name[v] = uint8(len(h.vertices))
			h.vertices = append(h.vertices, q.point(int16(v)))
		}
	}
	for _, loop := range loops {
		for _, v := range loop {
			if uses[v] >= 3 {
				h.loop = append(h.loop, name[v])
			}
		}
		if len(h.loop)-int(h.first[len(h.first)-1]) < 3 {
			return nil
		}
		h.first = append(h.first, uint16(len(h.loop)))
	}
	if len(h.first) < 5 || !h.complete() {
		return nil
	}
	return h
}

// contains reports whether no vertex is farther outside of h than tol, m, and no other point either, unless the limit of
// vertices has left points out. At a very sharp edge a point just above two faces may be far outside.
func (q *quickhull) contains(h *hull, tol float64) bool {
	for v := range q.verts {
		if h.distance(q.point(int16(v))) > tol {
			return false
		}
	}
	if len(q.verts) == MaxHullVertices {
		return true
	}
	for _, p := range q.points {
		if h.distance(p) > tol {
			return false
		}
	}
	return true
}

// groups gives each triangle the number of its face's largest, from which the face grows
// over all neighbours whose vertices are within tol of its plane.
func (q *quickhull) groups(tol float64) []int {
	order := make([]int, len(q.faces))
	area := make([]float64, len(q.faces))
	group := make([]int, len(q.faces))
	for f := range q.faces {
		v := q.faces[f].v
		a := q.point(v[0])
		order[f], group[f] = f, -1
		area[f] = reproducible.Norm(reproducible.Cross(r3.Sub(q.point(v[1]), a), r3.Sub(q.point(v[2]), a)))
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case area[i] > area[j]:
			return -1
		case area[i] < area[j]:
			return 1
		}
		return 0
	})
	for _, seed := range order {
		if group[seed] >= 0 {
			continue
		}
		group[seed] = seed
		stack := []int{seed}
		for len(stack) > 0 {
			f := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for k := range 3 {
				v := q.faces[f].v
				g := int(q.owner[v[(k+1)%3]][v[k]]) - 1
				if group[g] < 0 && q.within(g, seed, tol) {
					group[g] = seed
					stack = append(stack, g)
				}
			}
		}
	}
	return group
}

// within reports whether triangle g lies within tol of the plane of the seed, and not
// across it.
func (q *quickhull) within(g, seed int, tol float64) bool {
	s := &q.faces[seed]
	if reproducible.Dot(s.normal, q.faces[g].normal) < 0.5 {
		return false
	}
	for _, v := range q.faces[g].v {
		if math.Abs(s.above(q.point(v))) > tol {
			return false
		}
	}
	return true
}

// outline is the loop around group g, or nil if there is no such group.
func (q *quickhull) outline(group []int, g int) []int16 {
	if group[g] != g {
		return nil
	}
	var next [MaxHullVertices]int16
	start, n := int16(-1), 0
	for f := range q.faces {
		if group[f] != g {
			continue
		}
		for k := range 3 {
			a, b := q.faces[f].v[k], q.faces[f].v[(k+1)%3]
			if group[q.owner[b][a]-1] != g {
				next[a], start = b, a
				n++
			}
		}
	}
	loop := make([]int16, 0, n)
	for v := start; len(loop) < n; v = next[v] {
		loop = append(loop, v)
	}
	return loop
}
