package validation

import (
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
func releasedSphere() ([]Row, error) {
	const width, images = 16, -9.68
	return released("V4", "sphere released", 1.5/(1+images/(2*width*width*width))-1, width, 0)
}

// sphereInShell is V5: the same, inside a hollow sphere of three times the radius.
func sphereInShell() ([]Row, error) {
	const b3 = 27.
	return released("V5", "sphere in a shell of 3 radii", .5*(b3+2)/(b3-1), 7, 3)
}

// released measures a sphere's first acceleration against that with an added mass of c times the
// liquid's that it displaces. The tank's width and the hollow's radius are in radii; 0: no hollow.
func released(id, name string, c, width, hollow float64) ([]Row, error) {
	var rows []Row
	for _, res := range resolutions {
		for _, ratio := range []float64{2, .5, 1e-6} {
			for _, off := range []r3.Vec{{}, offset} {
				a, err := sphereAcceleration(width, hollow, res.cells, ratio, off)
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
func sphereAcceleration(width, hollow, cells, ratio float64, off r3.Vec) (float64, error) {
	const radius, dt = .1, 1e-3
	h := radius / cells
	d := size(width*radius, width*radius, width*radius)
	centre := r3.Add(r3.Scale(.5, d.Max), r3.Scale(h, off))
	l, err := filled(fluid.Def{Domain: d, CellSize: h, Solver: fluid.SolverDef{Tolerance: 1e-8, MaxIterations: 300}}, fluid.Box(d))
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
	b, err := body(w, physics.Sphere(radius), 1000*ratio, centre)
	if err != nil {
		return 0, err
	}
	l.Couple(w)
	l.Step(dt)
	return b.Velocity().Y / dt / 9.81, nil
}

// momentum is V16: a sphere moving in a closed, full, weightless tank. What the walls took is
// not public, so the sphere's own balance is: its momentum changes by Load's impulse.
func momentum() ([]Row, error) {
	d := size(1, 1, 1)
	l, err := filled(fluid.Def{Domain: d, CellSize: .05, Weightless: true, Solver: fluid.SolverDef{Tolerance: 1e-12, MaxIterations: 400}}, fluid.Box(d))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{})
	b, err := body(w, physics.Sphere(.2), 2000, r3.Vec{X: .5, Y: .5, Z: .5})
	if err != nil {
		return nil, err
	}
	start := r3.Vec{X: .5, Y: .2}
	if err := b.SetVelocity(start); err != nil {
		return nil, err
	}
	l.Couple(w)
	const dt = 1. / 240
	sum := r3.Vec{}
	for range 24 {
		l.Step(dt)
		sum = r3.Add(sum, r3.Scale(dt, l.Load(0).Force))
	}
	p := b.Mass()
	gap := r3.Norm(r3.Sub(r3.Scale(p, r3.Sub(b.Velocity(), start)), sum)) / (p * r3.Norm(start))
	return []Row{row("V16", "momentum: body against Load's impulse, relative", gap, 0, 1e-10, "1")}, nil
}
