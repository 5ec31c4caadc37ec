package scene

import (
	"image/color"
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/gui"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// pixels reads the first colour texture of a render target after Draw, four numbers a pixel from the lower left.
func pixels(water *Liquid, name string) (v []float32, w, h int) {
	t := water.stage.target(name)
	w, h = int(t.width), int(t.height)
	v = make([]float32, 4*w*h)
	t.begin(t.gs)
	gl.ReadPixels(0, 0, t.width, t.height, gl.RGBA, gl.FLOAT, gl.Ptr(v))
	t.gs.BindFramebuffer(0)
	return v, w, h
}

// shownAs is what a display is given for linear light, 0 to 255: a shoulder above .8, then the sRGB curve.
func shownAs(light float64) float64 {
	if light > .8 {
		light = .8 + .2*(1-math.Exp((.8-light)/.2))
	}
	if light <= .0031308 {
		return 255 * 12.92 * light
	}
	return 255 * (1.055*math.Pow(light, 1/2.4) - .055)
}

// card is a square of 2 m that faces the camera at 0, 0, 3, with a material.
func card(mat material.IMaterial, z float32) *graphic.Mesh {
	m := graphic.NewMesh(geometry.NewPlane(2, 2), mat)
	m.SetPosition(0, 0, z)
	return m
}

// emptyLiquid is a Liquid that shows nothing.
func emptyLiquid(o LiquidOptions) *Liquid { return NewLiquid(&fakeLiquid{}, o) }

// A white and a grey card in light of eight strengths are shown as the tone map says.
func TestCardsAtEightExposures(t *testing.T) {
	onGL(t, func(l *lab) {
		water := emptyLiquid(LiquidOptions{})
		defer water.Dispose()
		grey := float32(shownAs(.18) / 255)
		for name, c := range map[string]struct {
			shade  float32 // as a display has it
			albedo float64
		}{"white": {1, 1}, "grey": {grey, .18}} {
			for stop := -4; stop < 4; stop++ {
				root := core.NewNode()
				root.Add(card(material.NewStandard(&math32.Color{R: c.shade, G: c.shade, B: c.shade}), 0))
				strength := math.Pow(2, float64(stop))
				root.Add(light.NewAmbient(&math32.Color{R: 1, G: 1, B: 1}, float32(strength)))
				img := l.shoot(t, 64, 64, root, water, view(64, 64, at(0, 0, 3), at(0, 0, 0)))
				root.Dispose()
				for _, x := range []int{28, 31, 36} {
					got, want := float64(img.RGBAAt(x, 32).G), shownAs(c.albedo*strength)
					if math.Abs(got-want) > 1 {
						t.Errorf("%s card, light %g: %.0f is shown, want %.2f", name, strength, got, want)
					}
				}
			}
		}
	})
}

// Light far above what a display has is still so after something half transparent was laid over it.
func TestGlintSurvivesBlending(t *testing.T) {
	onGL(t, func(l *lab) {
		water := emptyLiquid(LiquidOptions{})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		veil := material.NewStandard(&math32.Color{})
		veil.SetOpacity(.5)
		veil.SetTransparent(true)
		root.Add(card(material.NewStandard(&math32.Color{R: 1, G: 1, B: 1}), 0))
		root.Add(card(veil, .5))
		root.Add(light.NewAmbient(&math32.Color{R: 1, G: 1, B: 1}, 9))
		l.shoot(t, 64, 64, root, water, view(64, 64, at(0, 0, 3), at(0, 0, 0)))
		v, w, h := pixels(water, "mix")
		if got := v[4*(h/2*w+w/2)]; math.Abs(float64(got)-4.5) > .01 {
			t.Errorf("half of 9 is %v", got)
		}
	})
}

// g3n's unlit colours are shown in Draw as without, and its materials in a game's own Render as ever.
func TestEngineColours(t *testing.T) {
	onGL(t, func(l *lab) {
		water := emptyLiquid(LiquidOptions{})
		defer water.Dispose()
		c := math32.Color{R: .2, G: .5, B: .7}
		plain := material.NewStandard(&c)
		plain.SetUseLights(material.UseLightNone)
		painted := geometry.NewPlane(2, 2)
		colors := math32.NewArrayF32(0, 12)
		for range 4 {
			colors.AppendColor(&c)
		}
		painted.AddVBO(gls.NewVBO(colors).AddAttrib(gls.VertexColor))
		glow := material.NewPhysical()
		glow.SetEmissiveFactor(&c)
		lit := func(v float32) uint8 { return uint8(255*math.Pow(float64(v), 1/2.2) + .5) }
		panel := gui.NewPanel(64, 64)
		panel.SetColor(&c)
		shows := color.RGBA{51, 128, 179, 255}
		for name, m := range map[string]struct {
			node core.INode
			want color.RGBA
		}{
			"standard": {card(plain, 0), shows},
			"basic":    {graphic.NewMesh(painted, material.NewBasic()), shows},
			"panel":    {panel, shows},
			"physical": {card(glow, 0), color.RGBA{lit(c.R), lit(c.G), lit(c.B), 255}},
		} {
			root := core.NewNode()
			root.Add(m.node)
			for how, w := range map[string]*Liquid{"Draw": water, "Render": nil} {
				img := l.shoot(t, 64, 64, root, w, view(64, 64, at(0, 0, 3), at(0, 0, 0)))
				p := img.RGBAAt(32, 32)
				off := max(math.Abs(float64(p.R)-float64(m.want.R)), math.Abs(float64(p.G)-float64(m.want.G)), math.Abs(float64(p.B)-float64(m.want.B)))
				if most := map[bool]float64{true: 4, false: 1.5}[name == "physical" && w != nil]; off > most { // g3n's curve is a plain power
					t.Errorf("%s in %s: %v, want %v", name, how, p, m.want)
				}
			}
			root.Dispose()
		}
	})
}

// Where nothing is the game's clear colour shows as it is.
func TestClearColour(t *testing.T) {
	onGL(t, func(l *lab) {
		water := emptyLiquid(LiquidOptions{})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		l.gs.Viewport(0, 0, 64, 64)
		l.gs.ClearColor(.2, .5, .02, 1)
		if err := water.Draw(l.rend, root, view(64, 64, at(0, 0, 3), at(0, 0, 0))); err != nil {
			t.Fatal(err)
		}
		p := l.grab(64, 64).RGBAAt(20, 20)
		if max(math.Abs(float64(p.R)-51), math.Abs(float64(p.G)-127.5), math.Abs(float64(p.B)-5.1)) > 1.5 {
			t.Errorf("the clear colour .2, .5, .02 shows as %v", p)
		}
	})
}
