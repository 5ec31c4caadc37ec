package forces

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// ball is a body of a scene; its mass, kg, may be less than that of the liquid in a cell.
type ball struct {
	centre       r3.Vec
	radius, mass float64
	v            [6]float64
}

// loose is the inertia of balls, which nothing joins.
type loose struct {
	own  [][6]float64 // the diagonals of what was given
	more [][6][6]float64
}

func (l *loose) Increase(by [][6][6]float64) { l.more = by }

func (l *loose) Respond(velocity, impulse []float64) {
	for i, own := range l.own {
		m := l.more[i]
		for d := range own {
			m[d][d] += own[d]
		}
		x := [6]float64(impulse[6*i:])
		eliminate(&m, &x)
		copy(velocity[6*i:], x[:])
	}
}

// eliminate replaces x by m⁻¹ x.
func eliminate(m *[6][6]float64, x *[6]float64) {
	for j := range 6 {
		for i := j + 1; i < 6; i++ {
			by := m[i][j] / m[j][j]
			for k := j; k < 6; k++ {
				m[i][k] -= by * m[j][k]
			}
			x[i] -= by * x[j]
		}
	}
	for i := 5; i >= 0; i-- {
		for k := i + 1; k < 6; k++ {
			x[i] -= m[i][k] * x[k]
		}
		x[i] /= m[i][i]
	}
}

// with puts balls into a scene, for viscosity to know.
func (s *scene) with(v *Viscosity, balls []ball) {
	var solids []rigid.Solid
	to := &rigid.NoSlip{Density: 1000}
	inertia := &loose{}
	for _, b := range balls {
		c, radius, reach := b.centre, b.radius, r3.Vec{X: b.radius, Y: b.radius, Z: b.radius}
		solids = append(solids, rigid.Solid{
			Distance: func(dst []float32, pts []r3.Vec) {
				for i, p := range pts {
					dst[i] = float32(r3.Norm(r3.Sub(p, c)) - radius)
				}
			},
			Bounds: r3.Box{Min: r3.Sub(c, reach), Max: r3.Add(c, reach)}, Centre: c,
		})
		turn := .4 * b.mass * b.radius * b.radius
		inertia.own = append(inertia.own, [6]float64{b.mass, b.mass, b.mass, turn, turn, turn})
		to.Bodies = append(to.Bodies, rigid.Body{InverseMass: 1 / b.mass, V: b.v})
	}
	s.d.Solids(solids, cutting.Near{})
	s.d.Fill(&s.gr, s.phi, len(balls))
	to.Solids, to.Inertia = solids, inertia
	to.Near = func(_ int, _ float64, at [][3]float64, distance []float64, solid []int32) {
		for i, x := range at {
			distance[i], solid[i] = math.Inf(1), -1
			for j, b := range balls {
				if d := r3.Norm(r3.Sub(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, b.centre)) - b.radius; d < distance[i] {
					distance[i], solid[i] = d, int32(j)
				}
			}
		}
	}
	v.Solids = to
}

// total is the momentum and the angular momentum about the origin of liquid and balls, and twice their energy.
func (s *scene) total(balls []ball) (p [6]float64, energy float64) {
	add := func(a int, x [3]float64, m float64) {
		q, r := (a+1)%3, (a+2)%3
		p[a] += m
		p[3+q] += x[r] * m
		p[3+r] -= x[q] * m
	}
	for f, u := range s.gr.U {
		m := 1000 * s.gr.Area[f] * s.gr.Open[f] * s.gr.Dist[f] * u
		add(int(s.gr.Cubes.Axis[f]), s.gr.FaceCentre(f), m)
		energy += m * u
	}
	for _, b := range balls {
		turn := .4 * b.mass * b.radius * b.radius
		for a := range 3 {
			add(a, [3]float64{b.centre.X, b.centre.Y, b.centre.Z}, b.mass*b.v[a])
			p[3+a] += turn * b.v[3+a]
			energy += b.mass*b.v[a]*b.v[a] + turn*b.v[3+a]*b.v[3+a]
		}
	}
	return p, energy
}

// What balls lose and gain the liquid gains and loses, of momentum and of angular momentum; liquid and balls together only lose energy. With masses down
// to a gram, in liquid from next to none to more than any viscosity.
func TestBodiesAndLiquidKeepMomentum(t *testing.T) {
	for _, mass := range []float64{1e-3, 5, 2000} {
		for _, r := range []float64{2e-5, 1e-2, 1, 100, 1e4} { // ν dt/h²
			if testing.Short() && (mass != 1e-3 || r != 1) {
				continue
			}
			s := patchy(t, 2, 3)
			balls := []ball{
				{r3.Vec{X: 1.83, Y: 2.04, Z: 1.97}, .31, mass, [6]float64{1, 0, -2, 3, 4, 5}},
				{r3.Vec{X: 2.61, Y: 1.9, Z: 2.3}, .22, mass / 3, [6]float64{0, 2, 0, 0, 0, -9}},
				{r3.Vec{X: 1.2, Y: 3.2, Z: 2.1}, .3, mass, [6]float64{0, 0, 0, 20}}, // half out of the liquid
			}
			v := NewViscosity(s.g, s.pool)
			s.with(v, balls)
			for f := range s.gr.U {
				s.gr.U[f] = math.Sin(7 * float64(f))
			}
			var spin float64
			for step := range 3 {
				p, e := s.total(balls)
				v.Apply(&s.gr, &s.d.State, s.gr.U, r*.01, 1)
				for i := range balls {
					b, turn := &balls[i], .4*balls[i].mass*balls[i].radius*balls[i].radius
					for d, x := range v.Solids.Impulse[i] {
						if d < 3 {
							b.v[d] += x / b.mass
						} else {
							b.v[d] += x / turn
						}
					}
					v.Solids.Bodies[i].V = b.v
				}
				q, after := s.total(balls)
				if after > e*(1+1e-9) {
					t.Errorf("%g kg, ν dt/h² = %g, step %d: energy %g to %g", mass, r, step, e, after)
				}
				for a := range p {
					if math.Abs(p[a]-q[a]) > 1e-9*math.Sqrt(e*1000) {
						t.Errorf("%g kg, ν dt/h² = %g, step %d: momentum %d: %g to %g", mass, r, step, a, p[a], q[a])
					}
				}
				spin = balls[2].v[3]
			}
			t.Logf("%g kg, ν dt/h² = %g: %d iterations; a ball's spin 20 to %.4g", mass, r, v.Iterations, spin)
		}
	}
}

// Liquid and balls that turn as one are not strained.
func TestTurningBodiesStay(t *testing.T) {
	for _, r := range []float64{1e-2, 10} {
		s := patchy(t, 2, 3)
		balls := []ball{{r3.Vec{X: 1.83, Y: 2.04, Z: 1.97}, .31, 20, [6]float64{}}, {r3.Vec{X: 1.2, Y: 3.2, Z: 2.1}, .3, 1, [6]float64{}}}
		for i := range balls {
			b := &balls[i]
			for a := range uint8(3) {
				b.v[a] = turning([3]float64{b.centre.X, b.centre.Y, b.centre.Z}, a)
			}
			copy(b.v[3:], []float64{.7, -1.1, .4})
		}
		v := NewViscosity(s.g, s.pool)
		s.with(v, balls)
		for f, a := range s.gr.Cubes.Axis {
			s.gr.U[f] = turning(s.gr.FaceCentre(f), a)
		}
		v.Apply(&s.gr, &s.d.State, s.gr.U, r*.01, 1)
		for f, a := range s.gr.Cubes.Axis {
			if want := turning(s.gr.FaceCentre(f), a); math.Abs(s.gr.U[f]-want) > 1e-6 {
				t.Fatalf("ν dt/h² = %g: face %d of axis %d moves at %g, want %g", r, f, a, s.gr.U[f], want)
			}
		}
		for i, b := range balls {
			for d, x := range v.Solids.Impulse[i] {
				if math.Abs(x) > 1e-6*b.mass {
					t.Errorf("ν dt/h² = %g: ball %d receives %g of component %d", r, i, x, d)
				}
			}
		}
	}
}

// Bodies' stresses have the same bits for any number of workers, and nothing is allocated.
func TestViscousBodiesAreDeterministic(t *testing.T) {
	var want [][6]float64
	for _, workers := range []int{1, 2, 4} {
		s := patchy(t, workers, 9)
		v := NewViscosity(s.g, s.pool)
		s.with(v, []ball{{r3.Vec{X: 1.83, Y: 2.04, Z: 1.97}, .31, 2, [6]float64{1, 2, 3, 4, 5, 6}}, {r3.Vec{X: 2.61, Y: 1.9, Z: 2.3}, .22, 1, [6]float64{}}})
		clear(s.gr.U)
		v.Apply(&s.gr, &s.d.State, s.gr.U, .5, 1)
		if want == nil {
			want = slices.Clone(v.Solids.Impulse)
		} else if !slices.Equal(want, v.Solids.Impulse) {
			t.Errorf("%d workers: other bits", workers)
		}
		if n := testing.AllocsPerRun(3, func() { v.Apply(&s.gr, &s.d.State, s.gr.U, .5, 1) }); n != 0 {
			t.Errorf("%d workers: %v allocations", workers, n)
		}
	}
}
