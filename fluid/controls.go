package fluid

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
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
		Origin: l.disc.Tiles().Origin, CellSize: l.def.CellSize, Domain: l.def.Domain, Density: &l.def.Density, Pool: l.pool,
		Cells: l.shaped, Ledger: (*components.Ledger)(&l.ledger), Warn: l.warn,
	}
}

// Control has the liquid follow a moving surface, from the next step on until ReleaseControl (Raveendran et al. 2012). With a Strength of 0 it is
// free. Bodies in it are carried along; where they reach through the surface the liquid makes room for them.
func (l *Liquid) Control(d ControlDef) (ControlID, error) {
	defer l.enter(&callguard.Control).leave()
	if err := l.sim.def.mustHaveSurface("Control"); err != nil {
		return 0, err
	}
	c, err := l.sim.controls.New(&d)
	if err == nil {
		err = l.sim.appear(c) // which may panic: the control is not there yet
	}
	if err != nil {
		return 0, fmt.Errorf("fluid: Control: %w", err)
	}
	c.Told.ID = l.sim.world.ids.controls.Add()
	l.sim.controls.All = append(l.sim.controls.All, c)
	l.sim.controlChanged(c)
	return ControlID(c.Told.ID), nil
}

// SetControl makes a control what the definition says, but for Start and Arrival: its clock goes on. With another Clip it goes over to that in Fade seconds.
func (l *Liquid) SetControl(id ControlID, d ControlDef) error {
	defer l.enter(&callguard.SetControl).leave()
	c, err := ids.Named(&l.sim.world.ids.controls, l.sim.controls.All, "SetControl", "control", int64(id))
	if err != nil {
		return err
	}
	if err := c.Set(&d); err != nil {
		return fmt.Errorf("fluid: SetControl: %w", err)
	}
	l.sim.controlChanged(c)
	return nil
}

// ReleaseControl lets the liquid go: from the next step on it is free, with the velocity that it has.
func (l *Liquid) ReleaseControl(id ControlID) error {
	defer l.enter(&callguard.ReleaseControl).leave()
	_, err := ids.Take(&l.sim.world.ids.controls, &l.sim.controls.All, "ReleaseControl", "control", int64(id))
	if err == nil {
		l.sim.wakeAll()
	}
	return err
}

// controlChanged follows every change of a control that acts, or did.
func (l *simulation) controlChanged(c *controls.Control) {
	if c.Strength > 0 {
		l.sleep.wake()
	}
}

// followControls finds what of the liquid controls hold, and gives their shapes what they lack.
func (l *simulation) followControls() {
	if !l.controls.Active() {
		return
	}
	l.record.begin(StageControl)
	l.controls.Rasterise(&l.graph, l.coupling.Rigid)
	l.controls.Refill(l.step.rows)
	l.record.lap(l.controls.Faces())
}

// ownTolerance is the tolerance, at most, of the solve for the liquid's own velocity, and ownLooser by how much it is above that of the other: it is mixed
// with the surface's at control surfaces alone, and makes no divergence.
const (
	ownTolerance = 1e-2
	ownLooser    = 100
)

// prescribe has the solve that follows keep the velocities at control surfaces. Where the liquid's own velocity counts, too, it is solved for first,
// with the same sources, and its pressure is where the other solve starts. Where detail is left out, what it would be before the pressure acts stands for it.
func (l *simulation) prescribe(opt *pressure.Options) error {
	s, gr, c := &l.controls, &l.graph, l.coupling
	if s.Faces() == 0 {
		return nil
	}
	if s.Relaxed() && l.step.report.Plan.DetailInterval > 1 {
		s.TakeFree(gr)
	} else if s.Relaxed() {
		s.Keep(gr, c.Rigid, l.impulse, &l.solver.Components)
		own := *opt
		own.Tolerance = max(opt.Tolerance, min(ownTolerance, ownLooser*opt.Tolerance))
		rep, err := l.solver.Solve(gr, l.def.Density, l.step.dt, c.Rigid, c.Joints, l.step.rows, s.Impulse, own)
		if !pressure.Usable(err) {
			return pressure.Locate(err, &l.graph, l.coupling.Known(), l.coupling.Identity)
		}
		l.step.report.Iterations += rep.Iterations
		s.Free(gr, c.Rigid)
		copy(l.impulse, s.Impulse)
		opt.Again = true
	}
	s.Prescribe(gr, c.Rigid, l.step.rows)
	opt.Apart = s.Apart()
	return nil
}

// releaseFaces ends what prescribe has asked of the solve.
func (l *simulation) releaseFaces() {
	if l.controls.Active() {
		l.forcing.exchange.Control = l.controls.Release(&l.graph, l.impulse)
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
	l.ledger.FilledL += max(0, l.changes.apply(l.changes.throughWalls(&shape), l.changes.union(0, c.Motion())))
	return nil
}
