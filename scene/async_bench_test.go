package scene

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// BenchmarkStall measures how long Update keeps the frame, with about as many triangles as the
// pool demo has and 60 frames a second: with the steps within the frame, beside it, and beside it where
// they take longer than a frame. Frames in which a step is late, which do next to nothing, don't count. µs.
func BenchmarkStall(b *testing.B) {
	for _, c := range []struct {
		name  string
		async bool
		cell  float64
	}{{"within", false, 0.12}, {"beside", true, 0.12}, {"beside-late", true, 0.06}} {
		b.Run(c.name, func(b *testing.B) {
			liq, err := fluid.New(fluid.Def{
				Domain: r3.Box{Max: r3.Vec{X: 6, Y: 1.5, Z: 4}}, CellSize: c.cell, Resources: fluid.Resources{Workers: max(1, runtime.GOMAXPROCS(0)-1)},
			})
			if err != nil {
				b.Fatal(err)
			}
			defer liq.Close()
			for _, s := range []fluid.SDF{fluid.Below(0.8), fluid.Sphere(r3.Vec{X: 2, Y: 1.2, Z: 2}, 0.3)} {
				if err := liq.Fill(s); err != nil {
					b.Fatal(err)
				}
			}
			water := NewLiquid(liq, LiquidOptions{Async: c.async})
			var stalls []time.Duration
			frames, late, longest := 0, 0, time.Duration(0)
			frame := time.NewTicker(tick)
			defer frame.Stop()
			for b.Loop() {
				<-frame.C
				f := water.Update(tick)
				frames++
				if f.Late {
					late++
				} else {
					stalls = append(stalls, f.Stall)
				}
				longest = max(longest, f.Report.Duration)
			}
			water.Wait()
			slices.Sort(stalls)
			micro := func(share float64) float64 {
				return stalls[int(share*float64(len(stalls)-1))].Seconds() * 1e6
			}
			b.ReportMetric(0, "ns/op") // that of the ticker
			b.ReportMetric(micro(0.5), "stall-p50-µs")
			b.ReportMetric(micro(0.99), "stall-p99-µs")
			b.ReportMetric(micro(1), "stall-max-µs")
			b.ReportMetric(longest.Seconds()*1e6, "step-max-µs")
			b.ReportMetric(float64(len(water.surface.picture.Indices)/3), "triangles")
			b.ReportMetric(float64(late)/float64(frames), "late/frame")
		})
	}
}
