package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// turnover is V15: the vortex of Taylor and Green in a full box, without viscosity, for as long as a particle at half the radius takes to come
// around. Its energy would not change. What the transport takes of it is held to what it took when these rows were written, and the
// transport of first order takes more.
func turnover() ([]Row, error) {
	second, err := energyKept(false)
	if err != nil {
		return nil, err
	}
	first, err := energyKept(true)
	if err != nil {
		return nil, err
	}
	kept := row("V15", fmt.Sprintf("Taylor-Green, %d cells, one turnover: kinetic energy kept, of 1; at least what it was", vortexCells), second, keptSecond, .01, "1")
	kept.Pass = second >= keptSecond-kept.Tolerance
	worse := row("V15", "the same with Numerics.FirstOrder, which keeps less", first, keptFirst, .02, "1")
	worse.Pass = worse.Pass && first < second
	return []Row{kept, worse}, nil
}

// vortexCells is how many cells are along the box of V15; keptSecond and keptFirst are what either transport kept there when this was written.
const (
	vortexCells = 32
	keptSecond  = .854
	keptFirst   = .636
)

// energyKept is the part of its kinetic energy that the vortex has after a turnover.
func energyKept(firstOrder bool) (float64, error) {
	const h, speed, steps = 1. / vortexCells, 1., 128
	d := size(1, 1, 8*h)
	l, err := filled(fluid.Def{Domain: d, CellSize: h, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-8, MaxIterations: 200, FirstOrder: firstOrder}, Physics: fluid.Physics{Weightless: true}}, fluid.Box(d))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	// The walls are streamlines of ψ = U/π sin πx sin πy.
	err = l.SetVelocity(fluid.Box(d), func(x r3.Vec) r3.Vec {
		return r3.Vec{X: speed * math.Sin(math.Pi*x.X) * math.Cos(math.Pi*x.Y), Y: -speed * math.Cos(math.Pi*x.X) * math.Sin(math.Pi*x.Y)}
	})
	if err != nil {
		return 0, err
	}
	energy := func() (sum float64) {
		var pts []r3.Vec
		for i := range vortexCells * vortexCells {
			pts = append(pts, r3.Vec{X: (float64(i%vortexCells) + .5) * h, Y: (float64(i/vortexCells) + .5) * h, Z: 4.5 * h})
		}
		samples := make([]fluid.Sample, len(pts))
		l.Sample(samples, pts)
		for _, s := range samples {
			sum += r3.Norm2(s.Velocity)
		}
		return sum
	}
	// Around the middle the vortex turns at πU rad/s: a turnover is 2/U.
	start := energy()
	for range steps {
		if r := l.Step(2 / speed / steps); r.Err != nil {
			return 0, fmt.Errorf("V15: %s", r.Err)
		}
	}
	return energy() / start, nil
}
