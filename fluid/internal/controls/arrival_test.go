package controls_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// follower is a liquid with a control.
type follower struct {
	t   *testing.T
	liq *fluid.Liquid
	id  fluid.ControlID
	fluid.Report
}

// startControl makes a liquid, puts some into a shape if there is one, and a control on it.
func startControl(t *testing.T, def fluid.Def, fill fluid.SDF, d fluid.ControlDef) *follower {
	t.Helper()
	liq, ids := following(t, def, fill, d)
	return &follower{t: t, liq: liq, id: ids[0]}
}

// run takes steps of 1/60 s for so many seconds.
func (c *follower) run(seconds float64) {
	c.t.Helper()
	for range int(math.Round(60 * seconds)) {
		if c.Report = *c.liq.Step(1. / 60); c.Err != nil {
			c.t.Fatal(c.Err)
		}
	}
}

// share is the part of a ball that is liquid.
func (c *follower) share(centre r3.Vec, radius float64) float64 {
	c.t.Helper()
	litres, err := c.liq.VolumeIn(fluid.Sphere(centre, radius))
	if err != nil {
		c.t.Fatal(err)
	}
	return litres / 1e3 / (4. / 3 * math.Pi * radius * radius * radius)
}

func TestShapeAppearsAndIsHeld(t *testing.T) { testrig.EachDiscretisation(t, shapeAppearsAndIsHeld) }

func shapeAppearsAndIsHeld(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	m := sphereMesh(4, .3)
	m.at = func(x r3.Vec, _ float64) r3.Vec { return r3.Add(x, r3.Vec{Y: 1}) }
	c := startControl(t, controlDef(of), nil, fluid.ControlDef{Clip: m, Strength: 1, Arrival: control.Appear})
	c.run(1)
	told, weight := c.Controls[0], 9.81*c.Ledger.HeldL
	if math.Abs(told.HeldL-told.WantedL) > .02*told.WantedL || math.Abs(c.Ledger.FilledL-told.WantedL) > .01*told.WantedL {
		t.Errorf("the shape holds %.2f of %.2f litres, of %.2f that were filled", told.HeldL, told.WantedL, c.Ledger.FilledL)
	}
	if math.Abs(told.Force.Y-weight) > .01*weight {
		t.Errorf("it is held with %.1f N; its weight is %.1f N", told.Force.Y, weight)
	}
	if got := c.share(r3.Vec{Y: 1}, .25); got < .98 {
		t.Errorf("%.3f of what is within it is liquid", got)
	}
}

func TestColumnRisesToShape(t *testing.T) {
	const of = fluid.Cubes
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	m := sphereMesh(4, .3)
	m.at = func(x r3.Vec, _ float64) r3.Vec { return r3.Add(x, r3.Vec{Y: 1.3}) }
	c := startControl(t, controlDef(of), fluid.Below(.6), fluid.ControlDef{Clip: m, Strength: 1, Arrival: control.Draw})
	before := c.liq.Ledger().HeldL
	c.run(.5)
	if got := c.share(r3.Vec{Y: .85}, .1); got < .5 {
		t.Errorf("%.2f of the way up is liquid after half a second", got)
	}
	c.run(3)
	told := c.Controls[0]
	if told.HeldL < .96*told.WantedL {
		t.Errorf("the shape holds %.1f of %.1f litres", told.HeldL, told.WantedL)
	}
	if got := c.share(r3.Vec{Y: .8}, .08); got > .3 {
		t.Errorf("%.2f of the way up is still liquid", got)
	}
	if c.Ledger.FilledL != before || math.Abs(c.Ledger.DriftL) > .005*before {
		t.Errorf("ledger: %+v; all was to come from the %.1f litres that there were", c.Ledger, before)
	}
}

func TestReleasedLiquidKeepsItsMotion(t *testing.T) {
	testrig.EachDiscretisation(t, releasedLiquidKeepsItsMotion)
}

func releasedLiquidKeepsItsMotion(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	m := sphereMesh(4, .3)
	v := r3.Vec{X: .8, Y: 1}
	m.at = func(x r3.Vec, t float64) r3.Vec { return r3.Add(r3.Add(x, r3.Vec{X: -.4, Y: .5}), r3.Scale(t, v)) }
	c := startControl(t, controlDef(of), nil, fluid.ControlDef{Clip: m, Strength: 1, Arrival: control.Appear})
	c.run(.4)
	if err := c.liq.RemoveControl(c.id); err != nil {
		t.Fatal(err)
	}
	if err := c.liq.RemoveControl(c.id); err == nil {
		t.Error("a control was released twice")
	}
	from := r3.Add(r3.Vec{X: -.4, Y: .5}, r3.Scale(.4, v))
	s := []r3.Vec{from}
	const dt = .2
	c.run(dt)
	if len(c.Controls) != 0 {
		t.Errorf("%d controls are reported", len(c.Controls))
	}
	s[0] = r3.Add(r3.Add(from, r3.Scale(dt, v)), r3.Vec{Y: -9.81 * dt * dt / 2})
	sample := make([]fluid.Sample, 1)
	c.liq.Sample(sample, s)
	want := r3.Add(v, r3.Vec{Y: -9.81 * dt})
	if d := r3.Norm(r3.Sub(sample[0].Velocity, want)); !sample[0].Inside || d > .05*r3.Norm(want) {
		t.Errorf("%.1f s after its release the liquid moves with %.3f m/s; want %.3f", dt, sample[0].Velocity, want)
	}
}

// The lower half of a ball weighs nothing on its control: it falls, and the upper half stays.
func TestWeightsLetPartsGo(t *testing.T) { testrig.EachDiscretisation(t, weightsLetPartsGo) }

func weightsLetPartsGo(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	m := sphereMesh(4, .35)
	weights := make([]float32, len(m.rest))
	for i, x := range m.rest {
		if x.Y > 0 {
			weights[i] = 1
		}
	}
	m.at = func(x r3.Vec, _ float64) r3.Vec { return r3.Add(x, r3.Vec{Y: 1.2}) }
	held := func(weights []float32) (below float64, force float64) {
		c := startControl(t, controlDef(of), nil, fluid.ControlDef{Clip: m, Strength: 1, Weights: weights, Smoothing: 2, Arrival: control.Appear})
		c.run(.25)
		return c.share(r3.Vec{Y: .75}, .07), c.Controls[0].Force.Y
	}
	if below, _ := held(nil); below > .01 {
		t.Errorf("with all held, %.2f below the ball is liquid", below)
	}
	if below, _ := held(weights); below < .1 {
		t.Errorf("with the upper half held, %.2f below the ball is liquid: nothing falls", below)
	}
}

// A shape that moves in a full tank, which no air touches: all regions are enclosed.
func TestControlInFullTank(t *testing.T) { testrig.EachDiscretisation(t, controlInFullTank) }

func controlInFullTank(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	m := sphereMesh(3, .3)
	m.at = func(x r3.Vec, t float64) r3.Vec { return r3.Add(x, r3.Vec{X: .3 * math.Sin(3*t), Y: 1}) }
	def := controlDef(of)
	c := startControl(t, def, fluid.Below(2.1), fluid.ControlDef{Clip: m, Strength: 1})
	for range 60 {
		c.run(1. / 60)
		if !(c.MaxSpeed < 3) {
			t.Fatalf("the liquid moves with %.2f m/s; the shape with .9", c.MaxSpeed)
		}
	}
	sample := make([]fluid.Sample, 1)
	c.liq.Sample(sample, []r3.Vec{{X: .3 * math.Sin(3*c.Time), Y: 1}})
	if want := .9 * math.Cos(3*c.Time); math.Abs(sample[0].Velocity.X-want) > .15 {
		t.Errorf("within the shape the liquid moves with %.3f m/s; the shape with %.3f", sample[0].Velocity.X, want)
	}
}

// The surface of a controlled shape has the finest cells where a camera that is far away would have coarse ones: none is set, and the budget small.
func TestControlSurfaceIsFine(t *testing.T) { testrig.EachDiscretisation(t, controlSurfaceIsFine) }

func controlSurfaceIsFine(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	m := sphereMesh(3, .3)
	m.at = func(x r3.Vec, _ float64) r3.Vec { return r3.Add(x, r3.Vec{Y: 1.4}) }
	c := startControl(t, controlDef(of), fluid.Below(.5), fluid.ControlDef{Clip: m, Strength: 1, Arrival: control.Appear})
	c.run(.5)
	for _, b := range c.liq.Levels(nil) {
		if b.Wet && b.Box.Min.Y > .8 && b.Level != 0 {
			t.Errorf("the block at %.2f m of the shape has level %d", b.Box.Min, b.Level)
		}
	}
}

// Where two legs are a cell apart the liquid closes the gap here and there. It stays there, and does not fall out of it for ever.
func TestNarrowGapDoesNotLeak(t *testing.T) {
	testrig.EachDiscretisation(t, narrowGapDoesNotLeak)
}

func narrowGapDoesNotLeak(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	at := func(x, y float64) func(float64) (float64, float64, float64) {
		return func(float64) (float64, float64, float64) { return x, y, 0 }
	}
	for _, off := range []float64{0, .018} {
		legs := &figure{place: func(float64) (r3.Vec, float64) { return r3.Vec{X: off, Y: 1, Z: off}, .3 }}
		legs.limbs = []limb{{.05, .18, at(0, .3)}, {.5, .1, at(-.125, 0)}, {.5, .1, at(.125, 0)}}
		legs.build()
		c := startControl(t, controlDef(of), nil, fluid.ControlDef{Clip: legs, Strength: 1, Arrival: control.Appear})
		c.run(1.5)
		fallen, err := c.liq.VolumeIn(fluid.Below(.55))
		if err != nil {
			t.Fatal(err)
		}
		told := c.Controls[0]
		t.Logf("%.1f of %.1f litres are held of %.1f; %.3f have fallen", told.HeldL, told.WantedL, c.Ledger.FilledL, fallen)
		if !(fallen <= .001*told.WantedL) || !(told.HeldL >= .93*told.WantedL) {
			t.Errorf("%g m off the lattice: %.1f of %.1f litres are held; %.3f have fallen", off, told.HeldL, told.WantedL, fallen)
		}
	}
}

// What a shape wants is what of it is in the domain; what its surface encloses twice counts once.
func TestWantedLitres(t *testing.T) { testrig.EachDiscretisation(t, wantedLitres) }

func wantedLitres(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	const r = .3
	ball := 4. / 3 * math.Pi * r * r * r
	alone := func(where r3.Vec) control.Source {
		m := sphereMesh(4, r)
		m.at = standing(where)
		return m
	}
	twice := &figure{place: func(float64) (r3.Vec, float64) { return r3.Vec{Y: 1}, 0 }}
	for _, x := range []float64{r / 2, -r / 2} {
		twice.limbs = append(twice.limbs, limb{0, r, func(float64) (float64, float64, float64) { return x, 0, 0 }})
	}
	twice.build()
	for _, c := range []struct {
		name       string
		clip       control.Source
		want, part float64 // m³; of that
	}{
		{"inside", alone(r3.Vec{X: .01, Y: 1.02}), ball, .01},
		{"half out", alone(r3.Vec{X: 1, Y: 1}), ball / 2, .03},
		{"an eighth in", alone(r3.Vec{X: 1, Y: 2, Z: -1}), ball / 8, .06},
		{"overlapping", twice, 27. / 16 * ball, .03}, // two balls whose centres are a radius apart
	} {
		liq := startControl(t, controlDef(of), nil, fluid.ControlDef{Clip: c.clip, Strength: 1, Arrival: control.Appear})
		liq.run(1. / 60)
		told := liq.Controls[0]
		if math.Abs(told.WantedL/1e3-c.want) > c.part*c.want || math.Abs(told.HeldL-told.WantedL) > .06*told.WantedL {
			t.Errorf("%s: %.1f litres are wanted, %.1f held; want %.1f", c.name, told.WantedL, told.HeldL, 1e3*c.want)
		}
	}
}
