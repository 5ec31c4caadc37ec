package fluid

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
)

// VolumeIn is how much liquid is in a shape, in litres. Of cells that the shape's surface cuts it reads quarters, so a shape that is
// thinner than that is measured roughly; the liquid's surface is known at the cells' centres, whatever the tracker. It does not allocate.
func (l *Liquid) VolumeIn(s SDF) (float64, error) {
	defer l.enter(&callguard.VolumeIn).leave()
	liquid, _, err := l.sim.measure("VolumeIn", s)
	return liquid / litre, err
}

// DensityIn is the mass of the liquid in a shape over the part of the shape that is open to it, kg/m³:
// from 0, dry, to Def.Physics.Density, full. It is 0 where no part is open.
func (l *Liquid) DensityIn(s SDF) (float64, error) {
	defer l.enter(&callguard.DensityIn).leave()
	liquid, open, err := l.sim.measure("DensityIn", s)
	if open <= 0 {
		return 0, err
	}
	return l.sim.def.Physics.Density * liquid / open, err
}

// measure sums the liquid in a shape and what of the shape solids leave, m³.
func (l *simulation) measure(call string, s SDF) (liquid, open float64, err error) {
	if err := CheckSDF(s); err != nil {
		return 0, 0, fmt.Errorf("fluid: %s: %w", call, err)
	}
	s = guarded(s)
	q := &l.query
	q.solids = l.around.Obstacles.AppendStepSolids(q.solids[:0], l.around.Coupling.Solids)
	liquid, open = l.solver.VolumeIn(s, q.solids)
	return liquid, open, nil
}
