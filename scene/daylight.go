package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/math32"
)

// Daylight is a sky with lights that go with it for g3n's own materials: the sun, the sky from the
// other side, what the ground throws back, and a little from everywhere.
type Daylight struct {
	core.Node
	sky               *Sky
	lit               [15]float32
	sun, fill, bounce *light.Directional
	ambient           *light.Ambient
}

// NewDaylight returns a daylight to add to the scene's root.
func NewDaylight(o SkyOptions) *Daylight {
	d := &Daylight{sky: NewSky(o)}
	d.Node.Init(d)
	white := &math32.Color{R: 1, G: 1, B: 1}
	d.sun = light.NewDirectional(white, 0.86)
	d.fill = light.NewDirectional(white, 0.22)
	d.bounce = light.NewDirectional(white, 0.10)
	d.ambient = light.NewAmbient(white, 0.44)
	d.fill.SetPosition(-0.5, 0.6, -0.3)
	d.bounce.SetPosition(0, -1, 0.2)
	for _, n := range []core.INode{d.sky, d.sun, d.fill, d.bounce, d.ambient} {
		d.Add(n)
	}
	d.relight()
	return d
}

// SetSky changes the daylight from the next frame on, and that of all that is drawn with it, see SkyOptions.
func (d *Daylight) SetSky(o SkyOptions) {
	d.sky.SetSky(o)
	d.relight()
}

// relight gives the lights the sky's colours and the sun's place.
func (d *Daylight) relight() {
	v := &d.sky.sky.values
	if *v == d.lit {
		return
	}
	d.lit = *v
	noon := SkyOptions{}.withDefaults().values()
	// shade is how much of noon's light there is, as g3n's materials count it: in display colours.
	shade := func(c *math32.Color, share func(v *[15]float32, k int) float32) *math32.Color {
		of := func(k int) float32 {
			return float32(math.Pow(float64(max(share(v, k), 0)/share(&noon, k)), 1/2.2))
		}
		return &math32.Color{R: min(c.R*of(0), 1), G: min(c.G*of(1), 1), B: min(c.B*of(2), 1)}
	}
	d.sun.SetColor(shade(&math32.Color{R: 1, G: 0.93, B: 0.80}, func(v *[15]float32, k int) float32 { return v[12+k] }))
	d.fill.SetColor(shade(&math32.Color{R: 0.62, G: 0.76, B: 1}, func(v *[15]float32, k int) float32 { return v[k] }))
	d.bounce.SetColor(shade(&math32.Color{R: 0.7, G: 0.85, B: 0.85}, func(v *[15]float32, k int) float32 { return v[6+k] }))
	d.ambient.SetColor(shade(&math32.Color{R: 0.72, G: 0.84, B: 1}, func(v *[15]float32, k int) float32 { return 0.6*v[k] + 0.4*v[3+k] }))
	sun := d.sky.sky.sun()
	d.sun.SetPositionVec(&sun)
}
