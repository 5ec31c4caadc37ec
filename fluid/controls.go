package fluid

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

type (
	// ControlDef says what the liquid is to follow, and how tightly.
	ControlDef = control.Def
	// ControlReport is what a control did in a step.
	ControlReport = control.Status
)

// newControls is what controls know of the liquid.
func newControls(l *simulation) controls.Config {
	return controls.Config{
		Origin: l.can.Tiles.Origin, CellSize: l.def.CellSize, Domain: l.def.Domain, Density: &l.around.Material.Density, Pool: l.pool,
		Cells: l.can.Controls, Ledger: &l.around.Ledger, Warn: l.record.warn,
	}
}

// AddControl has the liquid follow a moving surface, from the next step on until RemoveControl (Raveendran et al. 2012). With a Strength of 0 it is
// free. Bodies in it are carried along; where they reach through the surface the liquid makes room for them.
func (l *Liquid) AddControl(d ControlDef) (ControlID, error) {
	defer l.enter(&callguard.AddControl).leave()
	if err := l.sim.def.mustHaveSurface("Control"); err != nil {
		return 0, err
	}
	if err := l.sim.mustBeAble("Control", l.sim.can.Controls != nil); err != nil {
		return 0, err
	}
	c, err := l.sim.around.Controls.New(&d)
	if err == nil {
		err = l.sim.appear(c) // which may panic: the control is not there yet
	}
	if err != nil {
		return 0, fmt.Errorf("fluid: Control: %w", err)
	}
	c.Told.ID = l.sim.ids.controls.Add()
	l.sim.around.Controls.All = append(l.sim.around.Controls.All, c)
	l.sim.controlChanged(c)
	return ControlID(c.Told.ID), nil
}

// SetControl makes a control what the definition says, but for Start and Arrival: its clock goes on. With another Clip it goes over to that in Fade seconds.
func (l *Liquid) SetControl(id ControlID, d ControlDef) error {
	defer l.enter(&callguard.SetControl).leave()
	c, err := ids.Named(&l.sim.ids.controls, l.sim.around.Controls.All, "SetControl", "control", int64(id))
	if err != nil {
		return err
	}
	if err := c.Set(&d); err != nil {
		return fmt.Errorf("fluid: SetControl: %w", err)
	}
	l.sim.controlChanged(c)
	return nil
}

// RemoveControl lets the liquid go: from the next step on it is free, with the velocity that it has.
func (l *Liquid) RemoveControl(id ControlID) error {
	defer l.enter(&callguard.RemoveControl).leave()
	_, err := ids.RemoveFrom(&l.sim.ids.controls, &l.sim.around.Controls.All, "RemoveControl", "control", int64(id))
	if err == nil {
		l.sim.sleep.wakeAll()
	}
	return err
}

// controlChanged follows every change of a control that acts, or did.
func (l *simulation) controlChanged(c *controls.Control) {
	if c.Strength > 0 {
		l.sleep.wake()
	}
}

// appear fills a control's shape where its definition asks for that.
func (l *simulation) appear(c *controls.Control) error {
	if c.Arrival != control.Appear {
		return nil
	}
	m := c.Surface()
	shape, err := shapes.NewMesh(m.Positions, m.Triangles, 0, 0)
	if err != nil {
		return fmt.Errorf("Clip: %w", err)
	}
	grown, err := l.edit(solver.Fill{Shape: l.throughWalls(&shape), Velocity: c.Motion()})
	l.around.Ledger.FilledL += max(0, grown)
	return err
}
