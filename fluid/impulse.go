package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Impulse gives the liquid within radius, m, of a place an impulse, N·s, from the next step on: a blow, a jet that hits it, a shock from one side.
// Each part gets a velocity in proportion to 1 - distance/radius. Walls take up what they hold back of it; liquid that touches no wall keeps all.
// Where there is no liquid nothing happens. Bodies feel only what the liquid then does to them: a game that wants the blow to hit them too
// gives them an impulse as well. A place or impulse that is not finite, a radius that is not > 0, or an impulse that makes liquid faster than
// 1e3 m/s is an error, and nothing changes.
func (l *Liquid) Impulse(centre r3.Vec, radius float64, impulse r3.Vec) error {
	defer l.enter(&callguard.Impulse).leave()
	return l.sim.blow("Impulse", centre, radius, reproducible.Norm(impulse), func(r3.Vec) r3.Vec { return impulse })
}

// Explode pushes the liquid within radius, m, of a place away from it, from the next step on: what all its parts get, whatever the direction,
// adds up to impulse, N·s; negative pulls. Each part gets a velocity in proportion to 1 - distance/radius.
//
// Liquid can't be compressed, so the surface must be within radius for it to give way: a charge at the surface throws up a crater, one that
// is deep, with no air around, does nothing. Drain a bubble there first for one that does. Bodies and errors are as for Impulse.
func (l *Liquid) Explode(centre r3.Vec, radius, impulse float64) error {
	defer l.enter(&callguard.Explode).leave()
	return l.sim.blow("Explode", centre, radius, max(impulse, -impulse), func(x r3.Vec) r3.Vec {
		arm := r3.Sub(x, centre)
		if long := reproducible.Norm(arm); long > 0 {
			return reproducible.Scale(impulse/long, arm)
		}
		return r3.Vec{}
	})
}

// blow gives the liquid within a radius of a place an impulse of a size, N·s, in the direction that along gives for each place,
// as a vector of that size.
func (l *simulation) blow(call string, centre r3.Vec, radius, size float64, along func(x r3.Vec) r3.Vec) error {
	switch {
	case !geom.FiniteVec(centre):
		return fmt.Errorf("fluid: %s: centre %v m is not finite", call, centre)
	case !(radius > 0) || !geom.Finite(radius):
		return fmt.Errorf("fluid: %s: radius %v m; must be finite and > 0", call, radius)
	case !geom.Finite(size):
		return fmt.Errorf("fluid: %s: the impulse is not finite", call)
	}
	if !boxes.Overlap(boxes.Grown(r3.Box{Min: centre, Max: centre}, radius), l.can.Tiles.Whole()) {
		return nil
	}
	found := &l.codec
	found.Write()
	l.codeMeasured(found)
	fastest, err := l.solver.Edit(solver.Blow{Centre: centre, Radius: radius, Size: size, Along: along, Most: maxMotion})
	if fastest != 0 && fastest <= maxMotion {
		l.velocityChanged()
		return err
	}
	found.Read(found.Bytes(), version) // nothing is to change
	l.codeMeasured(found)
	if fastest == 0 {
		return err
	}
	return fmt.Errorf("fluid: %s: an impulse of %v N·s makes the liquid there %v m/s fast; must be at most %g", call, size, fastest, maxMotion)
}
