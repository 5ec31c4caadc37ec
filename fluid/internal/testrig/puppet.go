package testrig

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// Puppet is a rigid-body engine of the simplest kind: balls that neither turn nor meet, whose
// answers a test may spoil.
type Puppet struct {
	Balls []Ball
	steps int
	Spoil func(p *Puppet) // called as each Step ends
}

// Ball is a body of a puppet.
type Ball struct {
	id             uint64
	Kind           int
	asleep         bool
	X, V, W, force r3.Vec
	Turn           quat.Number
	Radius, Mass   float64
	Gravity        r3.Vec
}

// NewPuppet returns a puppet with some balls.
func NewPuppet(balls ...Ball) *Puppet {
	p := &Puppet{}
	for _, b := range balls {
		p.Add(b)
	}
	return p
}

// Add adds a ball.
func (p *Puppet) Add(b Ball) {
	b.id = uint64(1000 + len(p.Balls))
	b.Turn.Real = 1
	p.Balls = append(p.Balls, b)
}

func (p *Puppet) Len() int { return len(p.Balls) }

func (p *Puppet) ID(i int) uint64 { return p.Balls[i].id }

func (p *Puppet) Kind(i int) int { return p.Balls[i].Kind }

func (p *Puppet) Awake(i int) bool { return p.Balls[i].Kind != engine.Static && !p.Balls[i].asleep }

func (p *Puppet) Wake(i int) { p.Balls[i].asleep = false }

func (p *Puppet) Pose(i int) (r3.Vec, quat.Number) { return p.Balls[i].X, p.Balls[i].Turn }

func (p *Puppet) Velocity(i int) (r3.Vec, r3.Vec) { return p.Balls[i].V, p.Balls[i].W }

func (p *Puppet) Thickness(i int) float64 { return 2 * p.Balls[i].Radius }

func (p *Puppet) Joints() int { return 0 }

func (p *Puppet) AddWrench(i int, force, _ r3.Vec) {
	p.Balls[i].force = r3.Add(p.Balls[i].force, force)
}

func (p *Puppet) JointRows(int, *[6][12]float64) (a, b, n int) { return }

func (p *Puppet) PredictedVelocity(i int, dt float64) (r3.Vec, r3.Vec) {
	b := &p.Balls[i]
	if b.Kind != engine.Dynamic {
		return b.V, b.W
	}
	return r3.Add(b.V, r3.Scale(dt, b.Gravity)), b.W
}

func (p *Puppet) InverseMass(i int) (m float64, inertia [3][3]float64) {
	b := &p.Balls[i]
	if b.Kind != engine.Dynamic {
		return
	}
	for k := range inertia {
		inertia[k][k] = 2.5 / (b.Mass * b.Radius * b.Radius)
	}
	return 1 / b.Mass, inertia
}

func (p *Puppet) Bounds(i int) r3.Box {
	b := &p.Balls[i]
	return boxes.Grown(r3.Box{Min: b.X, Max: b.X}, b.Radius)
}

func (p *Puppet) Distance(i int, dst []float32, pts []r3.Vec) {
	b := &p.Balls[i]
	for k, x := range pts {
		dst[k] = float32(r3.Norm(r3.Sub(x, b.X)) - b.Radius)
	}
}

func (p *Puppet) Step(dt float64) {
	for i := range p.Balls {
		b := &p.Balls[i]
		if b.Kind == engine.Dynamic && !b.asleep {
			b.V = r3.Add(b.V, r3.Scale(dt, r3.Add(b.Gravity, r3.Scale(1/b.Mass, b.force))))
		}
		b.force = r3.Vec{}
		if b.Kind != engine.Static && !b.asleep {
			b.X = r3.Add(b.X, r3.Scale(dt, b.V))
		}
	}
	p.steps++
	if p.Spoil != nil {
		p.Spoil(p)
	}
}
