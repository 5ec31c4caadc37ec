package scene

import (
	"math"

	"github.com/g3n/engine/math32"
)

// Look is how the liquid looks. Colours are linear; the zero value of a field takes its
// default, which together make clear water.
type Look struct {
	// Tint is what is left of white light after one metre. Default (0.70, 0.94, 0.98),
	// clear water; a milky or dark liquid has small numbers.
	Tint math32.Color
	// Turbidity is how much light a metre of liquid scatters, 1/m. Default 0.06; 0.5 is a
	// pond, 5 is mud. Negative means none.
	Turbidity float32
	// Scatter is the colour of scattered light. Default a green blue.
	Scatter math32.Color
	// Roughness is the slope of waves too small to see, widening the sun's glint. Default 0.05.
	Roughness float32
	// Ripples scales the small waves drawn where liquid flows. Default 0.07; negative means none.
	Ripples float32
	// Foam is the foam's colour. Default white.
	Foam math32.Color
	// FoamSize is the size of the foam's pattern, m. Default 0.5.
	FoamSize float32
}

func (l Look) withDefaults() Look {
	if l.Tint == (math32.Color{}) {
		l.Tint = math32.Color{R: 0.70, G: 0.94, B: 0.98}
	}
	if l.Scatter == (math32.Color{}) {
		l.Scatter = math32.Color{R: 0.05, G: 0.30, B: 0.36}
	}
	if l.Foam == (math32.Color{}) {
		l.Foam = math32.Color{R: 0.95, G: 0.97, B: 0.98}
	}
	number := func(v *float32, standard float32) {
		if *v == 0 {
			*v = standard
		} else if *v < 0 {
			*v = 0
		}
	}
	number(&l.Turbidity, 0.06)
	number(&l.Roughness, 0.05)
	number(&l.Ripples, 0.07)
	number(&l.FoamSize, 0.5)
	return l
}

// medium lays the look out as the shaders' Medium[3].
func (l Look) medium() [9]float32 {
	absorb := func(tint float32) float32 {
		// Beer-Lambert: light falls to tint in one metre.
		return float32(-math.Log(math.Min(math.Max(float64(tint), 1e-4), 1)))
	}
	return [9]float32{absorb(l.Tint.R), absorb(l.Tint.G), absorb(l.Tint.B),
		l.Scatter.R, l.Scatter.G, l.Scatter.B, l.Turbidity}
}
