package fluid

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// What is filled are the litres of the shape outside of solids, wherever solid and surface lie in the cells, films too.
func TestFilledIsLiquidAndOpen(t *testing.T) {
	d := Def{Domain: box(1.6, .8, 1.6), CellSize: .1, Workers: 1}
	column := func(x0, x1, z0, z1, top float64) SDF {
		return Box(r3.Box{Min: r3.Vec{X: x0, Y: -1, Z: z0}, Max: r3.Vec{X: x1, Y: top, Z: z1}})
	}
	for _, tracker := range []Tracker{LevelSet, Contouring, ExplicitMesh} {
		for _, top := range []float64{.2, .21, .25, .27, .29, .3} {
			for _, film := range []float64{.01, .03, .06, .2} {
				t.Run(fmt.Sprint(tracker, top, film), func(t *testing.T) {
					d.Tracker = tracker
					l := mustNew(t, d)
					_, err := l.AddObstacle(column(-1, 3, -1, 3, top))
					must(t, err)
					must(t, l.Fill(Below(top+film)))
					g, want := l.Ledger(), 1600*1.6*film
					in, err := l.VolumeIn(Box(d.Domain))
					must(t, err)
					t.Logf("%.4f and %.4f of %.4f l", g.FilledL, in, want)
					if math.Abs(g.FilledL/want-1) > 1e-3 || math.Abs(g.HeldL/want-1) > 1e-3 || math.Abs(in/want-1) > 1e-3 {
						t.Errorf("%.4f l are filled, %.4f are held, %.4f are in the domain; want %.4f", g.FilledL, g.HeldL, in, want)
					}
					must(t, l.Drain(HalfSpace(r3.Vec{Y: top + film/2}, r3.Vec{Y: -1})))
					if got := l.Ledger().DrainedL; math.Abs(2*got/want-1) > 2e-3 {
						t.Errorf("%.4f l are drained, want %.4f", got, want/2)
					}
				})
			}
		}
	}
	ramp := func(by float64) SDF {
		return Transform(column(-2, 2, -2, 2, 0), quat.Number{Real: math.Cos(by / 2), Kmag: math.Sin(by / 2)}, r3.Vec{X: .8, Y: .31, Z: .8})
	}
	for name, c := range map[string]struct {
		solid SDF
		want  func(level float64) float64 // m³
	}{
		"pillar": {column(.33, .97, .47, .88, 1), func(y float64) float64 { return y * (1.6*1.6 - .64*.41) }},
		"step":   {column(-1, .75, -1, 3, .35), func(y float64) float64 { return 1.6 * (1.6*y - .75*min(y, .35)) }},
		"ball": {Sphere(r3.Vec{X: .8, Y: .3, Z: .8}, .31), func(y float64) float64 {
			h := min(max(0, y+.01), .62)
			return 1.6*1.6*y - math.Pi*h*h*(.31-h/3)
		}},
		"ramp": {ramp(.4), func(y float64) float64 { return 1.6 * rampRoom(y, math.Tan(.4)) }},
		"flat": {ramp(.05), func(y float64) float64 { return 1.6 * rampRoom(y, math.Tan(.05)) }},
	} {
		for _, level := range []float64{.33, .36, .42, .55} {
			t.Run(fmt.Sprint(name, level), func(t *testing.T) {
				d.Tracker = LevelSet
				l := mustNew(t, d)
				_, err := l.AddObstacle(c.solid)
				must(t, err)
				must(t, l.Fill(Below(level)))
				g, want := l.Ledger(), 1000*c.want(level)
				t.Logf("%.4f of %.4f l: %.3f %%", g.FilledL, want, 100*(g.FilledL/want-1))
				if math.Abs(g.FilledL/want-1) > 1e-3 {
					t.Errorf("%.4f l are filled, want %.4f", g.FilledL, want)
				}
			})
		}
	}
}

// rampRoom is the area, m², between a slope through (.8, .31), and a floor at 0, and a level.
func rampRoom(level, slope float64) (sum float64) {
	const n = 100000
	for i := range n {
		x := 1.6 * (float64(i) + .5) / n
		sum += max(0, level-max(0, .31+slope*(x-.8))) * 1.6 / n
	}
	return sum
}
