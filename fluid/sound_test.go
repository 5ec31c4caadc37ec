package fluid

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

const frame = 1. / 60

// tub is a small half-full tank: 1.6 × 0.8 × 0.8 m, 0.1 m cells, 512 litres.
func tub(t testing.TB) *Liquid {
	t.Helper()
	l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .1, Workers: 1})
	if err := l.Fill(Below(.4)); err != nil {
		t.Fatal(err)
	}
	return l
}

// sound fails the test if something that a game reads of the liquid is not finite, or the ledger's
// sums do not agree.
func sound(t testing.TB, l *Liquid, r Report) {
	t.Helper()
	if err := unsound(l, r); err != nil {
		t.Fatalf("step %d: %v", r.Step, err)
	}
}

func unsound(l *Liquid, r Report) error {
	for name, v := range map[string]float64{
		"Time": r.Time, "Residual": r.Residual, "MaxSpeed": r.MaxSpeed,
		"FilledL": r.Ledger.FilledL, "EmittedL": r.Ledger.EmittedL, "DrainedL": r.Ledger.DrainedL,
		"HeldL": r.Ledger.HeldL, "DriftL": r.Ledger.DriftL, "ViewGain": r.Plan.ViewGain,
	} {
		if !finite(v) {
			return fmt.Errorf("Report's %s is %v", name, v)
		}
	}
	g := r.Ledger
	if off := g.HeldL - (g.FilledL + g.EmittedL - g.DrainedL) - g.DriftL; math.Abs(off) > 1e-9*(1+math.Abs(g.FilledL)+g.EmittedL) {
		return fmt.Errorf("ledger %+v is off by %g litres", g, off)
	}
	if g.HeldL < 0 || g.EmittedL < 0 || g.DrainedL < 0 {
		return fmt.Errorf("ledger %+v has a negative entry", g)
	}
	s := l.Surface()
	for _, a := range []struct {
		name string
		v    []float32
	}{{"Positions", s.Positions}, {"Normals", s.Normals}, {"Velocities", s.Velocities}, {"Foam", s.Foam}, {"Droplets", s.Droplets}, {"DropletVelocities", s.DropletVelocities}} {
		for i, v := range a.v {
			if v-v != 0 {
				return fmt.Errorf("Surface's %s[%d] is %v", a.name, i, v)
			}
		}
	}
	for i, v := range s.Indices {
		if int(v) >= len(s.Positions)/3 {
			return fmt.Errorf("Surface's Indices[%d] is %d of %d vertices", i, v, len(s.Positions)/3)
		}
	}
	size := r3.Sub(l.sim.def.Domain.Max, l.sim.def.Domain.Min)
	var pts [27]r3.Vec
	var got [27]Sample
	for i := range pts {
		pts[i] = r3.Add(l.sim.def.Domain.Min, r3.Vec{X: size.X * float64(i%3) / 2, Y: size.Y * float64(i/3%3) / 2, Z: size.Z * float64(i/9) / 2})
	}
	l.Sample(pts[:], got[:])
	for i, s := range got {
		if !finiteVec(s.Velocity) || !finite(s.Pressure) || math.IsNaN(s.Height) {
			return fmt.Errorf("Sample at %v is %+v", pts[i], s)
		}
	}
	for i := range l.sim.around.Coupling.Count() {
		if b := l.BodyLoad(i); !finiteVec(b.Force) || !finiteVec(b.Torque) || !finite(b.Submerged) || !finite(b.Wetted) || !finite(b.Fraction) {
			return fmt.Errorf("BodyLoad(%d) is %+v", i, b)
		}
	}
	return nil
}

// goesOn steps a few times and fails the test unless the liquid is sound and none of it was lost.
func goesOn(t testing.TB, l *Liquid, steps int) (r Report) {
	t.Helper()
	for range steps {
		r = l.Step(frame)
		sound(t, l, r)
		if r.RolledBack {
			t.Fatalf("step %d: %s", r.Step, r.Reason)
		}
	}
	return r
}

// puppet is a rigid-body engine of the simplest kind: balls that neither turn nor meet, whose
// answers a test may spoil.
type puppet struct {
	balls []ball
	steps int
	spoil func(p *puppet) // called as each Step ends
}

type ball struct {
	id             uint64
	kind           int
	asleep         bool
	x, v, w, force r3.Vec
	turn           quat.Number
	radius, mass   float64
	gravity        r3.Vec
}

func newPuppet(balls ...ball) *puppet {
	p := &puppet{}
	for _, b := range balls {
		p.add(b)
	}
	return p
}

func (p *puppet) add(b ball) {
	b.id = uint64(1000 + len(p.balls))
	b.turn.Real = 1
	p.balls = append(p.balls, b)
}

func (p *puppet) Len() int                         { return len(p.balls) }
func (p *puppet) ID(i int) uint64                  { return p.balls[i].id }
func (p *puppet) Kind(i int) int                   { return p.balls[i].kind }
func (p *puppet) Awake(i int) bool                 { return p.balls[i].kind != engine.Static && !p.balls[i].asleep }
func (p *puppet) Wake(i int)                       { p.balls[i].asleep = false }
func (p *puppet) Pose(i int) (r3.Vec, quat.Number) { return p.balls[i].x, p.balls[i].turn }
func (p *puppet) Velocity(i int) (r3.Vec, r3.Vec)  { return p.balls[i].v, p.balls[i].w }
func (p *puppet) Thickness(i int) float64          { return 2 * p.balls[i].radius }
func (p *puppet) Joints() int                      { return 0 }
func (p *puppet) AddWrench(i int, force, _ r3.Vec) {
	p.balls[i].force = r3.Add(p.balls[i].force, force)
}
func (p *puppet) JointRows(int, *[6][12]float64) (a, b, n int) { return }

func (p *puppet) PredictedVelocity(i int, dt float64) (r3.Vec, r3.Vec) {
	b := &p.balls[i]
	if b.kind != engine.Dynamic {
		return b.v, b.w
	}
	return r3.Add(b.v, r3.Scale(dt, b.gravity)), b.w
}

func (p *puppet) InverseMass(i int) (m float64, inertia [3][3]float64) {
	b := &p.balls[i]
	if b.kind != engine.Dynamic {
		return
	}
	for k := range inertia {
		inertia[k][k] = 2.5 / (b.mass * b.radius * b.radius)
	}
	return 1 / b.mass, inertia
}

func (p *puppet) Bounds(i int) r3.Box {
	b := &p.balls[i]
	return boxes.Grown(r3.Box{Min: b.x, Max: b.x}, b.radius)
}

func (p *puppet) Distance(i int, dst []float32, pts []r3.Vec) {
	b := &p.balls[i]
	for k, x := range pts {
		dst[k] = float32(r3.Norm(r3.Sub(x, b.x)) - b.radius)
	}
}

func (p *puppet) Step(dt float64) {
	for i := range p.balls {
		b := &p.balls[i]
		if b.kind == engine.Dynamic && !b.asleep {
			b.v = r3.Add(b.v, r3.Scale(dt, r3.Add(b.gravity, r3.Scale(1/b.mass, b.force))))
		}
		b.force = r3.Vec{}
		if b.kind != engine.Static && !b.asleep {
			b.x = r3.Add(b.x, r3.Scale(dt, b.v))
		}
	}
	p.steps++
	if p.spoil != nil {
		p.spoil(p)
	}
}

// cork is a light ball over the tub.
func cork(x, y, z float64) ball {
	return ball{kind: engine.Dynamic, x: r3.Vec{X: x, Y: y, Z: z}, radius: .15, mass: 7, gravity: r3.Vec{Y: -9.81}}
}
