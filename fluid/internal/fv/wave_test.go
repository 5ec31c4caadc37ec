package fv_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// wave is what is under y = depth + height·cos(πx) .
type wave struct{ depth, height float64 }

func (w wave) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		slope := w.height * math.Pi * math.Sin(math.Pi*p.X)
		dst[i] = float32((p.Y - w.depth - w.height*math.Cos(math.Pi*p.X)) / math.Sqrt(1+slope*slope))
	}
}

func (w wave) Bounds() r3.Box {
	b := boxes.Everywhere()
	b.Max.Y = w.depth + w.height
	return b
}

// The first mode of sloshing (V10), with the surface at different places in its cells: the period is
// that of linear theory, and the wave neither dies nor grows.
func TestSloshingPeriod(t *testing.T) {
	const cells, dt = 16., 1. / 120
	for _, depth := range []float64{.5, .5 + .3/cells, .5 - .4/cells} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1, 1, 8/cells), CellSize: 1 / cells, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, Undamped: true}})
		testrig.Must(t, l.Fill(wave{depth, .01}))
		period, top := swings(t, l, [2]r3.Vec{{X: .5 / cells, Y: .25, Z: .25}, {X: 1 - .5/cells, Y: .25, Z: .25}}, dt, 280, 160)
		want := 2 * math.Pi / math.Sqrt(9.81*math.Pi*math.Tanh(math.Pi*depth))
		if math.Abs(period-want) > .02*want {
			t.Errorf("depth %g: period %.4f s, want %.4f", depth, period, want)
		}
		if top < .85*.02 || top > 1.1*.02 {
			t.Errorf("depth %g: swings by %.4f m after two periods, by .02 at the start", depth, top)
		}
	}
}

// swings takes steps of dt, s, and returns the period, s, with which the surface at one of two places rises and falls over the other, and by how much, m, after the first
// steps.
func swings(t *testing.T, l *fluid.Liquid, places [2]r3.Vec, dt float64, steps, after int) (period, top float64) {
	t.Helper()
	var crossings []float64
	last := 0.
	for n := 1; n <= steps; n++ {
		if r := l.Step(dt); r.Err != nil {
			t.Fatal(r.Err)
		}
		var at [2]fluid.Sample
		l.Sample(at[:], places[:])
		y := at[0].Height - at[1].Height
		if last*y < 0 {
			crossings = append(crossings, float64(n-1)+last/(last-y))
		}
		if last = y; n > after {
			top = max(top, math.Abs(y))
		}
	}
	n := len(crossings) - 1
	if n < 3 {
		t.Fatalf("%d crossings", n+1)
	}
	return 2 * dt * (crossings[n] - crossings[0]) / float64(n), top
}

// mode is what is under y = depth + height·f(x), f a mode of at most one whose slope is at most steep, 1/m.
type mode struct {
	depth, height, steep float64
	f                    func(x r3.Vec) float64
}

func (m mode) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = float32((p.Y - m.depth - m.height*m.f(p)) / math.Hypot(1, m.height*m.steep))
	}
}

func (m mode) Bounds() r3.Box {
	b := boxes.Everywhere()
	b.Max.Y = m.depth + m.height
	return b
}

// standingSpeed is ω/k over √(g/k tanh kh) of the plane waves that run at an angle α to an axis and its mirror images, which together stand as one mode of a tank
// π/(k cos α) long and π/(k sin α) wide.
func standingSpeed(t *testing.T, cells fluid.Discretisation, degrees float64) float64 {
	t.Helper()
	const half, depth, dt = .5, .25, 1. / 60 // half a wave, m; s
	const k = math.Pi / half
	cell := testrig.InShort(half/8, half/16)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	wide := 8 * cell
	if degrees > 0 {
		wide = half / sin
	}
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(half/cos, depth+4*cell, wide), CellSize: cell, Discretisation: cells,
		Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, Undamped: true}, Resources: fluid.Resources{Workers: 1},
	})
	testrig.Must(t, l.Fill(mode{depth, .005, k, func(x r3.Vec) float64 { return math.Cos(k*cos*x.X) * math.Cos(k*sin*x.Z) }}))
	near := r3.Vec{X: .5 * cell, Y: depth / 2, Z: .5 * cell}
	period, _ := swings(t, l, [2]r3.Vec{near, {X: half/cos - near.X, Y: near.Y, Z: near.Z}}, dt, 100, 0)
	return 2 * math.Pi / period / math.Sqrt(9.81*k*math.Tanh(k*depth))
}

// Waves run as fast in any direction (V43): those along an axis, at 22.5° and at 45° to it have the phase speed of linear theory, and the same within a hundredth. With
// the coarse cells of a short run those on tetrahedra are slower.
func TestWavesRunAlikeInAnyDirection(t *testing.T) {
	for _, cells := range testrig.Discretisations {
		t.Run(cells.String(), func(t *testing.T) {
			known := .02
			if cells == fluid.Tetrahedra {
				known = testrig.InShort(.031, .02)
			}
			var speeds []float64
			off := 0.
			for _, degrees := range testrig.InShort([]float64{0, 45}, []float64{0, 22.5, 45}) {
				part := standingSpeed(t, cells, degrees)
				speeds, off = append(speeds, part), max(off, math.Abs(part-1))
				t.Logf("%g°: %.4f of the speed of linear theory", degrees, part)
			}
			if apart := slices.Max(speeds)/slices.Min(speeds) - 1; apart > .01 {
				t.Errorf("the speeds are %.2f %% apart", 100*apart)
			}
			testrig.FallsShort(t, "phase speed over that of linear theory, off by", off, .02, known)
		})
	}
}

// roundWall is all outside of a round tank about a vertical axis.
type roundWall struct {
	axis   r3.Vec
	radius float64
}

func (w roundWall) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = float32(w.radius - math.Hypot(p.X-w.axis.X, p.Z-w.axis.Z))
	}
}

func (roundWall) Bounds() r3.Box     { return boxes.Everywhere() }
func (roundWall) Thickness() float64 { return 1 }

// roundSwing is the square of the frequency, rad²/s², with which a round tank swings in a direction in its first mode, J₁(1.841 r/R) cos θ, over 1.841 g/R tanh(1.841 h/R).
// Source: Lamb, Hydrodynamics, §191 and §257.
func roundSwing(t *testing.T, cells fluid.Discretisation, degrees float64) float64 {
	t.Helper()
	const root, radius, depth, dt = 1.8411837813406593, .5, .4, 1. / 60 // the first of J₁′; m; s
	const cell, k = radius / 8, root / radius
	axis := r3.Vec{X: radius + 2.3*cell, Z: radius + 2.6*cell}
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(2*radius+5*cell, depth+4*cell, 2*radius+5*cell), CellSize: cell, Discretisation: cells,
		Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, Undamped: true}, Resources: fluid.Resources{Workers: 1},
	})
	_, err := l.AddObstacle(roundWall{axis, radius})
	testrig.Must(t, err)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	along := r3.Vec{X: cos, Z: sin}
	testrig.Must(t, l.Fill(mode{depth, .02, k, func(x r3.Vec) float64 {
		x = r3.Sub(x, axis)
		r := math.Hypot(x.X, x.Z)
		if r == 0 {
			return 0
		}
		return math.J1(k*r) / math.J1(root) * r3.Dot(x, along) / r
	}}))
	arm, middle := r3.Scale(radius-cell, along), r3.Add(axis, r3.Vec{Y: .1})
	period, _ := swings(t, l, [2]r3.Vec{r3.Add(middle, arm), r3.Sub(middle, arm)}, dt, 130, 0)
	omega := 2 * math.Pi / period
	return omega * omega / (9.81 * k * math.Tanh(k*depth))
}

// A round tank sloshes with the frequency of linear theory (V43), whichever way it swings.
func TestRoundTankSloshes(t *testing.T) {
	for _, cells := range testrig.InShort(testrig.Discretisations[:1], testrig.Discretisations) {
		for _, degrees := range testrig.InShort([]float64{22.5}, []float64{0, 22.5, 45}) {
			part := roundSwing(t, cells, degrees)
			t.Logf("%v, %g°: ω² is %.4f of linear theory's", cells, degrees, part)
			if math.Abs(part-1) > .02 {
				t.Errorf("%v, %g°: ω² is %.4f of linear theory's", cells, degrees, part)
			}
		}
	}
}

// A tank that sloshes by four cells, some 28 wide, loses energy from swing to swing: nothing drives it, and the smaller the steps the
// less is lost by them.
func TestSloshingLosesEnergy(t *testing.T) {
	if testing.Short() {
		t.Skip("16 s of sloshing")
	}
	const cell, wide, level, high, dt, g = .1, 28, 14.5, 4., 1. / 120, 4.
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(wide*cell, 29*cell, 4*cell), CellSize: cell, Physics: fluid.Physics{Gravity: r3.Vec{Y: -g}}})
	testrig.Must(t, l.Fill(fluid.HalfSpace(r3.Vec{X: wide * cell / 2, Y: level * cell}, r3.Unit(r3.Vec{X: 2 * high / wide, Y: 1}))))
	var pts []r3.Vec
	for x := range 2 * wide {
		for y := range 2 * 29 {
			pts = append(pts, r3.Vec{X: cell / 2 * (float64(x) + .5), Y: cell / 2 * (float64(y) + .5), Z: 2 * cell})
		}
	}
	samples := make([]fluid.Sample, len(pts))
	energy := func(seconds float64) (mean float64) { // J/m² of what is above that of the pool at rest
		steps := int(seconds / dt)
		for range steps {
			l.Step(dt)
			l.Sample(samples, pts)
			for i, s := range samples {
				if s.Inside {
					mean += 1000 * r3.Norm2(s.Velocity) / 2 * cell * cell / 4
				}
				if i%(2*29) == 10 { // once a column
					rise := pts[i].Y + s.Height - level*cell
					mean += 1000 * g * rise * rise / 2 * cell / 2
				}
			}
		}
		return mean / float64(steps) / (wide * cell)
	}
	first := energy(4)
	energy(8)
	last := energy(4)
	t.Logf("%.1f J/m² in the first 4 s, %.1f after 12 s", first, last)
	if last > .9*first || last < .6*first {
		t.Errorf("%.1f J/m² in the first 4 s, %.1f after 12 s; want it to die down, slowly", first, last)
	}
}
