package cubes

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// mustHold panics with an error where the module is built with the tag check.
func mustHold(check func() error) {
	if graph.Checking {
		if err := check(); err != nil {
			panic(fmt.Sprintf("cubes: %v", err))
		}
	}
}

// checkSettled returns what is wrong with the settled state: blocks that the grid balances differ by one level at most, and φ is finite.
func checkSettled(m *Blocks) error {
	g := m.Grid
	if b, nb := g.FindUnbalanced(g.Prev.Level); b != layout.None {
		return fmt.Errorf("block %d of level %d has block %d of level %d beside it", b, g.Prev.Level[b], nb, g.Prev.Level[nb])
	}
	for b := range int32(g.Bases()) {
		level := g.Prev.Level[b]
		first := g.Prev.First[b]
		for c, phi := range m.Set.Phi[first:][:1<<(3*level)] {
			if phi-phi != 0 {
				return fmt.Errorf("φ is %g m in cell %d of block %d", phi, c, b)
			}
		}
	}
	return nil
}

// checkBand returns an error if the surface is in a block below the level that it is to have at least where neither budget nor view limits levels.
func checkBand(m *Blocks, least uint8) error {
	for b, nearest := range m.Survey.Nearest {
		h, middle := m.Grid.CellSize(m.Grid.Cur.Level[b]), float64(m.Grid.H*layout.Edge/2)
		if x := r3.Add(reproducible.Vector(m.Grid.Corner(int32(b))), r3.Vec{X: middle, Y: middle, Z: middle}); !boxes.Contains(m.Domain, x) {
			continue
		}
		if m.Grid.Cur.Level[b] < least && float64(nearest) < h/2 && m.Survey.IsWet(int32(b)) {
			return fmt.Errorf("the surface is %g m from a cell of block %d, which is of level %d though nothing limits the levels", nearest, b, m.Grid.Cur.Level[b])
		}
	}
	return nil
}

// check returns an error if the liquid in blocks is not what their cells hold.
func (v *Volumes) check() error {
	m := v.m
	for b, volume := range v.survey.Volume {
		first, sum := m.Grid.Cur.First[b], 0.
		for c := first; c < first+1<<(3*m.Grid.Cur.Level[b]); c++ {
			sum += v.survey.HeldIn(c)
		}
		if math.Abs(sum-volume) > 1e-5*float64(math.Abs(volume)+float64(m.CellSize*m.CellSize*m.CellSize)) {
			return fmt.Errorf("block %d holds %g m³, and its cells %g m³", b, volume, sum)
		}
	}
	return nil
}

// checkReweighed returns an error if some block that reweigh has left alone doesn't hold to the bit what weighing it anew tells. It weighs all.
func (v *Volumes) checkReweighed() error {
	for b := range int32(v.m.Grid.Bases()) {
		volume, of := v.survey.Volume[b], v.shared[b]
		v.weighBlock(0, b)
		if v.survey.Volume[b] != volume || v.shared[b] != of {
			return fmt.Errorf("block %d holds %g m³ and shares %+v, and anew %g m³ and %+v", b, volume, of, v.survey.Volume[b], v.shared[b])
		}
	}
	return nil
}
