package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/math32"
)

// Daylight is a sky with lights that go with it for g3n's own materials: the sun, the sky from the
// other side, what the ground throws back, and a little from everywhere. In Draw the lights are linear and
// as bright as those that tiles see; in a game's own Render they are display colours.
type Daylight struct {
	core.Node
	sky               *Sky
	lit               [15]float32
	linear            bool
	sun, fill, bounce *light.Directional
	ambient           *light.Ambient
}

// NewDaylight returns a daylight to add to the scene's root.
func NewDaylight(o SkyOptions) *Daylight {
	d := &Daylight{sky: NewSky(o)}
	d.Node.Init(d)
	white := &math32.Color{R: 1, G: 1, B: 1}
	d.sun = light.NewDirectional(white, 1)
	d.fill = light.NewDirectional(white, 1)
	d.bounce = light.NewDirectional(white, 1)
	d.ambient = light.NewAmbient(white, 1)
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
	d.light(d.linear)
	sun := d.sky.sky.sun()
	d.sun.SetPositionVec(&sun)
}

// light gives the lights their colours: linear ones, or as a display has them.
func (d *Daylight) light(linear bool) {
	d.linear = linear
	v := &d.lit
	zenith, horizon := skyColor(v, 0), skyColor(v, 3)
	sky, ground, sun := mixed(zenith, .6, horizon, .4), skyColor(v, 6), skyColor(v, 12)
	if linear {
		// Together with what lies level they are what tile_fragment takes to fall on a face up, down and towards the sun.
		shine(d.sun, sun, .85)
		shine(d.fill, sky, .22)
		shine(d.bounce, ground, .10)
		shine(d.ambient, mixed(sky, .58, ground, .42), .52)
		return
	}
	noon := SkyOptions{}.withDefaults().values()
	noonSky := mixed(skyColor(&noon, 0), .6, skyColor(&noon, 3), .4)
	shine(d.sun, displayed(math32.Color{R: 1, G: 0.93, B: 0.80}, sun, skyColor(&noon, 12)), .86)
	shine(d.fill, displayed(math32.Color{R: 0.62, G: 0.76, B: 1}, zenith, skyColor(&noon, 0)), .22)
	shine(d.bounce, displayed(math32.Color{R: 0.7, G: 0.85, B: 0.85}, ground, skyColor(&noon, 6)), .10)
	shine(d.ambient, displayed(math32.Color{R: 0.72, G: 0.84, B: 1}, sky, noonSky), .44)
}

// skyColor is the colour that begins at a number of a sky's values.
func skyColor(v *[15]float32, at int) *math32.Color {
	return &math32.Color{R: v[at], G: v[at+1], B: v[at+2]}
}

func mixed(a *math32.Color, partA float32, b *math32.Color, partB float32) *math32.Color {
	return &math32.Color{R: partA*a.R + partB*b.R, G: partA*a.G + partB*b.G, B: partA*a.B + partB*b.B}
}

// shine gives a lamp its colour and how much of that it sends.
func shine(lamp interface {
	SetColor(*math32.Color)
	SetIntensity(float32)
}, c *math32.Color, intensity float32) {
	lamp.SetColor(c)
	lamp.SetIntensity(intensity)
}

// displayed is a light's colour at noon, as a display has it, times how much of noon's light there is.
func displayed(c math32.Color, now, noon *math32.Color) *math32.Color {
	shade := func(c, now, noon float32) float32 {
		return min(c*float32(math.Pow(float64(max(now, 0)/noon), 1/2.2)), 1)
	}
	return &math32.Color{R: shade(c.R, now.R, noon.R), G: shade(c.G, now.G, noon.G), B: shade(c.B, now.B, noon.B)}
}
