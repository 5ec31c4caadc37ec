package forces_test

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// Faces of cubes, and of any cells, are accelerated along their normals and have the pressure of the bent surface beyond those at the air.
func TestForcesOnFaces(t *testing.T) {
	cubes := &graph.Graph{
		Rows: 2, Centre: [][3]float64{{0, 0, 0}, {0, 1, 0}}, Size: []float32{1, 1},
		A: []int32{0, 1, graph.Air}, B: []int32{1, graph.Air, 0}, Dist: []float64{1, .25, .5}, Jump: []float64{9, 9, 9}, U: []float64{1, 2, 3},
	}
	cubes.Cubes.Axis = []uint8{1, 1, 2}
	cells := *cubes
	cells.U, cells.Jump, cells.Cubes = []float64{1, 2, 3}, []float64{9, 9, 9}, graph.Cubes{}
	for f := range cubes.A {
		cells.Normals = append(cells.Normals, cubes.Normal(f))
	}
	cells.ListFaces()
	for _, g := range []*graph.Graph{cubes, &cells} {
		g.Accelerate(0, g.Faces(), [3]float64{7, .5, -2})
		if g.U[0] != 1.5 || g.U[1] != 2.5 || g.U[2] != 1 {
			t.Errorf("velocities %v", g.U)
		}
		faces, at := forces.SurfaceFaces(g, nil, nil)
		if len(faces) != 2 || faces[0] != 1 || faces[1] != 2 || at[0] != [3]float64{0, 1.25, 0} || at[1] != [3]float64{0, 0, -.5} {
			t.Errorf("the surface is at faces %v, %v", faces, at)
		}
		forces.SetJump(g, .5, faces, []float32{4, -6})
		if g.Jump[0] != 0 || g.Jump[1] != 2 || g.Jump[2] != -3 {
			t.Errorf("jumps %v", g.Jump)
		}
	}
}
