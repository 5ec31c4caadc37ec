// Package whitewater generates and moves spray, foam and bubbles: particles without mass that show where liquid and air mix. They read the liquid and never
// change it.
//
// Where the surface converges it traps air, and where crests move outwards faster than they can hold together liquid is torn off. Both generate
// particles in proportion to the kinetic energy. Spray flies under gravity and air drag, foam floats on the surface and moves with it, bubbles rise and are
// dragged along by the liquid. A particle's kind follows from its distance to the surface. All have a limited life.
//
// Source: Ihmsen, Akinci, Akinci, Teschner 2012, "Unified spray, foam and air bubbles for particle-based fluids". The sums over neighbouring particles there
// are differences of velocity and distance between cells here, and the rates per particle are rates per area of the surface.
package whitewater

import "gonum.org/v1/gonum/spatial/r3"

// Kind is the kind of a particle.
type Kind = uint8

// The kinds of particles.
const (
	Spray  Kind = iota // drops in the air
	Foam               // on the surface
	Bubble             // air in the liquid
	Kinds
)

// Liquid is the liquid as it is stored. Several workers may call Look at once.
type Liquid interface {
	// Look sets around to the liquid around places, m.
	Look(at []r3.Vec, around []Around)
	// AppendSources appends the parts of the surface with a speed of at least slowest, m/s, in an order that depends on the liquid alone.
	AppendSources(dst []Source, slowest float64) []Source
}

// Around is the liquid around a place.
type Around struct {
	Flying   bool    // in: the place is in the air, and Velocity is not needed
	Distance float64 // to the surface, m, negative in the liquid
	Normal   r3.Vec  // of the surface, out of the liquid; of length 1, or 0 where it is not known, such as more than two cells from the surface
	Velocity r3.Vec  // m/s
	Edge     float64 // of the cells there, m
}

// Source is the part of the surface in a cell, of the area of a square with the cell's edge.
type Source struct {
	Cell     uint64  // a stable id
	Place    r3.Vec  // on the surface, m
	Normal   r3.Vec  // out of the liquid, of length 1
	Velocity r3.Vec  // m/s
	Edge     float64 // of the cell, m
	Squeeze  float64 // speed at which the liquid a cell to each side approaches, m/s
	Bend     float64 // curvature of the surface, 1/m, positive around liquid
}
