// Package capacity limits the size of a domain and of its cells, by memory and by the precision of single-precision positions.
package capacity

import (
	"fmt"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Limits of the grid. For cell sizes, m, between the first two, areas and volumes are within the range of float32. Beyond maxCellsAway
// cells from the origin a float32 vertex position is off by more than 6 % of a cell. Cells have int32 indices.
const (
	MinCellSize  = 1e-6
	MaxCellSize  = 1e6
	maxCellsAway = 1e6
	maxCells     = 1 << 30
)

// leastAcross is the least number of cells along the domain's shortest edge that CellSize aims at.
const leastAcross = 8

// Extent is a domain and the memory that cells in it need.
type Extent struct {
	Domain       r3.Box                         // m
	MaxMemory    float64                        // bytes
	BytesPerCell float64                        // at most
	Cells        func(cellSize float64) float64 // the number of cells if all have one size, m
	Surface      func(cellSize float64) float64 // least memory of a triangle mesh as tracker, bytes; nil for others
	Beside       float64                        // bytes needed for any cell size
}

// Memory returns the estimated memory, bytes, if every cell had one size, m.
func (e *Extent) Memory(cellSize float64) float64 {
	bytes := e.Beside + float64(e.Cells(cellSize)*e.BytesPerCell)
	if e.Surface != nil {
		bytes += e.Surface(cellSize)
	}
	return bytes
}

// Check returns an error if the domain, which is valid in itself, does not suit the size of the finest cells, m, or MaxMemory.
func (e *Extent) Check(cellSize float64) error {
	size := r3.Sub(e.Domain.Max, e.Domain.Min)
	away := reproducible.Norm(boxes.Max(reproducible.Scale(-1, e.Domain.Min), e.Domain.Max))
	cells := size.X * size.Y * size.Z / (cellSize * cellSize * cellSize)
	need := e.Memory(cellSize)
	switch least := boxes.LeastEdge(e.Domain); {
	case least < 2*cellSize:
		return fmt.Errorf("CellSize: %v m; must be at most half of the domain's shortest edge, %v m", cellSize, least)
	case need > e.MaxMemory:
		return fmt.Errorf("Domain: %.0f finest cells could need %s, more than Resources.MaxMemory, %s; enlarge CellSize or Resources.MaxMemory",
			cells, ByteSize(need), ByteSize(e.MaxMemory))
	case e.Cells(cellSize) > maxCells:
		return fmt.Errorf("Domain: %.0f finest cells; must be at most %d; enlarge CellSize", cells, maxCells)
	case away > maxCellsAway*cellSize:
		return fmt.Errorf("Domain: reaches %g m from the origin; must stay within %g cells, %g m: move the origin", away, maxCellsAway, maxCellsAway*cellSize)
	}
	return nil
}

// CellSize returns the edge, m, of a number of cells that fill the domain. A whole number of them, at least eight, lies along the domain's shortest edge;
// there are fewer where they would need more than Resources.MaxMemory. It returns 0 for a domain without volume.
func (e *Extent) CellSize(cells float64) float64 {
	size := r3.Sub(e.Domain.Max, e.Domain.Min)
	volume, least := size.X*size.Y*size.Z, boxes.LeastEdge(e.Domain)
	if !(least > 0) || !geom.Finite(volume) {
		return 0
	}
	edge := func(across float64) float64 { return max(MinCellSize, min(MaxCellSize, least/across)) }
	across := float64(leastAcross)
	for s := edge(across); s*s*s*cells > volume && s > MinCellSize; s = edge(across) {
		across++
	}
	for across > leastAcross && e.Memory(edge(across)) > e.MaxMemory {
		across--
	}
	return edge(across)
}

// ByteSize formats a number of bytes as MiB or GiB.
func ByteSize(n float64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.3g MiB", n/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", n/(1<<30))
}
