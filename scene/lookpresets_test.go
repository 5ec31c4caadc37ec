package scene

import (
	"testing"

	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

// Every material has a look of its own, whose numbers the shaders can take.
func TestLooksOfMaterials(t *testing.T) {
	seen := map[Look]string{}
	for name, m := range map[string]fluid.Material{
		"water": fluid.Water, "sea": fluid.SeaWater, "oil": fluid.Oil, "honey": fluid.Honey, "lava": fluid.Lava, "mercury": fluid.Mercury,
	} {
		look := LookOf(m)
		if other, is := seen[look]; is {
			t.Errorf("%s looks like %s", name, other)
		}
		seen[look] = name
		for i, v := range look.withDefaults().medium() {
			if !(v >= 0 && v < 1e3) {
				t.Errorf("%s: Medium[%d] is %v", name, i, v)
			}
		}
	}
	seen[MilkLook], seen[MudLook], seen[GoldLook] = "milk", "mud", "gold"
	for look, name := range seen {
		for _, c := range []math32.Color{look.Scatter, look.Metal, look.Crust, look.Foam} {
			if max(c.R, c.G, c.B) > 1 || min(c.R, c.G, c.B) < 0 {
				t.Errorf("%s returns %v of the light", name, c)
			}
		}
	}
	// Of the light that goes a decimetre through honey and comes back, the red is left and the blue is gone; of that in oil more.
	honey, oil := HoneyLook.medium(), OilLook.medium()
	if !(honey[0] < honey[1] && honey[1] < honey[2] && oil[0] < honey[0] && oil[2] > 4*oil[0]) {
		t.Errorf("honey absorbs %v, oil %v 1/m", honey[:3], oil[:3])
	}
	if LookOf(fluid.Material{Density: 1}) != WaterLook {
		t.Error("a material of a game's own does not look like water")
	}
}

func TestOptionsOfQuality(t *testing.T) {
	o := LiquidOptions{Look: HoneyLook, MaxSteps: 2}
	for q, texels := range map[fluid.Quality]int{fluid.LowQuality: -1, fluid.MediumQuality: 256, fluid.HighQuality: 512} {
		if got := o.At(q); got.Caustics != texels || got.Look != HoneyLook || got.MaxSteps != 2 || got.NoAntialias != (q == fluid.LowQuality) {
			t.Errorf("quality %d: %+v", q, got)
		}
	}
}
