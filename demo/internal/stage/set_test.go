package stage

import (
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/light"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/scene"
)

// Lamps are lit at dusk and at night, those of a stage always.
func TestLampsAtNight(t *testing.T) {
	for name, c := range map[string]struct {
		sky  scene.SkyOptions
		lamp decor.Lamp
		want int
	}{
		"afternoon": {Sky, decor.Lamp{}, 0}, "noon": {scene.NoonSky, decor.Lamp{}, 0}, "overcast": {scene.OvercastSky, decor.Lamp{}, 0},
		"dusk": {scene.DuskSky, decor.Lamp{}, 1}, "night": {scene.NightSky, decor.Lamp{}, 1}, "always": {scene.NoonSky, decor.Lamp{Always: true}, 1},
	} {
		c.lamp.Radius, c.lamp.Light, c.lamp.Colour = .1, 2, decor.Warm
		s := &Stage{Root: core.NewNode(), sky: c.sky}
		s.Lamp(s.Root, c.lamp)
		lights := 0
		for _, n := range s.Root.Children() {
			if _, is := n.(*light.Point); is {
				lights++
			}
		}
		if lights != c.want {
			t.Errorf("%s: %d lights, want %d", name, lights, c.want)
		}
	}
}
