package query

import "gonum.org/v1/gonum/spatial/r3"

// Reach bounds how far liquid may move in a substep.
type Reach struct {
	Strongest float64  // greatest acceleration, m/s²
	Openings  []r3.Box // where liquid is added or removed, m
	Swept     []Swept  // where thin walls carry it along
}

// Swept is a box, m, in which a wall has moved a distance, m.
type Swept struct {
	Box      r3.Box
	Distance float64
}

// Opening is a shape through which liquid enters or leaves, without the part that solids fill.
type Opening interface {
	// Place returns the middle, m.
	Place() r3.Vec
	// Capacity returns the volume of liquid that fits in it, m³.
	Capacity() float64
	// FillGrowth and DrawGrowth return how much the shape must grow, m, for the mesh to hold liquid in it, and to draw liquid from it.
	FillGrowth() float64
	DrawGrowth() float64
	// Fill fills it with a volume, m³, up to slack more, and returns the volume added, or the volume needed for any to be
	// added. Empty reverts that.
	Fill(volume, slack float64) (took, needed float64)
	Empty()
	// Sealed reports whether no air touched its liquid in the last step. InsertBubble replaces liquid by air, up to a volume, m³,
	// and returns the volume removed.
	Sealed() bool
	InsertBubble(most float64) (took float64)
}

// Part is a part of the mesh with cells of one size.
type Part struct {
	Box   r3.Box // m
	Level int    // 0 is the finest
	Wet   bool   // has liquid
}

// Distances sets dst to signed distances, m, negative in the liquid, at places, m.
type Distances interface {
	Distance(dst []float32, at []r3.Vec)
}

// Region is the neighbourhood of a solid, where cells are to be fine if liquid is near, for any camera.
type Region struct {
	Box    r3.Box  // m, encloses the solid
	Margin float64 // added on all sides, m
	Size   float64 // smallest extent of the solid in any direction, m: small solids need the finest cells
	Asleep bool    // cells need not become finer
}
