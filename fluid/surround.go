package fluid

import (
	"errors"
	"fmt"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// surround makes all that acts on a liquid, of which there is none yet, and readies the solver for the first step.
func (l *simulation) surround() {
	a, config := &l.around, bodies.Config{}
	if l.can.Coupling != nil {
		config = *l.can.Coupling
	}
	config.CellSize, config.Domain, config.Pool, config.Regular, config.Warn = l.def.CellSize, l.def.Domain, l.pool, &a.Obstacles.Regular, l.record.warn
	a.Coupling = bodies.New(config)
	a.Coupling.Couple(nil, l.def.BodyMask)
	a.Fields.SetGravity(l.def.Physics.Gravity)
	a.Fields.Tiles, a.Fields.Warn = l.can.Tiles, l.record.warn
	a.Flows = newFlows(l)
	a.Controls.Config = newControls(l)
	l.whiteWater = newWhiteWater(l)
	l.out.detail = newDetail(l)
	l.sleep = sleeping{around: a, can: &l.can, solver: l.solver, undamped: l.def.Numerics.Undamped}
	l.out.solver, l.out.spray, l.out.around, l.out.whiteWater = l.solver, l.can.Spray, a, l.whiteWater
	l.solver.Update(solver.Gravity | solver.NewMaterial | solver.Made)
}

// settings are what never changes of a definition.
func (d *Def) settings() solver.Settings {
	return solver.Settings{
		Domain: d.Domain, CellSize: d.CellSize, Band: d.Numerics.Band, BodyBand: d.Numerics.BodyBand, Full: d.Tracker == NoSurface, CFL: d.Numerics.CFL,
		MaxSubsteps: d.Numerics.MaxSubsteps, FirstOrder: d.Numerics.FirstOrder, Undamped: d.Numerics.Undamped, Sounds: d.Sounds, Sizing: solver.Sizing(d.Numerics.Sizing),
	}
}

// liquid is what the liquid of a definition is.
func (d *Def) liquid() solver.Material {
	return solver.Material{Density: d.Physics.Density, Viscosity: d.Physics.Viscosity, Tension: d.Physics.SurfaceTension, ContactAngle: d.Physics.ContactAngle}
}

// checkAbilities names what a definition asks for and its solver can't do.
func (d *Def) checkAbilities(can *solver.Abilities) error {
	var errs []error
	lacks := func(asked, can bool, field string) {
		if asked && !can {
			errs = append(errs, fmt.Errorf("fluid: Def.%s: the liquid's solver can't do that; leave it out", field))
		}
	}
	flows := false
	for _, s := range d.Sides.list() {
		flows = flows || s != Wall
	}
	lacks(flows, can.Flows != nil, "Sides")
	lacks(d.Physics.Viscosity > 0, can.Viscosity, "Physics.Viscosity")
	lacks(d.Physics.SurfaceTension > 0, can.Tension, "Physics.SurfaceTension")
	lacks(d.Numerics.Sizing != Sizing{}, can.Views != nil, "Numerics.Sizing")
	lacks(d.WhiteWater > 0, can.WhiteWater != nil, "WhiteWater")
	lacks(d.Sounds, can.Sounds != nil, "Sounds")
	return errors.Join(errs...)
}

// mustBeAble is the error of a call for what the solver can't do.
func (l *simulation) mustBeAble(call string, can bool) error {
	if !can {
		return fmt.Errorf("fluid: %s: the liquid's solver can't do that", call)
	}
	return nil
}

// setViews has the resolution follow cameras. Liquid that sleeps wakes where they see it coarser than it is to be.
func (l *simulation) setViews(views ...query.View) error {
	from, n := l.can.Views, &l.def.Numerics
	if from == nil {
		return errors.New("the solver's resolution is the same everywhere")
	}
	was := append(l.query.viewed[:0], from.Views()...)
	l.query.viewed = was
	if err := from.SetViews(views...); err != nil {
		return err
	}
	if l.around.Sleep.Asleep && !slices.Equal(was, from.Views()) && from.WantsFiner(n.Band, min(n.InvisibleLevel, n.Levels-1), l.viewGain(1)) {
		l.sleep.wakeAll()
	}
	return nil
}

// restartSizing has so many plans set levels at once, where there are levels.
func (l *simulation) restartSizing(plans int) {
	if l.can.Views != nil {
		l.can.Views.RestartSizing(plans)
	}
}

// Levels appends the blocks of the grid, for an overlay, and returns dst.
func (l *Liquid) Levels(dst []LevelBox) []LevelBox {
	defer l.enter(&callguard.Levels).leave()
	if l.sim.can.Views == nil {
		return dst
	}
	l.sim.query.parts = l.sim.can.Views.AppendParts(l.sim.query.parts[:0])
	for _, p := range l.sim.query.parts {
		dst = append(dst, LevelBox(p))
	}
	return dst
}
