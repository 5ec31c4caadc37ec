package track

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Abilities are what a tracker may do beside what every one does. A function is nil where it can't.
type Abilities struct {
	// Triangles writes those of the settled surface within the domain, closed along its sides: positions, normals, indices and how many of these are free.
	Triangles func(dst *query.Triangles, domain r3.Box)
	// TrianglesLater writes them as they are so many s later, ≥ 0, moved by a velocity, or as near to that as they come without passing through each other. It is
	// of a tracker whose triangles never do.
	TrianglesLater func(dst *query.Triangles, domain r3.Box, velocity func(dst, at []r3.Vec), later float64)
	// SurfacePoints appends points of the surface, each of which stands for a part of its area, where they will be that many s later.
	SurfacePoints func(dst []SurfacePoint, velocity func(dst, at []r3.Vec), later float64) []SurfacePoint

	// Fractions writes what part of each cell of a box is liquid, where sheets and drops are thinner than what the distance at the cells' centres tells. Several
	// workers may ask at once.
	Fractions func(dst []float32, box Box)
	// Areas writes the area of the surface in each cell of a box, m². A tracker with Areas has exact Fractions of boxes of any place, whose cells' edges are a
	// power of two of the finest. MeasureFractions comes before both when the surface has changed.
	Areas            func(dst []float32, box Box)
	MeasureFractions func()

	// DistanceInBox writes the distances at the centres of a box's cells, faster than Distance, and further than a cell from the surface less exactly. Those that are further
	// than within, m, may be infinite. MeasureDistances comes before when the surface has changed. Several workers may ask at once.
	DistanceInBox    func(dst []float32, box Box, within float64)
	MeasureDistances func()
	// Near is a place's signed distance, m, and whether that is known: if it is less than within, m, or than what the tracker looks around. Where it is not, d
	// is of the right sign or 0. Several workers may ask at once.
	Near func(x r3.Vec, within float64) (d float64, ok bool)

	// Label has what liquid appears in a box until the next ApplyChange be of a label's surface, of whichever else is near. Surfaces of one label merge.
	Label func(box r3.Box, label int32)
	// Grow adds a shape to the liquid within a substep, before the distance is asked for again, with a label or NearestLabel, so that the liquid in the domain grows by a volume, m³; by
	// that of the shape, as far as it is known, if the volume is no number.
	Grow func(s shapes.SDF, label int32, volume float64)
	// DetachDroplets makes droplets of the parts of the surface that hold no row of the cells. They fly on with the velocity that they had, and with what
	// gravity adds in dt, s.
	DetachDroplets func(rows *Rows, dt float64)
	// CutAtSides takes away what is beyond open sides, where a change has it, and tells whether it could. What it can't take away stays until later.
	CutAtSides func(beyond *Change) (done bool)

	// Volume is that of the liquid, also in solids, m³. Thicken adds to thin liquid what the last Advance lost of it, no more than a deficit, m³, and returns how
	// much. A tracker has both or none.
	Volume  func() float64
	Thicken func(deficit float64) float64

	// SetUpkeepInterval has the upkeep of the surface done in every n-th substep.
	SetUpkeepInterval func(n int)
	// Report is what the tracker has done since the last Advance began.
	Report func() query.SurfaceReport
	// Check returns what is wrong with the surface, as a deep check finds it.
	Check func() error

	// DropMarkers drops what a tracker remembers of liquid at places where it is gone, and would put it back; with a nil gone, at those that are in air.
	DropMarkers func(gone func(x r3.Vec) bool)

	// SharesField is set where the cells' distance is the tracker's own field: they change and publish it, and ask the tracker for no distance. Union, Subtract and
	// ApplyChange are not called then.
	SharesField bool
	// Given is set where the tracker moves the liquid by itself, whatever acts on the cells: they ask for the distance when they make a graph, and change nothing.
	Given bool
	// EndsBeyond is set where the surface ends beyond the domain's sides, so that cells there tell nothing of it.
	EndsBeyond bool
	// LeastMove is by what part of a cell the surface moves at least for Change.Appears.
	LeastMove float32
}

// Rows tells which cells of a box are rows of the equations for the pressure.
type Rows struct {
	// Find writes what the cells that the centres of a box's cells are in are.
	Find func(dst []Row, box Box)
	// Remove takes parts of a box's cells out of the liquid that is known there.
	Remove func(box Box, part []float64)
}

// Row is what a cell is, bit by bit.
type Row uint8

// Bits of a Row.
const (
	IsRow   Row = 1 << iota // the liquid in it moves with the cells
	IsOpen                  // solids leave room in it
	IsFixed                 // liquid in it is not to become a droplet: it is beyond the domain or at a thin wall
)
