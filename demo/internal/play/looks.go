package play

import (
	"cmp"
	"slices"
	"strings"

	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene"
)

// skies are the values of -sky, and daylights what they stand for.
var (
	skies     = []string{"afternoon", "noon", "morning", "dusk", "overcast", "night", "hall"}
	daylights = []scene.SkyOptions{stage.Sky, scene.NoonSky, scene.MorningSky, scene.DuskSky, scene.OvercastSky, scene.NightSky, stage.Hall}
)

// qualities are the values of -quality, in the order of fluid's.
var qualities = []string{"low", "medium", "high"}

// skyFlag adds the flag of the daylight, which is name by default.
func (s *Settings) skyFlag(set *option.Set, name string) {
	s.Sky = cmp.Or(name, skies[0])
	set.Choice(&s.Sky, skies, "sky", "the daylight: "+strings.Join(skies, ", "))
}

// qualityFlag adds the flag of what drawing may cost. The liquid has flags of its own for that, since the scenarios rely on their cells.
func (s *Settings) qualityFlag(set *option.Set) {
	s.Quality = qualities[fluid.MediumQuality]
	set.Choice(&s.Quality, qualities, "quality", "what drawing may cost: low (no shadows and caustics, and liquid mirrors the sky alone), medium, "+
		"or high (liquid mirrors what is above the picture too); the steps have -cell and -budget")
}

// daylight is what -sky asks for.
func (s *Settings) daylight() scene.SkyOptions { return daylights[slices.Index(skies, s.Sky)] }

// looks is the options with what -sky and -quality ask for.
func (s *Settings) looks(o scene.LiquidOptions) scene.LiquidOptions {
	o.Sky = s.daylight()
	return o.At(fluid.Quality(slices.Index(qualities, s.Quality)))
}

// light gives a place for ray tracing the daylight of -sky. It has the afternoon's.
func (s *Settings) light(place *raytrace.Sky) {
	if s.Sky == skies[0] {
		return
	}
	colour := func(c math32.Color) raytrace.Colour {
		return raytrace.Colour{X: float64(c.R), Y: float64(c.G), Z: float64(c.B)}
	}
	o := s.daylight()
	place.Zenith, place.Horizon, place.Ground, place.SunLit = colour(o.Zenith), colour(o.Horizon), colour(o.Ground), colour(o.SunLit)
	place.Sun = raytrace.Colour{X: float64(o.Sun.X), Y: float64(o.Sun.Y), Z: float64(o.Sun.Z)}
}
