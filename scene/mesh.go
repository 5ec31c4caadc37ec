package scene

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/g3n/engine/loader/obj"
	"gonum.org/v1/gonum/spatial/r3"
)

// LoadMesh reads all faces of an OBJ file as triangles whose vertices are joined where they
// lie at the same place, which is what fluid.NewMesh needs. Units are the file's, usually m.
func LoadMesh(path string) (vertices []r3.Vec, triangles [][3]int32, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("scene: LoadMesh: %w", err)
	}
	defer f.Close()
	return ReadMesh(f)
}

// ReadMesh is LoadMesh from a reader. Faces with more than three corners are cut into fans
// from their first, so they should be convex; triangles with two corners at one place are
// left out. An error is returned for text that is no OBJ, a corner that names no vertex,
// a coordinate that is not finite, and when no triangle is left.
func ReadMesh(r io.Reader) (vertices []r3.Vec, triangles [][3]int32, err error) {
	defer func() {
		// g3n's decoder may index past its slices on malformed input.
		if p := recover(); p != nil {
			vertices, triangles, err = nil, nil, fmt.Errorf("scene: ReadMesh: malformed OBJ: %v", p)
		}
	}()
	// A nil reader for materials keeps the decoder from opening and printing anything.
	dec, err := obj.DecodeReader(r, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("scene: ReadMesh: %w", err)
	}
	w := newWelder(len(dec.Vertices) / 3)
	for o := range dec.Objects {
		for f := range dec.Objects[o].Faces {
			corners := dec.Objects[o].Faces[f].Vertices
			for k := 1; k+1 < len(corners); k++ {
				if err := w.add(dec.Vertices, corners[0], corners[k], corners[k+1]); err != nil {
					return nil, nil, fmt.Errorf("scene: ReadMesh: face %d of %q: %w", f, dec.Objects[o].Name, err)
				}
			}
		}
	}
	if len(w.triangles) == 0 {
		return nil, nil, fmt.Errorf("scene: ReadMesh: no triangles")
	}
	return w.vertices, w.triangles, nil
}

// welder joins vertices at equal places: exporters write a shared corner with equal digits,
// while a tolerance would close thin gaps that are meant.
type welder struct {
	at        map[[3]float32]int32 // only looked up, never ranged over
	vertex    []int32              // of each vertex in the file, -1 unknown
	vertices  []r3.Vec
	triangles [][3]int32
}

// newWelder is for a mesh of n vertices.
func newWelder(n int) *welder {
	w := &welder{at: map[[3]float32]int32{}, vertex: make([]int32, n)}
	for i := range w.vertex {
		w.vertex[i] = -1
	}
	return w
}

// add adds a triangle of corners, the indices of vertices from, x, y and z each.
func (w *welder) add(from []float32, corners ...int) error {
	var t [3]int32
	for k, c := range corners {
		if c < 0 || c >= len(w.vertex) {
			return fmt.Errorf("no vertex %d among %d", c+1, len(w.vertex))
		}
		if w.vertex[c] < 0 {
			p := [3]float32{from[3*c], from[3*c+1], from[3*c+2]}
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
