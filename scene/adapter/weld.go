package adapter

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Weld makes a mesh of an engine's buffers, its vertices joined where they lie at the same place:
// engines give each face its own corners, while fluid.NewMesh and physics.Mesh ask which
// triangles share an edge.
//
// positions are xyz per vertex, m; indices are three per triangle, or nil if every three vertices
// are a triangle. Triangles with two corners at one place are left out. It is an error if a corner
// names no vertex, if the coordinate of a corner is not finite, and if no triangle is left.
func Weld(positions []float32, indices []uint32) (vertices []r3.Vec, triangles [][3]int32, err error) {
	w := newWelder(positions)
	if err := w.addAll(indices); err != nil {
		return nil, nil, fmt.Errorf("adapter: Weld: %w", err)
	}
	return w.vertices, w.triangles, nil
}

// welder joins vertices at equal places: exporters write a shared corner with equal digits,
// while a tolerance would close thin gaps that are meant.
type welder struct {
	positions []float32
	at        map[[3]float32]int32 // only looked up, never ranged over
	vertex    []int32              // of each vertex in positions, -1 unknown
	vertices  []r3.Vec
	triangles [][3]int32
}

func newWelder(positions []float32) *welder {
	w := &welder{positions: positions, at: map[[3]float32]int32{}, vertex: make([]int32, len(positions)/3)}
	for i := range w.vertex {
		w.vertex[i] = -1
	}
	return w
}

// addAll adds triangles as Weld is given them.
func (w *welder) addAll(indices []uint32) error {
	count := len(indices)
	if indices == nil {
		count = len(w.vertex)
	}
	corner := func(i int) int {
		if indices == nil {
			return i
		}
		return int(indices[i])
	}
	for i := 0; i+2 < count; i += 3 {
		if err := w.add(corner(i), corner(i+1), corner(i+2)); err != nil {
			return fmt.Errorf("triangle %d: %w", i/3, err)
		}
	}
	if len(w.triangles) == 0 {
		return errors.New("no triangles")
	}
	return nil
}

// add adds a triangle of corners, the indices of vertices.
func (w *welder) add(corners ...int) error {
	var t [3]int32
	for k, c := range corners {
		if c < 0 || c >= len(w.vertex) {
			return fmt.Errorf("no vertex %d among %d", c+1, len(w.vertex))
		}
		if w.vertex[c] < 0 {
			p := [3]float32(w.positions[3*c:])
			for _, v := range p {
				if v := float64(v); math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("vertex %d is not finite: %v", c+1, p)
				}
			}
			id, known := w.at[p]
			if !known {
				id = int32(len(w.vertices))
				w.at[p] = id
				w.vertices = append(w.vertices, r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])})
			}
			w.vertex[c] = id
		}
		t[k] = w.vertex[c]
	}
	if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
		w.triangles = append(w.triangles, t)
	}
	return nil
}
