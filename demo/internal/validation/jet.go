package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// jetOnPlate is a weightless jet, along x, on a plate across it that it leaves over the edges.
type jetOnPlate struct {
	cells float64 // across
	round bool
	speed float64 // m/s
}

const jetRate = 20. // litres/s

// width is the mouth's, m.
func (j jetOnPlate) width() float64 {
	area := jetRate * 1e-3 / j.speed
	if j.round {
		return 2 * math.Sqrt(area/math.Pi)
	}
	return math.Sqrt(area)
}

func (j jetOnPlate) mouth(from, to float64) fluid.SDF {
	r := j.width() / 2
	if j.round {
		return fluid.Cylinder(r3.Vec{X: from}, r3.Vec{X: to}, r)
	}
	return fluid.Box(r3.Box{Min: r3.Vec{X: from, Y: -r, Z: -r}, Max: r3.Vec{X: to, Y: r, Z: r}})
}

// run returns the means over .25 s each, once the jet has settled, of the force on the plate, N, and of the flow before it, litres/s.
func (j jetOnPlate) run(m Method) (force, flow []float64, err error) {
	const dt, settling, seconds, mean = 1. / 60, .5, 1.25, 15
	w := j.width()
	h := w / j.cells
	long, side := 3.2*w+j.speed/30, 3.5*w
	l, err := m.made(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: -long, Y: -side, Z: -side}, Max: r3.Vec{Y: side, Z: side}}, CellSize: h, Physics: fluid.Physics{Weightless: true},
		Sides: fluid.Sides{MinX: fluid.Open, MaxX: fluid.Open, MinY: fluid.Open, MaxY: fluid.Open, MinZ: fluid.Open, MaxZ: fluid.Open}})
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	depth := max(1.5*j.speed*dt, 3*h)
	tap := -long + 1.5*h
	if _, err := l.AddEmitter(fluid.EmitterDef{Shape: j.mouth(tap, tap+depth), Velocity: r3.Vec{X: j.speed}, Rate: jetRate}); err != nil {
		return nil, nil, err
	}
	bodies := physics.NewWorld(physics.WorldDef{})
	plate, err := bodies.AddBody(physics.BodyDef{Kind: physics.Kinematic, Position: r3.Vec{X: -4.5 * h}})
	if err == nil {
		_, err = plate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(3*h, 4.4*w, 4.4*w))})
	}
	if err != nil {
		return nil, nil, err
	}
	l.Couple(bodies.Coupling())
	at := tap + depth + .4*(-6*h-tap-depth)
	slab := fluid.Box(r3.Box{Min: r3.Vec{X: at - h, Y: -.8 * w, Z: -.8 * w}, Max: r3.Vec{X: at + h, Y: .8 * w, Z: .8 * w}}) // not what is on the plate
	f, q := 0., 0.
	for n := 1; float64(n)*dt < seconds+dt/2; n++ {
		l.Step(dt)
		var on [1]fluid.Sample
		l.Sample(on[:], []r3.Vec{{X: at}})
		litres, err := l.VolumeIn(slab)
		if err != nil {
			return nil, nil, err
		}
		f, q = f+l.BodyLoad(plate.Index()).Force.X/mean, q+litres/(2*h)*on[0].Velocity.X/mean
		if n%mean == 0 {
			if float64(n)*dt > settling+dt/2 {
				force, flow = append(force, f), append(flow, q)
			}
			f, q = 0, 0
		}
	}
	return force, flow, nil
}

// furthest is the value that is furthest from a reference.
func furthest(values []float64, from float64) (v float64) {
	v = from
	for _, x := range values {
		if math.Abs(x-from) > math.Abs(v-from) {
			v = x
		}
	}
	return v
}

// jets is V35: what a jet presses on a plate, and what comes to it.
func jets(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []struct {
		jetOnPlate
		tolerance float64
	}{{jetOnPlate{4, false, 3}, .15}, {jetOnPlate{6, false, 3}, .08}, {jetOnPlate{8, false, 3}, .08}, {jetOnPlate{4, true, 3}, .15}, {jetOnPlate{6, true, 3}, .08}, {jetOnPlate{8, true, 3}, .08}} {
		force, flow, err := c.run(m)
		if err != nil {
			return nil, err
		}
		name, want := "square", jetRate*c.speed
		if c.round {
			name = "round"
		}
		name = fmt.Sprintf("%s jet on a plate, %g cells across, means of .25 s: ", name, c.cells)
		rows = append(rows, row("V35", name+"force", furthest(force, want), want, c.tolerance*want, "N"),
			row("V35", name+"flow before the plate", furthest(flow, jetRate), jetRate, .05*jetRate, "l/s"))
	}
	return rows, nil
}
