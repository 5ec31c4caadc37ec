package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// hingedRod is V8: a rod of 1 kg and 1 m, hinged at one end, closes a tube a cell wide whose liquid falls against it at its tip, its
// centre or its hinge. What the liquid loses is the impulse on the rod; the speed there per impulse is r²/(1/3 kg·m²).
func hingedRod(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []struct {
		where    string
		at, want float64
	}{{"tip: speed there", 1, 3}, {"centre: speed there", .5, .75}, {"hinge: speed of its tip", 0, 0}} {
		v, err := hitRod(m, c.at)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V8", fmt.Sprintf("hinged rod hit by liquid at its %s, per N·s", c.where), v, c.want, 1e-6, "m/s"))
	}
	return rows, nil
}

// hitRod is the speed that a rod gets so far from its hinge, m, per impulse of the liquid there; at the hinge itself that of its tip.
func hitRod(m Method, arm float64) (float64, error) {
	const g, end, face, middle = 9.81, 4 * cell, 16 * cell, cell / 2
	hinge := r3.Vec{X: face + cell, Y: middle - arm, Z: middle}
	centre := r3.Add(hinge, r3.Vec{Y: .5})
	half := r3.Vec{X: cell, Y: 1, Z: 1}
	rod := &guided{mass: 1, spin: 1. / 12, axis: r3.Vec{Z: 1}, turns: true, hinge: hinge, box: r3.Box{Min: r3.Sub(centre, half), Max: r3.Add(centre, half)}}
	gravity := r3.Vec{X: g}
	v, _ := rod.twist(1)
	rod.push = -rod.mass * r3.Dot(gravity, v) // it feels the liquid alone
	above, behind := slab(0, -1, 2), slab(0, -1, 2)
	above.Min.Y, behind.Min.Z = cell, cell
	narrow := fluid.Union(fluid.Box(above), fluid.Box(behind))
	l, err := tube(m, size(24*cell, 2*cell, 2*cell), fluid.Box(slab(0, end, face+cell)), narrow, &guide{gravity, []*guided{rod}})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	if r := l.Step(stroke); r.Err != nil {
		return 0, fmt.Errorf("V8: %s", r.Err)
	}
	speed := math.Abs(rod.v) * arm
	impulse := 1000 * cell * cell * (face - end) * (g*stroke - speed)
	if arm == 0 {
		speed = math.Abs(rod.v)
	}
	return speed / impulse, nil
}
