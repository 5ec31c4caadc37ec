package bcc

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// laid is a grid of levels.
func laid(dim [3]int, levels []uint8) *layout.Grid {
	g := layout.New([3]float64{-1, 2, .5}, .1, dim, 0)
	g.Lay(levels)
	return g
}

// graded is the lattice of random levels.
func graded(dim [3]int, seed uint64) (*layout.Grid, *Lattice) {
	g, l := laid(dim, balancedLevels(dim, seed, false)), &Lattice{}
	l.Build(g, &g.Cur, par.New(1))
	return g, l
}

func TestGradedLatticesAreSound(t *testing.T) {
	for seed := range uint64(10) {
		_, l := graded([3]int{3, 3, 2}, seed)
		if err := l.Check(); err != nil {
			t.Fatalf("layout %d: %v", seed, err)
		}
	}
}

func TestUniformLatticesAreSound(t *testing.T) {
	for level := range uint8(4) {
		dim := [3]int{2, 1, 3}
		levels := make([]uint8, 6)
		for b := range levels {
			levels[b] = level
		}
		g, l := laid(dim, levels), &Lattice{}
		l.Build(g, &g.Cur, par.New(1))
		if err := l.Check(); err != nil {
			t.Fatalf("level %d: %v", level, err)
		}
	}
}
