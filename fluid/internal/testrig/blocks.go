package testrig

import (
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
)

// BlocksOf is the blocks that a liquid is on, for tests that look behind the seam.
func Blocks(l *fluid.Liquid) *cubes.Blocks { return FV(l).Cells.(*cubes.Blocks) }

// FvOf is the finite volumes that a liquid is in, likewise.
func FV(l *fluid.Liquid) *fv.Solver { return Solver(l).(*fv.Solver) }
