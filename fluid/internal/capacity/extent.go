// Package capacity is how large a domain may be for the size of its cells, and how small cells may be for a domain.
package capacity

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Limits of the grid. Within the cells' sizes, m, areas and volumes are far from the ends of
// float32. Beyond maxCellsAway cells from the origin a float32 position, which is what the surface
// is told in, is off by more than 6 % of a cell. Cells have int32 numbers.
const (
	MinCellSize  = 1e-6
	MaxCellSize  = 1e6
	maxCellsAway = 1e6
	maxCells     = 1 << 30
)

// leastAcross is the least number of cells that CellSize puts across the domain's shortest edge.
const leastAcross = 8

// Extent is a domain and what cells in it cost.
type Extent struct {
	Domain       r3.Box                         // m
	MaxMemory    float64                        // bytes
	BytesPerCell float64                        // at worst
	Cells        func(cellSize float64) float64 // how many there are, if all are of one size, m
	Surface      func(cellSize float64) float64 // bytes that a surface with triangles of its own needs at least; nil: it has none
	Beside       float64                        // bytes that are needed whatever the cells' size
}

// Memory estimates the bytes needed if every cell were of a size, m, with what a surface needs besides.
func (e *Extent) Memory(cellSize float64) float64 {
	bytes := e.Beside + float64(e.Cells(cellSize)*e.BytesPerCell)
	if e.Surface != nil {
		bytes += e.Surface(cellSize)
	}
	return bytes
}

// Check reports a domain, good in itself, that does not suit the size of the finest cells, m, or the memory.
func (e *Extent) Check(cellSize float64) error {
	size := r3.Sub(e.Domain.Max, e.Domain.Min)
	away := reproducible.Norm(boxes.Max(reproducible.Scale(-1, e.Domain.Min), e.Domain.Max))
	cells := size.X * size.Y * size.Z / (cellSize * cellSize * cellSize)
	need := e.Memory(cellSize)
	switch least := boxes.LeastEdge(e.Domain); {
	case least < 2*cellSize:
		return fmt.Errorf("CellSize: %v m; must be at most half of the domain's shortest edge, %v m", cellSize, least)
	case need > e.MaxMemory:
		return fmt.Errorf("Domain: %.0f finest cells could need %s, more than MaxMemory, %s; enlarge CellSize or MaxMemory",
			cells, ByteSize(need), ByteSize(e.MaxMemory))
	case e.Cells(cellSize) > maxCells:
		return fmt.Errorf("Domain: %.0f finest cells; must be at most %d; enlarge CellSize", cells, maxCells)
	case away > maxCellsAway*cellSize:
		return fmt.Errorf("Domain: reaches %g m from the origin; must stay within %g cells, %g m: move the origin", away, maxCellsAway, maxCellsAway*cellSize)
	}
	return nil
}

// CellSize is the edge, m, of so many cells that fill the domain, with a whole number of them, at least eight, along its shortest edge, or fewer if
// they need more than MaxMemory; 0 for a domain that has no volume.
func (e *Extent) CellSize(cells float64) float64 {
	size := r3.Sub(e.Domain.Max, e.Domain.Min)
	volume, least := size.X*size.Y*size.Z, boxes.LeastEdge(e.Domain)
	if !(least > 0) || math.IsNaN(volume) || math.IsInf(volume, 0) {
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

// ByteSize writes a size for people.
func ByteSize(n float64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.3g MiB", n/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", n/(1<<30))
}
