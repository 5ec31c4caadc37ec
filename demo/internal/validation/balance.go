package validation

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// randomShapes is how many V32 looks at.
const randomShapes = 1000

// enclosed is V32: what flows out of each region of liquid that shapes of any size, form, place and motion enclose is what its sources bring. They
// are in a pool and in what splashes over it, at walls and half outside the domain, each second one within or across the one before it. Those
// that have only air about them, or air within, enclose no liquid, and don't count.
func enclosed(m Method) ([]Row, error) {
	tank := size(1.6, 1.2, .8)
	l, err := m.filled(fluid.Def{Domain: tank, CellSize: .05, Budget: fluid.Budget{Work: 4}}, fluid.Below(.7))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	worst, enclosing, tried, undone := 0., 0, 0, 0
	for enclosing < randomShapes {
		if tried >= 5*randomShapes {
			return nil, fmt.Errorf("V32: of %d shapes only %d enclose liquid", tried, enclosing)
		}
		ids, err := randomPair(l, rng, tank.Max, tried%4 == 0)
		if err != nil {
			return nil, err
		}
		tried += len(ids)
		r := l.Step(1. / 240)
		if r.Err != nil {
			undone++
		}
		for i, c := range r.Controls {
			if c.FluxL > 0 {
				enclosing++
				worst = max(worst, c.FluxErrorL/c.FluxL)
			}
			if err := l.RemoveControl(ids[i]); err != nil {
				return nil, err
			}
		}
	}
	return []Row{
		row("V32", fmt.Sprintf("flux out of what %d of %d random shapes enclose, against its sources: off, of all that flows, by", enclosing, tried), worst, 0, 1e-12, "1"),
		row("V32", fmt.Sprintf("of the %d steps with them, undone since no pressure was found", tried/2), float64(undone), 0, 0, "1"),
	}, nil
}

// randomPair has a liquid follow a shape somewhere between the origin and a corner, and another within or across it, with a source in them or not.
func randomPair(l *fluid.Liquid, rng *rand.Rand, corner r3.Vec, source bool) (ids [2]fluid.ControlID, err error) {
	at := r3.Vec{X: corner.X * rng.Float64(), Y: .9 * rng.Float64(), Z: corner.Z * rng.Float64()}
	radius := .15 + .25*rng.Float64()
	for i := range ids {
		d := fluid.ControlDef{Strength: 1}
		if source {
			d.Refill.Rate = 100
		}
		if d.Clip, err = randomLive(rng, at, radius); err != nil {
			return ids, err
		}
		if ids[i], err = l.AddControl(d); err != nil {
			return ids, err
		}
		radius *= .4 + .3*rng.Float64()
	}
	return ids, nil
}

// randomLive is a ball of bumps, stretched and turned, around a place, m, that moves, turns and swells.
func randomLive(rng *rand.Rand, at r3.Vec, radius float64) (*control.Live, error) {
	part := func(most float64) float64 { return most * (2*rng.Float64() - 1) }
	vector := func(most float64) r3.Vec { return r3.Vec{X: part(most), Y: part(most), Z: part(most)} }
	wave, phase, wide := vector(4), part(math.Pi), r3.Vec{X: 1 + part(.4), Y: 1 + part(.4), Z: 1 + part(.4)}
	turn := r3.NewRotation(part(math.Pi), r3.Add(vector(1), r3.Vec{X: 1.1}))
	m := shapes.Sphere(1, 3).Deformed(
		func(p r3.Vec) r3.Vec { return r3.Scale(radius*(1+.25*math.Sin(r3.Dot(wave, p)+phase)), p) },
		func(p r3.Vec) r3.Vec { return turn.Rotate(r3.Vec{X: wide.X * p.X, Y: wide.Y * p.Y, Z: wide.Z * p.Z}) },
		shapes.Translate(at))
	live, err := control.NewLive(m.Triangles, m.Positions)
	if err != nil {
		return nil, err
	}
	velocity, spin, swell := vector(2), vector(3), part(1)
	velocities := make([]r3.Vec, len(m.Positions))
	for i, p := range m.Positions {
		d := r3.Sub(p, at)
		velocities[i] = r3.Add(velocity, r3.Add(r3.Cross(spin, d), r3.Scale(swell, d)))
	}
	return live, live.Set(m.Positions, velocities, 1./240)
}

// controlled is V33: for a minute a shape rises out of a pool that it is filled from, is let go, falls back and rises again: what is lost of as much liquid
// as the shape holds, and what of the liquid's momentum.
func controlled(m Method) ([]Row, error) {
	l, err := m.filled(fluid.Def{Domain: size(1.6, 1.6, 1.6), CellSize: .05}, fluid.Below(.6))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	l.TrackMomentum(true)
	ball := &moving{shapes.Sphere(.33, 4), func(x r3.Vec, t float64) r3.Vec {
		p := max(0, t)
		s := 1 + .2*math.Sin(4*p)
		return r3.Add(r3.Vec{X: x.X * s, Y: x.Y / s, Z: x.Z}, r3.Vec{X: .8 + .25*math.Sin(2.5*p), Y: .4 + .7*smooth(p, 0, .8), Z: .8 + .2*math.Sin(3*p)})
	}}
	d := fluid.ControlDef{Clip: ball, Refill: control.Refill{Rate: 200, From: fluid.Below(.3)}}
	const steps, period, held, dt = 3600, 120, 75, 1. / 60
	var id fluid.ControlID
	var r fluid.Report
	drift, lost, share, releases, shape := 0., 0., 0., 0, 4e3/3*math.Pi*.33*.33*.33 // l
	for n := range steps {
		switch n % period {
		case 0:
			d.Strength = [...]float64{1, .7, .4}[n/period%3]
			id, err = l.AddControl(d)
		case held:
			releases++
			err = l.RemoveControl(id)
		}
		if err != nil {
			return nil, err
		}
		if r = *l.Step(dt); r.Err != nil {
			return nil, fmt.Errorf("V33: step %d: %s", r.Step, r.Err)
		}
		drift = max(drift, math.Abs(r.Ledger.DriftL)/shape)
		lost = max(lost, r3.Norm(r.Momentum.Lost())/(9.81*dt*r.Ledger.HeldL))
		if n%period == held-1 {
			share += r.Controls[0].HeldL / r.Controls[0].WantedL
		}
	}
	text := fmt.Sprintf("60 s of control, let go %d times with %.0f %% of what the shape wants, filled from the pool: ", releases, 100*share/float64(releases))
	end := 100 * math.Abs(r.Ledger.DriftL) / shape
	return []Row{
		row("V33", text+"the ledger's worst drift, of the shape", 100*drift, 0, .5, "%"),
		row("V33", text+"the drift at the end, of the shape", end, 0, .5, "%"),
		row("V33", text+"momentum lost in a step, over the weight times that step", lost, 0, 1e-9, "1"),
	}, nil
}
