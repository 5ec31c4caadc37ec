package scene

import (
	"fmt"
	"testing"
	"time"

	"github.com/g3n/engine/gls"
)

// flush waits until everything asked of OpenGL is done.
func (l *lab) flush() { l.gs.ReadPixels(0, 0, 1, 1, gls.RGBA, gls.UNSIGNED_BYTE) }

// BenchmarkDraw times whole frames of the pool with 29k vertices: plain is the game's own
// Render with the liquid blended, dry without it.
func BenchmarkDraw(b *testing.B) {
	for _, size := range [][2]int{{640, 360}, {1280, 720}} {
		for _, mode := range []string{"dry", "plain", "refraction"} {
			b.Run(fmt.Sprintf("%s/%dx%d", mode, size[0], size[1]), func(b *testing.B) {
				onGL(b, func(l *lab) {
					water := NewLiquid(pool(0.05, 1, 300), LiquidOptions{})
					defer water.Dispose()
					root := stageSet(water, false)
					defer root.Dispose()
					if mode != "dry" {
						root.Add(water)
						defer root.Remove(water)
					}
					cam := view(size[0], size[1], shots[0].eye, shots[0].aim)
					l.gs.Viewport(0, 0, int32(size[0]), int32(size[1]))
					for i := 0; i < b.N+1; i++ {
						if i == 1 {
							b.ResetTimer() // the first frame compiles the shaders
						}
						if mode == "refraction" {
							if err := water.Draw(l.rend, root, cam); err != nil {
								b.Error(err)
							}
						} else {
							l.gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
							if err := l.rend.Render(root, cam); err != nil {
								b.Error(err)
							}
						}
						l.flush()
					}
				})
			})
		}
	}
}

// BenchmarkUpload times the way of a surface with as many triangles as the pool's, and of one
// with 50k vertices, from slices to OpenGL, drawn into one pixel. µs.
func BenchmarkUpload(b *testing.B) {
	for _, cells := range []int{70, 157} {
		b.Run(fmt.Sprintf("%dk-triangles", 2*cells*cells/1000), func(b *testing.B) {
			onGL(b, func(l *lab) { l.upload(b, cells) })
		})
	}
}

func (l *lab) upload(b *testing.B, cells int) {
	src := pool(0.05, 1, 0)
	src.cells = cells
	water := NewLiquid(src, LiquidOptions{})
	defer water.Dispose()
	cam := view(2, 2, shots[0].eye, shots[0].aim)
	l.gs.Viewport(0, 0, 2, 2)
	var with, without time.Duration
	frame := func(upload bool) time.Duration {
		start := time.Now()
		if upload {
			water.stepper.Refresh(1)
			water.present()
		}
		if err := l.rend.Render(water, cam); err != nil {
			b.Error(err)
		}
		l.flush()
		return time.Since(start)
	}
	frame(true)
	for i := 0; i < b.N; i++ {
		with += frame(true)
		without += frame(false)
	}
	b.ReportMetric(float64(len(src.surface.Foam)), "vertices")
	b.ReportMetric(float64((with-without).Microseconds())/float64(b.N), "upload-µs")
}

// BenchmarkQualities draws the pool with 29k vertices in each quality by turns, so that what else the machine does falls on all alike. It reports their
// time over that of DrawLow, and the share of each pass in DrawMedium's where the driver times them.
func BenchmarkQualities(b *testing.B) {
	onGL(b, func(l *lab) {
		const w, h = 1280, 720
		water := NewLiquid(pool(0.05, 1, 300), LiquidOptions{})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		cam := view(w, h, shots[0].eye, shots[0].aim)
		l.gs.Viewport(0, 0, w, h)
		draw := func(q DrawQuality) time.Duration {
			water.SetQuality(q)
			start := time.Now()
			if err := water.Draw(l.rend, root, cam); err != nil {
				b.Error(err)
			}
			l.flush()
			return time.Since(start)
		}
		all := []DrawQuality{DrawLow, DrawMedium, DrawHigh}
		for _, q := range all {
			draw(q) // compiles the shaders
		}
		var took [3]time.Duration
		b.ResetTimer()
		for range b.N {
			for _, q := range all {
				took[q] += draw(q)
			}
		}
		b.StopTimer()
		b.ReportMetric(took[DrawMedium].Seconds()/took[DrawLow].Seconds(), "medium/low")
		b.ReportMetric(took[DrawHigh].Seconds()/took[DrawLow].Seconds(), "high/low")
		for range delay + 1 {
			draw(DrawMedium)
		}
		sum, times := time.Duration(0), water.PassTimes(nil)
		for _, p := range times {
			sum += p.GPU
		}
		for _, p := range times {
			b.ReportMetric(p.GPU.Seconds()/sum.Seconds(), p.Pass+"-share")
		}
	})
}
