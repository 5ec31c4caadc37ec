package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// Start makes a mesh without solids, at rest, what the first step begins with.
func (m *Blocks) Start() {
	m.Vel.Gather(m.Pool, &m.Faces)
	m.Solids.Solids(nil, cutting.Near{})
	m.Surface.start()
}

// Resize gives every block the level that the surface, views, requests and target ask for, and carries velocity and pressure over to it.
func (m *Blocks) Resize(w *sizing.Requests) sizing.Outcome {
	i, band := &m.Survey, float64(w.Band)/layout.Edge
	deep, deepest := band, band
	if w.TargetUnknowns > 0 { // as deep as the budget allows
		deep, deepest = 0, max(band, sizing.DefaultThicknessCap)
	}
	i.Gaps.measure()
	var vorticity []float32
	if w.Field.Vorticity > 0 {
		m.Vorticity.Measure(m.Pool, m.Set.Phi)
		vorticity = m.Vorticity.Most
	}
	i.Demand = m.Sizer.Plan(&sizing.Input{
		MinAbs: i.Nearest, Gaps: i.Gaps.of, Fraction: i.Fraction, Vorticity: vorticity, Wet: i.Wet, Band: i.Band,
		Bodies: w.Bodies, Emitters: w.Emitters, Jets: w.Jets, Controls: w.Controls,
	}, sizing.Knobs{
		CoarsestLevel: int(m.Coarsest), InvisibleLevel: layout.MaxLevel - w.Invisible,
		ViewGain: w.ViewGain, TargetUnknowns: w.TargetUnknowns, Thickness: deep, ThicknessCap: deepest, Field: w.Field, Changes: w.Changes, PerCell: m.PerCell,
	})
	m.Refresh()
	if w.TargetUnknowns == 0 && w.Changes == 0 && len(m.Sizer.Views()) == 0 {
		mustHold(func() error { return checkBand(m, uint8(layout.MaxLevel-w.Invisible)) })
	}
	return i.Demand
}

// WantsFiner tells whether cameras see blocks that are to be finer than they are: see sizing.Sizer.
func (m *Blocks) WantsFiner(band, invisible int, gain float64) bool {
	i := &m.Survey
	i.Gaps.measure()
	return m.Sizer.WantsFiner(&sizing.Input{MinAbs: i.Nearest, Gaps: i.Gaps.of, Fraction: i.Fraction, Wet: i.Wet, Band: i.Band}, sizing.Knobs{
		CoarsestLevel: int(m.Coarsest), InvisibleLevel: layout.MaxLevel - invisible, ViewGain: gain, Thickness: float64(band) / layout.Edge, PerCell: m.PerCell,
	})
}

// AppendParts appends the blocks.
func (m *Blocks) AppendParts(dst []query.Part) []query.Part {
	return m.Grid.AppendParts(dst, func(b int32) bool { return m.Survey.IsWet(b) })
}

// AppendCutAway appends the faces of the settled cells that a cut lays bare.
func (m *Blocks) AppendCutAway(dst []query.CellFace, plane query.Plane) []query.CellFace {
	return m.Grid.AppendCutAway(dst, plane, m.Domain, func(cell int32) bool { return m.Set.Phi[cell] < 0 })
}

// Refresh gives the blocks that are new in Cur the old velocity and pressure, and wakes them.
func (m *Blocks) Refresh() {
	i := &m.Survey
	if i.Fresh = m.Grid.AppendFresh(i.Fresh[:0]); len(i.Fresh) > 0 {
		par.Each(m.Pool, len(i.Fresh), 1, m, (*Blocks).refreshBlock)
		m.Carrier.Refresh(&m.Faces)
		m.Sleep.wakeFresh()
	}
}

// refreshBlock gives the cells of a new block what the old cells at their middles had.
func (m *Blocks) refreshBlock(_ int, i int32) {
	b := m.Survey.Fresh[i]
	layout.CarryCells(m.Grid, b, m.Press)
	layout.CarryCells(m.Grid, b, m.Volumes.label)
}

// CarryOver carries surface and foam over to levels that were changed outside of a step, and to what solids leave open.
func (m *Blocks) CarryOver() { m.Surface.carryOver() }

// Settle makes levels, surface, velocity and foam at hand those that the next step begins with.
func (m *Blocks) Settle() {
	m.Grid.Settle()
	m.Vel.Gather(m.Pool, &m.Faces)
	m.Surface.settle()
	m.Foam.Publish()
}
