package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// viscous is V47 and V48: what viscous liquid does to a body that spins and to one that sinks.
func viscous() ([]Row, error) {
	var rows []Row
	for _, c := range []spunBall{
		{cells: 4, rate: 60}, {cells: 4, off: .37, rate: 60}, {cells: 4, off: .37, rate: 240}, {cells: 6, off: .2, rate: 30},
	} {
		got, want, err := c.spin()
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V47", fmt.Sprintf("ball spun in a round tank of viscous liquid, %g cells a radius, %g off the grid, %g steps/s: after .5 s", c.cells, c.off, c.rate), got, want, .05*spinRate, "rad/s"))
	}
	for _, c := range []sinkingBall{
		{cells: 4, rate: 60}, {cells: 4, off: .37, rate: 60}, {cells: 4, off: .37, rate: 240}, {cells: 6, off: .2, rate: 30},
	} {
		got, want, err := c.sink()
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V48", fmt.Sprintf("ball sinks on the axis of a square shaft of viscous liquid, %g cells a radius, %g off the grid, %g steps/s: speed", c.cells, c.off, c.rate), got, want, .1*want, "m/s"))
	}
	return rows, nil
}

// spunBall is a ball of cells a radius in the middle of a round tank that is full, so many cells off the grid, in steps of 1/rate s.
type spunBall struct{ cells, off, rate, speed float64 }

// What a spun ball is.
const (
	spunRadius    = .3  // m
	spunTank      = .75 // m, the tank's radius
	spunViscosity = .1  // m²/s
	spunRatio     = 3.  // of its density to the liquid's
)

// spin is what is left of the ball's spin, rad/s, and what there should be.
func (c spunBall) spin() (got, want float64, err error) {
	h := spunRadius / c.cells
	d := size(2*spunTank+4*h, 2*spunTank+4*h, 2*spunTank+4*h)
	centre := r3.Add(r3.Scale(.5, d.Max), r3.Vec{X: c.off * h, Y: .6 * c.off * h, Z: .3 * c.off * h})
	l, err := filled(fluid.Def{Domain: d, CellSize: h, Weightless: true, Viscosity: spunViscosity}, fluid.Box(d))
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	if _, err := l.AddObstacle(fluid.Difference(fluid.Box(d), fluid.Sphere(centre, spunTank))); err != nil {
		return 0, 0, err
	}
	w := physics.NewWorld(physics.WorldDef{})
	b, err := body(w, physics.Sphere(spunRadius), 1000*spunRatio, centre)
	if err == nil {
		err = b.SetAngularVelocity(r3.Vec{Z: c.speed})
	}
	if err != nil {
		return 0, 0, err
	}
	l.Couple(w)
	for range int(spunTime * c.rate) {
		l.Step(1 / c.rate)
		if dbg != nil { dbg(b.AngularVelocity().Z) }
	}
	return b.AngularVelocity().Z, c.speed * spinLeft(spunTime), nil
}

// spinLeft is the part of a ball's spin that is left in a round tank: the liquid turns as f(r) sin θ, with f' = ν(f″ + 2f′/r - 2f/r²), and brakes the
// ball with 8πμ/3·a³(f′ - f/a) at its radius a, which for steady flow and a wide tank is Kirchhoff's -8πμa³ω.
func spinLeft(spunTime float64) float64 {
	const n, a = 400, spunRadius
	dr := (spunTank - a) / n
	f, spin := make([]float64, n+1), 1.
	dt := .2 * dr * dr / spunViscosity
	steps := math.Ceil(spunTime / dt)
	dt = spunTime / steps
	next := make([]float64, n+1)
	for range int(steps) {
		f[0] = spin * a
		slope := (-3*f[0] + 4*f[1] - f[2]) / (2 * dr)
		// The inertia of a ball over 8π/3·ρa³ is a²/5 of its density's ratio.
		spin += dt * spunViscosity * (slope - f[0]/a) * 5 / (spunRatio * a * a)
		for i := 1; i < n; i++ {
			r := a + float64(i)*dr
			next[i] = f[i] + dt*spunViscosity*((f[i+1]-2*f[i]+f[i-1])/(dr*dr)+(f[i+1]-f[i-1])/(dr*r)-2*f[i]/(r*r))
		}
		copy(f[1:n], next[1:n])
	}
	return spin
}

// sinkingBall is a ball of cells a radius on the axis of a square shaft, so many cells off the grid, in steps of 1/rate s.
type sinkingBall struct{ cells, off, rate float64 }

// What a sinking ball is.
const (
	sinkRadius    = .2  // m
	sinkHalf      = .6  // m, half of the shaft's width
	sinkViscosity = .1  // m²/s
	sinkRatio     = 1.1 // of its density to the liquid's
)

// sink is how fast the ball sinks in the end, m/s, and Stokes' speed with the walls' part.
//
// Source: Stokes 1851; Haberman, Sayre 1958 for a ball on the axis of a round tube, here of the radius with which its leading term is a square tube's (Happel, Bart 1974: 1.9033
// of radius to half width).
func (c sinkingBall) sink() (got, want float64, err error) {
	h := sinkRadius / c.cells
	d := size(2*sinkHalf, 3, 2*sinkHalf)
	l, err := filled(fluid.Def{Domain: d, CellSize: h, Viscosity: sinkViscosity}, fluid.Below(2.8))
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := body(w, physics.Sphere(sinkRadius), 1000*sinkRatio, r3.Vec{X: sinkHalf + c.off*h, Y: 1.7, Z: sinkHalf + .5*c.off*h})
	if err != nil {
		return 0, 0, err
	}
	l.Couple(w)
	const from, to = 1.2, 1.6
	was := 0.
	for n := range int(to * c.rate) {
		if n == int(from*c.rate) {
			was = b.Position().Y
		}
		l.Step(1 / c.rate)
	}
	part := sinkRadius / sinkHalf * 1.9033 / 2.105
	walls := (1 - .75857*math.Pow(part, 5)) / (1 - 2.105*part + 2.0865*math.Pow(part, 3) - 1.7068*math.Pow(part, 5) + .72603*math.Pow(part, 6))
	stokes := 2. / 9 * (sinkRatio - 1) * 9.81 * sinkRadius * sinkRadius / sinkViscosity
	return (was - b.Position().Y) / (to - from), stokes / walls, nil
}

var dbg func(float64)
var spunTime=.5
