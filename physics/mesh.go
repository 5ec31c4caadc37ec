package physics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// maxTriangles of a Mesh or HeightField.
const maxTriangles = 1 << 24

// MeshDef describes a surface of triangles.
type MeshDef struct {
	// Vertices, m. Those within 1e-5 of the largest extent are one.
	Vertices []r3.Vec
	// Triangles are indices of vertices, in either sense for a solid, counterclockwise seen from the front for an open surface. Those
	// without area are left out.
	Triangles [][3]int32
	// MaxOpen, above 0 to 1, is the largest share of the surface that closed holes may be; 0 means 0.15. Holes inside of another
	// piece, as where a spout joins a pot, do not count.
	MaxOpen float64
	// Open takes a surface with a rim, such as terrain: bodies touch its front, it has no inside,
	// and liquid passes through it.
	Open bool
	// TwoSided lets bodies touch the back of triangles too, through which they pass otherwise. It
	// takes a surface with a rim as Open does.
	TwoSided bool
}

// Mesh is the solid with the surface def, for static and kinematic bodies. It touches convex
// solids and open boxes, and is solid to liquid. Bodies slide over its inner edges without a
// bump. The slices are not kept; def can be used again.
//
// Connected triangles are turned to face out of the solid. A closed piece
// inside another is a cavity if its triangles are given in the opposite sense, and part of the
// solid otherwise. Pieces that overlap are one solid. Holes are closed by flat fans of triangles, up to
// MaxOpen. Unless def is Open or TwoSided, Validate reports a mesh that is more open, with the size and place of the holes, or that has no
// volume. It takes about 5 µs a triangle.
func Mesh(def MeshDef) Geometry {
	s, limit := newMesh(def, false)
	return Geometry{kind: meshGeometry, surface: s, flaw: checkField(limit == "", "Mesh: def", any(nil), limit)}
}

// newMesh makes the surface of def, or returns what the mesh must be. Vertices that are welded already are kept apart.
func newMesh(def MeshDef, welded bool) (*surface, string) {
	if flaw := def.flaw(); flaw != "" {
		return nil, flaw
	}
	s := &surface{twoSided: def.TwoSided}
	var name []int32
	if !welded {
		name = s.weld(def.Vertices)
	} else {
		s.vertices = slices.Clone(def.Vertices)
	}
	for _, t := range def.Triangles {
		if !welded {
			t = [3]int32{name[t[0]], name[t[1]], name[t[2]]}
		}
		v := [3]r3.Vec{s.vertices[t[0]], s.vertices[t[1]], s.vertices[t[2]]}
		if n := reproducible.Cross(r3.Sub(v[1], v[0]), r3.Sub(v[2], v[0])); t[0] != t[1] && t[1] != t[2] && t[2] != t[0] && reproducible.Norm(n) > 0 {
			s.triangles = append(s.triangles, t)
		}
	}
	if len(s.triangles) == 0 {
		return nil, "at least one triangle with an area"
	}
	open, maxOpen := def.Open || def.TwoSided, cmp.Or(def.MaxOpen, defaultMaxOpen)
	if open {
		maxOpen = 0
	}
	if flaw := s.makeSolid(maxOpen); flaw != "" && !open {
		return nil, flaw
	}
	s.connect()
	boxes := make([]r3.Box, len(s.triangles))
	for i := range boxes {
		v := s.corners(int32(i))
		boxes[i] = boxOf(v[:])
	}
	s.tree = newBVH(boxes)
	s.bounds = s.tree.nodes[0].box
	if s.closed {
		s.wall = s.thinnestWall()
	}
	return s, ""
}

// flaw is what the numbers of a mesh must be, "" if they are valid.
func (def *MeshDef) flaw() string {
	switch {
	case len(def.Vertices) < 3:
		return "at least 3 vertices"
	case len(def.Vertices) > maxTriangles || len(def.Triangles) > maxTriangles:
		return "at most 1<<24 vertices and triangles"
	case !within(def.MaxOpen, 0, 1):
		return "a MaxOpen from 0 to 1"
	}
	for _, p := range def.Vertices {
		if !near(p) {
			return "finite vertices, each coordinate within ±1e6 m"
		}
	}
	for _, t := range def.Triangles {
		for _, v := range t {
			if v < 0 || int(v) >= len(def.Vertices) {
				return "triangles whose indices are those of vertices"
			}
		}
	}
	return ""
}

// weld makes s.vertices the distinct points, and returns the index of each point among them.
func (s *surface) weld(points []r3.Vec) []int32 {
	size := boxOf(points).Size()
	e := max(weldShare*max(size.X, size.Y, size.Z), 1e-9)
	type cell [3]int64
	at := func(p r3.Vec, dx, dy, dz int64) cell {
		return cell{int64(math.Floor(p.X/e)) + dx, int64(math.Floor(p.Y/e)) + dy, int64(math.Floor(p.Z/e)) + dz}
	}
	cells := make(map[cell]int32, len(points)) // to the last vertex there, which next links
	var next []int32
	name := make([]int32, len(points))
	find := func(p r3.Vec) int32 {
		for k := range int64(27) {
			j, ok := cells[at(p, k%3-1, k/3%3-1, k/9-1)]
			for ; ok && j >= 0; j = next[j] {
				if reproducible.Norm(r3.Sub(s.vertices[j], p)) <= e {
					return j
				}
			}
		}
		return -1
	}
	for i, p := range points {
		j := find(p)
		if j < 0 {
			j = int32(len(s.vertices))
			c, last := at(p, 0, 0, 0), int32(-1)
			if k, ok := cells[c]; ok {
				last = k
			}
			s.vertices, next = append(s.vertices, p), append(next, last)
			cells[c] = j
		}
		name[i] = j
	}
	return name
}

// connect finds the triangles across edges and the normals of vertices. An edge that more
// than two triangles have, or two in the same direction, is free.
func (s *surface) connect() {
	type edge [2]int32
	owner := make(map[edge]int32, 3*len(s.triangles))
	for i, t := range s.triangles {
		for k := range 3 {
			e := edge{t[k], t[(k+1)%3]}
			if _, taken := owner[e]; taken {
				owner[e] = -1
			} else {
				owner[e] = int32(i)
			}
		}
	}
	s.across = make([][3]int32, len(s.triangles))
	s.normals = make([]r3.Vec, len(s.vertices))
	free := false
	for i, t := range s.triangles {
		v := s.corners(int32(i))
		n := triangleNormal(&v)
		for k := range 3 {
			j, ok := owner[edge{t[(k+1)%3], t[k]}]
			if own := owner[edge{t[k], t[(k+1)%3]}]; !ok || own < 0 {
				j = -1
			}
			s.across[i][k] = j
			free = free || j < 0
			a, b := unit(r3.Sub(v[(k+1)%3], v[k])), unit(r3.Sub(v[(k+2)%3], v[k]))
			angle := reproducible.PreciseAtan2(reproducible.Norm(reproducible.Cross(a, b)), reproducible.Dot(a, b))
			s.normals[t[k]] = r3.Add(s.normals[t[k]], reproducible.Scale(angle, n))
		}
	}
	s.usesWinding = s.closed && (free || s.pieces > 1)
}
