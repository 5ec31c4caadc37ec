package scene

import (
	"math"

	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

// Looks of liquids by name, beside fluid's materials of the same names. Each may be changed: l := scene.HoneyLook; l.Ripples = -1.
var (
	// WaterLook is clear water, the zero Look.
	WaterLook = Look{}
	// SeaLook is coastal water: some metres of sight, rough under wind.
	SeaLook = Look{Tint: math32.Color{R: .55, G: .86, B: .88}, Turbidity: .25, Scatter: math32.Color{R: .03, G: .22, B: .25}, Roughness: .12, Ripples: .12}
	// OilLook is olive oil: clear, a deep yellow from a decimetre on.
	OilLook = Look{Tint: math32.Color{R: .6, G: .33, B: .004}, Turbidity: .5, Scatter: math32.Color{R: .55, G: .36, B: .03}, Roughness: .03, Ripples: -1,
		Foam: math32.Color{R: .9, G: .85, B: .5}}
	// HoneyLook is clear amber honey: a centimetre is yellow, what lies a decimetre deep is hardly seen. Its absorption is an estimate.
	HoneyLook = Look{Tint: left(12, 50, 85), Turbidity: 6, Scatter: math32.Color{R: .75, G: .32, B: .03}, Roughness: .03, Ripples: -1,
		Foam: math32.Color{R: .95, G: .8, B: .45}}
	// MilkLook is whole milk: white, and opaque from some millimetres on.
	//
	// Source: Jensen et al., A practical model for subsurface light transport (2001), table 1 (scattering, absorption, reflectance).
	MilkLook = Look{Tint: left(1.1, 2.4, 14), Turbidity: 2550, Scatter: math32.Color{R: .91, G: .88, B: .76}, Roughness: .04, Ripples: .04,
		Foam: math32.Color{R: .93, G: .91, B: .84}}
	// MudLook is water thick with brown clay; its numbers are estimates.
	MudLook = Look{Tint: left(4, 6, 10), Turbidity: 150, Scatter: math32.Color{R: .22, G: .13, B: .065}, Roughness: .08, Ripples: .05,
		Foam: math32.Color{R: .42, G: .32, B: .22}}
	// LavaLook is basalt that glows at 1150 °C, with black plates. The colour is that of a black body, by Planck's law at 610, 550 and 465 nm; beside
	// daylight it is brighter than it would be, as in a picture for which the eye has adapted.
	LavaLook = Look{Tint: left(80, 80, 80), Turbidity: 200, Scatter: math32.Color{R: .05, G: .045, B: .04}, Roughness: .3, Ripples: .2,
		Emission: math32.Color{R: 2.4, G: .66, B: .052}, Crust: math32.Color{R: .045, G: .04, B: .036}, Foam: math32.Color{R: .12, G: .09, B: .08}, FoamSize: 1}
	// MercuryLook is a mirror, a little darker than silver's.
	//
	// Source: CRC Handbook of Chemistry and Physics (refractive index of mercury, for the share by Fresnel's formulas).
	MercuryLook = Look{Metal: math32.Color{R: .78, G: .78, B: .78}, Roughness: .02, Ripples: .03, Foam: math32.Color{R: .7, G: .7, B: .72}}
	// GoldLook is molten gold: what it doesn't mirror of each colour it gives itself, beside LavaLook's Emission (Kirchhoff's law).
	//
	// Source: Johnson and Christy, Optical constants of the noble metals (1972), for the share by Fresnel's formulas, of solid gold.
	GoldLook = Look{Metal: math32.Color{R: .93, G: .81, B: .41}, Emission: math32.Color{R: .17, G: .125, B: .031}, Roughness: .03, Ripples: .03,
		Foam: math32.Color{R: .6, G: .4, B: .15}}
)

// left is the Tint of what takes up so much of red, green and blue light, 1/m; 87 at most.
func left(red, green, blue float64) math32.Color {
	return math32.Color{R: float32(math.Exp(-red)), G: float32(math.Exp(-green)), B: float32(math.Exp(-blue))}
}

// LookOf is the look of one of fluid's materials; of one that isn't fluid's it is clear water's.
func LookOf(m fluid.Material) Look {
	switch m {
	case fluid.SeaWater:
		return SeaLook
	case fluid.Oil:
		return OilLook
	case fluid.Honey:
		return HoneyLook
	case fluid.Lava:
		return LavaLook
	case fluid.Mercury:
		return MercuryLook
	}
	return WaterLook
}
