package pressure

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// A coarse cell, 4, lies on four fine ones and under another coarse one, 5: of no two red rows may one have an entry
// in the other's column.
func TestRedRowsAreNotJoined(t *testing.T) {
	g := &graph.Graph{Rows: 6, Quads: [][4]int32{{0, 1, 2, 3}}, Tied: []bool{true}}
	for r := range g.Rows {
		g.Sides = append(g.Sides, [6]int32{-1, -1, -1, -1, -1, -1})
		g.Odd = append(g.Odd, r == 1 || r == 2 || r == 4)
	}
	face := func(a, b int32, axis int) {
		f := int32(len(g.A))
		g.A, g.B = append(g.A, a), append(g.B, b)
		g.Area, g.Open, g.Dist = append(g.Area, 1), append(g.Open, 1), append(g.Dist, 1)
		g.Jump, g.U = append(g.Jump, 0), append(g.U, 0)
		for _, side := range [2]int32{a, b} {
			rows := []int32{side}
			if side < 0 {
				rows = g.Quads[^side][:]
			}
			for _, r := range rows {
				if side == a {
					g.Sides[r][2*axis+1] = f
				} else {
					g.Sides[r][2*axis] = f
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
