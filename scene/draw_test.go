package scene

import (
	"image"
	"image/color"
	"os"
	"testing"
	"time"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

func at(x, y, z float32) math32.Vector3 { return math32.Vector3{X: x, Y: y, Z: z} }

// shots are the views that are looked at by eye and tested by pixel.
var shots = []struct {
	name     string
	eye, aim math32.Vector3
}{
	{"above", at(1.5, 4.2, 4.6), at(0, 0.8, 0)},
	{"grazing", at(3.2, 1.65, 2.7), at(-1, 1.1, 0)},
	{"below", at(3, 0.5, 2.2), at(0, 1.2, 0)},
	{"window", at(0.4, 0.25, 0.2), at(0.5, 1.2, 0.1)}, // straight up through Snell's window
	{"wall", at(-3.4, 1.7, 1.6), at(-4, 1.1, -0.6)},
	{"spray", at(2.2, 1.9, 1.3), at(1, 1.4, -0.5)},
}

// Nothing in any view may be black or a hole: the darkest material in the set is grout.
func TestNoHolesNorBlackRims(t *testing.T) {
	onGL(t, func(l *lab) {
		water := NewLiquid(pool(0.05, 1, 300), LiquidOptions{})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		water.Update(50 * time.Millisecond)
		check := func(name string, w, h int, mode *Liquid, eye, aim math32.Vector3) {
			img := l.shoot(t, w, h, root, mode, view(w, h, eye, aim))
			save(t, name, img)
			if s := share(img, img.Bounds(), func(c color.RGBA) bool { return c.R < 12 && c.G < 12 && c.B < 12 }); s > 0 {
				t.Errorf("%s: %.4f%% black", name, 100*s)
			}
			if s := share(img, img.Bounds(), func(c color.RGBA) bool { return c.R > 230 && c.G < 60 && c.B > 230 }); s > 0 {
				t.Errorf("%s: %.4f%% holes", name, 100*s)
			}
		}
		w, h := 640, 360
		if os.Getenv("MENISCUS_PICTURES") != "" {
			w, h = 1280, 720
		} else if testing.Short() {
			w, h = 320, 180
		}
		for _, s := range shots {
			check(s.name, w, h, water, s.eye, s.aim)
		}
		check("small", 640, 360, water, shots[0].eye, shots[0].aim)
		check("plain", 640, 360, nil, shots[0].eye, shots[0].aim)
		check("plain_below", 640, 360, nil, shots[2].eye, shots[2].aim)
	})
}

// A tank without walls, seen from the side and from a corner, shows its liquid's flanks.
func TestTankFromOutside(t *testing.T) {
	onGL(t, func(l *lab) {
		src := &fakeLiquid{min: r3.Vec{X: -1.5, Y: 0, Z: -1}, max: r3.Vec{X: 1.5, Y: 1.1, Z: 1}, cells: 60, height: 0.06}
		water := NewLiquid(src, LiquidOptions{Look: Look{Tint: math32.Color{R: 0.35, G: 0.75, B: 0.85}}})
		defer water.Dispose()
		root := stageSet(water, true)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		img := l.shoot(t, 1280, 720, root, water, view(1280, 720, at(2.6, 1.5, 3.2), at(0, 0.5, 0)))
		save(t, "tank", img)
		src.cells = 0
		src.surface = fluid.Surface{}
		water.Refresh(1, 0)
		dry := l.shoot(t, 1280, 720, root, water, view(1280, 720, at(2.6, 1.5, 3.2), at(0, 0.5, 0)))
		r := image.Rect(520, 420, 560, 460) // on the near flank
		wetMean, _ := contrast(img, r)
		dryMean, _ := contrast(dry, r)
		if wetMean > dryMean-0.03 {
			t.Errorf("the flank does not darken what lies behind: %.3f with, %.3f without liquid", wetMean, dryMean)
		}
	})
}

func TestRefractionFoamAndDroplets(t *testing.T) {
	onGL(t, func(l *lab) {
		src := pool(0, 0, 0)
		water := NewLiquid(src, LiquidOptions{Look: Look{Ripples: -1}})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		const w, h = 640, 360
		floor := image.Rect(300, 260, 460, 340)
		cam := func() *image.RGBA {
			return l.shoot(t, w, h, root, water, view(w, h, at(1, 4.5, 4), at(1, 1, -0.5)))
		}
		still := cam()
		save(t, "still", still)
		if _, d := contrast(still, floor); d < 0.03 {
			t.Errorf("tiles do not show under still water: deviation %.3f", d)
		}
		src.height = 0.05
		water.Update(time.Second / 60)
		waves := cam()
		moved := 0
		for y := floor.Min.Y; y < floor.Max.Y; y++ {
			for x := floor.Min.X; x < floor.Max.X; x++ {
				if d := luma(waves.RGBAAt(x, y)) - luma(still.RGBAAt(x, y)); d > 0.08 || d < -0.08 {
					moved++
				}
			}
		}
		if part := float64(moved) / float64(floor.Dx()*floor.Dy()); part < 0.05 {
			t.Errorf("waves move only %.1f%% of the tiles' picture", 100*part)
		}
		src.height, src.foam = 0, 1
		water.Update(time.Second / 60)
		foam := cam()
		save(t, "foam", foam)
		spot := image.Rect(298, 152, 338, 182) // the fake's patch of foam
		before, _ := contrast(still, spot)
		after, _ := contrast(foam, spot)
		if after < before+0.08 {
			t.Errorf("foam whitens from %.3f to %.3f only", before, after)
		}
		src.foam, src.spray = 0, 300
		water.Update(time.Second / 60)
		drops := cam()
		changed := 0
		for i := 0; i < len(drops.Pix); i += 4 {
			if d := int(drops.Pix[i]) - int(still.Pix[i]); d > 25 || d < -25 {
				changed++
			}
		}
		if changed < 300 {
			t.Errorf("droplets change only %d pixels", changed)
		}
	})
}

func TestDisposeReturnsEverything(t *testing.T) {
	onGL(t, func(l *lab) {
		cycle := func() {
			water := NewLiquid(pool(0.05, 1, 50), LiquidOptions{})
			hud := NewHUD(HUDOptions{})
			water.Add(hud)
			water.Add(NewLevelOverlay(water.Source(), false))
			water.Add(NewCutOverlay(&fakeFaces{}))
			root := stageSet(water, false)
			l.shoot(t, 320, 180, root, water, view(320, 180, shots[0].eye, shots[0].aim))
			root.Add(water)
			l.shoot(t, 320, 180, root, water, view(320, 180, shots[0].eye, shots[0].aim))
			l.shoot(t, 320, 200, root, water, view(320, 200, shots[0].eye, shots[0].aim))
			root.Remove(water)
			root.Dispose()
			water.Dispose()
		}
		cycle() // shader programs and framebuffer names stay
		var a, b gls.Stats
		l.gs.Stats(&a)
		cycle()
		l.gs.Stats(&b)
		if a.Buffers != b.Buffers || a.Vaos != b.Vaos || a.Textures != b.Textures || a.Fbos != b.Fbos || a.Shaders != b.Shaders {
			t.Errorf("before %+v, after %+v", a, b)
		}
	})
}

// Surfaces of changing size, empty ones among them, neither grow OpenGL's objects nor fail.
func TestChangingSizesDoNotGrow(t *testing.T) {
	onGL(t, func(l *lab) {
		src := pool(0.03, 0.5, 20)
		water := NewLiquid(src, LiquidOptions{Caustics: 64})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		cam := view(64, 36, shots[0].eye, shots[0].aim)
		var a, b gls.Stats
		frames := 100
		if testing.Short() {
			frames = 32
		}
		for i := range frames {
			src.cells = 4 + (i*37)%60
			src.spray = (i * 13) % 40
			water.Update(time.Second / 60)
			if i%7 == 3 {
				src.surface = fluid.Surface{}
				src.cells = 0
				water.Refresh(1, 0)
			}
			l.shoot(t, 64, 36, root, water, cam)
			if i == 10 {
				l.gs.Stats(&a)
			}
		}
		l.gs.Stats(&b)
		if a.Buffers != b.Buffers || a.Vaos != b.Vaos || a.Textures != b.Textures || a.Fbos != b.Fbos {
			t.Errorf("after 10: %+v, after %d: %+v", a, frames, b)
		}
	})
}

func TestHUDAndOverlayPictures(t *testing.T) {
	onGL(t, func(l *lab) {
		src := pool(0.04, 0.6, 0)
		water := NewLiquid(src, LiquidOptions{})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		hud := NewHUD(HUDOptions{Budget: 8 * time.Millisecond})
		overlay := NewLevelOverlay(src, false)
		water.Add(hud)
		water.Add(overlay)
		for i := 0; i < 300; i++ {
			r := src.Ledger()
			report := fluid.Report{Duration: time.Duration(4+i%5)*time.Millisecond + time.Duration(i%97/96)*7*time.Millisecond, Ledger: r}
			report.Cells, report.Unknowns = []int{42000, 12800, 900, 0}, []int{21000, 5200, 310, 0}
			report.Iterations, report.Residual, report.Substeps, report.Workers = 9, 8e-5, 1, 2
			report.Budget.Step = 8 * time.Millisecond
			report.Plan = fluid.Plan{TargetUnknowns: 26000, Tolerance: 1e-3, Substeps: 1, Reason: "the least the liquid needs exceeds the budget"}
			for s := range report.Stages {
				report.Stages[s].Duration = time.Duration(s*s+1) * time.Microsecond
			}
			hud.Record(&report)
			hud.Tick(&Frame{Stall: 80 * time.Microsecond, Late: i == 7}, time.Second/60)
		}
		img := l.shoot(t, 1280, 720, root, water, view(1280, 720, shots[0].eye, shots[0].aim))
		save(t, "hud", img)
		panel := image.Rect(8, 8, 8+panelWidth, 8+panelHeight)
		if m, d := contrast(img, panel); m > 0.5 || d < 0.08 {
			t.Errorf("the panel does not show: mean %.2f, deviation %.2f", m, d)
		}
		hud.Toggle()
		img = l.shoot(t, 1280, 720, root, water, view(1280, 720, shots[0].eye, shots[0].aim))
		if m, _ := contrast(img, panel); m < 0.45 {
			t.Errorf("the panel shows while hidden: mean %.2f", m)
		}
	})
}
