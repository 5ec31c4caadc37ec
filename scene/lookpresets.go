package scene

import (
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
	// HoneyLook is clear amber honey: what lies a decimetre deep is hardly seen.
	HoneyLook = Look{Tint: math32.Color{R: .012, G: 2e-4, B: 1e-4}, Turbidity: 6, Scatter: math32.Color{R: .75, G: .32, B: .03}, Roughness: .03, Ripples: -1,
		Foam: math32.Color{R: .95, G: .8, B: .45}}
	// LavaLook is opaque and throws back more red than falls on it. It is lit by the sky, and so dark at night; it lights nothing else.
	LavaLook = Look{Tint: math32.Color{R: 1e-4, G: 1e-4, B: 1e-4}, Turbidity: 200, Scatter: math32.Color{R: 1.5, G: .2, B: .012}, Roughness: .3, Ripples: .2,
		Foam: math32.Color{R: .12, G: .09, B: .08}, FoamSize: 1}
	// MercuryLook is opaque silver grey. Its mirror is that of water: the shader knows no metals.
	MercuryLook = Look{Tint: math32.Color{R: 1e-4, G: 1e-4, B: 1e-4}, Turbidity: 400, Scatter: math32.Color{R: .62, G: .63, B: .66}, Roughness: .02, Ripples: .03,
		Foam: math32.Color{R: .7, G: .7, B: .72}}
)

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
