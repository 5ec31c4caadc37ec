package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// maxTriangles of a Mesh or HeightField.
const maxTriangles = 1 << 24

// MeshDef describes a surface of triangles.
type MeshDef struct {
	// Vertices, m. Those within 1e-5 of the largest extent are one.
	Vertices []r3.Vec
	// Triangles are indices of vertices, counterclockwise as seen from outside. Those without
	// area are left out.
	Triangles [][3]int32
	// TwoSided lets bodies touch the back of triangles too; else they pass through from there.
	TwoSided bool
}

// Mesh is the surface of def, for static and kinematic bodies. It touches convex solids and
// open boxes. One that is closed, each edge that of two triangles, is solid to liquid; any
// other has no inside. Bodies slide over its inner edges without a bump. The slices are not
// kept; def can be of use again.
func Mesh(def MeshDef) Geometry {
	s, flaw := newMesh(def)
	return Geometry{kind: meshGeometry, surface: s, flaw: flaw}
}

func newMesh(def MeshDef) (*surface, string) {
	switch {
	case len(def.Vertices) < 3:
		return nil, "at least 3 vertices"
	case len(def.Vertices) > maxTriangles || len(def.Triangles) > maxTriangles:
		return nil, "at most 1<<24 vertices and triangles"
	}
	for _, p := range def.Vertices {
		if !near(p) {
			return nil, "finite vertices, each coordinate within ±1e6 m"
		}
	}
	for _, t := range def.Triangles {
		for _, v := range t {
			if v < 0 || int(v) >= len(def.Vertices) {
				return nil, "triangles whose indices are those of vertices"
			}
		}
	}
	s := &surface{twoSided: def.TwoSided}
	name := s.weld(def.Vertices)
	for _, t := range def.Triangles {
		t = [3]int32{name[t[0]], name[t[1]], name[t[2]]}
		v := [3]r3.Vec{s.vertices[t[0]], s.vertices[t[1]], s.vertices[t[2]]}
		if n := cross(r3.Sub(v[1], v[0]), r3.Sub(v[2], v[0])); t[0] != t[1] && t[1] != t[2] && t[2] != t[0] && length(n) > 0 {
			s.triangles = append(s.triangles, t)
		}
	}
	if len(s.triangles) == 0 {
		return nil, "at least one triangle with an area"
	}
	s.connect()
	boxes := make([]r3.Box, len(s.triangles))
	for i := range boxes {
		v := s.corners(int32(i))
		boxes[i] = boxOf(v[:])
	}
	s.tree = newBVH(boxes)
	s.bounds = s.tree.nodes[0].box
	return s, ""
}

// weld makes s.vertices those of points that differ, and returns which each has become.
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
				if length(r3.Sub(s.vertices[j], p)) <= e {
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
	s.closed = true
	for i, t := range s.triangles {
		v := s.corners(int32(i))
		n := triangleNormal(&v)
		for k := range 3 {
			j, ok := owner[edge{t[(k+1)%3], t[k]}]
			if own := owner[edge{t[k], t[(k+1)%3]}]; !ok || own < 0 {
				j = -1
			}
			s.across[i][k] = j
			s.closed = s.closed && j >= 0
			a, b := unit(r3.Sub(v[(k+1)%3], v[k])), unit(r3.Sub(v[(k+2)%3], v[k]))
			angle := atan2(length(cross(a, b)), dot(a, b))
			s.normals[t[k]] = r3.Add(s.normals[t[k]], scale(angle, n))
		}
	}
}
