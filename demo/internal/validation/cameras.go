package validation

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// look is a camera at a pose, as P4 has it: 80° by 60°.
func look(p view.Pose) fluid.View {
	return fluid.View{View: p.LookAt(), Height: 480, Projection: view.Perspective(60, view.AspectOf(80, 60), .05, 20)}
}

// refinement is V25: P4's tank with a dam break in it, on a uniform grid, an adaptive one, and one
// that follows a camera which looks along the tank.
func refinement() ([]Row, error) {
	unknowns := [3]int{}
	for mode := range unknowns {
		n, err := damUnknowns(mode)
		if err != nil {
			return nil, err
		}
		unknowns[mode] = n
	}
	uniform := float64(unknowns[0])
	least := func(name string, n int, times float64) Row {
		r := row("V25", fmt.Sprintf("dam break: unknowns of a uniform grid over those of %s; at least", name), uniform/float64(n), times, 0, "1")
		r.Pass = r.Measured >= times
		return r
	}
	return []Row{least("an adaptive one", unknowns[1], 5), least("a view-adaptive one", unknowns[2], 10)}, nil
}

// damUnknowns is the mean of the unknowns in the second half of half a second.
func damUnknowns(mode int) (int, error) {
	const cell, steps = .02, 30
	d := fluid.Def{Domain: size(1.6, 2, 3.2), CellSize: cell, MaxMemory: 16 << 30, Band: 1, Unseen: 2}
	if mode == 0 {
		d.Levels = 1
	}
	l, err := filled(d, fluid.Box(size(1.6, 1, 1.28)))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	sum := 0
	for n := range steps {
		if mode == 2 {
			if err := l.SetView(look(view.Pose{Eye: r3.Vec{X: .8, Y: 1.3, Z: 3.1}, Target: r3.Vec{X: .8, Y: .5, Z: 1.6}})); err != nil {
				return 0, err
			}
		}
		if r := l.Step(1. / 60); n >= steps/2 {
			sum += r.UnknownCount()
		}
	}
	return sum / (steps - steps/2), nil
}

// paths is V29: five cameras watch one scene, and its bodies do not care.
func paths() ([]Row, error) {
	const cell = .08
	var first []r3.Vec
	worst := 0.
	for camera := range 5 {
		at, err := watched(camera, cell)
		if err != nil {
			return nil, err
		}
		if camera == 0 {
			first = at
		}
		for i := range at {
			worst = max(worst, r3.Norm(r3.Sub(at[i], first[i]))/cell)
		}
	}
	return []Row{row("V29", "five camera paths, 5 s: how far bodies are apart at most", 100*worst, 0, 1, "% of a cell")}, nil
}

// watched is where three bodies are after 5 s under a camera's eyes.
func watched(camera int, cell float64) ([]r3.Vec, error) {
	l, err := filled(fluid.Def{Domain: size(3.2, 1.6, 2.4), CellSize: cell}, fluid.Below(.7))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	if err := walls(w, size(3.2, 1.6, 2.4)); err != nil {
		return nil, err
	}
	var bodies []physics.Body
	for i, ratio := range []float64{.3, .5, .7} {
		b, err := body(w, physics.Box(.4, .4, .4), 1000*ratio, r3.Vec{X: .7 + .9*float64(i), Y: 1, Z: 1.2})
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, b)
	}
	l.Couple(w)
	centre := r3.Vec{X: 1.6, Y: .7, Z: 1.2}
	around := view.Orbit{Centre: centre, Radius: 4, Height: 2, Period: 5}
	for n := range 300 {
		t := float64(n) / 60
		pose := view.Pose{}
		switch camera {
		case 0:
			pose = view.Pose{Eye: r3.Vec{X: 1.6, Y: 2, Z: 6}, Target: centre}
		case 1:
			pose = around.At(t)
		case 2: // away
			pose = view.Pose{Eye: r3.Vec{X: 1.6, Y: 2, Z: 6}, Target: r3.Vec{X: 1.6, Y: 2, Z: 12}}
		case 3: // towards
			pose = view.Pose{Eye: r3.Vec{X: 1.6 + 8 - 1.4*t, Y: 1.5, Z: 1.2}, Target: centre}
		case 4: // a cut each half second
			pose = around.At(2.5 * float64(n/30))
		}
		if err := l.SetView(look(pose)); err != nil {
			return nil, err
		}
		l.Step(1. / 60)
	}
	var at []r3.Vec
	for _, b := range bodies {
		at = append(at, b.Centre())
	}
	return at, nil
}
