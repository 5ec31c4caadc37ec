package scene

import (
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/math32"
)

// At night a lamp lights tiles as much as a standard material of their colour. Lamps that stand for the daylight add nothing to the tiles'.
func TestLampOnTiles(t *testing.T) {
	onGL(t, func(l *lab) {
		black := math32.Color{R: 1e-6, G: 1e-6, B: 1e-6}
		dark := SkyOptions{Zenith: black, Horizon: black, Ground: black, SunLit: black}.withDefaults()
		water := NewLiquid(basin(20, 0), LiquidOptions{Sky: dark})
		defer water.Dispose()
		lamps := map[string]core.INode{}
		point := light.NewPoint(&math32.Color{R: 1, G: .8, B: .5}, 2)
		point.SetPosition(.5, 1.2, .3)
		lamps["point"] = point
		spot := light.NewSpot(&math32.Color{R: .6, G: .8, B: 1}, 3)
		spot.SetPosition(-.3, 1.5, 0)
		spot.SetDirection(0, -1, 0)
		spot.SetCutoffAngle(60)
		lamps["spot"] = spot
		sun := light.NewDirectional(&math32.Color{R: 1, G: 1, B: 1}, 1)
		sun.SetPosition(.3, 1, .2)
		lamps["directional"] = sun
		lamps["ambient"] = light.NewAmbient(&math32.Color{R: 1, G: 1, B: 1}, 1)
		for name, lamp := range lamps {
			var light [2][3]float64
			for i, on := range []string{"standard", "tiles"} {
				root := core.NewNode()
				root.Add(lamp)
				slab(root, matt()[on], 2, .2, 2, 0, -.1, 0)
				l.shootWith(t, 24, 24, root, water, downOn(0, 0, .5))
				img, _, _ := pixels(water, "scene")
				for p := range len(img) / 4 {
					for k := range 3 {
						light[i][k] += float64(img[4*p+k]) / float64(len(img)/4)
					}
				}
				root.Remove(lamp)
				root.Dispose()
			}
			want := light[0]
			if name == "directional" || name == "ambient" {
				want = [3]float64{}
			}
			for k := range want {
				if got := light[1][k]; !(math.Abs(got-want[k]) <= .03*want[k]+1e-4) || light[0][k] < .05 {
					t.Errorf("%s, colour %d: a tile has %.4f, want %.4f; a standard material has %.4f", name, k, got, want[k], light[0][k])
				}
			}
			t.Logf("%s: a tile has %.4f, a standard material %.4f", name, light[1], light[0])
		}
	})
}
