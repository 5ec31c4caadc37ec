package components_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What is filled are the litres of the shape outside of solids, wherever solid and surface lie in the cells, films too.
func TestFilledIsLiquidAndOpen(t *testing.T) {
	const of = fluid.Cubes
	d := fluid.Def{Domain: testrig.Box(1.6, .8, 1.6), CellSize: .1, Discretisation: of, Resources: fluid.Resources{Workers: 1}}
	column := func(x0, x1, z0, z1, top float64) fluid.SDF {
		return fluid.Box(r3.Box{Min: r3.Vec{X: x0, Y: -1, Z: z0}, Max: r3.Vec{X: x1, Y: top, Z: z1}})
	}
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		for _, top := range testrig.InShort([]float64{.21, .25, .28}, []float64{.2, .21, .25, .27, .28, .29, .3}) {
			for _, film := range []float64{.01, .03, .06, .2} {
				if testing.Short() && tracker != fluid.LevelSet && film > .03 {
					continue
				}
				t.Run(fmt.Sprint(tracker, top, film), func(t *testing.T) {
					d.Tracker = tracker
					l := testrig.New(t, d)
					_, err := l.AddObstacle(column(-1, 3, -1, 3, top))
					testrig.Must(t, err)
					testrig.Must(t, l.Fill(fluid.Below(top+film)))
					g, want := l.Ledger(), 1600*1.6*film
					in, err := l.VolumeIn(fluid.Box(d.Domain))
					testrig.Must(t, err)
					t.Logf("%.4f and %.4f of %.4f l", g.FilledL, in, want)
					if math.Abs(g.FilledL/want-1) > 1e-3 || math.Abs(g.HeldL/want-1) > 1e-3 || math.Abs(in/want-1) > 1e-3 {
						t.Errorf("%.4f l are filled, %.4f are held, %.4f are in the domain; want %.4f", g.FilledL, g.HeldL, in, want)
					}
					testrig.Must(t, l.Drain(fluid.HalfSpace(r3.Vec{Y: top + film/2}, r3.Vec{Y: -1})))
					if got := l.Ledger().DrainedL; math.Abs(2*got/want-1) > 2e-3 {
						t.Errorf("%.4f l are drained, want %.4f", got, want/2)
					}
				})
			}
		}
	}
	ramp := func(by float64) fluid.SDF {
		return fluid.Transform(column(-2, 2, -2, 2, 0), quat.Number{Real: math.Cos(by / 2), Kmag: math.Sin(by / 2)}, r3.Vec{X: .8, Y: .31, Z: .8})
	}
	for name, c := range map[string]struct {
		solid fluid.SDF
		want  func(level float64) float64 // m³
	}{
		"pillar": {column(.33, .97, .47, .88, 1), func(y float64) float64 { return y * (1.6*1.6 - .64*.41) }},
		"step":   {column(-1, .75, -1, 3, .35), func(y float64) float64 { return 1.6 * (1.6*y - .75*min(y, .35)) }},
		"ball": {fluid.Sphere(r3.Vec{X: .8, Y: .3, Z: .8}, .31), func(y float64) float64 {
			h := min(max(0, y+.01), .62)
			return 1.6*1.6*y - math.Pi*h*h*(.31-h/3)
		}},
		"ramp": {ramp(.4), func(y float64) float64 { return 1.6 * rampRoom(y, math.Tan(.4)) }},
		"flat": {ramp(.05), func(y float64) float64 { return 1.6 * rampRoom(y, math.Tan(.05)) }},
	} {
		for _, level := range []float64{.33, .42, .36, .55}[:testrig.InShort(2, 4)] {
			t.Run(fmt.Sprint(name, level), func(t *testing.T) {
				d.Tracker = fluid.LevelSet
				l := testrig.New(t, d)
				_, err := l.AddObstacle(c.solid)
				testrig.Must(t, err)
				testrig.Must(t, l.Fill(fluid.Below(level)))
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

// seenAbove is how many litres of what the surface encloses are above a level, with droplets.
func seenAbove(l *fluid.Liquid, level float64) float64 {
	s, sum := l.Surface(), 0.
	at := func(i uint32) r3.Vec {
		p := s.Positions[3*i:]
		return r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
	}
	for i := 0; i < len(s.Indices); i += 3 {
		a, b, c := at(s.Indices[i]), at(s.Indices[i+1]), at(s.Indices[i+2])
		n := r3.Scale(.5, r3.Cross(r3.Sub(b, a), r3.Sub(c, a)))
		sum += n.Y * (max(0, a.Y-level) + max(0, b.Y-level) + max(0, c.Y-level)) / 3
	}
	for i := 3; i < len(s.Droplets); i += 4 {
		sum += 4 * math.Pi / 3 * math.Pow(float64(s.Droplets[i]), 3)
	}
	return 1000 * sum
}

// What falls on a floor that lies anywhere in the cells is held, and seen there as a film.
func TestFallOnFloorIsSeen(t *testing.T) {
	const of = fluid.Cubes
	for tracker, off := range map[fluid.Tracker]float64{fluid.LevelSet: .25, fluid.Contouring: .02, fluid.ExplicitMesh: .05} { // of a film of 14 mm, a seventh of a cell
		for _, top := range []float64{.22, .25, .28} {
			if testing.Short() && tracker == fluid.ExplicitMesh && top != .25 {
				continue
			}
			t.Run(fmt.Sprint(tracker, top), func(t *testing.T) {
				t.Parallel()
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, 1.6), CellSize: .1, Discretisation: of, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
				_, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 3, Y: top, Z: 3}}))
				testrig.Must(t, err)
				testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .8, Y: .55, Z: .8}, .2067)))
				seen, n := 0., 0.
				for i := range testrig.InShort(120, 300) {
					if testrig.GoesOn(t, l, 1); i >= 60 {
						seen, n = seen+seenAbove(l, top), n+1
					}
				}
				g := l.Ledger()
				seen /= n
				t.Logf("%.2f l are held, %.2f seen, drift %.3f l", g.HeldL, seen, g.DriftL)
				drift := .012
				if tracker == fluid.ExplicitMesh {
					drift = .06
				}
				testrig.FallsShort(t, "part of what is filled that the ledger misses", math.Abs(g.DriftL/g.FilledL), .01, drift)
				if tracker == fluid.ExplicitMesh && top == .22 { // the film is below the cells' centres
					off = .08
				}
				testrig.FallsShort(t, "part of what is held that is seen too much or too little", math.Abs(seen/g.HeldL-1), .02, off)
			})
		}
	}
}

// An obstacle that is taken away and put back at once moves nothing, wherever its sides are in the cells.
func TestObstacleIsSwapped(t *testing.T) { testrig.EachDiscretisation(t, obstacleIsSwapped) }

func obstacleIsSwapped(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		for _, b := range []r3.Box{
			{Min: r3.Vec{X: .43, Y: -1, Z: .37}, Max: r3.Vec{X: 1.05, Y: .15, Z: .98}},
			{Min: r3.Vec{X: .46, Y: -1, Z: .34}, Max: r3.Vec{X: 1.06, Y: .14, Z: .91}},
			{Min: r3.Vec{X: .4, Y: -1, Z: .4}, Max: r3.Vec{X: 1, Y: .2, Z: 1}},
			{Min: r3.Vec{X: .43, Y: -1, Z: .37}, Max: r3.Vec{X: 1.05, Y: .85, Z: .98}},
			{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 3, Y: .17, Z: 3}},
		} {
			t.Run(fmt.Sprint(tracker, b.Max), func(t *testing.T) {
				t.Parallel()
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, 1.6), CellSize: .1, Discretisation: of, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
				id, err := l.AddObstacle(fluid.Box(b))
				testrig.Must(t, err)
				testrig.Must(t, l.Fill(fluid.Below(.43)))
				testrig.GoesOn(t, l, 5)
				was := l.Ledger()
				testrig.Must(t, l.RemoveObstacle(id))
				_, err = l.AddObstacle(fluid.Box(b))
				testrig.Must(t, err)
				top := 0.
				for range 30 {
					top = max(top, testrig.GoesOn(t, l, 1).MaxSpeed)
				}
				g := l.Ledger()
				t.Logf("held %.3f, was %.3f; %.4f m/s", g.HeldL, was.HeldL, top)
				if math.Abs(g.HeldL/was.HeldL-1) > 1e-3 {
					t.Errorf("%.3f l are held, were %.3f", g.HeldL, was.HeldL)
				}
				if top > .02 {
					t.Errorf("%.3g m/s, want .02", top)
				}
			})
		}
	}
}

// In a U whose arms are no whole cells wide, and cut coarse cells too, what is filled are its litres, and they stay.
func TestUTubeIsFilled(t *testing.T) { testrig.EachDiscretisation(t, uTubeIsFilled) }

func uTubeIsFilled(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	const level, tilt, deep = 2., .1, .8
	for _, width := range testrig.InShort([]float64{.88}, []float64{.4, .88, .9, 1}) {
		for _, off := range []float64{.13, .1, .2}[:testrig.InShort(1, 3)] {
			for _, levels := range []int{0, 1} {
				span := 2*width + .6
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 3.2, deep), CellSize: .1, Discretisation: of, Numerics: fluid.Numerics{Band: 1, Levels: levels}, Resources: fluid.Resources{Workers: 1}})
				for _, wall := range []r3.Box{
					testrig.Between(-9, -9, -9, off, 9, 9), testrig.Between(off+span, -9, -9, 9, 9, 9), testrig.Between(-9, -9, -9, 9, off, 9),
					testrig.Between(off+width, off+width, -9, off+span-width, 9, 9),
				} {
					_, err := l.AddObstacle(fluid.Box(wall))
					testrig.Must(t, err)
				}
				testrig.Must(t, l.Fill(fluid.Union(fluid.Box(testrig.Between(-9, -9, -9, off+span/2, off+level+tilt, 9)), fluid.Box(testrig.Between(-9, -9, -9, 9, off+level-tilt, 9)))))
				want := 1000 * deep * width * (2*level + span - 2*width)
				filled := l.Ledger().FilledL
				for range 15 {
					l.Step(1. / 60)
				}
				if held := l.Ledger().HeldL; math.Abs(filled/want-1) > 1e-3 || math.Abs(held/want-1) > 1.5e-3 {
					t.Errorf("%d levels, %g m wide, off by %g m: %.2f l are filled and %.2f l held, want %.2f l", levels, width, off, filled, held, want)
				}
			}
		}
	}
}
