package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// turningBall is V47: a ball that is spun in a round tank of viscous liquid slows down as it drags that round.
func turningBall(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []struct{ cells, off, rate, tolerance float64 }{
		{4, 0, 60, .06}, {4, .37, 30, .1}, {4, .37, 240, .06}, {6, .71, 60, .06}, // a step of backward Euler at 1/30 s takes a tenth too little
	} {
		got, want, err := spunBall{c.cells, c.off, c.rate, m}.spin()
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V47", fmt.Sprintf("ball spun at 5 rad/s in a round tank, ν .1, %g cells a radius, %g off the grid, %g steps/s: exponent of the decay over what it should be (spin after .25 s %.3f rad/s)",
			c.cells, c.off, c.rate, spinRate*got), math.Log(got)/math.Log(want), 1, c.tolerance, "1"))
	}
	return rows, nil
}

// sinking is V48: a ball sinks in a shaft of viscous liquid as fast as Stokes says, with the walls' part.
func sinking(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []sinkingBall{{4, 0, 60, m}, {4, .37, 30, m}, {4, .37, 240, m}, {6, .71, 60, m}} {
		got, want, err := c.sink()
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V48", fmt.Sprintf("ball sinks in a square shaft, ν .1, %g cells a radius, %g off the grid, %g steps/s: speed over Stokes' with walls, %.4f m/s",
			c.cells, c.off, c.rate, want), got/want, 1, .08, "1"))
	}
	return rows, nil
}

// spunBall is a ball of cells a radius in the middle of a round tank that is full, so many cells off the grid, in steps of 1/rate s.
type spunBall struct {
	cells, off, rate float64
	Method
}

// What a spun ball is.
const (
	spunRadius    = .3  // m
	spunTank      = .75 // m, the tank's radius
	spunViscosity = .1  // m²/s
	spunRatio     = 3.  // of its density to the liquid's
	spunTime      = .25 // s
)

// spin is the part that is left of the ball's spin, and what there should be.
func (c spunBall) spin() (got, want float64, err error) {
	h := spunRadius / c.cells
	d := size(2*spunTank+4*h, 2*spunTank+4*h, 2*spunTank+4*h)
	centre := r3.Add(r3.Scale(.5, d.Max), r3.Vec{X: c.off * h, Y: .6 * c.off * h, Z: .3 * c.off * h})
	l, err := c.filled(fluid.Def{Domain: d, CellSize: h, Physics: fluid.Physics{Weightless: true, Viscosity: spunViscosity}}, fluid.Box(d))
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	if _, err := l.AddObstacle(fluid.Difference(fluid.Box(d), fluid.Sphere(centre, spunTank))); err != nil {
		return 0, 0, err
	}
	w := physics.NewWorld(physics.WorldDef{})
	b, err := body(w, physics.Sphere(r3.Vec{}, spunRadius), 1000*spunRatio, centre)
	if err == nil {
		err = b.SetAngularVelocity(r3.Vec{Z: spinRate})
	}
	if err != nil {
		return 0, 0, err
	}
	l.Couple(w.Coupling())
	for range int(math.Round(spunTime * c.rate)) {
		l.Step(1 / c.rate)
	}
	return b.AngularVelocity().Z / spinRate, spinLeft(math.Round(spunTime*c.rate) / c.rate), nil
}

// spinLeft is the part of a ball's spin that is left in a round tank after a time, s: the liquid turns as f(r) sin θ, with f' = ν(f″ + 2f′/r - 2f/r²), and
// brakes the ball with 8πμ/3·a³(f′ - f/a) at its radius a, which for steady flow in a wide tank is Kirchhoff's -8πμa³ω.
func spinLeft(time float64) float64 {
	const n, a = 200, spunRadius
	dr := (spunTank - a) / n
	steps := math.Ceil(time * spunViscosity / (.2 * dr * dr))
	dt := time / steps
	var f, next [n + 1]float64
	spin := 1.
	for range int(steps) {
		f[0] = spin * a
		slope := (-3*f[0] + 4*f[1] - f[2]) / (2 * dr)
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
type sinkingBall struct {
	cells, off, rate float64
	Method
}

// What a sinking ball is.
const (
	sinkRadius    = .2  // m
	sinkHalf      = .45 // m, half of the shaft's width
	sinkViscosity = .1  // m²/s
	sinkRatio     = 1.3 // of its density to the liquid's
)

// sink is how fast the ball sinks in the end, m/s, and Stokes' speed with the walls' part.
//
// Source: Stokes 1851; Haberman, Sayre 1958 for a ball on the axis of a round tube, here of the radius with which its leading term is that of a square one, 1.9033
// of radius to half width (Happel, Bart 1974).
func (c sinkingBall) sink() (got, want float64, err error) {
	h := sinkRadius / c.cells
	d := size(2*sinkHalf, 2, 2*sinkHalf)
	l, err := c.filled(fluid.Def{Domain: d, CellSize: h, Physics: fluid.Physics{Viscosity: sinkViscosity}}, fluid.Below(1.8))
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b, err := body(w, physics.Sphere(r3.Vec{}, sinkRadius), 1000*sinkRatio, r3.Vec{X: sinkHalf + c.off*h, Y: 1.05, Z: sinkHalf + .5*c.off*h})
	if err != nil {
		return 0, 0, err
	}
	l.Couple(w.Coupling())
	const from, to = .5, .9 // s
	was := 0.
	for n := range int(to * c.rate) {
		if n == int(from*c.rate) {
			was = b.Position().Y
		}
		l.Step(1 / c.rate)
	}
	λ := sinkRadius / sinkHalf * 1.9033 / 2.105
	walls := (1 - .75857*math.Pow(λ, 5)) / (1 - 2.105*λ + 2.0865*math.Pow(λ, 3) - 1.7068*math.Pow(λ, 5) + .72603*math.Pow(λ, 6))
	stokes := 2. / 9 * (sinkRatio - 1) * 9.81 * sinkRadius * sinkRadius / sinkViscosity
	return (was - b.Position().Y) / (to - from), stokes / walls, nil
}
