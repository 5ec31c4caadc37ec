package scene

import (
	"image/color"
	"math"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// The overlay shows where the liquid is to be, in the colour of how tightly, and the HUD says how well it is.
func TestControlPicture(t *testing.T) {
	onGL(t, func(l *lab) {
		liq, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: -1.6, Y: 0, Z: -0.8}, Max: r3.Vec{X: 1.6, Y: 1.6, Z: 0.8}}, CellSize: 0.05})
		if err != nil {
			t.Error(err)
			return
		}
		defer liq.Close()
		if err := liq.Fill(fluid.Below(0.4)); err != nil {
			t.Error(err)
		}
		water := NewLiquid(liq, LiquidOptions{})
		defer water.Dispose()
		hud := NewHUD(HUDOptions{})
		water.Add(hud)
		root := core.NewNode()
		root.Add(NewSky(SkyOptions{}))
		floor := graphic.NewMesh(geometry.NewBox(4, .2, 3), NewTiles(water, TileOptions{}))
		floor.SetPosition(0, -.1, 0)
		root.Add(floor)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		hold := func(g *geometry.Geometry, x float32, strength float64) *Control {
			node := core.NewNode()
			node.SetPosition(x, .9, 0)
			shape := graphic.NewMesh(g, nil)
			surface, err := NewModelSurface(shape)
			if err != nil {
				t.Fatal(err)
			}
			c, err := NewControl(water, fluid.ControlDef{Clip: surface, Strength: strength, Arrival: control.Appear}, node)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		ball := hold(geometry.NewSphere(.35, 24, 12), -.8, 1)
		ring := hold(geometry.NewTorus(.32, .13, 12, 28, 2*math.Pi), .6, .5)
		for range 4 {
			f := water.Update(time.Second / 60)
			hud.Update(&f, time.Second/4)
		}
		const w, h = 1280, 720
		cam := view(w, h, at(.6, 1.6, 3.2), at(-.1, .7, 0))
		dry := l.shoot(t, w, h, root, water, cam)
		ball.Toggle()
		ring.Toggle()
		img := l.shoot(t, w, h, root, water, cam)
		save(t, "control", img)
		tight, loose := 0, 0
		for y := range h {
			for x := range w {
				a, b := dry.RGBAAt(x, y), img.RGBAAt(x, y)
				switch {
				case a == b:
				case near8(b, controlColors[2]):
					tight++
				case near8(b, controlColors[1]):
					loose++
				}
			}
		}
		if tight < 1000 || loose < 1000 {
			t.Errorf("%d pixels have the colour of a surface held fully, %d of one by half", tight, loose)
		}
		ball.Release()
		ring.Release()
		if img = l.shoot(t, w, h, root, water, cam); share(img, img.Bounds(), func(c color.RGBA) bool { return near8(c, controlColors[2]) }) > .001 {
			t.Error("what is released shows on")
		}
	})
}

// near8 tells whether a pixel has a colour.
func near8(p color.RGBA, c [3]float32) bool {
	off := func(a uint8, b float32) float64 { return math.Abs(float64(a)/255 - float64(b)) }
	return off(p.R, c[0]) < .1 && off(p.G, c[1]) < .1 && off(p.B, c[2]) < .1
}
