package flows

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Checks of a game's arguments, except shapes. Errors name the field of package fluid, the value and the limit.

// Check returns an error if the definition of an emitter is wrong. bounds is the box of its shape, m.
func (t *Emitters) Check(bounds r3.Box, velocity r3.Vec, rate float64) error {
	switch {
	case !geom.FiniteVec(bounds.Min) || !geom.FiniteVec(bounds.Max):
		return errors.New("Shape must be bounded")
	case !(reproducible.Norm(velocity) <= t.MaxSpeed):
		return fmt.Errorf("Velocity %v m/s; must be finite and at most %g long", velocity, t.MaxSpeed)
	}
	if err := CheckRate(rate); err != nil {
		return fmt.Errorf("Rate %w", err)
	}
	return nil
}

// CheckRate returns an error if a rate, litres/s, is not allowed for an emitter or sink.
func CheckRate(rate float64) error {
	if !(rate > 0 && rate <= MaxRate) {
		return fmt.Errorf("%v litres/s; must be > 0 and at most %g", rate, float64(MaxRate))
	}
	return nil
}

// Check returns an error if a current through a side is wrong. name is the side's in package fluid, up the direction out of the liquid's surface.
func (t *Sides) Check(side int, name fmt.Stringer, c Current, up r3.Vec) error {
	if side >= len(t.side) {
		return fmt.Errorf("side: %v; must be MinX to MaxZ", name)
	}
	if !t.Flow[side] {
		return fmt.Errorf("side: Def.Sides.%v is not Flow", name)
	}
	if !(math.Abs(c.Velocity) <= MaxCurrent) {
		return fmt.Errorf("Velocity: %v m/s at %v; must be within ±%d", c.Velocity, name, MaxCurrent)
	}
	if !geom.Finite(c.Level) {
		return fmt.Errorf("Level: %v m at %v; must be finite", c.Level, name)
	}
	lowest, highest := boxes.Along(t.Domain, up)
	if c.Velocity > 0 && !(c.Level > lowest && c.Level <= highest) {
		return fmt.Errorf("Level: %v m at %v; must be above %g and up to %g, in the domain", c.Level, name, lowest, highest)
	}
	return nil
}

// checkTranslation returns an error if a shape can't be moved by a translation, m.
func checkTranslation(v r3.Vec) error {
	if !(reproducible.Norm(v) <= shapes.MaxCoord) {
		return fmt.Errorf("translation %v m; must be finite and at most %g long", v, float64(shapes.MaxCoord))
	}
	return nil
}

// normalised returns a rotation at length 1; zero if it is zero or the identity. It returns an error if it is not finite.
func normalised(rotation quat.Number) (quat.Number, error) {
	if rotation == (quat.Number{}) {
		return quat.Number{}, nil
	}
	n := reproducible.QuatAbs(rotation)
	if !(n > 1e-150 && n < 1e150) { // their squares are finite and not zero
		return quat.Number{}, fmt.Errorf("rotation %v; must be finite and of a length that is one", rotation)
	}
	q := reproducible.QuatScale(1/n, rotation)
	if q.Imag == 0 && q.Jmag == 0 && q.Kmag == 0 {
		q = quat.Number{}
	}
	return q, nil
}
