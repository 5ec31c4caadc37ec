// Package bodies is what a step knows of the rigid bodies that are coupled to the liquid: which there are and where, what resists and moves
// them beside the pressure, what the pressure does to them, and what is remembered of them from step to step.
//
// A step goes through a Coupling so: BeginStep; then in each substep Read, before the surface moves; PrepareSolve and ApplyUnsolved, between
// which the solver is told of the bodies; after the solve Loads.Apply; and when the engine has moved the bodies, ReadContactVelocities.
//
// A Coupling holds what all of that shares, and one struct for each part of it: constraints reads joints and contacts, midwayPoses places the
// bodies in the middle of the step, Sanitizer sets aside what no liquid can take, porousBodies stands for bodies within the cells, slippages and
// unsolved for what the solve does not find, reaction for what the liquid loses by that, and Loads for what the bodies get.
//
// What it needs of the liquid it is given with New, as batches of places, and with each call as a Substep. It works on the graph and
// knows neither cells nor how the surface is tracked.
package bodies

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Config is what never changes.
type Config struct {
	CellSize float64 // the finest cells' edge, m
	Domain   r3.Box  // m
	Graph    *graph.Graph
	Pool     *par.Pool
	Regular  *shapes.Regularizer
	Warn     func(knob, text string)
	Liquid   Liquid
}

// Liquid is what bodies ask of the liquid. All but Near write a value for each of some places, m.
type Liquid struct {
	Distance     func(dst []float32, at []r3.Vec) // to the surface as it was last published, m, negative in the liquid
	Velocity     func(dst, at []r3.Vec)           // of the liquid then, m/s
	Acceleration func(dst, at []r3.Vec)           // by gravity and the fields, m/s²
	CellEdge     func(dst []float64, at []r3.Vec) // by how much neighbouring unknowns are apart, m
	Near         func(box r3.Box) bool            // tells whether a box, m, comes near to liquid
}

// Substep is what the calls of a substep have in common.
type Substep struct {
	Dt       float64 // s
	Drift    float64 // from the middle of the last substep to that of this one, s
	Whole    float64 // of the step, s
	Density  float64 // of the liquid, kg/m³
	Gravity  r3.Vec  // with the fields that are the same everywhere, m/s²
	MaxSpeed float64 // of bodies, that the substeps follow, m/s
}

// up is against gravity, +y for none.
func (s *Substep) up() r3.Vec { return opposite(s.Gravity) }

// opposite is the unit vector against an acceleration, +y for none.
func opposite(a r3.Vec) r3.Vec {
	if n := reproducible.Norm(a); n > 0 {
		return reproducible.Scale(-1/n, a)
	}
	return r3.Vec{Y: 1}
}

// surveyAt asks what gravity is at the bodies, and how large cells are at those that are somewhere.
func (c *Coupling) surveyAt() {
	n := len(c.state)
	c.places = arrays.Resize(c.places, n)
	c.accelerations, c.edges = arrays.Resize(c.accelerations, n), arrays.Resize(c.edges, n)
	for i := range c.places {
		c.places[i] = c.Solids[i].Centre
	}
	c.Liquid.Acceleration(c.accelerations, c.places)
	for i := range c.places {
		if c.state[i].bad != "" {
			c.places[i] = c.Domain.Min
		}
	}
	c.Liquid.CellEdge(c.edges, c.places)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func finiteVec(v r3.Vec) bool { return finite(v.X) && finite(v.Y) && finite(v.Z) }

func finiteQuat(q quat.Number) bool {
	return finite(q.Real) && finite(q.Imag) && finite(q.Jmag) && finite(q.Kmag)
}
