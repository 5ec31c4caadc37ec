package graph_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// box is a graph of a lattice with a ball in it and a surface.
func box() *graph.Graph {
	g, at := &graph.Graph{}, r3.Vec{X: .4, Y: .3, Z: .4}
	ball := rigid.Solid{Centre: at, Bounds: r3.Box{Min: r3.Vec{X: .2, Y: .1, Z: .2}, Max: r3.Vec{X: .6, Y: .5, Z: .6}}, Distance: func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(r3.Norm(r3.Sub(p, at)) - .13)
		}
	}}
	testrig.FillLattice(g, r3.Vec{X: .8, Y: .8, Z: .8}, .1, []rigid.Solid{ball}, func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(p.Y - .52)
		}
	})
	return g
}

func TestCheck(t *testing.T) {
	if err := box().Check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(g *graph.Graph){
		"has a side":            func(g *graph.Graph) { g.B[7] = int32(g.Rows) },
		"is between":            func(g *graph.Graph) { g.A[7] = g.B[7] },
		"lists face":            func(g *graph.Graph) { g.RowFaces[3] = int32(g.Faces() - 1) },
		"rows list":             func(g *graph.Graph) { g.RowFaces = g.RowFaces[:len(g.RowFaces)-1]; g.FirstFace[g.Rows]-- },
		"the lists of faces go": func(g *graph.Graph) { g.FirstFace[g.Rows]-- },
		"has a volume":          func(g *graph.Graph) { g.Volume[3] = 0 },
		"distance":              func(g *graph.Graph) { g.Dist[5] = 0 },
		"open fraction":         func(g *graph.Graph) { g.Open[5] = 1.1 },
		"unit vector":           func(g *graph.Graph) { g.Normals[5][0] += 1e-9 },
		"is open by":            func(g *graph.Graph) { g.Open[5] -= 1e-10 },
		"the cell of row":       func(g *graph.Graph) { g.Bodies[0].K[2][1] += 1e-12 },
		"in its place":          func(g *graph.Graph) { w := &g.Bodies[0]; w.Row[1], w.Row[2] = w.Row[2], w.Row[1] },
		"K is":                  func(g *graph.Graph) { g.Bodies[0].K[0][4] = math.NaN() },
		"has parent":            func(g *graph.Graph) { g.Levels[0].Parent[0] = int32(g.Levels[0].Count) },
		"are empty": func(g *graph.Graph) {
			l := &g.Levels[len(g.Levels)-1]
			l.Count++
			l.Size = append(l.Size, 1)
		},
		"for cubes only": func(g *graph.Graph) { g.Cubes.Sides = make([][6]int32, g.Rows) },
		"Volume is for":  func(g *graph.Graph) { g.Volume = g.Volume[1:] },
	} {
		g := box()
		spoil(g)
		if err := g.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// cubes is two cubes on top of each other, the upper at the air, with a body that covers half of the face between them.
func cubes() *graph.Graph {
	g := &graph.Graph{
		Rows: 2, Cell: []int32{0, 1}, Size: []float32{1, 1}, Volume: []float32{1, 1}, Centre: [][3]float64{{.5, .5, .5}, {.5, 1.5, .5}},
		A: []int32{0, 1}, B: []int32{1, graph.Air}, Slot: []int32{1, 2}, Area: []float64{1, 1}, Dist: []float64{1, .5}, Open: []float64{.5, 1},
		Jump: make([]float64, 2), U: make([]float64, 2),
	}
	g.Cubes.Red, g.Cubes.Axis, g.Cubes.Sides = []bool{false, true}, []uint8{1, 1}, [][6]int32{{-1, -1, -1, 0, -1, -1}, {-1, -1, 0, 1, -1, -1}}
	g.Bodies = []graph.BodyCoupling{{Row: []int32{0, 1}, K: [][6]float64{{1: .5}, {1: -.5}}}}
	return g
}

func TestCheckCubes(t *testing.T) {
	if err := cubes().Check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(g *graph.Graph){
		"lists face":   func(g *graph.Graph) { g.Cubes.Sides[0][3], g.Cubes.Sides[0][2] = -1, 0 },
		"rows list":    func(g *graph.Graph) { g.Cubes.Sides[1][2] = -1 },
		"body 0 takes": func(g *graph.Graph) { g.Open[0] = .6 },
		"has axis":     func(g *graph.Graph) { g.Cubes.Axis[0] = 3 },
		"has a side":   func(g *graph.Graph) { g.A[0] = ^0 },
		"in its quad": func(g *graph.Graph) {
			g.A[0], g.Cubes.Quads, g.Cubes.Shares = ^0, [][4]int32{{0, 5, 5, 5}}, make([][4]float64, 1)
			g.Cubes.Still, g.Cubes.Regularised = make([][4]float64, 1), make([]bool, 1)
		},
	} {
		g := cubes()
		spoil(g)
		if err := g.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// What there is of faces is the same whether cubes tell it or the neutral part.
func TestAccessors(t *testing.T) {
	g := cubes()
	if n := g.Normal(1); n != [3]float64{0, 1, 0} {
		t.Errorf("normal %v", n)
	}
	if x := g.FaceCentre(1); x != [3]float64{.5, 2, .5} {
		t.Errorf("centre %v", x)
	}
	listed := *g
	for f := range g.A {
		listed.Normals, listed.FaceCentres = append(listed.Normals, g.Normal(f)), append(listed.FaceCentres, g.FaceCentre(f))
	}
	listed.Cubes = graph.Cubes{}
	listed.ListFaces()
	if err := listed.Check(); err != nil {
		t.Error(err)
	}
	for r := range int32(g.Rows) {
		var faces []int32
		for _, f := range g.FacesOf(r) {
			if f >= 0 {
				faces = append(faces, f)
			}
		}
		of := listed.FacesOf(r)
		if len(of) != len(faces) {
			t.Fatalf("row %d has faces %v and %v", r, of, faces)
		}
		for i, f := range faces {
			if of[i] != f || listed.Normal(int(f)) != g.Normal(int(f)) || listed.FaceCentre(int(f)) != g.FaceCentre(int(f)) {
				t.Errorf("row %d: face %d differs", r, f)
			}
		}
	}
}
