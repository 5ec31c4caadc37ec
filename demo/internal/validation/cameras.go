package validation

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// look is a camera at a pose, as P4 has it: 80° by 60°.
func look(p view.Pose) fluid.View {
	return p.See(60, view.AspectOf(80, 60), .05, 20, 480)
}

// refinement is V25: P4's dam break in its tank at its resolution, with its camera flying forward, averaged over as many steps. A uniform grid
// would have an unknown per cell of the dam. Narrower views are compared with the whole one, as in P4's second scene.
func refinement() ([]Row, error) {
	volume := dam.Water.Size()
	uniform := math.Round(volume.X * volume.Y * volume.Z / (damCell * damCell * damCell))
	least := func(name string, n, times float64) Row {
		r := row("V25", fmt.Sprintf("dam break, 560 steps: unknowns of a uniform grid over those of %s; at least", name), uniform/n, times, 0, "1")
		r.Pass = r.Measured >= times
		return r
	}
	var mean [4]float64
	for i, part := range []float64{0, 1, 4. / 5, 2. / 3} {
		var err error
		if mean[i], err = damUnknowns(part); err != nil {
			return nil, err
		}
	}
	return []Row{
		least("an adaptive one", mean[0], 5), least("a view-adaptive one", mean[1], 10),
		row("V25", "unknowns with four fifths of the angles of view over those with all", mean[2]/mean[1], .879, .12, "1"),
		row("V25", "unknowns with two thirds of them", mean[3]/mean[1], .753, .15, "1"),
	}, nil
}

// damCell is P4's: 160 × 200 × 320 cells.
const damCell = .01

// damUnknowns is the mean of the unknowns over P4's steps, seen by its camera through a part of its angles of view; 0: by none.
func damUnknowns(part float64) (float64, error) {
	const steps, dt = 560, 1. / 120
	l, err := dam.New(fluid.Def{CellSize: damCell, Resources: fluid.Resources{MaxMemory: 20 << 30}, Numerics: fluid.Numerics{Band: 1, InvisibleLevel: 2, ViewGain: 1. / 8}})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	sum := 0
	for n := range steps {
		if part > 0 {
			if err := l.SetView(dam.First.ViewAt(float64(n)*dt, steps*dt, part)); err != nil {
				return 0, err
			}
		}
		r := l.Step(dt)
		sum += r.UnknownCount()
	}
	return float64(sum) / steps, nil
}

// floats are the bodies of V29, by their shape, where their centres start above where they float, m, and the grid's band around them.
type floats struct {
	shape r3.Vec
	lift  float64
	band  int // Def.Numerics.BodyBand
}

// paths is V29: five cameras watch one scene, and its bodies do not care. Rafts that bob tell how much
// the grid that the camera chooses changes their motion, from several heights, for chance has its part in it; cubes, which
// don't float upright at any of these densities, tumble and tell how far that goes where motion is chaotic. The grid is the same
// for all cameras within BodyBand cells of the bodies, but not towards the tank's ends. The scene wants 21 thousand unknowns.
func paths() ([]Row, error) {
	raft, cube := r3.Vec{X: .5, Y: .2, Z: .5}, r3.Vec{X: .4, Y: .4, Z: .4}
	var failed error
	at := func(shape r3.Vec, lift float64, band int, work ...float64) float64 {
		cells, err := apart(floats{shape, lift, band}, work)
		failed = errors.Join(failed, err)
		return 100 * cells
	}
	var each []float64
	for _, lift := range []float64{.015, .018, .021, .024, .027} {
		each = append(each, at(raft, lift, 10, 0))
	}
	slices.Sort(each)
	say := func(text string, cells float64) Row {
		return row("V29", "five camera paths, 5 s, "+text+" are apart at most", cells, 0, 1, "% of a cell")
	}
	return []Row{
		say("BodyBand 10: three rafts bob, of five heights the middle one: they", each[len(each)/2]),
		say("BodyBand 10: three rafts bob, of five heights the worst: they", each[len(each)-1]),
		say("BodyBand 10, within budgets of 10, 16 and 21 thousand unknowns each: rafts that bob from 15 mm", at(raft, .015, 10, 10, 16, 21)),
		say("default BodyBand: rafts that bob from 15 mm", at(raft, .015, 0, 0)),
		say("default BodyBand, within budgets of 10, 16 and 21 thousand each: they", at(raft, .015, 0, 10, 16, 21)),
		say("BodyBand 10: three cubes drop and tumble: they", at(cube, .3, 10, 0)),
	}, failed
}

// pathCell is the edge of V29's finest cells, m.
const pathCell = .08

// apart is how far a body is, in cells, from where it is under the first camera and the same budget, at most. Budgets are
// in thousand unknowns; 0: none.
func apart(scene floats, work []float64) (worst float64, err error) {
	for _, work := range work {
		var first []r3.Vec
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
	l, err := filled(fluid.Def{Domain: pathTank, CellSize: pathCell, Numerics: fluid.Numerics{BodyBand: scene.band}, Budget: fluid.Budget{Work: work}}, fluid.Below(level))
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
		b, err := body(w, physics.Box(physics.Centred(scene.shape.X, scene.shape.Y, scene.shape.Z)), 1000*ratio, at)
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, b)
	}
	l.Couple(w.Coupling())
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
		at = append(at, b.CentreOfMass())
	}
	return at, nil
}
