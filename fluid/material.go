package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// SetDensity changes Def.Physics.Density, kg/m³, from the next step on; 0 means 1000. The pressure follows at once. A density out of Def's limits is an
// error, and the last one stays.
func (l *Liquid) SetDensity(density float64) error {
	defer l.enter(&callguard.SetDensity).leave()
	d := l.sim.def
	d.Physics.Density = density
	return l.sim.setMaterialOf(d)
}

// SetViscosity changes Def.Physics.Viscosity, m²/s, from the next step on; 0 means none. A viscosity out of Def's limits is an error, and the last one stays.
func (l *Liquid) SetViscosity(viscosity float64) error {
	defer l.enter(&callguard.SetViscosity).leave()
	d := l.sim.def
	d.Physics.Viscosity = viscosity
	return l.sim.setMaterialOf(d)
}

// SetSurfaceTension changes Def.Physics.SurfaceTension, N/m, from the next step on; 0 means none. A tension out of Def's limits is an error, and the last
// one stays.
func (l *Liquid) SetSurfaceTension(tension float64) error {
	defer l.enter(&callguard.SetSurfaceTension).leave()
	d := l.sim.def
	d.Physics.SurfaceTension = tension
	return l.sim.setMaterialOf(d)
}

// SetMaterial changes density, viscosity and surface tension together, from the next step on. If one is out of Def's limits, that is an error, and
// all stay.
func (l *Liquid) SetMaterial(m Material) error {
	defer l.enter(&callguard.SetMaterial).leave()
	return l.sim.setMaterialOf(l.sim.def.With(m))
}

// setMaterialOf gives the liquid the material of a definition that is otherwise its own. What wakes is all liquid: bodies afloat find another
// weight around them.
func (l *simulation) setMaterialOf(d Def) error {
	if err := d.Validate(); err != nil {
		return err
	}
	d = d.withDefaults()
	if d.material() == l.def.material() {
		return nil
	}
	if err := d.checkAbilities(&l.can); err != nil {
		return err
	}
	l.def, l.around.Material = d, d.liquid()
	l.solver.Update(solver.NewMaterial)
	l.sleep.wakeAll()
	return nil
}
