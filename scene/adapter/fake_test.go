package adapter

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/sounds"
	"github.com/meniscus3d/meniscus/physics"
)

// fakeLiquid is a square of waves that goes on with each step.
type fakeLiquid struct {
	steps, views int
	time         float64
	surface      fluid.Surface
	events       fluid.Events
	report       fluid.Report
}

func newFake() *fakeLiquid {
	f := &fakeLiquid{}
	f.build()
	return f
}

func (f *fakeLiquid) Step(dt float64) *fluid.Report {
	f.time += dt
	f.steps++
	f.build()
	f.report = fluid.Report{Step: f.steps, Time: f.time}
	return &f.report
}

func (f *fakeLiquid) build() {
	const n = 8
	s := &f.surface
	*s = fluid.Surface{Positions: s.Positions[:0], Normals: s.Normals[:0], Velocities: s.Velocities[:0], Foam: s.Foam[:0], Indices: s.Indices[:0]}
	for j := range n {
		for i := range n {
			sin, cos := math.Sincos(float64(i+j) - 4*f.time)
			s.Positions = append(s.Positions, float32(i), float32(sin), float32(j))
			s.Normals = append(s.Normals, 0, 1, 0)
			s.Velocities = append(s.Velocities, 0, float32(-4*cos), 0)
			s.Foam = append(s.Foam, float32(i)/n)
			if a := uint32(n*j + i); i > 0 && j > 0 {
				s.Indices = append(s.Indices, a, a-n, a-n-1, a, a-n-1, a-1)
			}
		}
	}
	s.Free = len(s.Indices)
}

func (f *fakeLiquid) Surface() *fluid.Surface    { return &f.surface }
func (f *fakeLiquid) Events() *fluid.Events      { return &f.events }
func (f *fakeLiquid) SetView(_ fluid.View) error { f.views++; return nil }

// gatedLiquid steps only when it is let, if there is a gate.
type gatedLiquid struct {
	*fakeLiquid
	gate chan struct{}
}

func (g *gatedLiquid) Step(dt float64) *fluid.Report {
	if g.gate != nil {
		<-g.gate
	}
	r := g.fakeLiquid.Step(dt)
	g.events.Splashes = append(g.events.Splashes[:0], fluid.Splash{Impulse: float64(g.steps)})
	g.events.Sounds = append(g.events.Sounds[:0], sounds.Source{Energy: float64(g.steps)})
	return r
}

func newGated(gate chan struct{}) *gatedLiquid { return &gatedLiquid{newFake(), gate} }

// stepped is a liquid that steps a world.
type stepped struct {
	*fakeLiquid
	world *physics.World
}

func (s *stepped) Step(dt float64) *fluid.Report {
	s.world.Step(dt)
	return s.fakeLiquid.Step(dt)
}

// node is something drawn: it keeps the last pose.
type node struct {
	position r3.Vec
	rotation quat.Number
}

func (n *node) place(position r3.Vec, rotation quat.Number) {
	n.position, n.rotation = position, rotation
}

func near(a, b r3.Vec) bool { return r3.Norm(r3.Sub(a, b)) < 1e-9*(1+r3.Norm(b)) }

// scatter are numbers from 0 to 1, the same on every run.
func scatter(x, y, salt int) float64 {
	return rand.New(rand.NewPCG(uint64(x)<<32|uint64(y), uint64(salt))).Float64()
}
