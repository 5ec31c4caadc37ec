// Package whitewater makes and moves spray, foam and bubbles: particles without weight that show where liquid and air mix. They read the liquid and never
// change it.
//
// Where the surface closes on itself air is trapped, and where its crests move outwards faster than they can hold together liquid is torn off. Both make
// particles as far as the liquid has the energy for it. Spray flies under gravity and air drag, foam stays on the surface and moves with it, bubbles rise and are
// dragged along by the liquid. What a particle is follows from its distance to the surface. All die of age.
//
// Source: Ihmsen, Akinci, Akinci, Teschner 2012, "Unified spray, foam and air bubbles for particle-based fluids". Its sums over neighbouring particles
// are differences of the velocity and the distance between cells here, and its rates per particle are rates per area of the surface.
package whitewater

import "gonum.org/v1/gonum/spatial/r3"

// Kind is what a particle is.
type Kind = uint8

// The kinds.
const (
	Spray  Kind = iota // drops in the air
	Foam               // on the surface
	Bubble             // air in the liquid
	Kinds
)

// Liquid is asked about the liquid as it is stored. Look is asked by several workers at once.
type Liquid interface {
	// Look sets what there is at places, m.
	Look(at []r3.Vec, around []Around)
	// AppendSources appends the parts of the surface that move at least so fast, m/s, in an order that depends on the liquid alone.
	AppendSources(dst []Source, slowest float64) []Source
}

// Around is the liquid around a place.
type Around struct {
	Flying   bool    // set by who asks: in the air it does without Velocity
	Distance float64 // of the surface, m, negative in the liquid
	Normal   r3.Vec  // of the surface, out of the liquid; of length 1, or 0 where that is not known, as it may be two cells off
	Velocity r3.Vec  // m/s
	Edge     float64 // of the cells there, m
}

// Source is the part of the surface in a cell. It counts for a square of the cell's edge.
type Source struct {
	Cell     uint64  // names it
	Place    r3.Vec  // on the surface, m
	Normal   r3.Vec  // out of the liquid, of length 1
	Velocity r3.Vec  // m/s
	Edge     float64 // of the cell, m
	Squeeze  float64 // by how much velocities a cell to both sides approach each other, m/s
	Bend     float64 // of the surface, 1/m, positive where it is bent around liquid
}
