package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// fullCell is the cells' edge of V45, m, and fullHollow the hollow of its boxes.
const fullCell = .1

var fullHollow = r3.Vec{X: .6, Y: .5, Z: .8}

// full is V45: a closed body that is full of liquid, on a slider, weightless. Let be it stays at rest, pushed it is as heavy as both.
func full(m Method) ([]Row, error) {
	var rows []Row
	for _, wall := range []float64{.5, 1, 1.5} {
		for _, off := range []r3.Vec{{}, {X: .05, Y: .05, Z: .05}, {X: .013, Y: .027, Z: -.018}} {
			where := "on the grid"
			switch {
			case off.X == .05:
				where = "half a cell off"
			case off != r3.Vec{}:
				where = "off by .13, .27, .18 cells"
			}
			name := fmt.Sprintf("sealed full body, walls of %g cells, %s", wall, where)
			rest, err := fullBody(m, wall*fullCell, off, 0, 1./60)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row("V45", name+": greatest speed inside or of it in 2 s", 1e3*rest.fastest, 0, 1, "mm/s"))
			worst := 1.
			for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
				pushed, err := fullBody(m, wall*fullCell, off, 60, dt)
				if err != nil {
					return nil, err
				}
				if math.Abs(pushed.acceleration-1) > math.Abs(worst-1) {
					worst = pushed.acceleration
				}
			}
			rows = append(rows, row("V45", name+", pushed: a(M + m)/F, the worst of 1/30 to 1/240 s", worst, 1, .01, "1"))
		}
	}
	return rows, nil
}

// fullRun is what became of a full body: its greatest speed and its liquid's, m/s, and its acceleration over F/(M + m).
type fullRun struct{ fastest, acceleration float64 }

// fullBody watches a full body for 2 s or, pushed by a force, N, along x, for half a second.
func fullBody(m Method, wall float64, off r3.Vec, force, dt float64) (run fullRun, err error) {
	at := r3.Add(r3.Vec{X: 1, Y: .7, Z: .8}, off)
	l, err := m.made(fluid.Def{Domain: size(2, 1.4, 1.6), CellSize: fullCell, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-8, MaxIterations: 300}, Physics: fluid.Physics{Weightless: true}})
	if err != nil {
		return run, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{})
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: at, NoSleep: true})
	if err != nil {
		return run, err
	}
	out := r3.Add(fullHollow, r3.Vec{X: 2 * wall, Y: 2 * wall, Z: 2 * wall})
	for _, s := range []physics.ShapeDef{
		{Geometry: physics.OpenBox(physics.Centred(out.X, out.Y, out.Z), wall), Density: 1000},
		{Geometry: physics.Box(physics.Centred(out.X, wall, out.Z)), Density: 1000, Offset: r3.Vec{Y: (fullHollow.Y + wall) / 2}},
	} {
		if _, err := b.AddShape(s); err != nil {
			return run, err
		}
	}
	if _, err := w.AddJoint(physics.JointDef{Kind: physics.SliderJoint, B: b, Anchor: at, Axis: r3.Vec{X: 1}}); err != nil {
		return run, err
	}
	l.Couple(w.Coupling())
	half := r3.Scale(.5, r3.Add(fullHollow, r3.Vec{X: wall, Y: wall, Z: wall})) // to the middle of the walls
	if err := l.Fill(fluid.Box(r3.Box{Min: r3.Sub(at, half), Max: r3.Add(at, half)})); err != nil {
		return run, err
	}
	time := 2.
	if force != 0 {
		time = .5
	}
	for range int(math.Round(time / dt)) {
		if force != 0 {
			if err := b.ApplyForce(r3.Vec{X: force}, b.CentreOfMass()); err != nil {
				return run, err
			}
		}
		r := l.Step(dt)
		if r.Err != nil {
			return run, fmt.Errorf("V45: %s", r.Err)
		}
		run.fastest = max(run.fastest, r.MaxSpeed, r3.Norm(b.Velocity()))
	}
	mass := b.Mass() + 1000*fullHollow.X*fullHollow.Y*fullHollow.Z
	if force != 0 {
		run.acceleration = b.Velocity().X / time * mass / force
	}
	return run, nil
}
