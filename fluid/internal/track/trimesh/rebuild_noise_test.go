package trimesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Random signs at all nodes make all kinds of cells, with up to four loops: the cones in none of them meet.
func TestNoise(t *testing.T) {
	const n = 6
	rng := rand.New(rand.NewPCG(7, 8))
	for run := range 60 {
		var values [n + 3][n + 3][n + 3]float64
		for i := range n {
			for j := range n {
				for k := range n {
					values[i+1][j+1][k+1] = 2*rng.Float64() - 1
				}
			}
		}
		distance := func(dst []float64, at []r3.Vec) {
			for i, x := range at {
				a, b, c := int(math.Floor(x.X+0.5)), int(math.Floor(x.Y+0.5)), int(math.Floor(x.Z+0.5))
				dst[i] = 1
				if min(a, b, c) >= 0 && max(a, b, c) < n+3 && values[a][b][c] != 0 {
					dst[i] = values[a][b][c]
				}
			}
		}
		var marked [][3]int32
		for i := range int32(n + 1) {
			for j := range int32(n + 1) {
				for k := range int32(n + 1) {
					marked = append(marked, [3]int32{i, j, k})
				}
			}
		}
		var m Mesh
		var r Rebuilder
		_, err := r.Rebuild(&m, Lattice{H: 1}, marked, distance, 0)
		if err != nil {
			t.Fatalf("run %d: %v", run, err)
		}
		if err := m.Check(); err != nil {
			t.Fatalf("run %d: %v", run, err)
		}
	}
}
