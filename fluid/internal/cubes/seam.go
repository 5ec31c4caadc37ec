package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// What package fluid asks by other names, or of another part.

// BeginSubstep begins a substep of dt seconds; drift is the time from the middle of the last one to that of this one, s.
func (m *Blocks) BeginSubstep(dt, drift float64) { m.Dt, m.Drift = dt, drift }

// SetDensity is for what pressures are worth, kg/m³.
func (m *Blocks) SetDensity(rho float64) { m.Density = rho }

// Layout is the grid.
func (m *Blocks) Layout() *layout.Grid { return m.Grid }

// Held is how much liquid there is, m³.
func (m *Blocks) Held() float64 { return m.Volumes.Held() }

// MeasureSolids measures what static solids, the domain's sides and bodies leave open where liquid may come, and without a reach everywhere.
func (m *Blocks) MeasureSolids(solids []rigid.Solid, reach *query.Reach) {
	if reach == nil {
		m.Solids.Solids(solids, cutting.Near{})
		return
	}
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

// CountParts counts the blocks that have liquid, and those of them that are asleep.
func (d *BlockSleep) CountParts() (wet, asleep int) { return d.survey.Wet.Count(), d.Count }

// CodeMeasured codes the components with their targets, and the survey.
func (s *State) CodeMeasured(c *codec.Codec) {
	s.volumes.Code(c, s.coded)
	s.codeSurvey(c)
}
