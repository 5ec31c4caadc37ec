package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
)

const dropTension, dropRadius, dropDensity = 1e3, .4, 1e3 // N/m, m, kg/m³: fast enough for the drop not to fall asleep

// lamb is the period of the second mode, s.
var lamb = surfaces.Lamb(dropRadius, dropDensity, dropTension)

// newDrop makes a weightless drop, stretched along y, of so many cells a radius, off the middle of its domain by some of a cell, and the longest stable step.
func newDrop(m Method, cells, stretch float64, off r3.Vec) (l *fluid.Liquid, d surfaces.Drop, dt float64, err error) {
	h := dropRadius / cells
	e := math.Ceil((cells*(1+stretch)+3)/4) * 8 * h
	d = surfaces.Drop{Centre: r3.Add(r3.Vec{X: e / 2, Y: e / 2, Z: e / 2}, r3.Scale(h, off)), Along: r3.Vec{Y: 1}, Radius: dropRadius, Stretch: stretch}
	l, err = m.filled(fluid.Def{Domain: size(e, e, e), CellSize: h,
		Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, MaxIterations: 200}, Physics: fluid.Physics{Weightless: true, Density: dropDensity, SurfaceTension: dropTension}}, d)
	return l, d, .99 * math.Sqrt(dropDensity*h*h*h/(4*math.Pi*dropTension)), err
}

// second is how much longer a drop is along y than across, about a point, m⁵.
func second(s *fluid.Surface, about r3.Vec) float64 {
	m := surfaces.MomentsOf(s, about)
	return m.Square.Y - (m.Square.X+m.Square.Z)/2
}

// droplet is V14: a drop's second mode has Lamb's period, and a drop at rest stays at rest wherever it is on the grid.
func droplet(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []struct{ cells, tolerance float64 }{{8, .03}, {12, .02}} {
		period, kept, err := swing(m, c.cells)
		if err != nil {
			return nil, err
		}
		rows = append(rows,
			row("V14", fmt.Sprintf("droplet, %g cells a radius, stretched by .05 R: T", c.cells), period, lamb, c.tolerance*lamb, "s"),
			row("V14", "the same: amplitude kept in a period", kept, 1, .05, "1"))
	}
	for _, off := range []r3.Vec{{X: .1, Y: .3}, {X: .25, Y: .5}, {X: .2, Y: .4, Z: .1}} {
		speed, drift, err := dropAtRest(m, off)
		if err != nil {
			return nil, err
		}
		rows = append(rows,
			row("V14", fmt.Sprintf("drop at rest, 8 cells a radius, %v cells off: speed over √(σ/ρR)", off), speed, 0, .02, "1"),
			row("V14", "the same: drift in two periods", drift, 0, .05, "cells"))
	}
	return rows, nil
}

// swing is the period of a drop, s, and what is left of its amplitude after one.
func swing(m Method, cells float64) (period, kept float64, err error) {
	l, d, dt, err := newDrop(m, cells, .05, r3.Vec{X: .1, Y: .3})
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	var crossings, peaks []float64
	last, top := 0., 0.
	for n := 0; len(crossings) < 4 && float64(n)*dt < 2.5*lamb; n++ {
		if n > 0 {
			l.Step(dt)
		}
		y := second(l.Surface(), d.Centre)
		if top = max(top, math.Abs(y)); last*y < 0 {
			crossings, peaks, top = append(crossings, dt*(float64(n-1)+last/(last-y))), append(peaks, top), 0
		}
		last = y
	}
	if len(crossings) < 4 {
		return 0, 0, fmt.Errorf("V14: the drop crossed the sphere %d times", len(crossings))
	}
	return (crossings[2] - crossings[0] + crossings[3] - crossings[1]) / 2, peaks[2] / peaks[0], nil
}

// dropAtRest is the greatest speed over √(σ/ρR) of a ball of liquid in two periods, and by how many cells it drifts.
func dropAtRest(m Method, off r3.Vec) (speed, drift float64, err error) {
	l, d, dt, err := newDrop(m, 8, 0, off)
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	from := surfaces.MomentsOf(l.Surface(), d.Centre).Centre
	for n := 0; float64(n)*dt < 2*lamb; n++ {
		speed = max(speed, l.Step(dt).MaxSpeed)
	}
	to := surfaces.MomentsOf(l.Surface(), d.Centre).Centre
	return speed / math.Sqrt(dropTension/(dropDensity*dropRadius)), r3.Norm(r3.Sub(to, from)) / l.Def().CellSize, nil
}
