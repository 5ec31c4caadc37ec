// Package wind has the drag law by which wind pulls at a liquid's surface, for any discretisation. Package fluid documents its use.
package wind

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	airDensity = 1.2 // kg/m³
	// MaxDrag is the greatest drag coefficient that a game may set.
	MaxDrag = 10
)

// Wind is moving air over the liquid. The zero Wind is none.
type Wind struct {
	Velocity r3.Vec  // m/s
	Drag     float64 // coefficient; 0: that of open water
}

// Check returns an error if a field is out of its limits. The greatest speed is maxSpeed, m/s.
func (w *Wind) Check(maxSpeed float64) error {
	switch {
	case !(reproducible.Norm(w.Velocity) <= maxSpeed):
		return fmt.Errorf("Velocity %v m/s; must be finite and at most %g long", w.Velocity, maxSpeed)
	case !(w.Drag >= 0 && w.Drag <= MaxDrag):
		return fmt.Errorf("Drag %v; must be 0 to %g", w.Drag, float64(MaxDrag))
	}
	return nil
}

// drag returns the drag coefficient at a speed relative to the liquid, m/s.
//
// Source: Wu 1982, "Wind-stress coefficients over sea surface from breeze to hurricane".
func (w *Wind) drag(speed float64) float64 {
	if w.Drag > 0 {
		return w.Drag
	}
	return min(3e-3, .8e-3+float64(.065e-3*speed))
}

// Traction returns the wind's shear stress on the surface over the square of its speed relative to the liquid, which is given in m/s: Pa·s²/m².
func (w *Wind) Traction(speed float64) float64 { return airDensity * w.drag(speed) }

// Code encodes and decodes the wind.
func (w *Wind) Code(c *codec.Codec, maxSpeed float64) {
	c.Part("wind")
	c.Vec(&w.Velocity, maxSpeed)
	c.Float64(&w.Drag, 0, MaxDrag)
}
