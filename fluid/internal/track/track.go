// Package track declares what a surface tracker is: what follows the liquid's surface, whatever cells the liquid is on. Trackers stand in the rooms
// below; whoever has cells asks one of them, in batches, by points and boxes. Lengths are in m, times in s, velocities in m/s, volumes in m³.
package track

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tracker follows the liquid's surface. It knows where the surface is; cells keep copies of its distance. A substep calls Advance, then edits and ApplyChange,
// then Settle, or Revert for the surface as it was settled last.
type Tracker interface {
	// Advance moves the settled surface. The layout may have other levels than when it was settled.
	Advance(*Motion)
	// Distance writes signed distances, negative in the liquid: right near the surface, and beyond the cells' band of either sign and no nearer than that.
	Distance(dst []float32, at []r3.Vec)

	// Union adds a shape to the liquid, with a label, which is 0 for a tracker without labels. Subtract takes a shape away.
	Union(s shapes.SDF, label int32)
	Subtract(shapes.SDF)
	// ApplyChange moves the surface to where what acts on the cells has it.
	ApplyChange(*Change)

	// Resized tells that the layout has other levels, though nothing has moved: the time of the motion is 0.
	Resized(*Motion)
	// Settle makes the surface the one that Revert goes back to and that the next Advance moves.
	Settle()
	Revert()
	// Code encodes or decodes the settled surface. When it decodes, the layout has the levels that it had. Most is more bytes than that takes.
	Code(*codec.Codec)
	Most() int

	// Abilities are what this tracker can do beyond that. They stay the same.
	Abilities() *Abilities
}

// Motion is what moves a surface in a substep.
type Motion struct {
	Dt float64 // s
	// Velocity writes the velocity at some places, also beyond the liquid and in solids. It is finite. Several workers may ask at once.
	Velocity func(dst, at []r3.Vec)
	// Field is the same velocity on the faces of the layout that the tracker is on; nil where cells have another layout.
	Field    *layout.Velocity
	MaxSpeed float64 // of the liquid, m/s
	Gravity  float64 // its magnitude, m/s²
	Tension  bool    // the surface pulls by its curvature
	// Growth is by how much the liquid in the domain is to grow in the motion, m³; no number where nobody knows, since open sides or solids take part.
	Growth float64
}

// Change is how the distance to the surface changes in some boxes, which share no volume.
type Change struct {
	Boxes []r3.Box
	// Apply is given the distances at some places in the boxes and writes there what they become: no distance, but 0 where the surface is to be, of the right
	// sign around, and as steep as a distance there but for what the surface is strained by. Where nothing changes it leaves them, whatever they are. Several
	// workers may call it at once; the value at a place does not depend on the others.
	Apply func(dst []float32, at []r3.Vec)
	// Flips tells whether liquid comes or goes at the centre of a cell in the tile of the layout that a place is in. Appears tells whether the surface in such
	// a tile moves by more than Abilities.LeastMove, or appears or goes.
	Flips, Appears func(x r3.Vec) bool
}

// Box is Count equal cells along each axis, x fastest, from a low corner on.
type Box struct {
	Low   r3.Vec  // m
	Edge  float64 // of a cell, m
	Count [3]int
}

// Len is the number of cells.
func (b *Box) Len() int { return b.Count[0] * b.Count[1] * b.Count[2] }

// Centre is that of the i-th cell.
func (b *Box) Centre(i int) r3.Vec {
	x, y, z := i%b.Count[0], i/b.Count[0]%b.Count[1], i/(b.Count[0]*b.Count[1])
	return r3.Vec{
		X: b.Low.X + float64((float64(x)+.5)*b.Edge), Y: b.Low.Y + float64((float64(y)+.5)*b.Edge), Z: b.Low.Z + float64((float64(z)+.5)*b.Edge),
	}
}

// Middle is that of the box.
func (b *Box) Middle() r3.Vec {
	return r3.Vec{
		X: b.Low.X + float64(float64(b.Count[0])*b.Edge/2), Y: b.Low.Y + float64(float64(b.Count[1])*b.Edge/2), Z: b.Low.Z + float64(float64(b.Count[2])*b.Edge/2),
	}
}

// Surroundings are what a tracker may know of the domain and of the cells that the liquid in it is on.
type Surroundings struct {
	Domain   r3.Box
	Open     [6]bool // sides of the domain, in the order -x, +x, -y, …
	CellSize float64 // the finest cells' edge, m
	Tiles    boxes.Tiles
	Pool     *par.Pool
	// Edges writes the edges of the cells at some places, m.
	Edges func(dst []float64, at []r3.Vec)
	// Distance writes the settled distance as the cells have it, within their band; nil: the tracker's own.
	Distance func(dst []float32, at []r3.Vec)
	Spray    *droplets.Spray // takes what a tracker makes droplets of
}

// Under is where the velocity of a vertex with a normal is asked for: half a finest cell under the surface, or beside a side of the domain within it. So vertices at
// one place there get the same.
func (s *Surroundings) Under(x, normal r3.Vec) r3.Vec {
	half := float64(s.CellSize / 2)
	inner := boxes.Grown(s.Domain, -half)
	if within := boxes.Min(boxes.Max(x, inner.Min), inner.Max); within != x {
		return within
	}
	return r3.Sub(x, reproducible.Scale(half, normal))
}

// SurfacePoint is a point of a surface that is known beside the cells' distance.
type SurfacePoint struct {
	At     r3.Vec // m
	Normal r3.Vec // out of the liquid, as long as the area that the point stands for, m²
	Label  int32  // of its surface: the curvature of one surface is that of its own points
}

// MostLabel is the greatest label of a surface. NearestLabel stands for that of the surface nearest to the middle of a shape, or 0 where none is near.
const MostLabel, NearestLabel = 255, -1

// LeastCut is how far, in finest cells, liquid must reach beyond an open side to be taken away: less is what a surface moves by as it is kept in shape.
const LeastCut = 1e-3
