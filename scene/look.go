package scene

import (
	"cmp"
	"math"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// Look is how the liquid looks. Colours are linear; the zero value of a field takes its
// default, which together make clear water.
type Look struct {
	// Tint is what is left of white light after one metre. Default (0.70, 0.94, 0.98),
	// clear water; a milky or dark liquid has small numbers.
	Tint math32.Color
	// Turbidity is how much light a metre of liquid scatters, 1/m. Default 0.06; 0.5 is a
	// pond, 5 is mud. Negative means none. From 10 on one sees the form of the surface in what is scattered.
	Turbidity float32
	// Scatter is the colour of scattered light, at most 1: of what is too deep to see through, the share of light that comes back. Default a green blue.
	Scatter math32.Color
	// Metal, of a liquid metal, is what it mirrors where one looks straight at it: the rest it takes up. Default none.
	Metal math32.Color
	// Emission is the light that the liquid gives where it is hot, in the unit of SkyOptions: 1 is a display's white. Default none.
	Emission math32.Color
	// Crust is the colour of the plates that a hot liquid has where it is still; between them, and where it moves, it shows. Default none.
	Crust math32.Color
	// CrustSize is the size of the crust's pattern, of some plates, m. Default 3.
	CrustSize float32
	// Wind is the wind over the surface along x and z, m/s. It ripples also what is at rest. Default none; 1 is hardly felt, 5 a gentle breeze.
	Wind math32.Vector2
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
	number := func(v *float32, standard float32) {
		if *v == 0 {
			*v = standard
		} else if *v < 0 {
			*v = 0
		}
	}
	if l.Metal != (math32.Color{}) { // an eye in it sees nothing
		l.Tint = cmp.Or(l.Tint, math32.Color{R: 1e-30, G: 1e-30, B: 1e-30})
		l.Scatter = cmp.Or(l.Scatter, math32.Color{R: .1 * l.Metal.R, G: .1 * l.Metal.G, B: .1 * l.Metal.B})
		number(&l.Turbidity, 400)
	}
	l.Tint = cmp.Or(l.Tint, math32.Color{R: 0.70, G: 0.94, B: 0.98})
	l.Scatter = cmp.Or(l.Scatter, math32.Color{R: 0.05, G: 0.30, B: 0.36})
	l.Foam = cmp.Or(l.Foam, math32.Color{R: 0.95, G: 0.97, B: 0.98})
	number(&l.Turbidity, 0.06)
	number(&l.CrustSize, 3)
	number(&l.Roughness, 0.05)
	number(&l.Ripples, 0.07)
	number(&l.FoamSize, 0.5)
	return l
}

// medium lays the look out as the shaders' Medium[3].
func (l Look) medium() [9]float32 {
	absorb := func(tint float32) float32 {
		// Beer-Lambert: light falls to tint in one metre.
		return float32(-math.Log(math.Min(math.Max(float64(tint), math.SmallestNonzeroFloat32), 1)))
	}
	return [9]float32{absorb(l.Tint.R), absorb(l.Tint.G), absorb(l.Tint.B),
		l.Scatter.R, l.Scatter.G, l.Scatter.B, l.Turbidity}
}

// looks lays out the rest of it, but for wind and waves, as the shaders' Looks[4].
func (l Look) looks() [12]float32 {
	return [12]float32{min(l.Metal.R, 1), min(l.Metal.G, 1), min(l.Metal.B, 1), l.Emission.R, l.Emission.G, l.Emission.B,
		l.Crust.R, l.Crust.G, l.Crust.B, 1 / max(l.CrustSize, 1e-3)}
}

// set gives a program what assets/shaders/medium.glsl and looks.glsl declare.
func (l *Look) set(gs *gls.GLS, u *uniformSet) {
	medium, looks := l.medium(), l.looks()
	u.vec3s(gs, "Medium", medium[:])
	u.vec3s(gs, "Looks", looks[:])
}
