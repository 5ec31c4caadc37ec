package trimesh

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// Check reports the first fault: of the tables; a position that is not finite; an edge that has not as many triangles along it one way as the other; two triangles
// with the same vertices; two that meet apart from the vertices and edges that they share, by exact arithmetic. It looks at everything: it is for tests and for search of faults.
func (m *Mesh) Check() error {
	if err := m.checkTables(); err != nil {
		return err
	}
	if err := m.checkFinite(); err != nil {
		return err
	}
	if err := m.checkClosed(); err != nil {
		return err
	}
	for t, v := range m.Triangle {
		if v[0] == Gone {
			continue
		}
		for _, u := range m.VertexTriangles[v[0]] {
			if w := m.Triangle[u]; int(u) > t && slices.Contains(w[:], v[1]) && slices.Contains(w[:], v[2]) {
				return fmt.Errorf("trimesh: triangles %d, %v, and %d, %v, have the same vertices", t, v, u, w)
			}
		}
	}
	if pairs := m.Intersections(nil); len(pairs) > 0 {
		t, u := pairs[0][0], pairs[0][1]
		return fmt.Errorf("trimesh: %d pairs of triangles meet: the first are %d, %v, and %d, %v", len(pairs), t, m.Triangle[t], u, m.Triangle[u])
	}
	return nil
}

// Intersections appends the pairs of triangles, the lower number first, that meet apart from the vertices and edges that they share: see TriangleMeets. The
// first triangles of the pairs are in order. It allocates only where dst has no room.
func (m *Mesh) Intersections(dst [][2]int32) [][2]int32 {
	for t, v := range m.Triangle {
		if v[0] == Gone {
			continue
		}
		a, b, c := m.Corners(int32(t))
		x := [3]r3.Vec{a, b, c}
		box := boxes.Around(x[:])
		m.found = m.Boxes.Overlapping(m.found[:0], &box)
		for _, u := range m.found {
			if int(u) > t && m.meets(u, v, &x) {
				dst = append(dst, [2]int32{int32(t), u})
			}
		}
	}
	return dst
}

// checkFinite reports the first vertex of a triangle that is nowhere.
func (m *Mesh) checkFinite() error {
	for v, x := range m.Position {
		if sum := math.Abs(x.X) + math.Abs(x.Y) + math.Abs(x.Z); len(m.VertexTriangles[v]) > 0 && !(sum <= math.MaxFloat64) {
			return fmt.Errorf("trimesh: vertex %d is at %v", v, x)
		}
	}
	return nil
}

// checkClosed reports the first edge where the surface is not closed.
func (m *Mesh) checkClosed() error {
	for e, ends := range m.Edge {
		if ends[0] == Gone {
			continue
		}
		forth := 0
		for _, t := range m.EdgeTriangles[e] {
			if m.Along(t, ends[0], ends[1]) {
				forth++
			}
		}
		if back := len(m.EdgeTriangles[e]) - forth; forth != back {
			return fmt.Errorf("trimesh: %d triangles run along edge %d, %v, and %d against it", forth, e, ends, back)
		}
	}
	return nil
}

// checkTables reports the first place where the tables disagree with the triangles.
func (m *Mesh) checkTables() error {
	triangles, corners := 0, 0
	for t, v := range m.Triangle {
		if v[0] == Gone {
			continue
		}
		triangles++
		for i, w := range v {
			e := m.Sides[t][i]
			if ends := m.Edge[e]; ends != [2]int32{min(w, v[(i+1)%3]), max(w, v[(i+1)%3])} {
				return fmt.Errorf("trimesh: triangle %d, %v: its side %d is edge %d, %v", t, v, i, e, ends)
			}
			if !slices.Contains(m.EdgeTriangles[e], int32(t)) || !slices.Contains(m.VertexTriangles[w], int32(t)) || !slices.Contains(m.VertexEdges[w], e) {
				return fmt.Errorf("trimesh: triangle %d, %v, is not in the lists of vertex %d and edge %d", t, v, w, e)
			}
		}
		if !m.Boxes.Has(int32(t)) {
			return fmt.Errorf("trimesh: triangle %d has no box", t)
		}
	}
	edges := 0
	for e, list := range m.EdgeTriangles {
		if m.Edge[e][0] == Gone {
			continue
		}
		edges++
		corners += len(list)
	}
	if triangles != m.Triangles() || edges != m.Edges() || corners != 3*triangles || m.Boxes.Len() != triangles {
		return fmt.Errorf("trimesh: %d triangles and %d edges with %d sides and %d boxes, but %d and %d are counted", triangles, edges, corners, m.Boxes.Len(), m.Triangles(), m.Edges())
	}
	return nil
}
