package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/wind"
)

// Wind drags the liquid's surface along: it is a traction, N/m², of 1.2 kg/m³ · drag · |w| · w, where w is what of the wind's velocity
// against the liquid's is along the surface. The zero Wind is none. It acts on every surface, whatever is upwind of it, and raises no waves: on
// water 10 m/s give a sixth of a newton per square metre, a current of some centimetres per second after a minute.
type Wind struct {
	Velocity r3.Vec // m/s
	// Drag is the drag coefficient; a game may want more than is real. 0 means (0.8 + 0.065 s/m · |w|)/1000, up to 0.003.
	//
	// Source: Wu 1982, "Wind-stress coefficients over sea surface from breeze to hurricane".
	Drag float64
}

// SetWind changes the wind from the next step on; the zero Wind ends it. A velocity that is not finite or faster than 1e3 m/s, or a drag that is
// not 0 to 10, is an error, and the last wind stays.
func (l *Liquid) SetWind(w Wind) error {
	defer l.enter(&callguard.SetWind).leave()
	to := wind.Wind(w)
	if err := to.Check(maxMotion); err != nil {
		return fmt.Errorf("fluid: SetWind: %w", err)
	}
	if err := l.sim.mustBeAble("SetWind", l.sim.can.Wind || to == (wind.Wind{})); err != nil {
		return err
	}
	if to != l.sim.around.Wind {
		l.sim.around.Wind = to
		l.sim.sleep.wakeAll()
	}
	return nil
}
