package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// What package fluid asks by other names, or of another part.

// BeginSubstep begins a substep of dt seconds; drift is the time from the middle of the last one to that of this one, s.
func (m *Blocks) BeginSubstep(dt, drift float64) { m.Dt, m.Drift = dt, drift }

// SetDensity is for what pressures are worth, kg/m³.
func (m *Blocks) SetDensity(rho float64) { m.Density = rho }

// MeasureSolids measures what static solids, the domain's sides and bodies leave open where liquid may come.
func (m *Blocks) MeasureSolids(solids []rigid.Solid, reach query.Reach) {
	m.Survey.FindReach(m.Dt, reach.Strongest, reach.Openings, movingReach*m.CellSize)
	for i := range reach.Swept {
		m.Survey.AddReach(reach.Swept[i].Box, reach.Swept[i].Distance)
	}
	m.Solids.Solids(solids, m.Survey.Near())
}

// SetStatic replaces the static solids; nil means none. thickness tells how thick their thinnest wall in a box is, m.
func (m *Blocks) SetStatic(distance shapes.Distance, thickness func(box r3.Box) float64) {
	m.Solids.SetStatic(distance, thickness)
}

// ForgetBodies has bodies that stand still measured anew.
func (m *Blocks) ForgetBodies() { m.Solids.ForgetBodies() }

// StepWalls are the thin walls of the substep, which whoever reads the solids sets.
func (m *Blocks) StepWalls() *walls.Set { return m.Walls }

// MarkThinWalls finds the blocks near the thin walls.
func (m *Blocks) MarkThinWalls() { m.ThinWalls.Mark() }

// RestartSizing has the next plans set levels at once.
func (m *Blocks) RestartSizing(plans int) { m.Sizer.Restart(plans) }

// WetIn tells whether there is liquid in the blocks that a box, m, overlaps.
func (q *Queries) WetIn(box r3.Box) bool { return q.survey.WetIn(box) }

// NearWet tells whether a box, m, comes within a block of liquid.
func (q *Queries) NearWet(box r3.Box) bool { return q.survey.NearWet(box) }

// Measure measures the liquid and surveys the blocks after a change that no step made.
func (v *Volumes) Measure() { v.survey.Measure() }

// Defer has the next step leave what solids displace in it to the one after.
func (v *Volumes) Defer() { v.Targets.Defer() }

// CodeVolumes goes along the components and their targets.
func (s *State) CodeVolumes(c *codec.Codec) { s.volumes.Code(c, s.coded) }

// CodeSleep goes along the sleep of blocks.
func (s *State) CodeSleep(c *codec.Codec) { s.sleep.Code(c) }

// Tiles, EdgeAt, Edges and CellsInUse are the layout's.
func (m *Blocks) Tiles() boxes.Tiles               { return m.Grid.Tiles() }
func (m *Blocks) EdgeAt(x r3.Vec) float64          { return m.Grid.EdgeAt(x) }
func (m *Blocks) Edges(dst []float64, at []r3.Vec) { m.Grid.Edges(dst, at) }
func (m *Blocks) CellsInUse() int                  { return m.Grid.CellsInUse() }
