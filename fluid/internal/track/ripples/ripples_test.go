package ripples_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// rippled is a pool with waves of two lengths, m, and amplitudes.
type rippled struct{ level, long, high, short, low float64 }

func (s rippled) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = float32(p.Y - s.level - s.high*math.Cos(2*math.Pi*p.X/s.long) - s.low*math.Cos(2*math.Pi*p.X/s.short))
	}
}

func (s rippled) Bounds() r3.Box {
	b := fluid.Below(s.level).Bounds()
	b.Max.Y += s.high + s.low
	return b
}

// amplitude is that of waves of a length, m, in the free surface.
func amplitude(s *fluid.Surface, level, length float64) float64 {
	sum, all := 0., 0.
	for _, corner := range testrig.TrianglesOf(s)[:s.Free/3] {
		a, b, c := corner[0], corner[1], corner[2]
		area, x := r3.Cross(r3.Sub(b, a), r3.Sub(c, a)).Y, r3.Scale(1./3, r3.Add(a, r3.Add(b, c)))
		sum += area * (x.Y - level) * math.Cos(2*math.Pi*x.X/length)
		all += area
	}
	return 2 * sum / all
}

// Waves shorter than two cells, of which the velocity knows nothing, don't stay for ever in a surface that is finer; those that cells resolve go on as
// they would without.
func TestFineRipplesGo(t *testing.T) {
	for name, tracker := range map[string]fluid.Tracker{"contouring": fluid.Contouring, "explicit mesh": fluid.ExplicitMesh} {
		t.Run(name, func(t *testing.T) {
			run := func(low float64) (short, long float64) {
				s := rippled{.3, .8, .015, .08, low}
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .5, .2), CellSize: .05, Numerics: fluid.Numerics{Levels: 1, SurfaceDetail: 2}, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
				testrig.Must(t, l.Fill(s))
				before := amplitude(l.Surface(), s.level, s.short)
				if math.Abs(before-low) > .6*low+1e-4 { // triangles cut the crests off
					t.Fatalf("ripples of %g m at the beginning, want %g", before, low)
				}
				for range 30 {
					if r := *l.Step(testrig.Frame); r.Err != nil {
						t.Fatal(r.Err)
					}
				}
				return amplitude(l.Surface(), s.level, s.short), amplitude(l.Surface(), s.level, s.long)
			}
			const low = .005
			short, long := run(low)
			_, smooth := run(0)
			t.Logf("ripples of %.2f mm are left, and waves of %.2f mm; %.2f without ripples", 1000*short, 1000*long, 1000*smooth)
			if math.Abs(short) > low/5 {
				t.Errorf("of ripples of %g m %g m are left", low, short)
			}
			if math.Abs(long-smooth) > .1*.015 {
				t.Errorf("long waves of %g m, %g m without ripples", long, smooth)
			}
		})
	}
}
