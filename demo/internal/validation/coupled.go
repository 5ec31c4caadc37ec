package validation

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// resolutions and offsets of the released spheres: cells per radius, and cells off the grid.
var (
	resolutions = []struct{ cells, tolerance float64 }{{4, .05}, {5, .02}, {8, .01}}
	offset      = r3.Vec{X: .21, Y: .47, Z: .35}
)

// releasedSphere is V4: the acceleration in the first step, in a closed, full tank 16 radii wide.
// Without walls the added mass is half of the liquid displaced. The walls act as the sphere's
// mirror images do, dipoles in a cubic lattice, which flow at its centre as fast as itself times
// images/(2·16³): sums over the lattice of ±(3cos²-1)/r³ tend to images.
func releasedSphere(m Method) ([]Row, error) {
	const width, images = 16, -9.68
	return released(m, "V4", "sphere released", 1.5/(1+images/(2*width*width*width))-1, width, 0)
}

// sphereInShell is V5: the same, inside a hollow sphere of three times the radius.
func sphereInShell(m Method) ([]Row, error) {
	const b3 = 27.
	return released(m, "V5", "sphere in a shell of 3 radii", .5*(b3+2)/(b3-1), 7, 3)
}

// released measures a sphere's first acceleration against that with an added mass of c times the
// liquid's that it displaces. The tank's width and the hollow's radius are in radii; 0: no hollow.
func released(m Method, id, name string, c, width, hollow float64) ([]Row, error) {
	var rows []Row
	for _, res := range resolutions {
		for _, ratio := range []float64{2, .5, 1e-6} {
			for _, off := range []r3.Vec{{}, offset} {
				a, err := sphereAcceleration(m, width, hollow, res.cells, ratio, off)
				if err != nil {
					return nil, err
				}
				want := (1 - ratio) / (ratio + c)
				rows = append(rows, row(id, fmt.Sprintf("%s, ratio %.3g, %g cells/R, %g cells off the grid: a/g up", name, ratio, res.cells, off.Y),
					a, want, res.tolerance*math.Abs(want), "g"))
			}
		}
	}
	return rows, nil
}

// sphereAcceleration is in g, upwards.
//
// width, hollow: radii; cells: per radius; off: of the centre from the tank's, cells.
func sphereAcceleration(m Method, width, hollow, cells, ratio float64, off r3.Vec) (float64, error) {
	const radius, dt = .1, 1e-3
	h := radius / cells
	d := size(width*radius, width*radius, width*radius)
	centre := r3.Add(r3.Scale(.5, d.Max), r3.Scale(h, off))
	l, err := m.filled(fluid.Def{Domain: d, CellSize: h, Numerics: fluid.Numerics{Tolerance: 1e-8, MaxIterations: 300}}, fluid.Box(d))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	if hollow > 0 {
		if _, err := l.AddObstacle(fluid.Difference(fluid.Box(d), fluid.Sphere(centre, hollow*radius))); err != nil {
			return 0, err
		}
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := body(w, physics.Sphere(r3.Vec{}, radius), 1000*ratio, centre)
	if err != nil {
		return 0, err
	}
	l.Couple(w.Coupling())
	r := l.Step(dt)
	if r.Err != nil {
		return 0, errors.New(r.Err.Error())
	}
	for _, w := range r.Warnings {
		if w.Knob == "Bodies" { // one that is set aside falls, whatever the solve finds
			return 0, errors.New(w.Text)
		}
	}
	return b.Velocity().Y / dt / 9.81, nil
}

// momentum is V16: what bodies and walls get in a step, and gravity gives, the liquid loses and gains.
func momentum(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []tank{
		{"box falls in", []floatingBody{{physics.Box(physics.Centred(.4, .3, .4)), 500, r3.Vec{X: .83, Y: 1.1, Z: .79}, r3.Vec{X: .5, Y: -3}}}, 0, 1, 0},
		{"ball falls in", []floatingBody{{physics.Sphere(r3.Vec{}, .2), 300, r3.Vec{X: .83, Y: 1.1, Z: .79}, r3.Vec{X: .5, Y: -3}}}, 0, 1, 0},
		{"light and heavy box afloat", []floatingBody{
			{physics.Box(physics.Centred(.4, .3, .4)), 800, r3.Vec{X: .45, Y: .6, Z: .79}, r3.Vec{}}, {physics.Box(physics.Centred(.3, .3, .3)), 60, r3.Vec{X: 1.2, Y: .75, Z: .79}, r3.Vec{}}}, 0, 1, 0},
		{"box at rest", []floatingBody{{physics.Box(physics.Centred(.4, .3, .4)), 500, r3.Vec{X: .83, Y: .62, Z: .79}, r3.Vec{}}}, 6, 2, 0},
		{"box and ball fall into viscous liquid", []floatingBody{
			{physics.Box(physics.Centred(.4, .3, .4)), 500, r3.Vec{X: .47, Y: 1.1, Z: .79}, r3.Vec{X: .5, Y: -3}}, {physics.Sphere(r3.Vec{}, .2), 60, r3.Vec{X: 1.2, Y: 1.05, Z: .79}, r3.Vec{Y: -3}}}, 0, 1, .1},
	} {
		lost, floor, err := c.balance(m)
		if err != nil {
			return rows, err
		}
		rows = append(rows, row("V16", "momentum of liquid, bodies and walls, "+c.name+": lost in a step, over the most that bodies got in one", lost, 0, 1e-9, "1"))
		if c.rest > 0 {
			rows = append(rows, row("V16", "momentum, "+c.name+": what the floor bears, over the weight of liquid and bodies", floor, 1, 2e-3, "1"))
		}
	}
	return rows, nil
}

// tank is closed, and bodies are in its liquid.
type tank struct {
	name      string
	bodies    []floatingBody
	rest      float64 // s before it is looked at
	last      float64 // s for which it is
	viscosity float64 // m²/s
}

type floatingBody struct {
	shape   physics.Geometry
	density float64
	at, v   r3.Vec
}

// resting is how deep, in cells, liquid rests on the floor without a pressure that tells of it: below the middles of the lowest cubes. A lattice has vertices on the
// floor; but an eighth of it is faces of the Voronoi cells of those in the middle of the lowest cells.
var resting = map[fluid.Discretisation]float64{fluid.Cubes: 1. / 2, fluid.Tetrahedra: 1. / 8 / 2}

// balance is the greatest part of what bodies get in a step that comes from nowhere, and what the floor bears in the mean of the weight of
// all but the liquid that rests.
func (c tank) balance(m Method) (lost, floor float64, err error) {
	const cell, dt = .1, 1. / 60
	d := size(1.6, 1.6, 1.6)
	l, err := m.filled(fluid.Def{Domain: d, CellSize: cell, Numerics: fluid.Numerics{Levels: 1}, Physics: fluid.Physics{Viscosity: c.viscosity}}, fluid.Below(.6))
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: l.Def().Physics.Gravity})
	bodies, weight := make([]physics.Body, len(c.bodies)), 0.
	for i, f := range c.bodies {
		if bodies[i], err = body(w, f.shape, f.density, f.at); err == nil {
			err = bodies[i].SetVelocity(f.v)
		}
		if err != nil {
			return 0, 0, err
		}
		weight += 9.81 * bodies[i].Mass()
	}
	l.Couple(w.Coupling())
	l.TrackMomentum(true)
	for range int(c.rest / dt) {
		l.Step(dt)
	}
	most, steps := 0., int(c.last/dt)
	for range steps {
		own := r3.Scale(-1, momentumOf(bodies))
		r := l.Step(dt)
		p := r.Momentum
		own = r3.Add(own, momentumOf(bodies))
		given := r3.Add(p.Gravity, r3.Scale(dt, r3.Vec{Y: -weight}))
		lost = max(lost, r3.Norm(r3.Sub(r3.Add(r3.Add(p.Liquid, own), p.Walls), given)))
		most = max(most, r3.Norm(p.Bodies))
		all := weight + 9.81*(r.Ledger.HeldL-1000*d.Max.X*d.Max.Z*cell*resting[m.Discretisation])
		floor -= p.Walls.Y / dt / all / float64(steps)
	}
	return lost / most, floor, nil
}

func momentumOf(bodies []physics.Body) (p r3.Vec) {
	for _, b := range bodies {
		p = r3.Add(p, r3.Scale(b.Mass(), b.Velocity()))
	}
	return p
}
