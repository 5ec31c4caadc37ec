package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// ledger is V26: 60 s of violent splashing, by gravity that swings and twelve bodies that fall in one by one and are thrown about with it.
func ledger(m Method) ([]Row, error) {
	tank := size(1.6, 1.2, .8)
	l, err := m.filled(fluid.Def{Domain: tank, CellSize: .05}, fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .6, Y: 1, Z: 2}}))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	if err := walls(w, tank); err != nil {
		return nil, err
	}
	lid, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: tank.Max})
	if err == nil {
		_, err = lid.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: -1})})
	}
	if err != nil {
		return nil, err
	}
	l.Couple(w.Coupling())
	const steps, bodies, swing = 3600, 12, 36
	worst, fastest := 0., 0.
	for n := range steps {
		if n%swing == 0 {
			g := r3.Vec{X: 4, Y: -9.81}
			if n/swing%2 == 1 {
				g.X = -4
			}
			if err := l.SetGravity(g); err != nil {
				return nil, err
			}
		}
		at := n / 150
		put := n%150 == 149 && at < bodies
		if put {
			edge, place := .1+.01*float64(at%6), r3.Vec{X: .3 + .25*float64(at%5), Y: .9, Z: .2 + .2*float64(at%3)}
			if _, err := body(w, physics.Box(physics.Centred(edge, edge, edge)), 200+150*float64(at), place); err != nil {
				return nil, err
			}
		}
		r := l.Step(1. / 60)
		if r.Err != nil {
			return nil, fmt.Errorf("V26: %s", r.Err)
		}
		fastest = max(fastest, r.MaxSpeed)
		if !put { // what it displaces where it appears is made good in the steps after
			worst = max(worst, math.Abs(r.Ledger.DriftL)/r.Ledger.FilledL)
		}
	}
	return []Row{row("V26", fmt.Sprintf("60 s of splashing with %d bodies (to %.1f m/s): the ledger's worst drift, but for the steps in which one appears", bodies, fastest), 100*worst, 0, .5, "%")}, nil
}
