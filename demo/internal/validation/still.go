package validation

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// stillPool is V2: a pool with a surface that is level under tilted gravity, wherever that passes through the tetrahedra. It is open to the air, which pools on cubes
// stand only where the surface lies along the grid.
func stillPool(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []struct{ gravity, through r3.Vec }{
		{r3.Vec{Y: -9.81}, r3.Vec{Y: .8}}, {r3.Vec{Y: -9.81}, r3.Vec{Y: .8137}}, {r3.Vec{X: 3, Y: -8, Z: 5}, r3.Vec{X: 1.2, Y: .8, Z: .8}}, {r3.Vec{X: -6, Y: -7, Z: -2}, r3.Vec{X: 1.23, Y: .71, Z: .8}},
	} {
		const dt, steps = 1. / 60, 6
		l, err := m.filled(fluid.Def{
			Domain: size(2.4, 1.6, 1.6), CellSize: .1, Physics: fluid.Physics{Gravity: c.gravity}, Numerics: fluid.Numerics{Tolerance: 1e-10, MaxIterations: 200, Undamped: true},
		}, fluid.HalfSpace(c.through, r3.Unit(r3.Scale(-1, c.gravity))))
		if err != nil {
			return nil, err
		}
		top := 0.
		for range steps {
			top = max(top, l.Step(dt).MaxSpeed)
		}
		l.Close()
		rows = append(rows, row("V2", fmt.Sprintf("still pool, gravity %v, surface through %v: max u/(|g|dt)", c.gravity, c.through), top/(r3.Norm(c.gravity)*dt), 0, 1e-6, "1"))
	}
	return rows, nil
}

// solves is V17: how many iterations the pressure solve of a large column of liquid takes that is let go beside a round pillar.
func solves(m Method) ([]Row, error) {
	cell := .02
	if m.Discretisation == fluid.Tetrahedra { // of which twice as many unknowns are in a cell
		cell = .025
	}
	l, err := m.filled(fluid.Def{Domain: size(1.6, 1.2, 1.2), CellSize: cell, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, MaxIterations: 200}}, fluid.Box(size(1.26, 1.1, 1.2)))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	if _, err := l.AddObstacle(fluid.Cylinder(r3.Vec{X: .71, Z: .63}, r3.Vec{X: .71, Y: 1.2, Z: .63}, .11)); err != nil {
		return nil, err
	}
	r := l.Step(1. / 120)
	if r.Err != nil {
		return nil, r.Err
	}
	name := fmt.Sprintf("pressure solve of %d unknowns to a residual of 1e-6: iterations", r.UnknownCount())
	return []Row{row("V17", name, float64(r.Iterations), 0, 20, "1")}, nil
}
