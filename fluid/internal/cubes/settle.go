package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Publish makes the state of the substep that ends the settled one, from which the next begins and which queries are about.
func (m *Blocks) Publish() {
	m.Grid.Settle()
	m.Vel.GatherIn(m.Pool, &m.Faces, m.Spreader.Reached)
	m.Surface.publish()
	m.Foam.Publish()
	m.Survey.Update()
	mustHold(func() error { return checkSettled(m) })
}

// Revert takes back what a substep or an edit has changed so far. moved tells whether the surface was. At rest, velocity and pressure are 0
// afterwards; else they were not changed yet. It asks no solids: what they leave open is to be measured, and the layout to be settled, next.
func (m *Blocks) Revert(moved, atRest bool) {
	m.Grid.Revert()
	m.Surface.revert(moved)
	m.Foam.Restore()
	if atRest {
		for a := range m.Faces {
			clear(m.Faces[a])
		}
		clear(m.Press)
		m.Survey.MaxSpeed = 0
	}
	m.Solids.Forget()
}

// ForgetSolids has what solids leave open measured anew, wherever that is, when they are measured next.
func (m *Blocks) ForgetSolids() { m.Solids.Forget() }

// RemeasureSolids measures what the domain's sides, static solids and bodies leave open, wherever the liquid may be.
func (m *Blocks) RemeasureSolids(bodies []rigid.Solid) { m.Solids.Solids(bodies, cutting.Near{}) }

// MaxSpeed is the liquid's greatest speed, m/s.
func (m *Blocks) MaxSpeed() float64 { return m.Survey.MaxSpeed }

// CountParts counts the parts of the mesh that have liquid, and those of them that are asleep.
func (m *Blocks) CountParts() (wet, asleep int) { return m.Survey.Wet.Count(), m.Sleep.Count }

// Demand is what the last plan of the cells' sizes asked for.
func (m *Blocks) Demand() sizing.Outcome { return m.Survey.Demand }

// AppendCells appends the numbers of cells by levels, the finest first.
func (m *Blocks) AppendCells(dst []int) []int { return m.Grid.AppendCells(dst) }

// AppendUnknowns appends the numbers of the graph's rows by levels, the finest first. Those of a block lie together.
func (m *Blocks) AppendUnknowns(dst []int) []int {
	var count [layout.MaxLevel + 1]int
	gr := m.Graph
	for b := range gr.Connectivity {
		lo, hi := gr.Parts[b].Row, gr.Parts[b+1].Row
		if lo == hi {
			continue
		}
		level := 0
		for s := float32(m.CellSize) * 1.5; gr.Size[lo] > s; s *= 2 { // a step that was rolled back leaves another layout
			level++
		}
		count[level] += int(hi - lo)
	}
	return append(dst, count[:]...)
}
