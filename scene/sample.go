package scene

import (
	"errors"
	"fmt"
	"math"

	"github.com/g3n/engine/animation"
	"github.com/g3n/engine/core"
	"gonum.org/v1/gonum/spatial/r3"
)

// samples are the frames of a surface that a game's animation moves.
type samples struct {
	triangles [][3]int32
	times     []float64 // s
	positions [][]r3.Vec
}

// The limits of a sampled animation.
const (
	maxAnimation = 3600    // s
	maxRate      = 1000    // frames/s
	maxPositions = 1 << 24 // of all frames together: 400 MB
	// between is how often an animation is advanced from frame to frame: a channel that has come to its end keeps what it was advanced to last.
	between = 8
)

// sample plays an animation from its start to its end, with rate frames per second and one at the end, and takes the surface of the meshes under node.
func sample(node core.INode, a *animation.Animation, rate float64) (*samples, error) {
	if !(rate > 0 && rate <= maxRate) {
		return nil, fmt.Errorf("rate: %v frames/s; must be > 0 and at most %d", rate, maxRate)
	}
	defer func(loop, paused bool, speed float32) {
		a.SetLoop(loop)
		a.SetSpeed(speed)
		_ = (&player{animation: a}).restart() // where that fails it stays where it is
		a.SetPaused(paused)
	}(a.Loop(), a.Paused(), a.Speed())
	a.SetLoop(false)
	a.SetSpeed(1)
	p := &player{animation: a}
	duration, err := p.duration()
	if err != nil {
		return nil, err
	}
	if err := p.restart(); err != nil {
		return nil, err
	}
	surface, err := NewModelSurface(node)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	s := &samples{triangles: surface.surface.Triangles()}
	n := int(math.Ceil(duration*rate - 1e-3)) // frames before that at the end
	if vertices := len(surface.surface.Positions(nil)); n+1 > maxPositions/vertices {
		return nil, fmt.Errorf("rate: %v frames/s over %.3g s of %d vertices are %d positions; must be at most %d", rate, duration, vertices, (n+1)*vertices, maxPositions)
	}
	for i := range n + 1 {
		t := min(float64(i)/rate, duration)
		if i == n {
			t = duration
		}
		if err := p.play(t); err != nil {
			return nil, err
		}
		if err := surface.Jump(); err != nil {
			return nil, fmt.Errorf("at %.4g s: %w", t, errors.Unwrap(err))
		}
		s.times = append(s.times, t)
		s.positions = append(s.positions, surface.surface.Positions(nil))
	}
	return s, nil
}

// player plays an animation, of which g3n tells neither the time nor the duration.
type player struct {
	animation *animation.Animation
	now       float32 // s since its start
	end       float32 // before which it is to stay, s since its start
}

// restart goes to the start.
func (p *player) restart() error {
	p.now = 0
	p.animation.SetPaused(false)
	return caught(p.animation.Reset)
}

// play goes to a time, or a little before: at the very end of a channel g3n looks for a key beyond its last one, and panics.
func (p *player) play(t float64) error {
	from := p.now
	for k := 1; k <= between; k++ {
		to := from + (float32(t)-from)*float32(k)/between
		if err := p.advance(min(to, p.end-before(p.end))); err != nil {
			return err
		}
	}
	return nil
}

// advance updates the animation.
func (p *player) advance(to float32) error {
	err := p.update(to - p.now)
	if err != nil {
		err = p.update(-before(p.now))
	}
	return err
}

func (p *player) update(dt float32) error {
	p.now += dt
	return caught(func() { p.animation.Update(dt) })
}

// before is how long before the end of a channel is short and yet another time, s.
func before(t float32) float32 { return 1e-5 + 1e-6*t }

// duration is how long the animation plays from its start, s: without a loop it pauses beyond its end.
func (p *player) duration() (float64, error) {
	ends := func(after float32) bool {
		_ = p.restart()
		_ = p.update(after) // it has paused, even where it fails
		return p.animation.Paused()
	}
	lo, hi := float32(0), float32(1)
	for ; !ends(hi); lo, hi = hi, 2*hi {
		if hi > maxAnimation {
			return 0, fmt.Errorf("animation: it takes more than %v s; must be at most %d", hi, maxAnimation)
		}
	}
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if ends(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	if !(lo > 0) {
		return 0, errors.New("animation: it has no duration")
	}
	p.end = lo
	return float64(lo), nil
}

// caught calls f and returns its panic, if it does, as an error.
func caught(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("animation: g3n can't play it: %v", v)
		}
	}()
	f()
	return nil
}
