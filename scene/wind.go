package scene

import (
	"math"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// windWaves is how many waves ripple the surface.
const windWaves = 16

// The shortest and the longest of them, m. On a pool wind makes waves of a few centimetres: the water is too short for longer ones.
const shortWave, longWave = .06, .8

// windLoop is after how long the waves' motion repeats, s: shared.time does so.
const windLoop = 3600

// ripples are the waves of a wind at a time as assets/shaders/wind.glsl has them: wave number along x and z, 1/m, greatest slope, and phase.
//
// wind: m/s, along x and z.
// Together they have the mean square slope of a sea under that wind, over that at rest: .00512 for each m/s; each octave of lengths has the same share of
// it. They move as waves on deep water do, ω² = gk + σk³/ρ.
// Source: Cox and Munk, Measurement of the roughness of the sea surface from photographs of the sun's glitter (1954); Phillips, The dynamics of
// the upper ocean (1966), ch. 4, for the share; Lamb, Hydrodynamics, § 267, for the motion.
func ripples(wind math32.Vector2, t float64) (waves [windWaves][4]float32) {
	speed := math.Hypot(float64(wind.X), float64(wind.Y))
	slope := math.Sqrt(2 * .00512 * speed / windWaves) // half its square is the mean
	ahead := math.Atan2(float64(wind.Y), float64(wind.X))
	for i := range waves {
		k := 2 * math.Pi / longWave * math.Pow(longWave/shortWave, (float64(i)+.8*scatter(i, 1, 31))/(windWaves-.2))
		way := ahead + 2.2*(scatter(i, 2, 31)-.5) // most go with the wind
		turns := math.Round(frequency(k) * windLoop / (2 * math.Pi))
		phase := 2 * math.Pi * (scatter(i, 3, 31) + turns*t/windLoop)
		waves[i] = [4]float32{float32(k * math.Cos(way)), float32(k * math.Sin(way)), float32(slope), float32(math.Mod(phase, 2*math.Pi))}
	}
	return waves
}

// frequency is ω of waves of a wave number on deep water, 1/s.
func frequency(k float64) float64 {
	const gravity, tension = 9.81, .0728 / 998.2
	return math.Sqrt(gravity*k + tension*k*k*k)
}

// setupWind gives a program what assets/shaders/wind.glsl declares.
func (sh *shared) setupWind(gs *gls.GLS, u *uniformSet) {
	if sh.look.Wind == (math32.Vector2{}) {
		u.float(gs, "Windy", 0)
		return
	}
	waves := ripples(sh.look.Wind, sh.time)
	u.float(gs, "Windy", windWaves)
	u.vec4s(gs, "Waves", waves[:])
}
