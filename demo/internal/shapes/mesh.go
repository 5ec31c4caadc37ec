// Package shapes makes the meshes that liquid is made to follow: a dancer with a skeleton and a choreography, shapes
// with deformations to key a morph from, and closed meshes read from files.
//
// Every mesh is closed, connected and manifold, has its triangles counter-clockwise seen from outside, and does not
// cross itself. Lengths are in metres, times in seconds, angles in radians, +y is up.
package shapes

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// Mesh is a closed surface of triangles.
type Mesh struct {
	Positions []r3.Vec   // m
	Triangles [][3]int32 // counter-clockwise seen from outside
}

// Volume is what the surface encloses, m³.
func (m Mesh) Volume() float64 { return Volume(m.Positions, m.Triangles) }

// Volume is what a closed surface encloses, m³; less than 0 if its triangles are clockwise seen from outside.
func Volume(positions []r3.Vec, triangles [][3]int32) float64 {
	if len(positions) == 0 {
		return 0
	}
	from := positions[0] // near the surface, so that the sum loses no digits far from the origin
	sum := 0.
	for _, t := range triangles {
		a, b, c := r3.Sub(positions[t[0]], from), r3.Sub(positions[t[1]], from), r3.Sub(positions[t[2]], from)
		sum += r3.Dot(a, r3.Cross(b, c))
	}
	return sum / 6
}

// Bounds is the least box around the vertices.
func (m Mesh) Bounds() r3.Box {
	if len(m.Positions) == 0 {
		return r3.Box{}
	}
	box := r3.Box{Min: m.Positions[0], Max: m.Positions[0]}
	for _, p := range m.Positions {
		box.Min = r3.Vec{X: min(box.Min.X, p.X), Y: min(box.Min.Y, p.Y), Z: min(box.Min.Z, p.Z)}
		box.Max = r3.Vec{X: max(box.Max.X, p.X), Y: max(box.Max.Y, p.Y), Z: max(box.Max.Z, p.Z)}
	}
	return box
}

// Check tells in what way the mesh is not closed, connected, manifold and oriented outwards, or nil. It does not look
// for triangles that cross.
func (m Mesh) Check() error {
	if len(m.Triangles) == 0 {
		return errors.New("shapes: Mesh.Triangles: none; must be at least 4")
	}
	next := make(map[[2]int32]int32, 3*len(m.Triangles)) // the third corner, by directed edge
	for i, t := range m.Triangles {
		for c := range t {
			a, b := t[c], t[(c+1)%3]
			switch {
			case a < 0 || int(a) >= len(m.Positions):
				return fmt.Errorf("shapes: Mesh.Triangles[%d][%d]: %d; must be below the %d vertices", i, c, a, len(m.Positions))
			case a == b:
				return fmt.Errorf("shapes: Mesh.Triangles[%d]: has the corner %d twice", i, a)
			}
			if _, twice := next[[2]int32{a, b}]; twice {
				return fmt.Errorf("shapes: Mesh.Triangles[%d]: another triangle has its edge %d-%d the same way round; must be manifold and oriented", i, a, b)
			}
			next[[2]int32{a, b}] = t[(c+2)%3]
		}
	}
	if err := m.checkClosed(next); err != nil {
		return err
	}
	if v := m.Volume(); !(v > 0) {
		return fmt.Errorf("shapes: Mesh: encloses %g m³; must be more than 0", v)
	}
	return nil
}

// checkClosed walks around each vertex: its triangles must be one closed fan. Then the fans must hang together.
func (m Mesh) checkClosed(next map[[2]int32]int32) error {
	degree := make([]int, len(m.Positions))
	start := make([]int32, len(m.Positions)) // some neighbour of the vertex
	for _, t := range m.Triangles {
		for c, a := range t {
			degree[a]++
			start[a] = t[(c+1)%3]
		}
	}
	open := 0
	for e := range next {
		if _, ok := next[[2]int32{e[1], e[0]}]; !ok {
			open++
		}
	}
	if open > 0 {
		return fmt.Errorf("shapes: Mesh: %d edges have one triangle; every edge must have two", open)
	}
	for v, n := range degree {
		if n == 0 {
			return fmt.Errorf("shapes: Mesh.Positions[%d]: no triangle has it", v)
		}
		at, steps := next[[2]int32{int32(v), start[v]}], 1
		for ; at != start[v]; steps++ {
			at = next[[2]int32{int32(v), at}]
		}
		if steps != n {
			return fmt.Errorf("shapes: Mesh.Positions[%d]: its triangles are more than one fan; must be manifold", v)
		}
	}
	if n := m.pieces(); n != 1 {
		return fmt.Errorf("shapes: Mesh: %d pieces; must be connected", n)
	}
	return nil
}

// pieces counts the parts that share no vertex.
func (m Mesh) pieces() int {
	parent := make([]int32, len(m.Positions))
	for i := range parent {
		parent[i] = int32(i)
	}
	root := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	n := len(parent)
	for _, t := range m.Triangles {
		for _, b := range t[1:] {
			if ra, rb := root(t[0]), root(b); ra != rb {
				parent[ra] = rb
				n--
			}
		}
	}
	return n
}
