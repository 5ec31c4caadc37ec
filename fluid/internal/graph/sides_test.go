package graph_test

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// column is two cubes and air along y, with a composite face below them whose other rows are 2, 3 and air.
func column() *graph.Graph {
	const air = graph.Air
	g := &graph.Graph{
		Rows: 4, Size: []float32{1, 1, .5, .5},
		A: []int32{^0, 0, 1}, B: []int32{0, 1, air},
	}
	g.Cubes.Axis = []uint8{1, 1, 1}
	g.Cubes.Sides = [][6]int32{{-1, -1, 0, 1, -1, -1}, {-1, -1, 1, 2, -1, -1}, {-1, -1, -1, 0, -1, -1}, {-1, -1, -1, 0, -1, -1}}
	g.Cubes.Quads, g.Cubes.Shares = [][4]int32{{air, 2, 3, air}}, [][4]float64{{.1, .2, .3, .4}}
	return g
}

// Sides tell their rows, whether they have one, four or none.
func TestSides(t *testing.T) {
	g := column()
	if on := g.RowsOn(1); on.N != 1 || on.Row[0] != 1 || on.Share[0] != 1 {
		t.Errorf("on a side of one row: %v", on)
	}
	if on := g.RowsOn(graph.Air); on.N != 1 || on.Row[0] != graph.Air {
		t.Errorf("on a side of air: %v", on)
	}
	if on := g.RowsOn(^0); on.N != 4 || on.Row[2] != 3 || on.Share[2] != .3 {
		t.Errorf("on a composite side: %v", on)
	}
	if r := [3]int32{g.FirstRow(1), g.FirstRow(graph.Air), g.FirstRow(^0)}; r != [3]int32{1, -1, 2} {
		t.Errorf("first rows %v", r)
	}
	if s := [3]float64{g.ShareOf(1, 1), g.ShareOf(3, ^0), g.ShareOf(0, ^0)}; s != [3]float64{1, .3, 0} {
		t.Errorf("shares %v", s)
	}
	if !graph.IsComposite(^0) || graph.IsComposite(0) || graph.IsComposite(graph.Air) {
		t.Error("which side is composite?")
	}
}

// From a row a face leads to its other side, and straight on to the opposite face, on cubes and on cells that list their faces.
func TestWaysThroughCells(t *testing.T) {
	cubes := column()
	cells := &graph.Graph{Rows: 2, A: []int32{graph.Air, 0, 1}, B: []int32{0, 1, graph.Air}, Normals: [][3]float64{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}}}
	cells.ListFaces()
	for _, g := range []*graph.Graph{cubes, cells} {
		if side, out := g.Across(0, 1); side != 1 || out != 1 {
			t.Errorf("upwards across the face: %d, %g", side, out)
		}
		if side, out := g.Across(1, 1); side != 0 || out != -1 {
			t.Errorf("downwards across the face: %d, %g", side, out)
		}
		if up, down := g.Opposite(1, 1), g.Opposite(0, 1); up != 2 || down != 0 {
			t.Errorf("straight on: %d and %d", up, down)
		}
	}
	if side, out := cubes.Across(2, 0); side != 0 || out != 1 {
		t.Errorf("out of one of four: %d, %g", side, out)
	}
}
