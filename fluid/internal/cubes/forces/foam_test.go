package forces

import (
	"math"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

const foamStep = 1. / 60

// pool is a pool filled to 1.3 m of 2.4.
func pool(t testing.TB, workers int) (*scene, *layout.Velocity, *Foam) {
	s := newScene(t, workers, .1, [3]int{4, 3, 4}, nil, func(x [3]float64) float64 { return x[1] - 1.3 })
	v := layout.NewVelocity(s.g)
	v.Gather(s.pool, &s.faces)
	return s, v, NewFoam(s.g, s.pool)
}

// stir sets the face velocities from a field and gathers them.
func (s *scene) stir(v *layout.Velocity, u func(x [3]float64) [3]float64) {
	s.each(func(c int, x [3]float64, h float64) {
		for a := range 3 {
			y := x
			y[a] -= h / 2
			s.faces[a][c] = float32(u(y)[a])
		}
	})
	v.Gather(s.pool, &s.faces)
}

func (f *Foam) step(s *scene, v *layout.Velocity, n int) {
	for range n {
		f.Advance(s.phi, v, foamStep)
		f.Publish()
	}
}

func total(f *Foam) (sum float64) {
	for _, c := range f.Cur {
		sum += float64(c)
	}
	return sum
}

func TestCalmPoolHasNoFoam(t *testing.T) {
	s, v, f := pool(t, 2)
	f.step(s, v, 5)
	s.stir(v, func(x [3]float64) [3]float64 { // a gentle swell, 0.2 m/s
		return [3]float64{.2 * math.Cos(2*x[0]), .2 * math.Sin(2*x[0]), 0}
	})
	f.step(s, v, 20)
	if total(f) != 0 {
		t.Fatalf("foam of %g on a calm pool", total(f))
	}
}

func TestImpactFoamsAndFadesToNothing(t *testing.T) {
	s, v, f := pool(t, 2)
	f.step(s, v, 2)
	hit := [3]float64{1.6, 1.3, 1.6}
	s.stir(v, func(x [3]float64) [3]float64 {
		return [3]float64{0, -4 * math.Exp(-math.Pow(distance(x, hit)/.25, 2)), 0}
	})
	f.step(s, v, 1)
	if at := f.Tiles().At(s.g.ToPoint(1.6, 1.3, 1.6)); at < .3 {
		t.Errorf("foam %g at the impact", at)
	}
	s.each(func(c int, x [3]float64, _ float64) {
		if f.Cur[c] < 0 || f.Cur[c] > 1 || f.Cur[c] > 0 && distance(x, hit) > .8 {
			t.Fatalf("foam %g at %v", f.Cur[c], x)
		}
	})
	s.stir(v, func([3]float64) [3]float64 { return [3]float64{} })
	f.step(s, v, 1) // the stop is a shock of its own
	before := total(f)
	f.step(s, v, 90)
	if r := total(f) / before; r < .45 || r > .52 {
		t.Errorf("%g is left after 1.5 s", r)
	}
	f.step(s, v, 12*60)
	if total(f) != 0 {
		t.Errorf("foam of %g after 14 s", total(f))
	}
}

func TestConvergingSurfaceFoams(t *testing.T) {
	s, v, f := pool(t, 2)
	s.stir(v, func(x [3]float64) [3]float64 { // a front at x = 1.6: it converges by 8 /s there
		return [3]float64{-math.Tanh(8 * (x[0] - 1.6)), 8 * (x[1] - 1.3) / math.Pow(math.Cosh(8*(x[0]-1.6)), 2), 0}
	})
	f.step(s, v, 20)
	at, away := f.Tiles().At(s.g.ToPoint(1.6, 1.3, 1.6)), f.Tiles().At(s.g.ToPoint(.5, 1.3, 1.6))
	t.Logf("%.3f at the front, %.3f away", at, away)
	if at < .2 || away != 0 {
		t.Errorf("foam %g at the front, %g away", at, away)
	}
	s.stir(v, func(x [3]float64) [3]float64 { return [3]float64{x[0] - 1.6, 1.3 - x[1], 0} })
	f.Clear()
	f.Publish()
	f.step(s, v, 20)
	s.each(func(c int, x [3]float64, _ float64) { // the field stops at the walls
		if f.Cur[c] != 0 && x[0] > .5 && x[0] < 2.7 {
			t.Fatalf("foam of %g at %v, where the surface stretches", f.Cur[c], x)
		}
	})
}

func TestSplashIsCarried(t *testing.T) {
	s, v, f := pool(t, 2)
	s.stir(v, func([3]float64) [3]float64 { return [3]float64{.5, 0, 0} })
	f.step(s, v, 1)
	f.Splash([3]float64{1, 1.3, 1.6}, .3, 1)
	f.step(s, v, 1)
	f.step(s, v, 60)
	sum, x0 := 0., 0.
	s.each(func(c int, x [3]float64, _ float64) {
		sum += float64(f.Cur[c])
		x0 += x[0] * float64(f.Cur[c])
	})
	if sum == 0 || math.Abs(x0/sum-1.5) > .03 {
		t.Fatalf("foam of %g is at x = %g, want 1.5", sum, x0/sum)
	}
}

func TestFoamSurvivesALevelChange(t *testing.T) {
	s, v, f := pool(t, 2)
	f.step(s, v, 1)
	f.Splash([3]float64{1.2, 1.3, 1.2}, .5, 1)
	f.step(s, v, 1)
	before := f.Tiles().At(s.g.ToPoint(1.2, 1.3, 1.2))
	for b := range int32(s.g.Bases()) {
		s.g.Set(b, 2)
	}
	s.fill(func(x [3]float64) float64 { return x[1] - 1.3 })
	f.Advance(s.phi, v, foamStep)
	s.g.Settle()
	f.Publish()
	if after := f.Tiles().At(s.g.ToPoint(1.2, 1.3, 1.2)); after < .8*before || after > before {
		t.Fatalf("%g became %g", before, after)
	}
	f.Cur[s.g.Cur.First[0]] = 9
	f.Restore()
	if f.Cur[s.g.Cur.First[0]] != 0 {
		t.Error("Restore left Cur as it was")
	}
}

func TestFoamIsDeterministic(t *testing.T) {
	var want []float32
	for _, workers := range []int{1, 2, 4} {
		s, v, f := pool(t, workers)
		s.stir(v, func(x [3]float64) [3]float64 {
			return [3]float64{2 * math.Sin(5*x[0]), 2 * math.Cos(4*x[2]), math.Sin(7 * x[1])}
		})
		f.Splash([3]float64{1, 1.3, 1.6}, .3, 1)
		f.step(s, v, 10)
		if want == nil {
			want = slices.Clone(f.Cur)
		} else if !slices.Equal(want, f.Cur) {
			t.Errorf("%d workers: other bits", workers)
		}
		if n := testing.AllocsPerRun(20, func() {
			f.Splash([3]float64{1, 1.3, 1.6}, .3, 1)
			f.step(s, v, 1)
		}); n != 0 {
			t.Errorf("%d workers: %v allocations", workers, n)
		}
	}
}

func BenchmarkFoam(b *testing.B) {
	for _, name := range []string{"calm", "foamy"} {
		b.Run(name, func(b *testing.B) {
			s, v, f := pool(b, 1)
			if name == "foamy" {
				s.stir(v, func(x [3]float64) [3]float64 {
					return [3]float64{2 * math.Sin(5*x[0]), 2 * math.Cos(4*x[2]), math.Sin(7 * x[1])}
				})
			}
			f.step(s, v, 3)
			cells := 0
			s.each(func(c int, _ [3]float64, h float64) {
				if math.Abs(float64(s.phi[c])) < foamBand*h {
					cells++
				}
			})
			for b.Loop() {
				f.Advance(s.phi, v, foamStep)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*cells), "ns/band-cell")
		})
	}
}
