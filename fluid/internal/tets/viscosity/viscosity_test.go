package viscosity

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/cutting"
)

// scene is liquid on a lattice of cells of an edge of 1/8 m in a box about the origin.
type scene struct {
	pool *par.Pool
	gr   graph.Graph
	in   Liquid
	s    *Solver
}

// makeScene is of base cells of 1 m, with levels as they are given by turns, and liquid where phi is negative.
func makeScene(t testing.TB, dim [3]int, workers int, levels []uint8, phi func(x vec) float64) *scene {
	t.Helper()
	pool := par.New(workers)
	t.Cleanup(pool.Close)
	g := layout.New(vec{-float64(dim[0]) / 2, -float64(dim[1]) / 2, -float64(dim[2]) / 2}, .125, dim, 0)
	g.SetBalance(layout.BalanceEdges)
	for b := range int32(g.Bases()) {
		g.Set(b, levels[int(b)%len(levels)])
	}
	g.Grade()
	g.Settle()
	l := &bcc.Lattice{}
	l.Build(g, &g.Cur, pool)
	low, size := g.Origin, vec{float64(dim[0]), float64(dim[1]), float64(dim[2])}
	d := cutting.New(g, pool, low, vec{low[0] + size[0], low[1] + size[1], low[2] + size[2]}, [6]bool{})
	d.Solids(l, nil)
	sc := &scene{pool: pool, s: New(pool)}
	sc.in = Liquid{Lattice: l, Phi: make([]float64, l.Vertices()), Finest: g.H}
	for v, x := range l.Position {
		sc.in.Phi[v] = phi(x)
	}
	d.Fill(&sc.gr, sc.in.Phi, nil, 0)
	sc.in.Row = d.Row
	return sc
}

// set gives the faces a velocity, and returns what they have.
func (sc *scene) set(u func(x vec) vec) []float64 {
	l := sc.in.Lattice
	for f, e := range sc.gr.Slot {
		p, q := u(l.Position[l.Ends[e][0]]), u(l.Position[l.Ends[e][1]])
		mean := vec{(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2}
		sc.gr.U[f] = geom.Dot(&sc.gr.Normals[f], &mean)
	}
	return append([]float64(nil), sc.gr.U...)
}

func (sc *scene) energy() (sum float64) {
	for f, u := range sc.gr.U {
		sum += float64(sc.gr.Area[f] * sc.gr.Open[f] * sc.gr.Dist[f] * u * u / 2)
	}
	return sum
}

// energyAt is the energy of edges that lie in a plane across z, which it has at that height, m.
func (sc *scene) energyAt(z float64) (sum float64) {
	l := sc.in.Lattice
	for f, u := range sc.gr.U {
		if ends := l.Ends[sc.gr.Slot[f]]; l.Position[ends[0]][2] == z && l.Position[ends[1]][2] == z {
			sum += float64(sc.gr.Area[f] * sc.gr.Open[f] * sc.gr.Dist[f] * u * u / 2)
		}
	}
	return sum
}

// momentum is that of the liquid per density, m⁴/s, and its moment about the origin.
func (sc *scene) momentum() (to [6]float64) {
	for f, u := range sc.gr.U {
		n, x := sc.gr.Normals[f], sc.gr.FaceCentres[f]
		turn, by := geom.Cross(&x, &n), float64(sc.gr.Area[f]*sc.gr.Open[f]*sc.gr.Dist[f]*u)
		for a := range n {
			to[a] += float64(by * n[a])
			to[3+a] += float64(by * turn[a])
		}
	}
	return to
}

func ball(x vec) float64 { return math.Sqrt(geom.Dot(&x, &x)) - .8 }

// What moves like a rigid body is not sheared: a free ball of liquid that flies and turns goes on as it does, however viscous it is.
func TestRigidMotionIsKept(t *testing.T) {
	sc := makeScene(t, [3]int{2, 2, 2}, 1, []uint8{3, 2, 2, 3}, ball)
	before := sc.set(func(x vec) vec { w := vec{1, -2, .5}; u := geom.Cross(&w, &x); u[0] += 3; return u })
	sc.s.Apply(&sc.gr, sc.in, append([]float64(nil), before...), nil, 10, .02)
	for f, u := range sc.gr.U {
		if math.Abs(u-before[f]) > 1e-6 {
			t.Fatalf("face %d at %.3g: %g m/s, before %g", f, sc.gr.FaceCentre(f), u, before[f])
		}
	}
}

// Viscosity takes energy, and never gives any, whatever the motion and the step; the bits are the same for any number of workers.
func TestEnergyNeverGrows(t *testing.T) {
	for _, k := range []float64{1e-4, 1e-2, 1, 100} {
		var bits [2][]float64
		for i, workers := range []int{1, 3} {
			random := rand.New(rand.NewPCG(3, 4))
			sc := makeScene(t, [3]int{2, 2, 2}, workers, []uint8{3, 2, 1, 3}, ball)
			u := sc.set(func(vec) vec { return vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()} })
			was := sc.energy()
			sc.s.Apply(&sc.gr, sc.in, u, nil, k, .1)
			if now := sc.energy(); !(now < was) {
				t.Errorf("ν·dt %g: energy goes from %g to %g", k/10, was, now)
			}
			bits[i] = sc.gr.U
		}
		for f, u := range bits[0] {
			if u != bits[1][f] {
				t.Fatalf("face %d: %g with one worker, %g with three", f, u, bits[1][f])
			}
		}
	}
}

// Liquid that turns in a round tank, faster in between than at the axis and the wall, slows down as Bessel's function J₁ does: by exp(-ν (3.8317/R)² t).
func TestDecayInARoundTank(t *testing.T) {
	const radius, root, nu, dt, steps = .85, 3.8317, 1e-2, .05, 20
	sc := makeScene(t, [3]int{2, 2, 1}, 1, []uint8{3}, func(vec) float64 { return -1 })
	wall := &rigid.NoSlip{Near: func(_ int, _ float64, at [][3]float64, distance []float64, solid []int32) {
		for i, x := range at {
			distance[i], solid[i] = radius-math.Hypot(x[0], x[1]), -1
		}
	}, Density: 1000}
	sc.set(func(x vec) vec {
		r := math.Hypot(x[0], x[1])
		if r > radius || r == 0 {
			return vec{}
		}
		u := math.J1(root * r / radius)
		return vec{-u * x[1] / r, u * x[0] / r, 0}
	})
	was, side := sc.energy(), sc.energyAt(-.5)
	for range steps {
		sc.s.Apply(&sc.gr, sc.in, append([]float64(nil), sc.gr.U...), wall, nu, dt)
	}
	rate, atSide := -math.Log(sc.energy()/was)/2/(steps*dt), -math.Log(sc.energyAt(-.5)/side)/2/(steps*dt)
	want := nu * (root / radius) * (root / radius)
	t.Logf("decays by %.4f 1/s, at the bottom by %.4f, by theory %.4f", rate, atSide, want)
	if math.Abs(rate-want) > .06*want {
		t.Errorf("decays by %.4f 1/s, want %.4f within 6 %%", rate, want)
	}
	if math.Abs(atSide-rate) > .1*rate { // there liquid slips
		t.Errorf("at the bottom it decays by %.4f 1/s, in all by %.4f", atSide, rate)
	}
}

// A ball that turns in viscous liquid at rest is slowed, the liquid takes on its angular momentum, and a stiff liquid and a light body come to one motion in a
// step of any length without swinging.
func TestLiquidAndBodyPassOnMomentum(t *testing.T) {
	const radius, mass, inertia, density = .4, 5., 1., 1000.
	for _, k := range []float64{1e-3, 1e-1, 10} {
		sc := makeScene(t, [3]int{2, 2, 2}, 1, []uint8{3}, ball)
		body := rigid.Body{V: [6]float64{0, 0, 0, 0, 0, 2}, InverseMass: 1 / mass}
		held := &lone{mass: mass, inertia: inertia}
		solids := &rigid.NoSlip{
			Density: density, Solids: []rigid.Solid{{Centre: r3.Vec{}}}, Bodies: []rigid.Body{body}, Inertia: held,
			Near: func(_ int, _ float64, at [][3]float64, distance []float64, solid []int32) {
				for i, x := range at {
					distance[i], solid[i] = math.Sqrt(geom.Dot(&x, &x))-radius, 0
				}
			},
		}
		u := sc.set(func(vec) vec { return vec{} })
		sc.s.Apply(&sc.gr, sc.in, u, solids, k, 1)
		spin := 2 + solids.Impulse[0][5]/inertia
		for d, got := range sc.momentum() {
			limit := 1e-12
			if d >= 3 { // the residual of the solve turns the liquid
				limit = 1e-3
			}
			if size := math.Abs(solids.Impulse[0][5]); math.Abs(density*got+solids.Impulse[0][d]) > limit*size {
				t.Errorf("ν·dt %g: the liquid gets %g of momentum %d, the ball %g", k, density*got, d, solids.Impulse[0][d])
			}
		}
		if !(spin > 0 && spin < 2) {
			t.Errorf("ν·dt %g: the ball turns at %g rad/s, from 2", k, spin)
		}
		if k == 10 && spin > .1 {
			t.Errorf("ν·dt %g: the ball still turns at %g rad/s; the liquid around has a hundred times its inertia", k, spin)
		}
	}
}

// lone is the inertia of one free body.
type lone struct {
	mass, inertia float64
	more          [6][6]float64
}

func (l *lone) Increase(by [][6][6]float64) { l.more = by[0] }

func (l *lone) Respond(velocity, impulse []float64) {
	for d := range 6 { // the ball is round: nothing couples its motions but rounding
		own := l.mass
		if d >= 3 {
			own = l.inertia
		}
		velocity[d] = impulse[d] / (own + l.more[d][d])
	}
}
