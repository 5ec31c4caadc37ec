package bodies

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Pressure cannot turn a body about an axis along which its surface slides, such as a ball about its centre or a log about
// its own axis: the pressure has no lever arm there. On the grid it gets one from the errors of cut cells,
// and from the pressures at cell centres, which act through the liquid in between. Both turn or brake a round
// body. The coupling terms are therefore corrected: their components along such turns, which follow from the body's shape, are removed.
//
// Source: Gelfand, Guibas 2004, Shape segmentation using local slippage analysis: slippable motions.

const (
	// slipArm and gripArm, in cells, are bounds of the root mean square arm of a surface about an axis: up to the first it slides freely, from the second on
	// not at all. A cube of one cell has .29.
	slipArm, gripArm = .05, .15

	slippageEdge   = 4 // points along an edge of the bounds at which the distance is sampled
	slippagePoints = slippageEdge * slippageEdge * slippageEdge

	// slippageProbe, in shortest edges of the bounds, is the half width of the normals' central differences: wide enough for
	// single precision, and so narrow that few normals mix those of two faces.
	slippageProbe = 1. / 128

	// leastResistance regularises the resistance to translation along each axis, relative to the greatest possible one.
	leastResistance = 1e-6
)

// slippage is the turns of a body that move its surface along itself.
type slippage struct {
	some  bool
	share [3]float64    // per principal turn: how freely the surface slides, 0 to 1
	axis  tensor        // of each turn, of length 1
	twist [3][6]float64 // of each turn at 1 rad/s, m/s and rad/s
}

// slippages are the slippages of all bodies.
type slippages struct {
	c       *Coupling
	body    []slippage
	scratch []slippageScratch // per worker
}

// slippageScratch is the memory of one worker: sample points of a shape.
type slippageScratch struct {
	pts  [6 * slippagePoints]r3.Vec
	dist [6 * slippagePoints]float32
}

// find finds the slippable turns of the bodies in the liquid, and removes them from the coupling terms.
func (sl *slippages) find() { par.For(sl.c.Pool, len(sl.c.state), 1, sl, (*slippages).findRange) }

func (sl *slippages) findRange(worker, lo, hi int) {
	c := sl.c
	for i := lo; i < hi; i++ {
		s, solid := &sl.body[i], &c.Solids[i]
		*s = slippage{}
		if len(c.Graph.Bodies[i].Row) > 0 && !solid.Fixed && c.porous.body[i].share < 1 {
			s.find(solid, &sl.scratch[worker], c.edges[i])
			sl.remove(i)
		}
	}
}

// remove removes a body's slippable turns from its coupling terms.
func (sl *slippages) remove(i int) {
	w, s := &sl.c.Graph.Bodies[i], &sl.body[i]
	if !s.some {
		return
	}
	for e := range w.K {
		s.removeTurns(&w.K[e])
	}
	// The rotational inertia of the gaps stays: it neither turns the body nor brakes it, and how much of it a light body can lose is
	// decided for the whole.
	more, less := w.More, w.Less
	for _, m := range []*[6][6]float64{&w.More, &w.Less, &w.Steps, &w.Rests} {
		s.removeTurnsFromMatrix(m)
	}
	for a := 3; a < 6; a++ {
		copy(w.More[a][3:], more[a][3:])
		copy(w.Less[a][3:], less[a][3:])
	}
}

// removeTurnsFromMatrix is removeTurns for the rows and the columns of a symmetric matrix.
func (s *slippage) removeTurnsFromMatrix(m *[6][6]float64) {
	for range 2 {
		for a := range m {
			s.removeTurns(&m[a])
		}
		transpose(m)
	}
}

// find finds the turns, each with its best velocity of the centre, that least move a shape along its normals.
// The grid's cells are h wide.
func (s *slippage) find(body *rigid.Solid, scratch *slippageScratch, h float64) {
	if size := body.Bounds.Size(); !geom.FiniteVec(size) || size.X <= 0 || size.Y <= 0 || size.Z <= 0 {
		return
	}
	grip, all := scratch.resistance(body)
	if all == 0 {
		return
	}
	along := grip.centreVelocity(all)
	left := grip.residual(&along)
	turns := principal(left)
	for a, v := range turns.values {
		arm := math.Sqrt(max(0, v)/all) / h
		s.share[a] = max(0, min(1, (gripArm-arm)/(gripArm-slipArm)))
		s.some = s.some || s.share[a] > 0
		n := turns.axes[a]
		s.axis[a], s.twist[a] = n, rigid.Twist(along.times(n), n)
	}
}

// slipResistance is the sum of w wᵀ over normals, with w the wrench of a unit force along each: t·m·t is the resistance to a twist t.
type slipResistance [6][6]float64

// resistance returns the resistance of a shape, and the sum of the squares of its normals, which turns a resistance into a mean.
func (s *slippageScratch) resistance(body *rigid.Solid) (g slipResistance, all float64) {
	size := body.Bounds.Size()
	step := float64(min(size.X, size.Y, size.Z) * slippageProbe)
	probe := [3]r3.Vec{{X: step}, {Y: step}, {Z: step}}
	for c := range slippagePoints {
		x := s.place(body, c)
		for a, d := range probe {
			s.pts[6*c+2*a], s.pts[6*c+2*a+1] = r3.Sub(x, d), r3.Add(x, d)
		}
	}
	body.Distance(s.dist[:], s.pts[:])
	for c := range slippagePoints {
		d := s.dist[6*c:][:6]
		n := r3.Vec{X: float64(d[1]-d[0]) / (2 * step), Y: float64(d[3]-d[2]) / (2 * step), Z: float64(d[5]-d[4]) / (2 * step)}
		if !geom.FiniteVec(n) {
			continue
		}
		all += reproducible.Norm2(n)
		w := rigid.Twist(n, reproducible.Cross(r3.Sub(s.place(body, c), body.Centre), n))
		for a, x := range w {
			for b, y := range w {
				g[a][b] += float64(x * y)
			}
		}
	}
	return g, all
}

// place returns sample point c of a shape.
func (s *slippageScratch) place(body *rigid.Solid, c int) r3.Vec {
	x, y, z := c%slippageEdge, c/slippageEdge%slippageEdge, c/(slippageEdge*slippageEdge)
	size := reproducible.Scale(1./slippageEdge, body.Bounds.Size())
	return r3.Add(body.Bounds.Min, r3.Vec{X: float64(size.X * (float64(x) + .5)), Y: float64(size.Y * (float64(y) + .5)), Z: float64(size.Z * (float64(z) + .5))})
}

// centreVelocity returns the map from a turn to the velocity of the centre that minimises the resistance.
func (g *slipResistance) centreVelocity(all float64) (t tensor) {
	var c [3][3]float64
	for a := range c {
		copy(c[a][:], g[a][:3])
		c[a][a] += float64(leastResistance * all)
	}
	for a := range t { // computed as columns
		t[a] = reproducible.Scale(-1, rigid.AngularMomentum(&c, reproducible.Vector([3]float64(g[3+a][:3]))))
	}
	return tensor{column(&t, 0), column(&t, 1), column(&t, 2)}
}

// residual returns the resistance to turns with the velocities of along.
func (g *slipResistance) residual(along *tensor) tensor {
	var m [3][3]float64
	for a := range m {
		for b := range m {
			m[a][b] = g[3+a][3+b]
			for d := range 3 {
				m[a][b] += float64(g[3+a][d] * reproducible.Array(along[d])[b])
			}
		}
	}
	for a := range m { // symmetric to the last digit
		for b := range a {
			m[b][a] = m[a][b]
		}
	}
	return tensor{reproducible.Vector(m[0]), reproducible.Vector(m[1]), reproducible.Vector(m[2])}
}

// removeTurns removes the slippable turns from a wrench.
func (s *slippage) removeTurns(w *[6]float64) {
	for a := range s.share {
		if s.share[a] == 0 {
			continue
		}
		power := 0.
		for d, v := range s.twist[a] {
			power += float64(v * w[d])
		}
		for d, x := range reproducible.Array(reproducible.Scale(s.share[a]*power, s.axis[a])) {
			w[3+d] -= x
		}
	}
}

// removeAxes removes the axes of slippable turns from a projection: neither still liquid nor eddies turn the body about them.
func (s *slippage) removeAxes(part *tensor) {
	for a, share := range s.share {
		if share == 0 {
			continue
		}
		n := s.axis[a]
		for range 2 { // it is symmetric
			for d := range part {
				part[d] = r3.Sub(part[d], reproducible.Scale(share*reproducible.Dot(part[d], n), n))
			}
			*part = tensor{column(part, 0), column(part, 1), column(part, 2)}
		}
	}
}
