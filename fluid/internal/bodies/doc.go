// Package bodies couples a game's rigid bodies to the liquid: it reads their poses, masses and constraints from the engine (fluid.Bodies), adds the
// forces that the pressure solve does not find, and applies the liquid's loads. It keeps the bodies' state from step to step.
//
// Package rigid has the data that it passes to the other stages; package physics is an engine; package obstacles has the solids that the liquid moves itself.
//
// The order of calls in a step is: BeginStep; then in each substep Read, before the surface moves; PrepareSolve and ApplyUnsolved, between
// which the solver is set up with the bodies; Loads.Apply after the solve; and ReadContactVelocities when the engine has moved the bodies.
//
// A Coupling holds the shared state, and one struct per part: constraints reads joints and contacts, midwayPoses predicts
// poses in the middle of the step, Sanitizer sets aside bodies with invalid numbers, porousBodies handles bodies thinner than the cells, slippages and
// unsolved correct and complete the solve's forces, reaction removes their momentum from the liquid, and Loads applies them to the bodies.
//
// The package samples the liquid by the functions of Config, in batches, and works on the graph. It does not depend on the discretisation or the tracker.
package bodies

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Config is constant after New.
type Config struct {
	CellSize float64 // the finest cells' edge, m
	Domain   r3.Box  // m
	Graph    *graph.Graph
	Pool     *par.Pool
	Regular  *shapes.Regularizer
	Warn     func(knob, text string)
	Liquid   Liquid
}

// Liquid samples the liquid. All functions but Near and Asleep set a value for each place, m.
type Liquid struct {
	Distance     func(dst []float32, at []r3.Vec) // to the last published surface, m, negative in the liquid
	Velocity     func(dst, at []r3.Vec)           // of the published liquid, m/s
	Acceleration func(dst, at []r3.Vec)           // by gravity and the fields, m/s²
	CellEdge     func(dst []float64, at []r3.Vec) // distance of neighbouring unknowns, m
	Near         func(box r3.Box) bool            // reports whether a box, m, is near liquid
	Asleep       func(box r3.Box) bool            // reports whether some of the liquid near a box, m, sleeps
}

// Substep is the common input of a substep's stages.
type Substep struct {
	Dt       float64 // s
	Drift    float64 // s from the middle of the last substep to that of this one
	Whole    float64 // the step, s
	Density  float64 // of the liquid, kg/m³
	Gravity  r3.Vec  // with the uniform fields, m/s²
	MaxSpeed float64 // greatest speed of bodies that the substeps follow, m/s
}

// up returns the unit vector against gravity, +y for none.
func (s *Substep) up() r3.Vec { return opposite(s.Gravity) }

// opposite returns the unit vector against an acceleration, +y for none.
func opposite(a r3.Vec) r3.Vec {
	if n := reproducible.Norm(a); n > 0 {
		return reproducible.Scale(-1/n, a)
	}
	return r3.Vec{Y: 1}
}

// sampleAtBodies sets the acceleration and the size of cells at the bodies.
func (c *Coupling) sampleAtBodies() {
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
