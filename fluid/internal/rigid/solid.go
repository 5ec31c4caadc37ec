package rigid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"gonum.org/v1/gonum/spatial/r3"
)

// Solid is the geometry of a solid in a step.
type Solid struct {
	Distance  shapes.Distance
	Bounds    r3.Box
	Centre    r3.Vec  // of moments
	Thickness float64 // of its thinnest wall, m; 0 if unknown
	Volume    float64 // all of it in the domain, m³; 0 if unknown, or if a part is outside
	Thin      bool    // has walls that may be thinner than a cell along some direction
	Sheet     bool    // has walls that are thinner than a cell
	Fixed     bool    // never moves; its BodyCoupling is empty
	Still     bool    // its distances are unchanged since the last Solids, at the same index
	// Samples are the parts of a body too thin to cut cells. Porous, 0 to 1, is the share of the body that the grid treats
	// as a porous body made of them. The rest cuts cells and faces.
	Samples []Sample
	Porous  float64
	// Sampled makes the BodyCoupling include the forces of rows on the body where the liquid is still.
	Sampled bool
}

// Sample is a part of a body that is small compared with a cell.
type Sample struct {
	X      r3.Vec  // m
	Volume float64 // m³
}
