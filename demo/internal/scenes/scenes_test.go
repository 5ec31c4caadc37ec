package scenes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

const frame = 1. / 60 // s

// begin is a coarse liquid of a scene after some steps.
func begin(t *testing.T, s *Scene, cell float64, steps int) *fluid.Liquid {
	t.Helper()
	l, err := s.New(fluid.Def{CellSize: cell, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	for range steps {
		if r := l.Step(frame); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	return l
}

// Each chute keeps its stream until the lip: below its floor and beside its boards there is no liquid, and what comes over the lip is as fast as a fall of
// that height without friction makes it at most, and more than half as fast.
func TestChutesPour(t *testing.T) {
	l := begin(t, &Chutes, .05, 24)
	if got, want := l.Ledger().EmittedL, 2*StreamRate*24*frame; math.Abs(got-want) > .05*want {
		t.Errorf("%.1f l came, want %.1f", got, want)
	}
	for _, c := range Both {
		at, turn := c.Pose()
		in := func(along, up, aside float64) r3.Vec {
			return r3.Add(at, r3.Rotation(turn).Rotate(r3.Vec{X: float64(c) * along, Y: up, Z: aside}))
		}
		places := []r3.Vec{
			in(.1, .02, 0), in(.3, .02, 0), // on the floor
			in(.2, -ChuteThick-.06, 0), in(.4, -ChuteThick-.06, 0), in(.3, .06, ChuteWide/2+ChuteThick+.05), in(.3, .06, -ChuteWide/2-ChuteThick-.05),
		}
		var got [6]fluid.Sample
		l.Sample(got[:], places)
		for i, s := range got {
			if s.Inside != (i < 2) {
				t.Errorf("chute %g: liquid at %v: %v", c, places[i], s.Inside)
			}
		}
		fallen := streamDeep + (.6-.1)*math.Sin(ChuteSlope)
		most := math.Sqrt(streamSpeed*streamSpeed + 2*9.81*fallen)
		if v := r3.Norm(got[0].Velocity); v > most || v < most/2 {
			t.Errorf("chute %g: %.2f m/s near the lip, at most %.2f", c, v, most)
		}
		if got[0].Velocity.X*float64(c) >= 0 || got[0].Velocity.Y >= 0 {
			t.Errorf("chute %g: flows along %v", c, got[0].Velocity)
		}
	}
}

// A chute passes over the pane, and its emitter is within the domain.
func TestChutesPassOverThePanes(t *testing.T) {
	for _, c := range Both {
		at, turn := c.Pose()
		side := Chutes.Domain.Max.X
		out, in := false, true
		for x := 0.; x <= ChuteLong; x += .01 {
			p := r3.Add(at, r3.Rotation(turn).Rotate(r3.Vec{X: float64(c) * x, Y: -ChuteThick}))
			out = out || math.Abs(p.X) > side
			in = in && (math.Abs(p.X) < side || p.Y > Glass)
		}
		if !out || !in {
			t.Errorf("chute %g: leads out: %v, over the pane: %v", c, out, in)
		}
		e := c.emitter()
		b := e.Shape.Bounds()
		if b.Min.X < Chutes.Domain.Min.X || b.Max.X > side || b.Max.Y > Chutes.Domain.Max.Y || b.Min.Z < Chutes.Domain.Min.Z || b.Max.Z > Chutes.Domain.Max.Z {
			t.Errorf("chute %g: the emitter is in %v", c, b)
		}
	}
}

// The flood's front runs as Ritter's, 2 √(g h), at most, then it stands up at the hemisphere, in which no liquid is.
func TestFloodMeetsTheHemisphere(t *testing.T) {
	l := begin(t, &Obstacle, .1, 24)
	front, over := 0., 0.
	for p := l.Surface().Positions; len(p) > 0; p = p[3:] {
		front = max(front, float64(p[0]))
		if math.Hypot(float64(p[0])-Hemisphere.X, float64(p[2])-Hemisphere.Z) < HemisphereRadius+.2 {
			over = max(over, float64(p[1]))
		}
	}
	ritter := Dammed.Max.X + 2*math.Sqrt(9.81*Dammed.Max.Y)*24*frame
	if front > ritter || front < Hemisphere.X-HemisphereRadius {
		t.Errorf("the front is at %.2f m; Ritter's is at %.2f", front, ritter)
	}
	if over < .2 {
		t.Errorf("it stands %.2f m high before the hemisphere", over)
	}
	var in [1]fluid.Sample
	l.Sample(in[:], []r3.Vec{r3.Add(Hemisphere, r3.Vec{Y: .5 * HemisphereRadius})})
	if in[0].Medium != fluid.MediumSolid {
		t.Error("there is no hemisphere")
	}
}

// The angel falls as a stone does, and its litres are those of its mesh: the wings are as thin as a cell.
func TestAngelFalls(t *testing.T) {
	const steps = 10
	l := begin(t, &Angel, .08, steps)
	size := Angel.Domain.Size()
	pool := 1e3 * PoolLevel * size.X * size.Z
	angel := l.Ledger().FilledL - pool
	if want := 1e3 * .1013 * AngelTall * AngelTall * AngelTall; math.Abs(angel-want) > .15*want {
		t.Errorf("%.0f l of angel, want %.0f", angel, want)
	}
	var at [1]fluid.Sample
	l.Sample(at[:], []r3.Vec{{Y: foot + .2}})
	if v, want := at[0].Velocity.Y, -9.81*steps*frame; !at[0].Inside || math.Abs(v-want) > .05*math.Abs(want) {
		t.Errorf("liquid %v, falls at %.2f m/s, want %.2f", at[0].Inside, v, want)
	}
}

func TestBadDefinition(t *testing.T) {
	for _, s := range []*Scene{&Chutes, &Obstacle, &Angel} {
		if _, err := s.New(fluid.Def{}); err == nil {
			t.Errorf("%s: a definition without cells is accepted", s.Name)
		}
	}
}
