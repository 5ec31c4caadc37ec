package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// floater is a box in a still pool. Lengths in m.
type floater struct {
	width, height, depth float64
	ratio                float64 // of its density to the liquid's
	tank                 r3.Box
	level                float64 // of the pool before the box is in it
	at                   r3.Vec  // the box's centre at the start
	tilt                 float64 // rad about z, at the start
	cell                 float64
	Method
}

// afloat is a floater's liquid and box.
type afloat struct {
	liquid *fluid.Liquid
	box    physics.Body
	probes []r3.Vec
}

func (f floater) start() (*afloat, error) {
	l, err := f.filled(fluid.Def{Domain: f.tank, CellSize: f.cell, Numerics: fluid.Numerics{Tolerance: 1e-6, MaxIterations: 100}}, fluid.Below(f.level))
	if err != nil {
		return nil, err
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: f.at, NoSleep: true, LinearDamping: 1, AngularDamping: 1, Rotation: quat.Number(r3.NewRotation(f.tilt, r3.Vec{Z: 1}))})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(f.width, f.height, f.depth)), Density: 1000 * f.ratio})
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	l.Couple(w.Coupling())
	a := &afloat{liquid: l, box: b}
	lo, hi := f.tank.Min, f.tank.Max
	for _, u := range []float64{.06, .2, .5, .8, .94} {
		for _, v := range []float64{.06, .94} {
			x, z := lo.X+u*(hi.X-lo.X), lo.Z+v*(hi.Z-lo.Z)
			a.probes = append(a.probes, r3.Vec{X: x, Y: lo.Y + f.cell, Z: z}, r3.Vec{X: lo.X + v*(hi.X-lo.X), Y: lo.Y + f.cell, Z: lo.Z + u*(hi.Z-lo.Z)})
		}
	}
	return a, nil
}

// level is the mean height of the surface at the walls, m.
func (a *afloat) level() float64 {
	out := make([]fluid.Sample, len(a.probes))
	a.liquid.Sample(out, a.probes)
	sum := 0.
	for i, s := range out {
		sum += a.probes[i].Y + s.Height
	}
	return sum / float64(len(out))
}

// heel is the angle between the box's up and the world's, rad.
func (a *afloat) heel() float64 {
	return math.Acos(min(1, r3.Rotation(a.box.Rotation()).Rotate(r3.Vec{Y: 1}).Y))
}

// run steps for some seconds and returns the means, over the last part of them, of level, height
// of the box's centre and heel.
func (a *afloat) run(seconds, part float64) (level, height, heel float64) {
	const dt = 1. / 60
	n, last := int(seconds/dt), int(part/dt)
	for i := range n {
		a.liquid.Step(dt)
		if i >= n-last {
			level += a.level() / float64(last)
			height += a.box.CentreOfMass().Y / float64(last)
			heel += a.heel() / float64(last)
		}
	}
	return level, height, heel
}

// floating is V3: draft, rise of the pool, and which boxes stand upright.
func floating(m Method) ([]Row, error) {
	rows, err := drafts(m)
	if err != nil {
		return nil, err
	}
	more, err := uprights(m)
	return append(rows, more...), err
}

// drafts drops a flat box, .4 m high and 8 cells, a little above its draft, and waits.
func drafts(m Method) ([]Row, error) {
	const h, width = .4, .8
	var rows []Row
	for _, c := range []struct{ ratio, off float64 }{{.5, 0}, {.5, .37}, {.3, .37}, {.7, .37}, {.7, .71}} {
		f := floater{width: width, height: h, depth: width, ratio: c.ratio, cell: h / 8, tank: size(1.6, 1.2, 1.6), level: .6, Method: m}
		rise := width * width * h * c.ratio / (1.6 * 1.6)
		bottom := f.level + rise - c.ratio*h
		f.at = r3.Vec{X: .8 + c.off*f.cell, Y: bottom + h/2 + .02, Z: .8 + .6*c.off*f.cell}
		f.level += c.off * f.cell
		f.at.Y += c.off * f.cell
		a, err := f.start()
		if err != nil {
			return nil, err
		}
		level, height, _ := a.run(8, 4)
		a.liquid.Close()
		draft := level - (height - h/2)
		tag := fmt.Sprintf("ratio %g, %g cells off the grid", c.ratio, c.off)
		rows = append(rows,
			row("V3", "draft, "+tag, draft, c.ratio*h, .02*c.ratio*h, "m"),
			row("V3", "rise of the pool, "+tag, level-f.level, rise, .02*rise, "m"))
	}
	return rows, nil
}

// uprights tilts boxes of ratio .5 by 3° and waits. Below a width of 1.2247 H they tip to the heel
// at which tan² = 2 (BG/BM - 1).
func uprights(m Method) ([]Row, error) {
	const h, degree = .4, math.Pi / 180
	var rows []Row
	for _, c := range []struct{ wide, off float64 }{{1.1, 0}, {1.1, .37}, {1.35, 0}, {1.35, .37}} {
		f := floater{width: c.wide * h, height: h, depth: 2 * h, ratio: .5, cell: h / 8, tank: size(1.6, 1.2, 1.2), level: .6, tilt: 3 * degree, Method: m}
		f.at = r3.Vec{X: .8 + c.off*f.cell, Y: f.level + f.width*h*f.depth/2/(1.6*1.2), Z: .6 + .6*c.off*f.cell}
		a, err := f.start()
		if err != nil {
			return nil, err
		}
		_, _, heel := a.run(14, 6)
		a.liquid.Close()
		want := 0.
		if bm := c.wide * c.wide / 6; bm < .25 {
			want = math.Atan(math.Sqrt(2 * (.25/bm - 1)))
		}
		rows = append(rows, row("V3", fmt.Sprintf("heel of a box %g H wide after 14 s, %g cells off the grid", c.wide, c.off), heel/degree, want/degree, 3, "°"))
	}
	return rows, nil
}
