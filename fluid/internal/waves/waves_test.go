package waves

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// sheet is a flat mesh of nx × nz squares with edges of 1 times edge, m, each cut in two. Vertices are jolted by a part of an edge.
func sheet(nx, nz int, edge, jolt float64) *query.Triangles {
	m := &query.Triangles{}
	for j := range nz + 1 {
		for i := range nx + 1 {
			dx, dz := jolt*math.Sin(float64(12*i*i+17*j)), jolt*math.Sin(float64(7*i+23*j*j))
			if i == 0 || i == nx {
				dx = 0
			}
			if j == 0 || j == nz {
				dz = 0
			}
			m.Positions = append(m.Positions, float32((float64(i)+dx)*edge), 0, float32((float64(j)+dz)*edge))
			m.Normals = append(m.Normals, 0, 1, 0)
			if i < nx && j < nz {
				a, b := uint32(i+(nx+1)*j), uint32(i+(nx+1)*(j+1))
				if (i+j)%2 == 0 {
					m.Indices = append(m.Indices, a, b+1, a+1, a, b, b+1)
				} else {
					m.Indices = append(m.Indices, a, b, a+1, a+1, b, b+1)
				}
			}
		}
	}
	m.Velocities = make([]float32, len(m.Positions))
	m.Free = len(m.Indices)
	return m
}

func onSheet(t testing.TB, m *query.Triangles, workers int) *Waves {
	pool := par.New(workers)
	t.Cleanup(pool.Close)
	w := New(pool)
	w.SetMesh(m)
	return w
}

func (w *Waves) dot(a, b []float64) (sum float64) {
	for v, m := range w.mesh.mass {
		sum += m * a[v] * b[v]
	}
	return sum
}

// applied is p(L) x.
func (w *Waves) applied(x []float64) []float64 {
	copy(w.mean, x)
	w.propagate()
	return slices.Clone(w.mean)
}

// energy is ½|h_t|² + ½|ω h|² over density, of the frequencies that a step has the waves turn with: (|h|² - |(2p-1)h|²)/(2dt²) + ½|p h_t|², m⁴/s².
func (w *Waves) energy() float64 {
	turned, moved := w.applied(w.Height), w.applied(w.Speed)
	for v, h := range w.Height {
		turned[v] = 2*turned[v] - h
	}
	return (w.dot(w.Height, w.Height)-w.dot(turned, turned))/(2*w.dt*w.dt) + w.dot(moved, moved)/2
}

var earth = Medium{Gravity: 9.81, Depth: 1, Tension: 7.2e-5}

// The energy stays, whatever the mesh, in 10⁵ steps.
func TestEnergyStays(t *testing.T) {
	steps := 100_000
	if testing.Short() {
		steps = 5000
	}
	for _, jolt := range []float64{0, .45} {
		m := sheet(12, 9, .02, jolt)
		for v := range len(m.Positions) / 3 {
			m.Positions[3*v+1] = float32(.01 * math.Sin(float64(v))) // rough
		}
		w := onSheet(t, m, 1)
		for v := range w.Height {
			w.Height[v], w.Speed[v] = .003*math.Sin(float64(v*v)), .01*math.Cos(float64(3*v*v))
		}
		w.Step(earth, 1./60)
		first := w.energy()
		least, most := first, first
		for n := range steps {
			w.Step(earth, 1./60)
			if n%500 == 0 {
				e := w.energy()
				least, most = min(least, e), max(most, e)
			}
		}
		t.Logf("jolted by %g: energy %.6g, %+.2g to %+.2g of it", jolt, first, least/first-1, most/first-1)
		if least < first*(1-1e-8) || most > first*(1+1e-8) {
			t.Errorf("jolted by %g: energy %g, then %g to %g", jolt, first, least, most)
		}
	}
}

// Plane waves of two octaves go as fast as waves of their length, whatever the depth, the tension and the time step.
func TestPhaseSpeed(t *testing.T) {
	const edge = .02
	for _, c := range []struct {
		medium Medium
		dt     float64
		jolt   float64
	}{
		{earth, 1. / 60, 0}, {earth, 1. / 60, .15}, {earth, 1. / 240, 0}, {earth, .05, 0},
		{Medium{9.81, .03, 0}, 1. / 60, 0}, {Medium{0, 1, 7.2e-5}, 1. / 60, 0}, {Medium{9.81, 1e9, .01}, 1. / 60, 0},
	} {
		worst := 0.
		for _, length := range []float64{5, 6, 8, 10, 12, 16, 20} { // edges
			m := sheet(int(2*length), 6, edge, c.jolt)
			w := onSheet(t, m, 1)
			k := 2 * math.Pi / (length * edge)
			for v := range w.Height {
				w.Height[v] = .001 * math.Cos(k*float64(m.Positions[3*v]))
			}
			start := slices.Clone(w.Height)
			want := math.Sqrt((c.medium.Gravity*math.Tanh(k*c.medium.Depth) + c.medium.Tension*k*k) / k)
			// The wave's phase is its angle in the plane of what is left of its start and of how fast that changes.
			steps := max(2, int(math.Round(2*2*math.Pi/(k*want*c.dt))))
			turned, angle := 0., 0.
			for range steps {
				w.Step(c.medium, c.dt)
				a := w.dot(start, w.Height) / w.dot(start, start)
				b := -w.dot(start, w.Speed) / w.dot(start, start) / (k * want)
				next := math.Atan2(b, a)
				turned += math.Remainder(next-angle, 2*math.Pi)
				angle = next
			}
			got := turned / (k * float64(steps) * c.dt)
			worst = max(worst, math.Abs(got/want-1))
			t.Logf("%+v, dt %.4g, %g edges: %.4f m/s, want %.4f: %+.3f", c.medium, c.dt, length, got, want, got/want-1)
		}
		if worst > .05 {
			t.Errorf("%+v, dt %.4g, jolted by %g: phase speed wrong by %.3f", c.medium, c.dt, c.jolt, worst)
		}
	}
}

// Volume is kept on each piece of the mesh by itself.
func TestPiecesKeepTheirVolume(t *testing.T) {
	m, other := sheet(9, 7, .02, .2), sheet(5, 5, .02, .3)
	first := uint32(len(m.Positions) / 3)
	for i, x := range other.Positions {
		m.Positions = append(m.Positions, x+float32(i%3)) // elsewhere
	}
	for _, v := range other.Indices {
		m.Indices = append(m.Indices, v+first)
	}
	m.Free = len(m.Indices)
	w := onSheet(t, m, 1)
	for v := range w.Height {
		w.Height[v], w.Speed[v] = .003*math.Sin(float64(v*v)), .1+.01*math.Cos(float64(3*v*v))
	}
	volumes := func() (at [2]float64) {
		for v, mass := range w.Mass() {
			if v < int(first) {
				at[0] += mass * w.Height[v]
			} else {
				at[1] += mass * w.Height[v]
			}
		}
		return at
	}
	before := volumes()
	for range 300 {
		w.Step(earth, 1./60)
	}
	for k, v := range volumes() {
		if math.Abs(v-before[k]) > 1e-15 {
			t.Errorf("piece %d: %g m³, then %g", k, before[k], v)
		}
	}
}

// No triangle is steeper than it may be, even around a plateau; and what isn't steep is left alone.
func TestSlopesAreLimited(t *testing.T) {
	m := sheet(40, 40, .02, .3)
	w := onSheet(t, m, 1)
	for v := range w.Height {
		x, z := float64(m.Positions[3*v])-.4, float64(m.Positions[3*v+2])-.4
		if x*x+z*z < .05 {
			w.Height[v] = .1
		}
		if v%97 == 0 {
			w.Height[v] = -.2
		}
	}
	w.Limit(.06)
	steepest, highest := 0., 0.
	for i := 0; i < m.Free; i += 3 {
		g, _ := w.gradient(m.Indices[i], m.Indices[i+1], m.Indices[i+2])
		steepest = max(steepest, r3.Norm(g))
	}
	for _, h := range w.Height {
		highest = max(highest, math.Abs(h))
	}
	t.Logf("steepest %.4f, highest %.4f", steepest, highest)
	if steepest > Steepest*1.0001 || highest > .06 || highest < .005 {
		t.Errorf("slopes up to %g, want up to %g; heights up to %g", steepest, Steepest, highest)
	}
	for v := range w.Height {
		w.Height[v] = .001 * math.Sin(10*float64(m.Positions[3*v]))
	}
	was := slices.Clone(w.Height)
	if w.Limit(.06); !slices.Equal(was, w.Height) {
		t.Error("gentle waves have changed")
	}
}

// The same bits come from any number of workers, and nothing is allocated once arrays are long enough. Slivers, triangles without area and vertices
// without triangles do no harm.
func TestSameForAnyWorkers(t *testing.T) {
	m := sheet(60, 60, .02, .45)
	m.Positions = append(m.Positions, 5, 5, 5)
	copy(m.Positions[30:33], m.Positions[33:36])
	m.Indices = append(m.Indices, 7, 7, 8)
	m.Free = len(m.Indices)
	run := func(w *Waves) {
		w.SetMesh(m)
		for v := range w.Height {
			w.Height[v] = .003 * math.Sin(float64(v*v))
		}
		for range 3 {
			w.Step(earth, 1./60)
			w.Damp(2, 1./60)
			w.Limit(.01)
		}
	}
	one, three := onSheet(t, m, 1), onSheet(t, m, 3)
	run(one)
	run(three)
	if !slices.Equal(one.Height, three.Height) || !slices.Equal(one.Speed, three.Speed) {
		t.Error("other workers make other waves")
	}
	for v, h := range one.Height {
		if !(math.Abs(h) < .02) || !(math.Abs(one.Speed[v]) < 10) {
			t.Fatalf("vertex %d: height %g, rate %g", v, h, one.Speed[v])
		}
	}
	if n := testing.AllocsPerRun(3, func() { run(three) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Whatever the medium and the step, every wave turns by an angle: 0 < p ≤ 1.
func TestEveryStepIsBounded(t *testing.T) {
	for _, edge := range []float64{1e-4, 1e-3, .01, .1, 1} {
		for _, dt := range []float64{1e-6, 1e-3, 1. / 60, .1} {
			for _, m := range []Medium{earth, {}, {9.81, .001, 0}, {9.81, 1e6, 1}, {0, 1, 1e3}, {1e4, 1e9, 0}} {
				var p propagator
				p.fit(m, 8/(edge*edge), dt)
				for i := range 1001 {
					lambda := float64(i) / 1000
					var row [degree]float64
					chebyshev(&row, 1-2*lambda)
					sum := 1.
					for j, q := range p.q {
						sum -= lambda * q * row[j]
					}
					if !(sum > 0 && sum <= 1) {
						t.Fatalf("%+v, edge %g m, dt %g s: p(%g) = %g", m, edge, dt, lambda, sum)
					}
				}
			}
		}
	}
}

func BenchmarkWaves(b *testing.B) {
	m := sheet(141, 141, .02, .2)
	w := onSheet(b, m, 1)
	for v := range w.Height {
		w.Height[v] = .003 * math.Sin(float64(v*v))
	}
	var s Shown
	domain := r3.Box{Max: r3.Vec{X: 3, Y: 1, Z: 3}}
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"Step", func() { w.Step(earth, 1./60) }}, {"SetMesh", func() { w.SetMesh(m) }}, {"Carry", func() { w.Carry(m, 1./60) }}, {"Bend", func() { w.Bend(earth, .02, 1, 1./60) }},
		{"Damp", func() { w.Damp(1e9, 1./60) }}, {"Limit", func() { w.Limit(.01) }}, {"Show", func() { w.Show(&s, domain) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
		})
	}
}
