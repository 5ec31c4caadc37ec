package query

import "gonum.org/v1/gonum/spatial/r3"

// Reach says how far liquid may come in a substep.
type Reach struct {
	Strongest float64  // of what it is accelerated by, m/s²
	Openings  []r3.Box // where it is put in or taken out, m
	Swept     []Swept  // where thin walls take it along
}

// Swept is a box, m, in which a wall has moved so far, m.
type Swept struct {
	Box      r3.Box
	Distance float64
}

// Opening is a shape through which liquid comes or goes, as far as solids leave it open.
type Opening interface {
	// Place is in its middle, m.
	Place() r3.Vec
	// Capacity is how much liquid it holds when it is full, m³.
	Capacity() float64
	// FillGrowth and DrawGrowth are by how much the shape must grow, m, for liquid in it to be kept, and to be drawn from it.
	FillGrowth() float64
	DrawGrowth() float64
	// Fill fills it with a volume, m³, or more by up to slack, and returns what the liquid has grown by, or how much would be needed if the volume
	// is enough for nothing. Empty takes that back.
	Fill(volume, slack float64) (took, needed float64)
	Empty()
	// Sealed tells whether its liquid had no air to rise into in the last step. InsertBubble makes air there, of no more than a volume, m³,
	// and returns what liquid it took.
	Sealed() bool
	InsertBubble(most float64) (took float64)
}

// Part is a part of the mesh whose cells are of one size.
type Part struct {
	Box   r3.Box // m
	Level int    // 0 the finest
	Wet   bool   // it has liquid
}

// Distances are signed distances, m, negative in the liquid, at places, m.
type Distances interface {
	Distance(dst []float32, at []r3.Vec)
}

// Region is a solid around which cells are to be fine where liquid is near, whatever cameras see.
type Region struct {
	Box    r3.Box  // m, encloses the solid
	Margin float64 // m, added on all sides
	Size   float64 // of the solid, however it is turned, m: the least needs finest cells most
	Asleep bool    // it wants cells no finer than they are
}
