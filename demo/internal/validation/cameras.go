package validation

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// look is a camera at a pose, as P4 has it: 80° by 60°.
func look(p view.Pose) fluid.View {
	return p.See(60, view.AspectOf(80, 60), .05, 20, 480)
}

// damViews are where P4's camera may stand in the tank: before the flood, in it, and behind it.
var damViews = []view.Pose{
	{Eye: r3.Vec{X: .8, Y: 1.3, Z: 3.1}, Target: r3.Vec{X: .8, Y: .5, Z: 1.6}},
	{Eye: r3.Vec{X: 1.2, Y: 1, Z: 2.7}, Target: r3.Vec{X: .6, Y: .3, Z: 1.5}},
	{Eye: r3.Vec{X: 1.3, Y: .9, Z: 2}, Target: r3.Vec{X: .5, Y: .3, Z: 2.6}},
	{Eye: r3.Vec{X: .8, Y: 1.1, Z: 1.2}, Target: r3.Vec{X: .8, Y: .5, Z: 2.8}},
}

// refinement is V25: P4's tank at P4's resolution with a dam break in it. A uniform grid would have an
// unknown per cell of the dam.
func refinement() ([]Row, error) {
	uniform := math.Round(1.6 * 1 * 1.28 / (damCell * damCell * damCell))
	least := func(name string, n, times float64) Row {
		r := row("V25", fmt.Sprintf("dam break: unknowns of a uniform grid over those of %s; at least", name), uniform/n, times, 0, "1")
		r.Pass = r.Measured >= times
		return r
	}
	adaptive, err := damUnknowns(nil)
	if err != nil {
		return nil, err
	}
	viewed := 0.
	for i := range damViews {
		n, err := damUnknowns(&damViews[i])
		if err != nil {
			return nil, err
		}
		viewed += n / float64(len(damViews))
	}
	return []Row{least("an adaptive one", adaptive, 5), least("a view-adaptive one, mean of four cameras", viewed, 10)}, nil
}

// damCell is P4's: 160 × 200 × 320 cells.
const damCell = .01

// damUnknowns is the mean of the unknowns in a quarter of a second.
func damUnknowns(eye *view.Pose) (float64, error) {
	const steps = 15
	d := fluid.Def{Domain: size(1.6, 2, 3.2), CellSize: damCell, MaxMemory: 20 << 30, Band: 1, Unseen: 2}
	l, err := filled(d, fluid.Box(size(1.6, 1, 1.28)))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	sum := 0
	for range steps {
		if eye != nil {
			if err := l.SetView(look(*eye)); err != nil {
				return 0, err
			}
		}
		r := l.Step(1. / 60)
		sum += r.UnknownCount()
	}
	return float64(sum) / steps, nil
}

// floats are the bodies of V29, by their shape and where their centres start above where they float, m.
type floats struct {
	shape r3.Vec
	lift  float64
}

// paths is V29: five cameras watch one scene, and its bodies do not care. Rafts that bob tell how much
// the grid that the camera chooses changes their motion, from several heights, for chance has its part in it; cubes, which
// don't float upright at any of these densities, tumble and tell how far that goes where motion is chaotic. The grid is the same
// for all cameras within ten cells of the bodies, but not towards the tank's ends.
func paths() ([]Row, error) {
	raft, cube := r3.Vec{X: .5, Y: .2, Z: .5}, r3.Vec{X: .4, Y: .4, Z: .4}
	var failed error
	at := func(shape r3.Vec, lift float64, work ...float64) float64 {
		cells, err := apart(floats{shape, lift}, work)
		failed = errors.Join(failed, err)
		return 100 * cells
	}
	var each []float64
	for _, lift := range []float64{.015, .018, .021, .024, .027} {
		each = append(each, at(raft, lift, 0))
	}
	slices.Sort(each)
	say := func(text string, cells float64) Row {
		return row("V29", "five camera paths, 5 s, BodyBand 10, "+text+" are apart at most", cells, 0, 1, "% of a cell")
	}
	return []Row{
		say("three rafts bob, of five heights the middle one: they", each[len(each)/2]),
		say("three rafts bob, of five heights the worst: they", each[len(each)-1]),
		say("three rafts bob from 15 mm, within budgets of 24, 30 and 40 thousand unknowns: they", at(raft, .015, 24, 30, 40)),
		say("three cubes drop and tumble: they", at(cube, .3, 0)),
	}, failed
}

// pathCell is the edge of V29's finest cells, m.
const pathCell = .08

// apart is how far a body is, in cells, from where it is under the first camera and budget, at most. Budgets are
// in thousand unknowns; 0: none.
func apart(scene floats, work []float64) (worst float64, err error) {
	var first []r3.Vec
	for _, work := range work {
		for camera := range 5 {
			at, err := watched(camera, work, scene)
			if err != nil {
				return 0, err
			}
			if first == nil {
				first = at
			}
			for i := range at {
				worst = max(worst, r3.Norm(r3.Sub(at[i], first[i]))/pathCell)
			}
		}
	}
	return worst, nil
}

// pathTank is V29's, m.
var pathTank = size(6.4, 1.6, 2.4)

// watched is where three bodies are after 5 s under a camera's eyes, within a budget of so many thousand unknowns.
func watched(camera int, work float64, scene floats) ([]r3.Vec, error) {
	const level = .7
	l, err := filled(fluid.Def{Domain: pathTank, CellSize: pathCell, BodyBand: 10, Budget: fluid.Budget{Work: work}}, fluid.Below(level))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	if err := walls(w, pathTank); err != nil {
		return nil, err
	}
	var bodies []physics.Body
	for i, ratio := range []float64{.3, .5, .7} {
		at := r3.Vec{X: 2.3 + .9*float64(i), Y: level + (.5-ratio)*scene.shape.Y + scene.lift, Z: 1.2}
		b, err := body(w, physics.Box(scene.shape.X, scene.shape.Y, scene.shape.Z), 1000*ratio, at)
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, b)
	}
	l.Couple(w)
	centre := r3.Vec{X: 3.2, Y: .7, Z: 1.2}
	around := view.Orbit{Centre: centre, Radius: 4, Height: 2, Period: 5}
	for n := range 300 {
		t := float64(n) / 60
		pose := view.Pose{}
		switch camera {
		case 0:
			pose = view.Pose{Eye: r3.Vec{X: 3.2, Y: 2, Z: 6}, Target: centre}
		case 1:
			pose = around.At(t)
		case 2: // away
			pose = view.Pose{Eye: r3.Vec{X: 3.2, Y: 2, Z: 6}, Target: r3.Vec{X: 3.2, Y: 2, Z: 12}}
		case 3: // towards
			pose = view.Pose{Eye: r3.Vec{X: 3.2 + 8 - 1.4*t, Y: 1.5, Z: 1.2}, Target: centre}
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
