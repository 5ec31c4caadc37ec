package pressure

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Of no two red rows may one have an entry in the other's column.
func TestRedRowsAreNotJoined(t *testing.T) {
	g := composite()
	pool := par.New(1)
	defer pool.Close()
	s := New(pool)
	s.gr, s.rho, s.dt, s.source = g, 1, 1, make([]float64, g.Rows)
	s.assemble()
	m, reds := &s.matrix, 0
	for r, p := range m.Part[0].Ptr[:g.Rows] {
		if !m.Red[r] {
			continue
		}
		reds++
		for _, j := range m.Part[0].Col[p:m.Part[0].Ptr[r+1]] {
			if m.Red[j] {
				t.Errorf("red rows %d and %d are joined", r, j)
			}
		}
	}
	if reds != 1 || !m.Red[1] {
		t.Errorf("red rows: %v, want the second alone", m.Red)
	}
}

// composite is a graph of a coarse cell, 4, on four fine ones and under another coarse one, 5.
func composite() *graph.Graph {
	g := &graph.Graph{
		Rows: 6, Cubes: graph.Cubes{
			Quads: [][4]int32{{0, 1, 2, 3}}, Shares: [][4]float64{{.25, .25, .25, .25}}, Still: make([][4]float64, 1), Regularised: []bool{true},
		},
	}
	for r := range g.Rows {
		g.Cubes.Sides = append(g.Cubes.Sides, [6]int32{-1, -1, -1, -1, -1, -1})
		g.Cubes.Red = append(g.Cubes.Red, r == 1 || r == 2 || r == 4)
	}
	face := func(a, b int32, axis int) {
		f := int32(len(g.A))
		g.A, g.B = append(g.A, a), append(g.B, b)
		g.Area, g.Open, g.Dist = append(g.Area, 1), append(g.Open, 1), append(g.Dist, 1)
		g.Jump, g.U = append(g.Jump, 0), append(g.U, 0)
		for _, side := range [2]int32{a, b} {
			rows := []int32{side}
			if side < 0 {
				rows = g.Cubes.Quads[^side][:]
			}
			for _, r := range rows {
				if side == a {
					g.Cubes.Sides[r][2*axis+1] = f
				} else {
					g.Cubes.Sides[r][2*axis] = f
				}
			}
		}
	}
	face(0, 1, 2) // y is up; quads go by z, then x
	face(2, 3, 2)
	face(0, 2, 0)
	face(1, 3, 0)
	face(^0, 4, 1)
	face(4, 5, 1)
	return g
}

// What the matrix says is left of a row's equation is what the updated faces bring to its cell, whatever part of a composite face
// leads there, and still liquid's pressure moves none.
func TestSharesOfCompositeFaces(t *testing.T) {
	for name, shares := range map[string][4]float64{
		"equal": {.25, .25, .25, .25}, "one in a wall": {.4, 0, .4, .2}, "two in a wall": {0, .5, 0, .5},
	} {
		t.Run(name, func(t *testing.T) {
			g := composite()
			g.Cubes.Shares[0], g.Cubes.Regularised[0] = shares, false
			g.Cubes.Still[0] = [4]float64{-3, 5, -5, 3}
			pi := []float64{.3, -.2, .7, .1, .4, -.6}
			for f := range g.U {
				g.U[f] = .1 * float64(f+1)
			}
			pool := par.New(1)
			defer pool.Close()
			s := New(pool)
			s.gr, s.rho, s.dt, s.source, s.pi = g, 2, .5, make([]float64, g.Rows), pi
			s.Fastest = make([]float64, 1)
			s.assemble()
			s.updateFaces(0, 0, g.Faces())
			for r := range g.Rows {
				left := s.rhs[r] - s.matrix.Diag[r]*pi[r]
				part := &s.matrix.Part[0]
				for e := part.Ptr[r]; e < part.Ptr[r+1]; e++ {
					left -= part.Val[e] * pi[part.Col[e]]
				}
				brought := 0.
				for f := range g.U {
					brought += g.U[f] * (shareOf(g, g.B[f], r) - shareOf(g, g.A[f], r))
				}
				if math.Abs(left-brought) > 1e-12 {
					t.Errorf("row %d: the matrix leaves %g, the faces bring %g", r, left, brought)
				}
			}
			// At rest the pressure above the fine cells' middle is still liquid's.
			clear(g.U)
			for i, still := range g.Cubes.Still[0] {
				pi[i] = still * s.dt
			}
			pi[4] = 0
			s.updateFaces(0, 4, 5)
			if math.Abs(g.U[4]) > 1e-12 {
				t.Errorf("still liquid moves at %g m/s", g.U[4])
			}
		})
	}
}

// shareOf is the part of a face that leads to a row on a side.
func shareOf(g *graph.Graph, side int32, row int) float64 {
	if side >= 0 {
		if int(side) == row {
			return 1
		}
		return 0
	}
	for i, r := range g.Cubes.Quads[^side] {
		if int(r) == row {
			return g.Cubes.Shares[^side][i]
		}
	}
	return 0
}
