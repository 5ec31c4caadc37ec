package validation

import (
	"bytes"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// run is a dam that breaks over two boxes, under a tap, beside a paddle that turns.
type run struct {
	l *fluid.Liquid
	w *physics.World
}

// runSteps is long enough for the dam to have come back from the far wall.
const runSteps = 90

func newRun(workers int, budget fluid.Budget) (*run, error) {
	tank := size(1.6, .8, .8)
	l, err := filled(fluid.Def{Domain: tank, CellSize: .05, Physics: fluid.Physics{Viscosity: 1e-4}, Budget: budget, Resources: fluid.Resources{Workers: workers}}, fluid.Box(size(.6, .6, .8)))
	if err != nil {
		return nil, err
	}
	r := &run{l, physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})}
	if err := r.furnish(tank); err != nil {
		l.Close()
		return nil, err
	}
	return r, nil
}

func (r *run) furnish(tank r3.Box) error {
	if err := walls(r.w, tank); err != nil {
		return err
	}
	for i, density := range []float64{300, 700} {
		if _, err := body(r.w, physics.Box(physics.Centred(.2, .15, .2)), density, r3.Vec{X: .8 + .3*float64(i), Y: .3, Z: .4}); err != nil {
			return err
		}
	}
	r.l.Couple(r.w.Coupling())
	_, err := r.l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: 1.3, Y: .6, Z: .55}, .08), Velocity: r3.Vec{Y: -1}, Rate: 15})
	if err != nil {
		return err
	}
	paddle, err := r.l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: -.15, Y: -.1, Z: -.03}, Max: r3.Vec{X: .15, Y: .1, Z: .03}}))
	if err != nil {
		return err
	}
	return r.l.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: 1.3, Y: .15, Z: .2}, AngularVelocity: r3.Vec{Y: 3}})
}

// step returns a hash of liquid and bodies, and the plan.
func (r *run) step() (uint64, fluid.Plan) {
	plan := r.l.Step(1. / 60).Plan
	return 31*r.l.Hash() + r.w.Hash(), plan
}

// differing is in how many steps a new run gives other bits than were recorded. before is called before each.
func differing(workers int, budget fluid.Budget, want []uint64, before func(n int, r *run) error) (int, error) {
	r, err := newRun(workers, budget)
	if err != nil {
		return 0, err
	}
	defer func() { r.l.Close() }()
	count := 0
	for n, hash := range want {
		if err := before(n, r); err != nil {
			return 0, err
		}
		if got, _ := r.step(); got != hash {
			count++
		}
	}
	return count, nil
}

// record is the hashes and the plans of a run.
func record(budget fluid.Budget) (hashes []uint64, plans []fluid.Plan, err error) {
	r, err := newRun(1, budget)
	if err != nil {
		return nil, nil, err
	}
	defer r.l.Close()
	for range runSteps {
		hash, plan := r.step()
		hashes, plans = append(hashes, hash), append(plans, plan)
	}
	return hashes, plans, nil
}

// determinism is V30: the same state hash in every step, whatever ought not to matter.
func determinism() ([]Row, error) {
	work := fluid.Budget{Work: 3}
	hashes, _, err := record(work)
	if err != nil {
		return nil, err
	}
	var rows []Row
	add := func(name string, workers int, budget fluid.Budget, want []uint64, before func(n int, r *run) error) error {
		count, err := differing(workers, budget, want, before)
		rows = append(rows, row("V30", name+": steps with other bits", float64(count), 0, 0, "1"))
		return err
	}
	nothing := func(int, *run) error { return nil }
	for _, c := range []struct {
		name    string
		workers int
		before  func(n int, r *run) error
	}{
		{"another run, 1 worker", 1, nothing}, {"2 workers", 2, nothing}, {"4 workers", 4, nothing},
		{"saved and restored in the middle", 2, inTheMiddle((*run).viaFile)}, {"copied in the middle", 2, inTheMiddle((*run).viaCopy)},
	} {
		if err := add(c.name, c.workers, work, hashes, c.before); err != nil {
			return nil, err
		}
	}
	hashes, plans, err := record(fluid.Budget{Step: time.Millisecond})
	if err != nil {
		return nil, err
	}
	err = add("a budget of 1 ms replayed without one", 2, fluid.Budget{}, hashes, func(n int, r *run) error { return r.l.Replay(plans[n]) })
	return rows, err
}

// inTheMiddle has a run go on in another liquid and world.
func inTheMiddle(via func(r, to *run) error) func(n int, r *run) error {
	return func(n int, r *run) error {
		if n != runSteps/2 {
			return nil
		}
		to, err := newRun(1, r.l.Def().Budget)
		if err != nil {
			return err
		}
		to.step() // somewhere else
		if err := via(r, to); err != nil {
			to.l.Close()
			return err
		}
		r.l.Close()
		*r = *to
		return nil
	}
}

func (r *run) viaFile(to *run) error {
	var file bytes.Buffer
	r.w.CopyTo(to.w)
	if err := r.l.Save(&file); err != nil {
		return err
	}
	return to.l.Restore(&file)
}

func (r *run) viaCopy(to *run) error {
	r.w.CopyTo(to.w)
	return r.l.CopyTo(to.l)
}
