package testrig

import (
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/tets"
)

// Blocks returns the blocks that a liquid is on, or that its lattice stands on.
func Blocks(l *fluid.Liquid) *cubes.Blocks {
	if m, ok := FV(l).Cells.(*tets.Lattice); ok {
		return m.Blocks
	}
	return FV(l).Cells.(*cubes.Blocks)
}

// MaxSpeed returns the liquid's greatest speed, m/s.
func MaxSpeed(l *fluid.Liquid) float64 { return Solver(l).Demand().Speed }

// FV returns the finite volumes that a liquid is in.
func FV(l *fluid.Liquid) *fv.Solver { return Solver(l).(*fv.Solver) }
