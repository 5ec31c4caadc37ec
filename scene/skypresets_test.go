package scene

import (
	"image"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
)

// Each sky but the zero one gives every field, so that none is the afternoon's by chance.
func TestSkiesAreComplete(t *testing.T) {
	for name, o := range map[string]SkyOptions{"noon": NoonSky, "morning": MorningSky, "dusk": DuskSky, "overcast": OvercastSky, "night": NightSky} {
		black := math32.Color{}
		if o.Zenith == black || o.Horizon == black || o.Ground == black || o.SunLit == black || !(o.Sun.Y > 0) {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// A tiled floor in the sun is darker from noon to night, as the sun sinks and the sky covers: redder at dusk than at noon, and grey under clouds. The
// sky is redder too.
func TestSkies(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 64, 36
		root := core.NewNode()
		day := NewDaylight(AfternoonSky)
		root.Add(day)
		water := NewLiquid(&fakeLiquid{}, LiquidOptions{})
		root.Add(water)
		tiledFloor(root, NewTiles(nil, TileOptions{Color: grey(.5), Other: grey(.5), Grout: grey(.5)}), 0)
		cam := view(w, h, at(0, 1.5, 4), at(0, 1.2, 0))
		floor, sky := map[string][3]float64{}, map[string][3]float64{}
		order := []string{"noon", "morning", "overcast", "dusk", "night"}
		for i, o := range []SkyOptions{NoonSky, MorningSky, OvercastSky, DuskSky, NightSky} {
			day.SetSky(o)
			img := l.shoot(t, w, h, root, water, cam)
			save(t, "sky_"+order[i], img)
			floor[order[i]], sky[order[i]] = averageOf(img, image.Rect(24, 26, 40, 34)), averageOf(img, image.Rect(24, 2, 40, 12))
		}
		for i, name := range order[1:] {
			before := order[i]
			if !(floor[name][1] < .95*floor[before][1]) {
				t.Errorf("the floor has %.3f in %s sky, %.3f in %s sky", floor[name], name, floor[before], before)
			}
		}
		red := func(c [3]float64) float64 { return c[0] / c[2] }
		for what, of := range map[string]map[string][3]float64{"floor": floor, "sky": sky} {
			if dusk, noon, clouds := red(of["dusk"]), red(of["noon"]), red(of["overcast"]); dusk < 1.3*noon || clouds < .9 || clouds > 1.05 {
				t.Errorf("%s: red over blue is %.2f at dusk, %.2f at noon, %.2f under clouds", what, dusk, noon, clouds)
			}
		}
		root.Dispose()
	})
}

func grey(v float32) math32.Color { return math32.Color{R: v, G: v, B: v} }

// Stars are seen at night, a few hundred in the picture's sky at most, and not by day.
func TestStars(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 320, 180
		for _, c := range []struct {
			name        string
			sky         SkyOptions
			least, most int
		}{{"stars_night", NightSky, 20, 600}, {"stars_noon", NoonSky, 0, 0}, {"stars_dusk", DuskSky, 0, 0}} {
			water := emptyLiquid(LiquidOptions{Sky: c.sky})
			root := core.NewNode()
			root.Add(NewSky(SkyOptions{}))
			save(t, c.name, l.shoot(t, w, h, root, water, view(w, h, at(0, 0, 0), at(.6, .8, .6))))
			sky, _, _ := pixels(water, "picture")
			n := 0
			for i := w + 1; i < w*h; i++ {
				if x := i % w; x > 0 && sky[4*i+1] > sky[4*(i-1)+1]+.02 && sky[4*i+1] > sky[4*(i-w)+1]+.02 {
					n++
				}
			}
			root.Dispose()
			water.Dispose()
			t.Logf("%s: %d stars", c.name, n)
			if n < c.least || n > c.most {
				t.Errorf("%s: %d stars, want %d to %d", c.name, n, c.least, c.most)
			}
		}
	})
}
