package forces

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// afloat is 16³ cells of liquid in the air, so that nothing holds it.
func afloat(t testing.TB, workers int) *scene {
	return newScene(t, workers, .1, [3]int{4, 4, 4}, nil, func(x [3]float64) float64 {
		return box(x, [3]float64{.8, .8, .8}, [3]float64{2.4, 2.4, 2.4})
	})
}

// slab is liquid in the air, three times as long along x as it is high, so that in its middle the ends, which nothing shears, don't matter.
func slab(t testing.TB) *scene {
	return newScene(t, 2, .1, [3]int{8, 4, 3}, nil, func(x [3]float64) float64 {
		return box(x, [3]float64{.8, .8, .8}, [3]float64{5.6, 2.4, 1.6})
	})
}

// amidst tells whether a face along x is in the middle of a slab or a channel.
func (s *scene) amidst(f int) bool {
	return s.gr.Cubes.Axis[f] == 0 && math.Abs(s.gr.FaceCentre(f)[0]-3.2) < .45
}

func TestShearWaveDecays(t *testing.T) {
	k := 2 * math.Pi / 1.6
	for _, r := range []float64{5e-4, .01, .1, 1, 30} { // ν dt/h²
		s := slab(t)
		wave := func(f int) float64 { return math.Cos(k * (s.gr.FaceCentre(f)[1] - .8)) }
		for f, a := range s.gr.Cubes.Axis {
			s.gr.U[f] = 0
			if a == 0 {
				s.gr.U[f] = wave(f)
			}
		}
		v := NewViscosity(s.g, s.pool)
		steps := max(1, int(.1/r))
		for range steps {
			v.Apply(&s.gr, &s.d.State, s.gr.U, r*.01, 1)
		}
		num, den := 0., 0.
		for f := range s.gr.Cubes.Axis {
			if s.amidst(f) {
				num += s.gr.U[f] * wave(f)
				den += wave(f) * wave(f)
			}
		}
		x := float64(steps) * r * .01 * k * k
		got := num / den
		euler := math.Pow(1+r*.01*k*k, -float64(steps))
		t.Logf("ν dt/h² = %g: %d steps, %d iterations: %.5f, exact %.5f, backward Euler %.5f", r, steps, v.Iterations, got, math.Exp(-x), euler)
		if rate := -math.Log(got) / x; r <= .01 && math.Abs(rate-1) > .02 {
			t.Errorf("ν dt/h² = %g: rate %g of the right one", r, rate)
		}
		if math.Abs(got-euler) > .02*(1-euler) {
			t.Errorf("ν dt/h² = %g: left %g, backward Euler %g", r, got, euler)
		}
	}
}

// channel is liquid between a floor and a ceiling, 8 cells apart, and air on the other sides, far away along x.
func channel(t testing.TB) *scene {
	return newScene(t, 2, .1, [3]int{8, 1, 3}, nil, func(x [3]float64) float64 {
		return box(x, [3]float64{.8, -1, .8}, [3]float64{5.6, 3, 1.6})
	})
}

// between is a channel's floor and its ceiling, which moves so fast along x, m/s.
func between(speed float64) *rigid.NoSlip {
	return &rigid.NoSlip{
		Near: func(_ int, _ float64, at [][3]float64, distance []float64, solid []int32) {
			for i, x := range at {
				distance[i], solid[i] = min(x[1], .8-x[1]), -1
			}
		},
		Within: func(x [3]float64) float64 { return min(x[1], .8-x[1]) },
		Side: func(axis uint8, x [3]float64) float64 {
			if axis == 0 && x[1] > .4 {
				return speed
			}
			return 0
		},
	}
}

func TestPoiseuille(t *testing.T) {
	s := channel(t)
	v := NewViscosity(s.g, s.pool)
	v.Solids = between(0)
	clear(s.gr.U)
	const nu, force = .02, 1.
	for range 60 {
		for f, a := range s.gr.Cubes.Axis {
			if a == 0 {
				s.gr.U[f] += force * 5
			}
		}
		v.Apply(&s.gr, &s.d.State, s.gr.U, nu, 5)
	}
	checkProfile(t, s, force*.8*.8/8/nu, func(y float64) float64 { return force / (2 * nu) * y * (.8 - y) })
}

func TestCouette(t *testing.T) {
	s := channel(t)
	v := NewViscosity(s.g, s.pool)
	v.Solids = between(1)
	clear(s.gr.U)
	for range 60 {
		v.Apply(&s.gr, &s.d.State, s.gr.U, .02, 5)
	}
	checkProfile(t, s, 1, func(y float64) float64 { return y / .8 })
}

func checkProfile(t *testing.T, s *scene, scale float64, want func(y float64) float64) {
	t.Helper()
	worst := 0.
	for f := range s.gr.Cubes.Axis {
		if s.amidst(f) {
			worst = max(worst, math.Abs(s.gr.U[f]-want(s.gr.FaceCentre(f)[1]))/scale)
		}
	}
	t.Logf("off by %.3g of the greatest", worst)
	if worst > .02 {
		t.Errorf("profile off by %g", worst)
	}
}

func TestFreeSlipHoldsNothingBack(t *testing.T) {
	s := channel(t)
	v := NewViscosity(s.g, s.pool)
	v.FreeSlip = true
	for f, a := range s.gr.Cubes.Axis {
		s.gr.U[f] = 0
		if a == 0 {
			s.gr.U[f] = 1
		}
	}
	v.Apply(&s.gr, &s.d.State, s.gr.U, .02, 5)
	for f, a := range s.gr.Cubes.Axis {
		if a == 0 && math.Abs(s.gr.U[f]-1) > 1e-9 {
			t.Fatalf("face %d slowed to %g", f, s.gr.U[f])
		}
	}
}

// patchy is a ball of liquid over three levels, in the air, with a velocity of noise.
func patchy(t testing.TB, workers int, seed uint64) *scene {
	s := newScene(t, workers, .1, [3]int{6, 5, 5}, func(at [3]int) uint8 {
		return uint8(min(3, 1+at[0]/2+at[1]/4))
	}, func(x [3]float64) float64 { return distance(x, [3]float64{2.3, 2, 2}) - 1.7 })
	r := rand.New(rand.NewPCG(seed, 1))
	for f := range s.gr.U {
		s.gr.U[f] = r.NormFloat64()
	}
	return s
}

// totals are the momentum, the angular momentum about the origin, and twice the energy.
func (v *Viscosity) totals(s *scene) (momentum [6]float64, energy float64) {
	for f, u := range s.gr.U {
		m := v.volume[f] * u
		a, x := int(s.gr.Cubes.Axis[f]), s.gr.FaceCentre(f)
		p, q := (a+1)%3, (a+2)%3
		momentum[a] += m
		momentum[3+p] += x[q] * m
		momentum[3+q] -= x[p] * m
		energy += m * u
	}
	return momentum, energy
}

func TestMomentumStaysAndEnergyFalls(t *testing.T) {
	for _, r := range []float64{1e-4, 9e-4, 1e-2, 1, 100, 1e6} {
		s := patchy(t, 2, 5)
		v := NewViscosity(s.g, s.pool)
		v.gr = &s.gr
		v.volume = arrays.Resize(v.volume, s.gr.Faces())
		for f, a := range s.gr.Area {
			v.volume[f] = a * s.gr.Open[f] * s.gr.Dist[f]
		}
		for step := range 5 {
			p, e := v.totals(s)
			v.Apply(&s.gr, &s.d.State, s.gr.U, r*.01, 1)
			q, after := v.totals(s)
			if after > e*(1+1e-12) {
				t.Errorf("ν dt/h² = %g, step %d: energy %g to %g", r, step, e, after)
			}
			for a := range p {
				if math.Abs(p[a]-q[a]) > 1e-9*max(1, r) {
					t.Errorf("ν dt/h² = %g, step %d: momentum %g to %g", r, step, p[a], q[a])
				}
			}
		}
		t.Logf("ν dt/h² = %g: %d iterations", r, v.Iterations)
	}
}

// turning is the velocity of a rigid motion along an axis.
func turning(x [3]float64, a uint8) float64 {
	v, w := [3]float64{1, 2, -.5}, [3]float64{.7, -1.1, .4}
	p, q := (a+1)%3, (a+2)%3
	return v[a] + w[p]*x[q] - w[q]*x[p]
}

// What moves as a rigid body isn't strained, whatever cells meet.
func TestTurningFlowStaysAcrossLevels(t *testing.T) {
	for _, r := range []float64{5e-4, 1, 100} {
		for _, whole := range []bool{true, false} {
			s := patchy(t, 2, 5)
			for f, a := range s.gr.Cubes.Axis {
				s.gr.U[f] = turning(s.gr.FaceCentre(f), a)
			}
			v := NewViscosity(s.g, s.pool)
			if !whole {
				v.Phi = s.phi
			}
			v.Apply(&s.gr, &s.d.State, s.gr.U, r*.01, 1)
			for f, a := range s.gr.Cubes.Axis {
				if want := turning(s.gr.FaceCentre(f), a); math.Abs(s.gr.U[f]-want) > 1e-8 {
					t.Fatalf("ν dt/h² = %g: face %d of axis %d moves at %g, want %g", r, f, a, s.gr.U[f], want)
				}
			}
		}
	}
}

// A wall that turns with the liquid doesn't strain it either: a tub of liquid, with air above and around its corners.
func TestTurningTubStays(t *testing.T) {
	s := newScene(t, 2, .1, [3]int{4, 3, 4}, nil, func(x [3]float64) float64 { return max(x[1]-1.23, distance(x, [3]float64{1.6, 1, 1.6})-1.3) })
	s.d.SetStatic(func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(min(p.Y-.4, .95-math.Hypot(p.X-1.6, p.Z-1.6)))
		}
	}, func(r3.Box) float64 { return math.Inf(1) })
	s.refill()
	v := NewViscosity(s.g, s.pool)
	v.Solids = &rigid.NoSlip{
		Near: func(_ int, _ float64, at [][3]float64, distance []float64, solid []int32) {
			for i, x := range at {
				distance[i], solid[i] = min(x[1]-.4, .95-math.Hypot(x[0]-1.6, x[2]-1.6)), 0
			}
		},
		Solids: make([]rigid.Solid, 1), Bodies: []rigid.Body{{V: [6]float64{1, 2, -.5, .7, -1.1, .4}}},
	}
	s.each(func(c int, x [3]float64, h float64) {
		for a := range 3 {
			y := x
			y[a] -= h / 2
			s.faces[a][c] = float32(turning(y, uint8(a)))
		}
	})
	for f, a := range s.gr.Cubes.Axis {
		s.gr.U[f] = turning(s.gr.FaceCentre(f), a)
	}
	v.Apply(&s.gr, &s.d.State, s.gr.U, .01, 1)
	for f, a := range s.gr.Cubes.Axis {
		if want := turning(s.gr.FaceCentre(f), a); math.Abs(s.gr.U[f]-want) > 1e-5 {
			t.Fatalf("face %d of axis %d at %v moves at %g, want %g", f, a, s.gr.FaceCentre(f), s.gr.U[f], want)
		}
	}
}

// The velocity that Extend gives faces in the air goes on as that of liquid that turns.
func TestExtendGoesOnTurning(t *testing.T) {
	s := newScene(t, 2, .1, [3]int{5, 5, 5}, nil, func(x [3]float64) float64 { return distance(x, [3]float64{2.03, 1.98, 2.01}) - .9 })
	v := NewViscosity(s.g, s.pool)
	var off, count int
	s.each(func(c int, x [3]float64, h float64) {
		for a := range 3 {
			y := x
			y[a] -= h / 2
			s.faces[a][c] = 0
			if s.d.State[a][c] == open {
				s.faces[a][c] = float32(turning(y, uint8(a)))
			}
		}
	})
	reached := make([]bool, s.g.Bases())
	for b := range reached {
		reached[b] = true
	}
	v.Extend(&s.faces, &s.d.State, reached, 1, Shares{1, 1})
	s.each(func(c int, x [3]float64, h float64) {
		for a := range 3 {
			y := x
			y[a] -= h / 2
			if d := distance(y, [3]float64{2.03, 1.98, 2.01}) - .9; s.d.State[a][c] == 0 && d > 0 && d < .8*h {
				count++
				if math.Abs(float64(s.faces[a][c])-turning(y, uint8(a))) > 1e-4 {
					off++
				}
			}
		}
	})
	if count == 0 || off > count/20 {
		t.Errorf("%d of %d faces are off", off, count)
	}
	if n := testing.AllocsPerRun(10, func() { v.Extend(&s.faces, &s.d.State, reached, 1, Shares{1, 1}) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestViscosityIsDeterministic(t *testing.T) {
	var want []float64
	for _, workers := range []int{1, 2, 4} {
		s := patchy(t, workers, 9)
		v := NewViscosity(s.g, s.pool)
		v.Apply(&s.gr, &s.d.State, s.gr.U, .5, 1)
		if want == nil {
			want = slices.Clone(s.gr.U)
		} else if !slices.Equal(want, s.gr.U) {
			t.Errorf("%d workers: other bits", workers)
		}
		if n := testing.AllocsPerRun(5, func() { v.Apply(&s.gr, &s.d.State, s.gr.U, .5, 1) }); n != 0 {
			t.Errorf("%d workers: %v allocations", workers, n)
		}
	}
}

func TestNoViscosityNoWork(t *testing.T) {
	s := patchy(t, 1, 3)
	was := slices.Clone(s.gr.U)
	NewViscosity(s.g, s.pool).Apply(&s.gr, &s.d.State, s.gr.U, 0, 1)
	if !slices.Equal(was, s.gr.U) {
		t.Error("the velocity changed")
	}
}

func BenchmarkViscosity(b *testing.B) {
	for _, r := range []float64{1e-4, .1, 10} {
		b.Run(fmt.Sprint(r), func(b *testing.B) {
			s := afloat(b, 1)
			was := make([]float64, s.gr.Faces())
			for f := range was {
				was[f] = math.Sin(float64(f))
			}
			v := NewViscosity(s.g, s.pool)
			for b.Loop() {
				copy(s.gr.U, was)
				v.Apply(&s.gr, &s.d.State, s.gr.U, r*.01, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s.gr.Faces()), "ns/face")
			b.ReportMetric(float64(v.Iterations), "iterations")
		})
	}
}
