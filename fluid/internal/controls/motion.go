package controls

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/raster"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// referenceStep, s, is the step that Strength is told for.
const referenceStep = 1. / 60

// blendOf is the part of the surface's velocity in that of the liquid after dt seconds: what is left of the liquid's own, 1-α in each 60th of a
// second, does not depend on how long steps are.
func blendOf(strength, dt float64) float64 {
	if strength >= 1 {
		return 1
	}
	return 1 - reproducible.Exp2(dt/referenceStep*reproducible.Log2(1-strength))
}

// BeginStep begins the means of a step.
func (s *Set) BeginStep() {
	for _, c := range s.All {
		c.impulse, c.Told.Force, c.Told.Error, c.Told.Worst, c.gaps = [3]float64{}, r3.Vec{}, 0, 0, 0
		c.Told.FluxL, c.Told.FluxErrorL = 0, 0
	}
}

// BeginSubstep moves the surfaces by dt seconds. The liquid's surface is known for the middle of the substep, and its velocity for the end: it moves the
// surface on to the middle of the next one. So the control surfaces are compared with it where they are in the middle, and give it the velocity that they
// have at the end.
func (s *Set) BeginSubstep(dt float64, up r3.Vec) {
	s.dt, s.up, s.faces, s.midway = dt, reproducible.Array(up), s.faces[:0], true
	for _, c := range s.All { // first of all, since a source may panic
		c.keep()
	}
	for _, c := range s.All {
		s.advance(c, dt)
		c.blend = blendOf(c.Strength, dt)
		c.Told.Time, c.Told.Strength = c.player.Time, c.Strength
		c.present = false
		if c.Strength > 0 && !s.Out.Has(c.Told.ID) {
			s.scan(c, up)
		}
		c.planSeed(s)
	}
}

// Restore takes back how a substep has moved the surfaces.
func (s *Set) Restore() {
	if !s.midway {
		return
	}
	s.midway = false
	for _, c := range s.All {
		c.takeBack()
	}
}

// EndSubstep ends a substep that has gone well.
func (s *Set) EndSubstep() {
	s.midway = false
	for _, c := range s.All {
		c.seed.due = 0
	}
}

// scan finds the cells of the finest lattice that are in a control's shape.
func (s *Set) scan(c *Control, up r3.Vec) {
	c.player.Ahead(0, &c.now)
	if !s.review(c) {
		return
	}
	c.surface.Triangles, c.surface.Velocities = c.now.Triangles, c.now.Velocities
	c.surface.Positions = arrays.Resize(c.surface.Positions, len(c.now.Positions))
	for i, x := range c.now.Positions {
		c.surface.Positions[i] = r3.Sub(x, reproducible.Scale(s.dt/2, c.now.Velocities[i]))
	}
	c.surface.Weights = nil
	if len(c.weights.smooth) == len(c.now.Positions) {
		c.surface.Weights = c.weights.smooth
	}
	box := boxes.Grown(boxes.Around(c.now.Positions), 2*s.CellSize)
	draws := c.awaits && s.findColumn(c, up)
	if draws {
		low := c.column.middle
		low[c.column.axis] -= float64(float64(c.column.up) * c.column.depth)
		box = boxes.Around([]r3.Vec{box.Min, box.Max, reproducible.Vector(low)})
	}
	box = boxes.Intersection(box, boxes.Grown(s.Domain, s.CellSize))
	if !boxes.Valid(box) {
		return
	}
	lattice := raster.Lattice{H: s.CellSize}
	lo, hi := reproducible.Array(box.Min), reproducible.Array(box.Max)
	for a := range lo {
		first := math.Floor((lo[a] - s.Origin[a]) / s.CellSize)
		lattice.Origin[a] = s.Origin[a] + float64(first*s.CellSize)
		lattice.Dim[a] = int(math.Ceil((hi[a]-lattice.Origin[a])/s.CellSize)) + 1
	}
	if n := float64(lattice.Dim[0]) * float64(lattice.Dim[1]) * float64(lattice.Dim[2]); n > mostCells {
		s.setAside(c, fmt.Errorf("the box around it has %.0f finest cells; must be at most %d", n, mostCells))
		return
	}
	c.raster.Scan(s.Pool, &c.surface, lattice)
	c.raster.FillPockets()
	c.findGaps()
	c.mean = c.average()
	c.column.cells = c.column.cells[:0]
	if draws {
		s.addColumn(c)
	}
	c.present = true
}

// note notes how far the liquid's surface is from the control surface: the square of it, m².
func (c *Control) note(apart float64) {
	c.Told.Error += apart
	c.Told.Worst = max(c.Told.Worst, apart)
	c.gaps++
}

// EndStep ends a step of dt seconds: it makes sums means, and returns what each control did. It is valid until the next call.
func (s *Set) EndStep(dt float64) []control.Status {
	s.told = s.told[:0]
	for _, c := range s.All {
		c.Told.Force = reproducible.Scale(1/dt, reproducible.Vector(c.impulse))
		if c.gaps > 0 {
			c.Told.Error, c.Told.Worst = math.Sqrt(c.Told.Error/float64(c.gaps)), math.Sqrt(c.Told.Worst)
		}
		s.told = append(s.told, c.Told)
	}
	return s.told
}
