package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// Mesh is what the blocks ask of the cells that the graph's rows are of: those of the layout, or others that stand on the same layout. Discretiser.Row has the
// row of each cell of the layout, or -1.
type Mesh interface {
	// RowCells are, per row, the cell of the layout that the row is in the middle of, or -1.
	RowCells() []int32
	// AirBeside calls visit for every cell of the layout that is air beside a row, with the row.
	AirBeside(gr *graph.Graph, visit func(row, cell int32))
	// FindSurfaceCells lists a block's cells that are no rows but hold liquid, each with a row beside it. fraction is what of each cell is liquid.
	FindSurfaceCells(s *SurfaceCells, b int32, fraction []float32)
	// Pressed tells whether liquid that is awake presses on the liquid of a block that sleeps by more than still liquid does: see cutting.
	Pressed(b int32, pressure []float64, weight [3]float64, most float64) bool
	// WriteHeld writes how much liquid each row of a block stands for, m³. held is that in a cell of the layout.
	WriteHeld(dst []float64, b int32, held func(cell int32) float64)
	// VelocityChanged tells that the velocity on the layout's faces was changed in a box, m, between two steps. Then it is that of the mesh.
	VelocityChanged(r3.Box)
}

// SurfaceCells are cells that are no rows but hold liquid.
type SurfaceCells = cutting.SurfaceCells

// velocityChanged makes a velocity on the faces that was changed in a box, m, between two steps that of the liquid.
func (m *Cells) velocityChanged(box r3.Box) {
	m.Vel.Gather(m.Pool, &m.Faces)
	m.Mesh.VelocityChanged(box)
}

// ownCells is the Mesh of a graph whose rows are the layout's cells.
type ownCells struct {
	*cutting.Discretiser
	graph *graph.Graph
}

// RowCells are the rows' cells.
func (o ownCells) RowCells() []int32 { return o.graph.Cell }

// WriteHeld writes how much liquid there is in each row's cell.
func (o ownCells) WriteHeld(dst []float64, b int32, held func(cell int32) float64) {
	for r, c := range o.graph.Cell[o.graph.Parts[b].Row:o.graph.Parts[b+1].Row] {
		dst[r] = held(c)
	}
}

// VelocityChanged has nothing to do: the velocity is stored on the layout's faces.
func (ownCells) VelocityChanged(r3.Box) {}
