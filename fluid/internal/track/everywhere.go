package track

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Everywhere is the tracker of liquid without a surface: it fills the domain but for solids, and nothing changes that.
type Everywhere struct{}

var everywhere = Abilities{Given: true}

// Abilities are none; the liquid is given.
func (Everywhere) Abilities() *Abilities { return &everywhere }

// Distance tells that liquid is everywhere, without end.
func (Everywhere) Distance(dst []float32, at []r3.Vec) {
	for i := range at {
		dst[i] = float32(math.Inf(-1))
	}
}

// Advance has nothing to move.
func (Everywhere) Advance(*Motion) {}

// Union has no room for a shape.
func (Everywhere) Union(shapes.SDF, int32) {}

// Subtract leaves the liquid whole.
func (Everywhere) Subtract(shapes.SDF) {}

// ApplyChange leaves the liquid whole.
func (Everywhere) ApplyChange(*Change) {}

// Resized has nothing to carry over.
func (Everywhere) Resized(*Motion) {}

// Settle has nothing to keep.
func (Everywhere) Settle() {}

// Revert has nothing to take back.
func (Everywhere) Revert() {}

// Code has no state.
func (Everywhere) Code(*codec.Codec) {}

// Most is what Code takes at most.
func (Everywhere) Most() int { return 0 }
