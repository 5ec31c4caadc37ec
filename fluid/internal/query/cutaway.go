package query

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// CellFace is a face of a cell, with three or four corners, counter-clockwise seen from outside of the cell.
type CellFace struct {
	Corners [4]r3.Vec // m
	Count   int       // of Corners
	Level   int       // of the cell's size, 0 the finest
	Wet     bool      // the cell's middle is in the liquid
}

// Plane is where a cut through the cells is.
type Plane struct {
	Point  r3.Vec // m
	Normal r3.Vec // unit, to the side that is cut away
}

// NewPlane is the plane through a point, m, with a normal of any length but 0.
func NewPlane(point, normal r3.Vec) (Plane, error) {
	switch {
	case !geom.FiniteVec(point):
		return Plane{}, fmt.Errorf("point: %v m; must be finite", point)
	case !geom.FiniteVec(normal) || normal == r3.Vec{}:
		return Plane{}, fmt.Errorf("normal: %v; must be finite and not 0", normal)
	}
	return Plane{point, Unit(normal)}, nil
}

// Distance is that of a place from the plane, m; positive on the side that is cut away.
func (p Plane) Distance(x r3.Vec) float64 { return reproducible.Dot(r3.Sub(x, p.Point), p.Normal) }
