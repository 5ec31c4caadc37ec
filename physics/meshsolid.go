package physics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// defaultMaxOpen allows for a cube without one of its twelve triangles, but not for one without a lid, a sixth of its surface: that may be a cup.
const defaultMaxOpen = 0.15

// sheetShare is the greatest ratio of a volume to area^1.5 of what counts as a sheet: a ball's is .094.
const sheetShare = 1e-6

// piece is a set of triangles that are connected by edges of exactly two of them.
type piece struct {
	triangles    []int32 // numbers, of the surface
	caps         int     // index in triangles of the first that closes a hole
	area, volume float64
	box          r3.Box
	out          float64 // 1: normals point out of the solid; -1: into it (a cavity)
}

// halfEdge is one side of a triangle, from its lower to its higher vertex if forward.
type halfEdge struct {
	lo, hi   int32
	triangle int32
	forward  bool
}

// makeSolid makes the triangles bound a solid: it orients those of each piece alike and outward, and closes holes. A piece
// inside another is a cavity if its orientation is opposite to that one's. If that is impossible, or holes are more than
// maxOpen of the surface, it returns what the mesh must be, and leaves the surface unchanged.
func (s *surface) makeSolid(maxOpen float64) (flaw string) {
	kept, vertices := slices.Clone(s.triangles), len(s.vertices)
	s.dropRepeated()
	pieces := s.orientPieces()
	if flaw = s.closeHoles(pieces, maxOpen); flaw == "" {
		s.orientOutward(pieces)
		switch area := s.area(); {
		case !s.balanced():
			flaw = "a surface with an inside: triangles of this one can't all be turned alike (MeshDef.Open takes it as it is)"
		case s.volume() <= sheetShare*area*math.Sqrt(area):
			flaw = "the surface of a solid: this one encloses no volume (MeshDef.Open takes it as it is)"
		}
	}
	if flaw != "" {
		s.triangles, s.vertices = kept, s.vertices[:vertices]
		return flaw
	}
	s.closed, s.pieces = true, len(pieces)
	return ""
}

// dropRepeated keeps the first of triangles with the same corners.
func (s *surface) dropRepeated() {
	seen := make(map[[3]int32]bool, len(s.triangles))
	s.triangles = slices.DeleteFunc(s.triangles, func(t [3]int32) bool {
		slices.Sort(t[:])
		again := seen[t]
		seen[t] = true
		return again
	})
}

// edges lists the sides of some triangles, those of one edge together.
func (s *surface) edges(triangles []int32) []halfEdge {
	list := make([]halfEdge, 0, 3*len(triangles))
	for _, i := range triangles {
		t := s.triangles[i]
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			list = append(list, halfEdge{min(a, b), max(a, b), i, a < b})
		}
	}
	slices.SortFunc(list, func(a, b halfEdge) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi), cmp.Compare(a.triangle, b.triangle))
	})
	return list
}

// eachEdge calls visit with the sides of every edge.
func eachEdge(list []halfEdge, visit func(sides []halfEdge)) {
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].lo == list[0].lo && list[n].hi == list[0].hi {
			n++
		}
		visit(list[:n])
		list = list[n:]
	}
}

// middleOf is a triangle's centroid, m.
func middleOf(v *[3]r3.Vec) r3.Vec { return reproducible.Scale(1./3, r3.Add(v[0], r3.Add(v[1], v[2]))) }

// surplus is the number of forward sides of an edge less that of backward ones.
func surplus(sides []halfEdge) (forward int) {
	for _, e := range sides {
		if e.forward {
			forward++
		} else {
			forward--
		}
	}
	return forward
}

// all is the numbers of all triangles.
func (s *surface) all() []int32 {
	n := make([]int32, len(s.triangles))
	for i := range n {
		n[i] = int32(i)
	}
	return n
}

// flipTriangle makes triangle i face the other way.
func (s *surface) flipTriangle(i int32) {
	t := &s.triangles[i]
	t[1], t[2] = t[2], t[1]
}

// areaOf is the area of triangle i, m², and the volume of the tetrahedron from a point to it, m³.
func (s *surface) areaOf(i int32, from r3.Vec) (area, volume float64) {
	v := s.corners(i)
	n := reproducible.Cross(r3.Sub(v[1], v[0]), r3.Sub(v[2], v[0]))
	return reproducible.Norm(n) / 2, reproducible.Dot(r3.Sub(v[0], from), n) / 6
}

// area is that of all triangles, m².
func (s *surface) area() (sum float64) {
	for i := range s.triangles {
		a, _ := s.areaOf(int32(i), r3.Vec{})
		sum += a
	}
	return sum
}

// volume is that which the triangles enclose, m³; where pieces overlap it counts twice.
func (s *surface) volume() (sum float64) {
	from := s.vertices[0]
	for i := range s.triangles {
		_, v := s.areaOf(int32(i), from)
		sum += v
	}
	return sum
}

// balanced reports whether each edge has as many sides forward as backward: then the surface has an inside.
func (s *surface) balanced() bool {
	ok := true
	eachEdge(s.edges(s.all()), func(sides []halfEdge) {
		ok = ok && surplus(sides) == 0
	})
	return ok
}

// orientPieces finds the pieces and orients the triangles of each alike, as most of its area is.
func (s *surface) orientPieces() (pieces []piece) {
	type neighbour struct {
		triangle int32
		alike    bool
	}
	near, count := make([][3]neighbour, len(s.triangles)), make([]uint8, len(s.triangles))
	eachEdge(s.edges(s.all()), func(sides []halfEdge) {
		if len(sides) != 2 {
			return
		}
		for k, e := range sides {
			i := e.triangle
			near[i][count[i]] = neighbour{sides[1-k].triangle, e.forward != sides[1-k].forward}
			count[i]++
		}
	})
	seen, turned := make([]bool, len(s.triangles)), make([]bool, len(s.triangles))
	for start := range s.triangles {
		if seen[start] {
			continue
		}
		seen[start] = true
		p := piece{triangles: []int32{int32(start)}}
		area := [2]float64{}
		for k := 0; k < len(p.triangles); k++ {
			i := p.triangles[k]
			for _, n := range near[i][:count[i]] {
				if !seen[n.triangle] {
					seen[n.triangle], turned[n.triangle] = true, turned[i] == n.alike
					p.triangles = append(p.triangles, n.triangle)
				}
			}
			a, _ := s.areaOf(i, r3.Vec{})
			if p.area += a; turned[i] {
				area[1] += a
			} else {
				area[0] += a
			}
		}
		for _, i := range p.triangles {
			if turned[i] != (area[1] > area[0]) {
				s.flipTriangle(i)
			}
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// closeHoles closes each hole by a fan of triangles, or returns how open the mesh is.
func (s *surface) closeHoles(pieces []piece, maxOpen float64) (flaw string) {
	free, whole, caps := 0, 0., 0.
	var at r3.Vec
	edges := 3 * len(s.triangles) / 2
	for k := range pieces {
		p := &pieces[k]
		whole += p.area
		rim := s.rim(p)
		if len(rim) > 0 && free == 0 {
			at = reproducible.Scale(0.5, r3.Add(s.vertices[rim[0][0]], s.vertices[rim[0][1]]))
		}
		free += len(rim)
		p.caps = len(p.triangles)
		s.capHoles(p, rim)
	}
	for k := range pieces {
		caps += s.openArea(pieces, k)
	}
	if share := caps / (whole + caps); share > maxOpen || free > 0 && maxOpen == 0 {
		return fmt.Sprintf("closed: %d of about %d edges have a triangle on one side only, one of them at (%.4g, %.4g, %.4g) m, and holes are %.0f %% of the surface, more than %.0f "+
			"(MeshDef.MaxOpen; MeshDef.Open takes a surface without an inside)", free, edges, at.X, at.Y, at.Z, 100*share, 100*maxOpen)
	}
	return ""
}

// rim is the edges of a piece without a triangle on the other side, as the triangle on this side runs.
func (s *surface) rim(p *piece) (rim [][2]int32) {
	eachEdge(s.edges(p.triangles), func(sides []halfEdge) {
		forward := surplus(sides)
		for ; forward > 0; forward-- {
			rim = append(rim, [2]int32{sides[0].lo, sides[0].hi})
		}
		for ; forward < 0; forward++ {
			rim = append(rim, [2]int32{sides[0].hi, sides[0].lo})
		}
	})
	return rim
}

// maxCoverTests bounds the work of openArea.
const maxCoverTests = 1 << 26

// openArea is the area, m², of the caps of piece k outside all other pieces. Caps inside another piece, as where a spout
// joins a pot, are no opening.
func (s *surface) openArea(pieces []piece, k int) (sum float64) {
	p := &pieces[k]
	caps := p.triangles[p.caps:]
	look := len(pieces) > 1 && len(caps)*len(s.triangles) < maxCoverTests
	size := boxOf(s.vertices).Size()
	out := 10 * weldShare * max(size.X, size.Y, size.Z) // one may end where the other does
	if s.volumeOf(p) < 0 {
		out = -out
	}
	for _, i := range caps {
		v := s.corners(i)
		x := middleOf(&v)
		x = r3.Add(x, reproducible.Scale(out, triangleNormal(&v)))
		within := false
		for j := range pieces {
			if within || j == k || !look {
				continue
			}
			within = s.windingOf(&pieces[j], x) != 0
		}
		if !within {
			a, _ := s.areaOf(i, r3.Vec{})
			sum += a
		}
	}
	return sum
}

// capHoles closes the holes with a rim, each by a fan about its middle.
func (s *surface) capHoles(p *piece, rim [][2]int32) {
	root := make(map[int32]int32, len(rim)) // of the vertices of a hole; looked up, never ranged over
	find := func(v int32) int32 {
		for {
			r, ok := root[v]
			if !ok || r == v {
				return v
			}
			v = r
		}
	}
	for _, e := range rim {
		if a, b := find(e[0]), find(e[1]); a != b {
			root[max(a, b)] = min(a, b)
		}
	}
	sum, count := map[int32]r3.Vec{}, map[int32]float64{}
	for _, e := range rim {
		r := find(e[0])
		sum[r], count[r] = r3.Add(sum[r], r3.Add(s.vertices[e[0]], s.vertices[e[1]])), count[r]+2
	}
	middle := map[int32]int32{}
	for _, e := range rim {
		r := find(e[0])
		if _, ok := middle[r]; !ok {
			middle[r] = int32(len(s.vertices))
			s.vertices = append(s.vertices, reproducible.Scale(1/count[r], sum[r]))
		}
		i := int32(len(s.triangles))
		s.triangles = append(s.triangles, [3]int32{e[1], e[0], middle[r]})
		p.triangles = append(p.triangles, i)
	}
}

// volumeOf is what a closed piece encloses, m³: less than 0 if its triangles face into it.
func (s *surface) volumeOf(p *piece) (sum float64) {
	from := s.vertices[s.triangles[p.triangles[0]][0]]
	for _, i := range p.triangles {
		_, v := s.areaOf(i, from)
		sum += v
	}
	return sum
}

// orientOutward orients pieces so that their normals point out of the solid.
func (s *surface) orientOutward(pieces []piece) {
	order := make([]*piece, len(pieces))
	for k := range pieces {
		p := &pieces[k]
		order[k] = p
		p.box = r3.Box{Min: s.vertices[s.triangles[p.triangles[0]][0]]}
		p.box.Max = p.box.Min
		for _, i := range p.triangles {
			v := s.corners(i)
			p.box = union(p.box, boxOf(v[:]))
		}
		p.volume = s.volumeOf(p)
	}
	slices.SortStableFunc(order, func(a, b *piece) int { return cmp.Compare(math.Abs(b.volume), math.Abs(a.volume)) })
	for k, p := range order {
		given := math.Copysign(1, p.volume)
		p.out = 1
		for j := k - 1; j >= 0; j-- { // the smallest that holds it
			q := order[j]
			if holds(&q.box, &p.box) && s.encloses(q, p) {
				p.out = q.out * given * math.Copysign(1, q.volume)
				break
			}
		}
		if p.out != given {
			for _, i := range p.triangles { // encloses counts windings of either sign
				s.flipTriangle(i)
			}
		}
	}
}

// holds reports whether a box is within another.
func holds(outer, inner *r3.Box) bool {
	return outer.Min.X <= inner.Min.X && outer.Min.Y <= inner.Min.Y && outer.Min.Z <= inner.Min.Z &&
		outer.Max.X >= inner.Max.X && outer.Max.Y >= inner.Max.Y && outer.Max.Z >= inner.Max.Z
}

// encloses reports whether samples of piece p are inside piece q.
func (s *surface) encloses(q, p *piece) bool {
	const samples = 5
	for k := range samples {
		v := s.corners(p.triangles[k*len(p.triangles)/samples])
		x := middleOf(&v)
		if s.windingOf(q, x) == 0 {
			return false
		}
	}
	return true
}

// windingDirection is the ray direction for winding numbers, aligned with no regular mesh.
var windingDirection = r3.Vec{X: 0.577218, Y: 0.692137, Z: 0.433384}

// crossing is 1 where the ray from x along windingDirection leaves through the front of triangle i, -1 where it enters, and else 0. Of triangles that share
// an edge or a corner exactly one is met there, as both ask in the same order which side of the edge the ray is on.
func (s *surface) crossing(i int32, x r3.Vec) int {
	t := s.triangles[i]
	v := s.corners(i)
	for k := range v {
		v[k] = r3.Sub(v[k], x)
	}
	var side [3]bool
	for k := range 3 {
		a, b := k, (k+1)%3
		if t[a] < t[b] {
			side[k] = reproducible.Dot(windingDirection, reproducible.Cross(v[a], v[b])) >= 0
		} else {
			side[k] = !(reproducible.Dot(windingDirection, reproducible.Cross(v[b], v[a])) >= 0)
		}
	}
	if side[0] != side[1] || side[1] != side[2] {
		return 0
	}
	n := reproducible.Cross(r3.Sub(v[1], v[0]), r3.Sub(v[2], v[0]))
	if height, slope := reproducible.Dot(n, v[0]), reproducible.Dot(n, windingDirection); height > 0 != (slope > 0) || slope == 0 {
		return 0
	}
	if side[0] {
		return 1
	}
	return -1
}

// windingOf is the winding number of a closed piece about the local point x.
func (s *surface) windingOf(p *piece, x r3.Vec) (turns int) {
	for _, i := range p.triangles {
		turns += s.crossing(i, x)
	}
	return turns
}

// winding is the winding number of the surface about the local point p: above 0 inside the solid.
func (s *surface) winding(p r3.Vec) (turns int) {
	if p.X < s.bounds.Min.X || p.Y < s.bounds.Min.Y || p.Z < s.bounds.Min.Z || p.X > s.bounds.Max.X || p.Y > s.bounds.Max.Y || p.Z > s.bounds.Max.Z {
		return 0
	}
	reach := reproducible.Scale(4*reproducible.Norm(s.bounds.Size()), windingDirection)
	s.tree.along(p, reach, func(item int32) float64 {
		turns += s.crossing(item, p)
		return 1
	})
	return turns
}

// wallSamples is how many triangles a mesh's thinnest wall is looked for from at most.
const wallSamples = 1 << 14

// thinnestWall is the least way through the solid from the middle of a triangle, straight in, to one that faces the other way, m. What
// is closer than vertices that are welded touches, and is no wall.
func (s *surface) thinnestWall() float64 {
	size := s.bounds.Size()
	least, touch := smallest(size), weldShare*max(size.X, size.Y, size.Z)
	step := max(1, len(s.triangles)/wallSamples)
	for i := 0; i < len(s.triangles); i += step {
		v := s.corners(int32(i))
		n := triangleNormal(&v)
		x := middleOf(&v)
		ahead := least
		s.tree.along(x, reproducible.Scale(-least, n), func(item int32) float64 {
			u := s.corners(item)
			m := triangleNormal(&u)
			if facing := -reproducible.Dot(m, n); facing > 0.5 && int(item) != i {
				if d := reproducible.Dot(m, r3.Sub(u[0], x)) / facing; d > touch && d < ahead && withinTriangle(&u, m, r3.Sub(x, reproducible.Scale(d, n))) {
					ahead = d
				}
			}
			return min(1, ahead/least)
		})
		least = min(least, ahead)
	}
	return least
}

// withinTriangle reports whether the point p of a triangle's plane, with normal n, is in the triangle.
func withinTriangle(v *[3]r3.Vec, n, p r3.Vec) bool {
	for k := range 3 {
		if reproducible.Dot(n, reproducible.Cross(r3.Sub(v[(k+1)%3], v[k]), r3.Sub(p, v[k]))) < 0 {
			return false
		}
	}
	return true
}
