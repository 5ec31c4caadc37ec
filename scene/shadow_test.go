package scene

import (
	"image"
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// sunlitFloor is a pale floor in daylight with a box of an edge above it.
func sunlitFloor(sun math32.Vector3, floor material.IMaterial, edge, height float32) (root *core.Node, box *graphic.Mesh) {
	root = core.NewNode()
	root.Add(NewDaylight(SkyOptions{Sun: sun}))
	ground := graphic.NewMesh(geometry.NewBox(8, .2, 8), floor)
	ground.SetPosition(0, -.1, 0)
	root.Add(ground)
	box = graphic.NewMesh(geometry.NewCube(edge), NewPaint(math32.Color{R: .6, G: .3, B: .1}, 0))
	box.SetPosition(0, height, 0)
	root.Add(box)
	return root, box
}

// downOn is a camera that sees span metres of the floor across a square picture, from straight above x, z, as if from far away.
func downOn(x, z, span float32) *cameraFromAbove {
	const away = 400
	return &cameraFromAbove{at: at(x, away, z), span: span}
}

// cameraFromAbove looks straight down: x to the right, z down the picture.
type cameraFromAbove struct {
	at   math32.Vector3
	span float32
}

func (c *cameraFromAbove) ViewMatrix(m *math32.Matrix4) {
	*m = math32.Matrix4{1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, -c.at.X, c.at.Z, -c.at.Y, 1}
}

func (c *cameraFromAbove) ProjMatrix(m *math32.Matrix4) {
	h := c.span / 2
	m.MakeOrthographic(-h, h, h, -h, 1, 2*c.at.Y)
}

// The edges of a box's shadow lie where its own edges are projected to, within 2 cm, on g3n's materials and on tiles.
func TestShadowEdge(t *testing.T) {
	onGL(t, func(l *lab) {
		white := math32.Color{R: .9, G: .9, B: .9}
		pale := TileOptions{Size: 100, Joint: 1e-6, Color: white, Other: white, Grout: white}
		for name, floor := range map[string]func() material.IMaterial{
			"standard": func() material.IMaterial { return NewPaint(white, 0) },
			"tiles":    func() material.IMaterial { return NewTiles(nil, pale) },
		} {
			for _, to := range []math32.Vector3{at(.5, .8, 0), at(-.7, .5, 0), at(.3, .9, .2)} {
				const edge, height, n, span = 1.0, 1.2, 256, 1.0
				water := emptyLiquid(LiquidOptions{})
				root, _ := sunlitFloor(to, floor(), edge, height)
				sun := SkyOptions{Sun: to}.withDefaults().Sun
				// Both edges across the picture's middle line, z = the shadow's middle.
				mid := -sun.Z / sun.Y * height
				low, high := float32(height-edge/2), float32(height+edge/2)
				left, right := float32(-.5), float32(.5)
				if sun.X > 0 { // the shadow falls towards -x: its end is the top's, its beginning the bottom's
					left, right = left-sun.X/sun.Y*high, right-sun.X/sun.Y*low
				} else {
					left, right = left-sun.X/sun.Y*low, right-sun.X/sun.Y*high
				}
				for _, want := range []float32{left, right} {
					if want > -.5-span/2 && want < .5+span/2 && math.Abs(float64(want)) < .5 {
						continue // under the box
					}
					img := l.shootWith(t, n, n, root, water, downOn(want, mid, span))
					got := float64(want) + edgeIn(img, n/2)*span/n
					if off := math.Abs(got - float64(want)); off > .02 {
						save(t, "shadow_edge", img)
						t.Errorf("%s, sun %v: an edge lies at %.3f m, want %.3f", name, to, got, want)
					} else {
						t.Logf("%s, sun %v: the edge at %.3f m is off %.1f mm", name, to, want, 1000*off)
					}
				}
				root.Dispose()
				water.Dispose()
			}
		}
	})
}

// edgeIn is where a row crosses the middle between its darkest and brightest, pixels from the picture's middle; far off if it has no edge.
func edgeIn(img *image.RGBA, row int) float64 {
	w := img.Rect.Dx()
	lo, hi := 1.0, 0.0
	for x := range w {
		v := luma(img.RGBAAt(x, row))
		lo, hi = min(lo, v), max(hi, v)
	}
	if hi-lo < .1 {
		return math.Inf(1)
	}
	half, best := (lo+hi)/2, math.Inf(1)
	for x := range w - 1 {
		a, b := luma(img.RGBAAt(x, row)), luma(img.RGBAAt(x+1, row))
		if (a < half) != (b < half) {
			if d := float64(x) + .5 + (half-a)/(b-a) + .5 - float64(w)/2; math.Abs(d) < math.Abs(best) {
				best = d
			}
		}
	}
	return best - .5
}

// The shadow of a crate that bobs and drifts changes little from one frame to the next, and what does not move has a still one.
func TestShadowIsSteady(t *testing.T) {
	onGL(t, func(l *lab) {
		water := emptyLiquid(LiquidOptions{})
		defer water.Dispose()
		root, box := sunlitFloor(at(.45, .72, .4), NewPaint(math32.Color{R: .9, G: .9, B: .9}, 0), .6, 1)
		defer root.Dispose()
		still := graphic.NewMesh(geometry.NewCube(.6), NewPaint(math32.Color{R: .3, G: .6, B: .1}, 0))
		still.SetPosition(2, .31, 2)
		root.Add(still)
		const n, span = 400, 6.0
		var before *image.RGBA
		for frame := range inShort(8, 24) {
			s := math.Sin(float64(frame) / 60 * 2 * math.Pi)
			box.SetPosition(float32(frame)*.003, 1+.05*float32(s), 0)
			box.SetRotation(.05*float32(s), 0, 0)
			img := l.shootWith(t, n, n, root, water, downOn(0, 0, span))
			if before != nil {
				moving, fixed, area := 0, 0, 0
				for y := range n {
					for x := range n {
						a, b := luma(before.RGBAAt(x, y)), luma(img.RGBAAt(x, y))
						if b < .6 {
							area++
						}
						if math.Abs(a-b) > .1 {
							if x > n/2+50 && y > n/2+50 {
								fixed++
							} else {
								moving++
							}
						}
					}
				}
				if fixed > 0 || float64(moving) > .05*float64(area) || area < 500 {
					t.Errorf("frame %d: of %d dark pixels %d change, and %d about what stands still", frame, area, moving, fixed)
				}
			}
			before = img
		}
		save(t, "shadow_steady", before)
	})
}

// What is to have no shadow neither throws one nor shows one; the lowest quality has none at all.
func TestShadowless(t *testing.T) {
	onGL(t, func(l *lab) {
		water := emptyLiquid(LiquidOptions{})
		defer water.Dispose()
		dark := func(floor *material.Standard, ready func(box *graphic.Mesh, floor *material.Standard)) bool {
			root, box := sunlitFloor(at(.5, .8, 0), floor, 1, 1.2)
			defer root.Dispose()
			ready(box, floor)
			img := l.shootWith(t, 64, 64, root, water, downOn(-.9, 0, .2))
			return luma(img.RGBAAt(32, 32)) < .7
		}
		paint := func() *material.Standard { return NewPaint(math32.Color{R: .9, G: .9, B: .9}, 0) }
		nothing := func(*graphic.Mesh, *material.Standard) {}
		if !dark(paint(), nothing) {
			t.Error("a box throws no shadow")
		}
		if dark(paint(), func(box *graphic.Mesh, _ *material.Standard) { ShadowlessNode(box) }) {
			t.Error("a shadowless box throws a shadow")
		}
		if dark(paint(), func(_ *graphic.Mesh, floor *material.Standard) { ShadowlessMaterial(floor) }) {
			t.Error("a shadowless floor shows a shadow")
		}
		if dark(paint(), func(box *graphic.Mesh, _ *material.Standard) {
			box.Materials()[0].IMaterial().GetMaterial().SetTransparent(true)
		}) {
			t.Error("what is transparent throws a shadow")
		}
		water.SetQuality(DrawLow)
		if dark(paint(), nothing) {
			t.Error("the lowest quality has shadows")
		}
	})
}
