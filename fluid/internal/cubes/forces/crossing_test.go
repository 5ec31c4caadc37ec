package forces

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// The surface crosses a face of cubes, and of any cells, at its distance from the row, whichever side that is on.
func TestSurfaceCrossesFaces(t *testing.T) {
	cubes := &graph.Graph{
		Rows: 2, Centre: [][3]float64{{0, 0, 0}, {0, 1, 0}}, Size: []float32{1, 1},
		A: []int32{0, 1, graph.Air}, B: []int32{1, graph.Air, 0}, Dist: []float64{1, .25, .5}, U: make([]float64, 3),
	}
	cubes.Cubes.Axis = []uint8{1, 1, 2}
	cells := *cubes
	cells.Cubes = graph.Cubes{}
	for f := range cubes.A {
		cells.Normals = append(cells.Normals, cubes.Normal(f))
	}
	cells.ListFaces()
	for _, g := range []*graph.Graph{cubes, &cells} {
		if p, q := crossingOf(g, 1, 1), crossingOf(g, 2, 0); p != [3]float64{0, 1.25, 0} || q != [3]float64{0, 0, -.5} {
			t.Errorf("the surface crosses the faces at %v and %v", p, q)
		}
	}
}
