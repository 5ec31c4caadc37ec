package pool

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
)

// Script plays with a pool as players do, for ten minutes and alike in every run: the camera cuts, bodies drop until
// forty are in, the spout pours and a drain takes as much away, and one body after the other is thrown across.
type Script struct {
	pool  *Pool
	chase view.Chase
}

// When things happen, in steps. No two periods share a divisor with the camera's, so that everything meets
// everything.
const (
	cutEvery   = 5*60 + 1
	dropEvery  = 14*60 + 1
	throwEvery = 20*60 + 7
	pourEvery  = 47*60 + 1
	pourSteps  = 5 * 60
	// drainAfter is how long after the spout the drain opens, for as long.
	drainAfter = 20 * 60
)

// throwSpeed, m/s, is what nobody throws a crate at.
const throwSpeed = 30

// drainAt is what the drain takes liquid from.
var drainAt = fluid.Sphere(r3.Vec{X: -0.6, Y: .1, Z: 1.2}, .25)

// NewScript is for a pool that is new.
func NewScript(p *Pool) *Script { return &Script{pool: p, chase: Chase} }

// Before does what is due before step n, from 1, and returns the camera's pose.
func (s *Script) Before(n int) (view.Pose, error) {
	p := s.pool
	if err := p.Cue(); err != nil {
		return view.Pose{}, err
	}
	for _, e := range []struct {
		at, every int
		do        func() error
	}{
		{dropEvery, dropEvery, p.DropRandom},
		{throwEvery, throwEvery, p.Throw},
		{pourEvery, pourEvery, p.TogglePouring},
		{pourEvery + pourSteps, pourEvery, p.TogglePouring},
		{pourEvery + drainAfter, pourEvery, p.ToggleDrain},
		{pourEvery + drainAfter + pourSteps, pourEvery, p.ToggleDrain},
	} {
		if n >= e.at && (n-e.at)%e.every == 0 {
			if err := e.do(); err != nil {
				return view.Pose{}, err
			}
		}
	}
	return s.pose(n), nil
}

// pose cuts between a camera that goes round, one that follows the dinghy, one close to the water and one that looks away.
func (s *Script) pose(n int) view.Pose {
	t := float64(n) * timestep
	followed := s.chase.Follow(s.pool.Subject(), timestep)
	switch n / cutEvery % 4 {
	case 0:
		return Orbit.At(t)
	case 1:
		return followed
	case 2:
		at := r3.Vec{X: 1.5 * math.Sin(t), Y: WaterLevel + .4, Z: 1.5}
		return view.Pose{Eye: at, Target: r3.Vec{X: at.X, Y: WaterLevel, Z: -1}}
	}
	return view.Pose{Eye: r3.Vec{X: 4, Y: 2, Z: 3}, Target: r3.Vec{X: 9, Y: 2, Z: 5}}
}

// throw has the next toy fly from one end of the pool to the other.
func (p *Pool) throw() error {
	if len(p.Toys) == 0 {
		return nil
	}
	b := p.Toys[p.thrown%len(p.Toys)].Body
	p.thrown++
	if err := b.SetPose(r3.Vec{X: -2.2, Y: 2.3, Z: .9}, b.Rotation()); err != nil {
		return err
	}
	return b.SetVelocity(r3.Scale(throwSpeed, r3.Unit(r3.Vec{X: 4, Y: -1, Z: -1})))
}

// turnDrain opens a drain, for as much as the spout gives, or takes away the one that is open.
func (p *Pool) turnDrain() error {
	if p.draining = !p.draining; !p.draining {
		return p.liquid.RemoveSink(p.drain)
	}
	var err error
	p.drains++
	p.drain, err = p.liquid.AddSink(drainAt, spoutDef().Rate)
	return err
}
