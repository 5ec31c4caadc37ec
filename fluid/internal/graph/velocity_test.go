package graph

import (
	"math"
	"testing"
)

func always(int) bool { return true }

func TestAccelerateAddsAlongNormals(t *testing.T) {
	by := [3]float64{1, 2, 4}
	cubes := Graph{U: []float64{1, 1, 1, 1}, A: make([]int32, 4), Cubes: Cubes{Axis: []uint8{0, 1, 2, 0}}}
	cubes.Accelerate(1, 4, by)
	if got, want := [4]float64(cubes.U), [4]float64{1, 3, 5, 2}; got != want {
		t.Errorf("cubes: %v; want %v", got, want)
	}
	other := Graph{U: []float64{0, 0}, A: make([]int32, 2), FirstFace: []int32{0}, Normals: [][3]float64{{0, .6, .8}, {-1, 0, 0}}}
	other.Accelerate(0, 2, by)
	if math.Abs(other.U[0]-4.4) > 1e-15 || other.U[1] != -1 {
		t.Errorf("normals: %v; want 4.4 and -1", other.U)
	}
}

func TestBoundVelocity(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		u, fastest []float64
		counts     func(f int) bool
		after      []float64
		top        float64
		bad        int
	}{
		"all within":         {[]float64{1, -3, 2, 0}, []float64{3, 2}, always, []float64{1, -3, 2, 0}, 3, -1},
		"one beyond":         {[]float64{1, -30, 2, 0}, []float64{30, 2}, always, []float64{1, -10, 2, 0}, 10, -1},
		"one does not count": {[]float64{1, -30, 2, 0}, []float64{30, 2}, func(f int) bool { return f != 1 }, []float64{1, -10, 2, 0}, 2, -1},
		"one is no number":   {[]float64{1, 2, 0, nan}, []float64{2, nan}, always, []float64{1, 2, 0, nan}, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			g := Graph{A: make([]int32, len(c.u)), U: c.u}
			top, bad := g.BoundVelocity(c.fastest, 2, 10, c.counts)
			if top != c.top || bad != c.bad {
				t.Errorf("greatest %v, bad %d; want %v and %d", top, bad, c.top, c.bad)
			}
			for f, u := range g.U {
				if u != c.after[f] && !(u != u && c.after[f] != c.after[f]) {
					t.Errorf("face %d: %v; want %v", f, u, c.after[f])
				}
			}
		})
	}
}
