package rigid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"gonum.org/v1/gonum/spatial/r3"
)

// Solid is a moving solid as the grid needs it.
type Solid struct {
	Distance  shapes.Distance
	Bounds    r3.Box
	Centre    r3.Vec  // about which moments are taken
	Thickness float64 // of its thinnest wall, m; 0: not known
	Thin      bool    // has walls that may be thinner than a cell seen aslant
	Sheet     bool    // has walls that are thinner
	Fixed     bool    // never moves; its BodyCoupling is left empty
	Still     bool    // its distances are those of the last Solids, when it had the same place in the list
	// Samples are parts of a body that is too thin for the cells to be cut by it, and Porous is the share of it, up to 1, that the grid takes
	// for a porous body made of them. The rest cuts cells and faces.
	Samples []Sample
	Porous  float64
	// Sampled has the BodyCoupling hold what rows exert on the body where the liquid is still.
	Sampled bool
}

// Sample is a part of a body that is small against a cell.
type Sample struct {
	X      r3.Vec  // m
	Volume float64 // m³
}
