package testrig

import (
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
)

// Blocks returns the blocks that a liquid is on.
func Blocks(l *fluid.Liquid) *cubes.Blocks { return FV(l).Cells.(*cubes.Blocks) }

// FV returns the finite volumes that a liquid is in.
func FV(l *fluid.Liquid) *fv.Solver { return Solver(l).(*fv.Solver) }
