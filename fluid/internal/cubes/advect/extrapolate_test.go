package advect

import (
	"math"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// lake is a grid of mixed levels whose faces below a height are known, with the velocity of field.
func lake(height float64, field func(x [3]float64) [3]float64) (g *layout.Grid, faces *Faces, state *[3][]uint8) {
	g = layout.New([3]float64{}, .125, [3]int{3, 3, 3}, layout.MaxLevel)
	for b := range int32(9) {
		g.Set(b, layout.MaxLevel-1)
	}
	g.Settle()
	faces, state = new(Faces), new([3][]uint8)
	for a := range 3 {
		faces[a], state[a] = make([]float32, g.Cells()), make([]uint8, g.Cells())
	}
	eachFace(g, func(a int, slot int, x [3]float64) {
		faces[a][slot] = float32(math.NaN())
		if x[1] < height {
			faces[a][slot], state[a][slot] = float32(field(x)[a]), 1
		}
	})
	return g, faces, state
}

func eachFace(g *layout.Grid, f func(axis, slot int, x [3]float64)) {
	for b := range int32(g.Bases()) {
		l := g.Cur.Level[b]
		n, h, lo := 1<<l, g.CellSize(l), g.Corner(b)
		for c := range n * n * n {
			at := [3]int{c % n, c / n % n, c / (n * n)}
			for a := range 3 {
				var x [3]float64
				for d := range 3 {
					x[d] = lo[d] + (float64(at[d])+.5)*h
				}
				x[a] -= .5 * h
				f(a, int(g.Cur.First[b])+c, x)
			}
		}
	}
}

func TestSpreadKeepsAConstant(t *testing.T) {
	g, faces, state := lake(1.6, func([3]float64) [3]float64 { return [3]float64{1, -2, 3} })
	NewExtrapolation(g, par.New(1)).Extrapolate(faces, state, func(int32) {})
	eachFace(g, func(a, slot int, x [3]float64) {
		if max(x[0], x[2]) > 3-2*g.H {
			return // the grid's end is a wall: what flows at it accumulates
		}
		if u := float64(faces[a][slot]); !(math.Abs(u-[3]float64{1, -2, 3}[a]) <= 1e-6) {
			t.Fatalf("axis %d at %v: %g", a, x, u)
		}
	})
}

// Whichever way liquid ends, its velocity is known as far as to the end of the next block: liquid moves by several cells in a step.
func TestSpreadReachesABlockBothWays(t *testing.T) {
	for way := range 6 {
		for _, end := range []float64{1.6, 2} { // m, in a block and between two
			g := layout.New([3]float64{}, .125, [3]int{5, 5, 5}, layout.MaxLevel)
			g.Settle()
			faces, state := new(Faces), new([3][]uint8)
			for a := range 3 {
				faces[a], state[a] = make([]float32, g.Cells()), make([]uint8, g.Cells())
			}
			along := func(x [3]float64) float64 {
				if way%2 == 1 {
					return 5 - x[way/2]
				}
				return x[way/2]
			}
			eachFace(g, func(a, slot int, x [3]float64) {
				faces[a][slot] = float32(math.NaN())
				if along(x) <= end {
					faces[a][slot], state[a][slot] = float32(a+1), 1
				}
			})
			NewExtrapolation(g, par.New(1)).Extrapolate(faces, state, func(int32) {})
			eachFace(g, func(a, slot int, x [3]float64) {
				if max(x[0], x[1], x[2]) > 5-2*g.H {
					return // the grid's end is a wall
				}
				if u := float64(faces[a][slot]); along(x) < end+1 && !(math.Abs(u-float64(a+1)) <= 1e-6) {
					t.Fatalf("side %d, axis %d at %v: %g", way, a, x, u)
				}
			})
		}
	}
}

// A surface in a flow that strains moves as fast as the liquid would if it went on: the faces one
// cell beyond the last known ones carry the velocity on linearly.
func TestSpreadContinuesAStrainedFlow(t *testing.T) {
	field := func(x [3]float64) [3]float64 { return [3]float64{.3 * x[0], 2 - .7*x[1], .4 * x[2]} }
	g, faces, state := lake(1.6, field)
	NewExtrapolation(g, par.New(1)).Extrapolate(faces, state, func(int32) {})
	checked := 0
	eachFace(g, func(a, slot int, x [3]float64) {
		h := g.H
		if a == 1 && x[1] >= 1.6 && x[1] < 1.6+h && x[0] > h && x[0] < 3-h && x[2] > 1+h && x[2] < 3-h {
			checked++
			if u := float64(faces[a][slot]); math.Abs(u-field(x)[1]) > 1e-6 {
				t.Fatalf("at %v: %g, want %g", x, u, field(x)[1])
			}
		}
	})
	if checked == 0 {
		t.Fatal("no face was checked")
	}
}

// In the corner of a stair, where a cell of air has known faces along two axes or all three, nothing accumulates either: were each
// of the faces across to make up for all of it, as much would flow the other way.
func TestSpreadLetsNothingAccumulateInCorners(t *testing.T) {
	g := layout.New([3]float64{}, .125, [3]int{1, 1, 1}, layout.MaxLevel)
	g.Settle()
	field := func(x [3]float64) [3]float64 {
		return [3]float64{2 + .5*x[0] + .8*x[1] + .3*x[2], 1 - .4*x[1] + .8*x[0], 3 + .2*x[2] + .6*x[0]}
	}
	cell := func(x, y, z int) int { return x + 8*(y+8*z) }
	for axes := 1; axes <= 3; axes++ { // along which there is liquid below the corner
		faces, state := new(Faces), new([3][]uint8)
		for a := range 3 {
			faces[a], state[a] = make([]float32, g.Cells()), make([]uint8, g.Cells())
		}
		wet := func(c [3]int) bool {
			for a := range axes {
				if c[a] < 4 && c[a] >= 0 {
					return true
				}
			}
			return false
		}
		eachFace(g, func(a, slot int, x [3]float64) {
			hi := [3]int{slot % 8, slot / 8 % 8, slot / 64}
			lo := hi
			lo[a]--
			if wet(hi) || wet(lo) {
				faces[a][slot], state[a][slot] = float32(field(x)[a]), 1
			}
		})
		NewExtrapolation(g, par.New(1)).Extrapolate(faces, state, func(int32) {})
		out := float32(0)
		for a, next := range [3]int{cell(5, 4, 4), cell(4, 5, 4), cell(4, 4, 5)} {
			out += faces[a][next] - faces[a][cell(4, 4, 4)]
		}
		if math.Abs(float64(out)) > 1e-5 {
			t.Errorf("liquid along %d axes: %g m/s accumulate", axes, out)
		}
	}
}

func TestSpreadIsTheSameForAnyWorkers(t *testing.T) {
	field := func(x [3]float64) [3]float64 {
		return [3]float64{math.Sin(5 * x[1]), math.Cos(3 * x[0] * x[2]), x[0] * x[1]}
	}
	var first *Faces
	for workers := 1; workers <= 4; workers++ {
		g, faces, state := lake(1.3, field)
		pool := par.New(workers)
		NewExtrapolation(g, pool).Extrapolate(faces, state, func(int32) {})
		pool.Close()
		if first == nil {
			first = faces
		}
		for a := range 3 {
			if !slices.EqualFunc(first[a], faces[a], func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) }) {
				t.Fatalf("%d workers give another velocity along axis %d", workers, a)
			}
		}
	}
}
