package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// addedMass is a cube's in unbounded liquid, over the liquid it displaces (DNV-RP-C205, table D-2). Half
// of the cube and of that is below a surface that gives way.
const addedMass = .68

// heave is V9: a cube that floats half immersed, pushed below its draft, swings up and down.
func heave(m Method) ([]Row, error) {
	var rows []Row
	for _, off := range []float64{0, .37} {
		period, want, err := heavePeriod(m, off)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V9", fmt.Sprintf("heave of a box, %g cells off the grid: T", off), period, want, .05*want, "s"))
	}
	return rows, nil
}

func heavePeriod(m Method, off float64) (period, want float64, err error) {
	const width, ratio, cell, down, dt = .4, .5, .05, .03, 1. / 240
	f := floater{width: width, height: width, depth: width, ratio: ratio, cell: cell, tank: size(2.4, 1.2, 2.4), level: .7 + off*cell, Method: m}
	rise := width * width * width * ratio / (2.4 * 2.4)
	rest := f.level + rise + width*(.5-ratio)
	f.at = r3.Vec{X: 1.2 + off*cell, Y: rest - down, Z: 1.2}
	a, err := f.start()
	if err != nil {
		return 0, 0, err
	}
	defer a.liquid.Close()
	var crossings []float64
	last := -down
	want = 2 * math.Pi * math.Sqrt(width/2*(1+addedMass)/9.81)
	for n := 1; n < 400 && len(crossings) < 3; n++ {
		a.liquid.Step(dt)
		y := a.box.CentreOfMass().Y - rest
		if last*y < 0 {
			crossings = append(crossings, dt*(float64(n-1)+last/(last-y)))
		}
		last = y
	}
	if len(crossings) < 3 {
		return 0, 0, fmt.Errorf("V9: the box crossed its draft %d times", len(crossings))
	}
	return crossings[2] - crossings[0], want, nil
}

// cup is V27: a cup of liquid whose walls are thinner than a cell, shaken for 10 s.
func cup(m Method) ([]Row, error) {
	const wall, amplitude, rate, dt = .01, .05, math.Pi, 1. / 60
	d := size(1.2, 1, 1.2)
	l, err := m.filled(fluid.Def{Domain: d, CellSize: .04}, fluid.Box(r3.Box{Min: r3.Vec{X: .3, Y: .25, Z: .3}, Max: r3.Vec{X: .9, Y: .5, Z: .9}}))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	middle := r3.Vec{X: .6, Y: .5, Z: .6}
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Kinematic, Position: middle})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.OpenBox(physics.Centred(.6+2*wall, .5+wall, .6+2*wall), wall)})
	}
	if err != nil {
		return nil, err
	}
	l.Couple(w.Coupling())
	filledL := l.Ledger().FilledL
	worst := 0.
	for n := 1; n <= 600; n++ {
		at := middle
		at.X += amplitude * math.Sin(rate*float64(n)*dt)
		if err := b.SetTargetPose(at, quat.Number{Real: 1}, dt); err != nil {
			return nil, err
		}
		l.Step(dt)
		if n%10 == 0 {
			// Cells that the wall cuts hold some of the cup's liquid: of those beyond, a cell from the wall, all is counted.
			const from = .3 + wall + .04
			inside := r3.Box{Min: r3.Vec{X: at.X - from, Y: .25 - wall - .04, Z: .6 - from}, Max: r3.Vec{X: at.X + from, Y: 1, Z: .6 + from}}
			out, err := l.VolumeIn(fluid.Difference(fluid.Box(d), fluid.Box(inside)))
			if err != nil {
				return nil, err
			}
			worst = max(worst, out/filledL)
		}
	}
	return []Row{row("V27", "thin cup (wall a quarter of a cell) shaken 10 s: outside, a cell away and further, at most", 100*worst, 0, .1, "%")}, nil
}

// rest is V28: a pool with five boxes afloat comes to rest and stays there.
func rest(m Method) ([]Row, error) {
	// Five boxes of .4 × .3 × .4 m with a mean density ratio of .5 raise 4 m² of surface by 3 cm.
	const filling, level, dt = .6, .63, 1. / 60
	l, err := m.filled(fluid.Def{Domain: size(2, 1.2, 2), CellSize: .1}, fluid.Below(filling))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	if err := walls(w, size(2, 1.2, 2)); err != nil {
		return nil, err
	}
	var boxes []physics.Body
	for i := range 5 {
		ratio := .3 + .1*float64(i)
		at := r3.Vec{X: .4 + .6*float64(i%3), Y: level + .15 - .3*ratio, Z: .5 + .9*float64(i/3)}
		b, err := body(w, physics.Box(physics.Centred(.4, .3, .4)), 1000*ratio, at)
		if err != nil {
			return nil, err
		}
		boxes = append(boxes, b)
	}
	l.Couple(w.Coupling())
	top, drift := 0., 0.
	for n := range 1800 {
		r := l.Step(dt)
		if n < 1500 {
			continue
		}
		drift = max(drift, math.Abs(r.Ledger.DriftL)/r.Ledger.FilledL)
		for _, b := range boxes {
			top = max(top, r3.Norm(b.Velocity()))
		}
	}
	return []Row{
		row("V28", "five boxes afloat, from 25 s to 30 s: their greatest speed", 1000*top, 0, 1, "mm/s"),
		row("V28", "five boxes afloat, from 25 s to 30 s: greatest drift of the liquid", 100*drift, 0, .1, "%"),
	}, nil
}
