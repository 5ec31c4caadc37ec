package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
)

// guided is a box with one degree of freedom: it slides along an axis, or turns about one, and
// knows of no other, so that its joint has no error of its own.
type guided struct {
	box   r3.Box  // at the start
	mass  float64 // kg
	axis  r3.Vec  // unit
	push  float64 // N, or N·m if it turns
	turns bool
	hinge r3.Vec  // the point of the axis nearest to the centre, if it turns
	spin  float64 // kg·m² about the box's centre and the axis, if it turns

	q, v, load float64
}

// guide is a Bodies of guided boxes. Each that turns has a joint with the world.
type guide struct {
	gravity r3.Vec
	bodies  []*guided
}

func (g *guide) Len() int        { return len(g.bodies) }
func (g *guide) ID(i int) uint64 { return uint64(i) + 1 }
func (g *guide) Kind(int) int    { return engine.Dynamic }
func (g *guide) Awake(int) bool  { return true }
func (g *guide) Wake(int)        {}

func (b *guided) turned() r3.Rotation {
	if !b.turns {
		return r3.NewRotation(0, b.axis)
	}
	return r3.NewRotation(b.q, b.axis)
}

func (b *guided) centre() r3.Vec {
	c := r3.Scale(.5, r3.Add(b.box.Min, b.box.Max))
	if b.turns {
		return r3.Add(b.hinge, b.turned().Rotate(r3.Sub(c, b.hinge)))
	}
	return r3.Add(c, r3.Scale(b.q, b.axis))
}

// arm is from the hinge to the centre.
func (b *guided) arm() r3.Vec { return r3.Sub(b.centre(), b.hinge) }

// twist is the motion at a speed along, or about, the axis.
func (b *guided) twist(speed float64) (v, w r3.Vec) {
	if !b.turns {
		return r3.Scale(speed, b.axis), r3.Vec{}
	}
	w = r3.Scale(speed, b.axis)
	return r3.Cross(w, b.arm()), w
}

// inertia is that along or about the axis, kg or kg·m².
func (b *guided) inertia() float64 {
	if !b.turns {
		return b.mass
	}
	return b.spin + b.mass*r3.Norm2(b.arm())
}

// acceleration is that under a load from the liquid.
func (b *guided) acceleration(gravity r3.Vec, load float64) float64 {
	v, _ := b.twist(1)
	return (b.push + load + b.mass*r3.Dot(gravity, v)) / b.inertia()
}

func (g *guide) Pose(i int) (r3.Vec, quat.Number) {
	return g.bodies[i].centre(), quat.Number(g.bodies[i].turned())
}
func (g *guide) Velocity(i int) (v, w r3.Vec) { return g.bodies[i].twist(g.bodies[i].v) }
func (g *guide) PredictedVelocity(i int, dt float64) (v, w r3.Vec) {
	b := g.bodies[i]
	return b.twist(b.v + dt*b.acceleration(g.gravity, 0))
}

// InverseMass lets a sliding body move sideways too: the liquid pushes it along its axis only.
func (g *guide) InverseMass(i int) (m float64, inertia [3][3]float64) {
	b := g.bodies[i]
	if b.turns {
		for d := range 3 {
			inertia[d][d] = 1 / b.spin
		}
	}
	return 1 / b.mass, inertia
}

func (g *guide) Bounds(i int) r3.Box {
	b := g.bodies[i]
	d, s := r3.Scale(b.q, b.axis), 0.
	if b.turns {
		d, s = r3.Vec{}, math.Abs(b.q)*r3.Norm(r3.Sub(b.box.Max, b.box.Min))
	}
	grow := r3.Vec{X: s, Y: s, Z: s}
	return r3.Box{Min: r3.Sub(r3.Add(b.box.Min, d), grow), Max: r3.Add(r3.Add(b.box.Max, d), grow)}
}

func (g *guide) Thickness(i int) float64 {
	s := r3.Sub(g.bodies[i].box.Max, g.bodies[i].box.Min)
	return min(s.X, s.Y, s.Z)
}

func (g *guide) Distance(i int, dst []float32, pts []r3.Vec) {
	b := g.bodies[i]
	_, turn := g.Pose(i)
	c := r3.Scale(.5, r3.Add(b.box.Min, b.box.Max))
	moved, back := make([]r3.Vec, len(pts)), r3.Rotation(quat.Conj(turn))
	for k, p := range pts {
		moved[k] = r3.Add(c, back.Rotate(r3.Sub(p, b.centre())))
	}
	fluid.Box(b.box).Eval(dst, moved)
}

func (g *guide) Joints() (n int) {
	for _, b := range g.bodies {
		if b.turns {
			n++
		}
	}
	return n
}

// JointRows holds the hinge in its place and the spin on its axis.
func (g *guide) JointRows(j int, rows *[6][12]float64) (a, world, n int) {
	for i, b := range g.bodies {
		if !b.turns {
			continue
		}
		if j--; j >= 0 {
			continue
		}
		axes := [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
		for _, e := range axes {
			s := r3.Cross(e, b.arm())
			rows[n] = [12]float64{e.X, e.Y, e.Z, s.X, s.Y, s.Z}
			n++
		}
		for _, e := range axes {
			if s := r3.Cross(e, b.axis); r3.Norm(s) > .1 { // the axis is one of the three
				rows[n] = [12]float64{3: s.X, 4: s.Y, 5: s.Z}
				n++
			}
		}
		return i, -1, n
	}
	return -1, -1, 0
}

func (g *guide) AddWrench(i int, force, torque r3.Vec) {
	v, w := g.bodies[i].twist(1)
	g.bodies[i].load += r3.Dot(force, v) + r3.Dot(torque, w)
}

func (g *guide) Step(dt float64) {
	for _, b := range g.bodies {
		b.v += dt * b.acceleration(g.gravity, b.load)
		b.q += dt * b.v
		b.load = 0
	}
}

// slab is all of the tube between two heights along an axis, reaching into its walls.
func slab(axis int, lo, hi float64) r3.Box {
	b := r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	if axis == 0 {
		b.Min.X, b.Max.X = lo, hi
	} else {
		b.Min.Y, b.Max.Y = lo, hi
	}
	return b
}

const cell = .05 // m, of the tubes below, which are 8 cells wide

// tube is a liquid with guided bodies, ready for a solve to rounding.
func tube(m Method, d r3.Box, liquid, wall fluid.SDF, g *guide) (*fluid.Liquid, error) {
	l, err := m.filled(fluid.Def{Domain: d, CellSize: cell,
		Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-12, MaxIterations: 500}, Physics: fluid.Physics{Gravity: g.gravity, Weightless: g.gravity == r3.Vec{}}}, liquid)
	if err != nil {
		return nil, err
	}
	l.Couple(g)
	if wall != nil {
		if _, err := l.AddObstacle(wall); err != nil {
			l.Close()
			return nil, err
		}
	}
	return l, nil
}

const stroke = 1e-3 // s, the step of the tests below

// pistons is V6: what incompressible liquid does not let through.
func pistons(m Method) ([]Row, error) {
	var rows []Row
	for _, shift := range []float64{0, .3, .7} {
		for _, test := range []struct {
			name string
			run  func(Method, float64) (float64, error)
		}{
			{"sealed piston: speed against that without liquid", sealedPiston},
			{"two pistons: v₁A₁ against v₂A₂, relative", twoPistons},
			{"closed hinged valve: spin against that without liquid", closedValve},
		} {
			gap, err := test.run(m, shift)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row("V6", fmt.Sprintf("%s, %g cells off the grid", test.name, shift), gap, 0, 1e-8, "1"))
		}
	}
	return rows, nil
}

// sealedPiston pushes on liquid that fills the rest of a closed tube.
func sealedPiston(m Method, shift float64) (float64, error) {
	face := (4 + shift) * cell
	p := &guided{mass: 5, push: 100, axis: r3.Vec{X: 1}, box: slab(0, face-3*cell, face)}
	l, err := tube(m, size(24*cell, 8*cell, 8*cell), fluid.Box(slab(0, face-cell, 2)), nil, &guide{r3.Vec{Y: -9.81}, []*guided{p}})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	l.Step(stroke)
	return math.Abs(p.v) / (stroke * p.push / p.mass), nil
}

// twoPistons pushes one into the wide end of a duct; the other leaves by the end half as high.
func twoPistons(m Method, shift float64) (float64, error) {
	wide, narrow := (4+shift)*cell, (20-shift/2)*cell
	p := &guided{mass: 5, push: 100, axis: r3.Vec{X: 1}, box: slab(0, wide-3*cell, wide)}
	q := &guided{mass: 50, axis: r3.Vec{X: 1}, box: slab(0, narrow, narrow+3*cell)}
	step := fluid.Box(r3.Box{Min: r3.Vec{X: 12 * cell, Y: 4 * cell, Z: -1}, Max: r3.Vec{X: 2, Y: 1, Z: 1}})
	l, err := tube(m, size(24*cell, 8*cell, 8*cell), fluid.Box(slab(0, wide-cell, narrow+cell)), step, &guide{r3.Vec{Y: -9.81}, []*guided{p, q}})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	l.Step(stroke)
	return math.Abs(2*p.v-q.v) / math.Abs(2*p.v), nil
}

// closedValve turns a flap that shuts a tube full of liquid.
func closedValve(m Method, shift float64) (float64, error) {
	at := (11 + shift) * cell
	f := &guided{mass: 20, spin: .3, push: 10, axis: r3.Vec{Z: 1}, turns: true, hinge: r3.Vec{X: at, Y: 8 * cell}, box: slab(0, at, at+2*cell)}
	d := size(24*cell, 8*cell, 8*cell)
	l, err := tube(m, d, fluid.Box(d), nil, &guide{r3.Vec{Y: -9.81}, []*guided{f}})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	l.Step(stroke)
	return math.Abs(f.v) / (stroke * f.push / f.inertia()), nil
}

// columnOnPiston is V7: a piston that fills a tube's cross section carries a column of water.
func columnOnPiston(m Method) ([]Row, error) {
	var rows []Row
	for _, shift := range []float64{0, .3, .7} {
		for _, ratio := range []float64{.01, 1, 100, 1000} {
			a, want, err := pistonAcceleration(m, ratio, shift)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row("V7", fmt.Sprintf("piston under a column, m_f/m = %g, %g cells off the grid: relative error of a", ratio, shift),
				math.Abs(a-want)/math.Abs(want), 0, 1e-8, "1"))
		}
	}
	return rows, nil
}

func pistonAcceleration(m Method, ratio, shift float64) (a, want float64, err error) {
	const g, top = 9.81, 16 * cell
	face := (8 + shift) * cell
	mf := 1000 * 64 * cell * cell * (top - face)
	p := &guided{mass: mf / ratio, axis: r3.Vec{Y: 1}, box: slab(1, face-4*cell, face)}
	p.push = 2 * g * (p.mass + mf)
	l, err := tube(m, size(8*cell, 24*cell, 8*cell), fluid.Box(slab(1, face-cell, top)), nil, &guide{r3.Vec{Y: -g}, []*guided{p}})
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	l.Step(stroke)
	return p.v / stroke, -g + p.push/(p.mass+mf), nil
}
