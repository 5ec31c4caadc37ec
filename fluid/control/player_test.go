package control

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// spinning returns a clip of two seconds, and one of another shape and one second, with the same triangles.
func spinning(t *testing.T) (a, b *Clip) {
	t.Helper()
	sphere, ts := ball(5)
	var fa, fb []Frame
	for i := range 41 {
		s := .05 * float64(i)
		fa = append(fa, Frame{Time: s, Positions: moved(twisted(scaled(sphere, 1+.3*math.Sin(math.Pi*s), 1, 1), 0, 180*s), r3.Vec{X: s})})
		if i <= 20 {
			fb = append(fb, Frame{Time: s, Positions: moved(scaled(sphere, 1, 1+s*s, 1), r3.Vec{Z: 2 * s})})
		}
	}
	return mustClip(t, ts, fa), mustClip(t, ts, fb)
}

func copied(m *Mesh) Mesh {
	return Mesh{slices.Clone(m.Positions), slices.Clone(m.Velocities), m.Triangles, m.Revision}
}

func TestPlayerFollowsItsClock(t *testing.T) {
	clip, _ := spinning(t)
	p := NewPlayer(clip)
	if m := p.Mesh(); !slices.Equal(m.Positions, positionsAt(clip, 0)) || m.Velocities[0] != (r3.Vec{}) {
		t.Error("before the first step it does not stand at its begin")
	}
	check := func(name string, at, rate float64) {
		t.Helper()
		var want Mesh
		clip.At(at, &want)
		m := p.Mesh()
		if math.Abs(p.Time-at) > 1e-12 || farthest(m.Positions, want.Positions) > 1e-9 {
			t.Errorf("%s: it is at %g s; must be %g", name, p.Time, at)
		}
		if d := farthest(m.Velocities, each(want.Velocities, func(v r3.Vec) r3.Vec { return r3.Scale(rate, v) })); d > 1e-9 {
			t.Errorf("%s: velocities are off by %.2g m/s", name, d)
		}
	}
	p.Advance(.3)
	check("speed 1", .3, 1)
	p.Speed = 2.5
	p.Advance(.1)
	check("speed 2.5", .55, 2.5)
	p.Speed = -1.5
	p.Advance(.1)
	check("backwards", .4, -1.5)
	p.Paused = true
	p.Advance(.1)
	check("paused", .4, 0)
	p.Paused = false
	p.Time = 1.9
	p.Speed = 1
	p.Advance(.2)
	check("the step in which it ends", 2, 1)
	p.Advance(.2)
	check("after its end", 2, 0)
	p.Speed = -1
	p.Advance(.5)
	check("back from its end", 1.5, -1)
	p.Advance(3)
	check("the step in which it comes to its begin", 0, -1)
	p.Advance(3)
	check("before its begin", 0, 0)
	p.Loop = true
	p.Advance(.25)
	check("back over its begin in a loop", 1.75, -1)
	p.Speed = 2
	p.Advance(2.5)
	check("three times around", .75, 2)
	p.Advance(0)
	check("no time", .75, 2)
	p.Speed = 0
	p.Advance(.1)
	check("speed 0", .75, 0)
}

// derivative checks in each of some steps that velocities are the derivatives of positions.
func derivative(t *testing.T, name string, p *Player, from, to int, step func(i int, dt float64)) {
	t.Helper()
	const h = 1e-6
	fastest := 0.0
	for i := from; i < to; i++ {
		step(i, .02-2*h)
		a := copied(p.Mesh())
		step(i, h)
		m := copied(p.Mesh())
		step(i, h)
		b := p.Mesh()
		for v := range m.Positions {
			d := r3.Scale(1/(2*h), r3.Sub(b.Positions[v], a.Positions[v]))
			fastest = max(fastest, r3.Norm(d))
			if off := r3.Norm(r3.Sub(d, m.Velocities[v])); off > 1e-4 {
				t.Errorf("%s, step %d: vertex %d moves with %v and says %v", name, i, v, d, m.Velocities[v])
				return
			}
		}
	}
	if fastest < .1 {
		t.Errorf("%s: nothing moves", name)
	}
}

func TestPlayerVelocities(t *testing.T) {
	a, b := spinning(t)
	for _, speed := range []float64{1, .4, -1, 1.7} {
		p := NewPlayer(a)
		p.Speed = speed
		p.Time = 1
		derivative(t, "alone", p, 0, 20, func(_ int, dt float64) { p.Advance(dt) })
	}
	p := NewPlayer(a)
	p.Time = .3
	derivative(t, "before the fade", p, 0, 3, func(_ int, dt float64) { p.Advance(dt) })
	if err := p.CrossFade(b, .1, .5); err != nil {
		t.Fatal(err)
	}
	if p.Source() != Source(b) || p.Time != .1 {
		t.Errorf("Time is %g s", p.Time)
	}
	before := copied(p.Mesh())
	p.Speed = .7
	derivative(t, "fade", p, 0, 15, func(_ int, dt float64) { p.Advance(dt) })
	if err := p.CrossFade(a, .6, .3); err != nil {
		t.Fatal(err)
	}
	if len(p.layers) != 3 {
		t.Errorf("%d layers; must be 3", len(p.layers))
	}
	derivative(t, "fade in a fade", p, 0, 14, func(_ int, dt float64) { p.Advance(dt) })
	p.Advance(.05)
	if len(p.layers) != 1 {
		t.Errorf("%d layers are left", len(p.layers))
	}
	derivative(t, "after the fade", p, 0, 10, func(_ int, dt float64) { p.Advance(dt) })
	var want Mesh
	a.At(p.Time, &want)
	if farthest(want.Positions, p.Mesh().Positions) > 1e-12 || farthest(before.Positions, want.Positions) < .1 {
		t.Error("after the fade it is not the other source")
	}
	// Paused, a fade stands.
	if err := p.CrossFade(b, 0, 1); err != nil {
		t.Fatal(err)
	}
	p.Advance(.3)
	x := copied(p.Mesh())
	p.Paused = true
	p.Advance(.3)
	if m := p.Mesh(); farthest(m.Positions, x.Positions) > 0 || m.Velocities[2] != (r3.Vec{}) {
		t.Error("paused in a fade it moves")
	}
	if err := p.CrossFade(a, .5, 0); err != nil || p.Source() != Source(a) || p.Time != .5 || len(p.layers) != 1 {
		t.Errorf("at once: %v", err)
	}
}

// Positions and velocities are continuous where a fade begins and ends.
func TestCrossFadeIsSmooth(t *testing.T) {
	a, b := spinning(t)
	p := NewPlayer(a)
	p.Advance(.4)
	before := copied(p.Mesh())
	if err := p.CrossFade(b, .2, .3); err != nil {
		t.Fatal(err)
	}
	if m := p.Mesh(); farthest(m.Positions, before.Positions) > 1e-15 || farthest(m.Velocities, before.Velocities) > 1e-15 {
		t.Error("a jump where the fade begins")
	}
	p.Advance(.3 - 1e-9)
	before = copied(p.Mesh())
	p.Advance(2e-9)
	if m := p.Mesh(); farthest(m.Positions, before.Positions) > 1e-7 || farthest(m.Velocities, before.Velocities) > 1e-6 || len(p.layers) != 1 {
		t.Error("a jump where the fade ends")
	}
}

func TestPlayerPose(t *testing.T) {
	a, _ := spinning(t)
	p := NewPlayer(a)
	axis, spin := r3.Vec{X: .48, Y: .6, Z: .64}, 3.0
	velocity := r3.Vec{X: 1, Y: -2, Z: .5}
	now := 0.0
	derivative(t, "posed", p, 0, 30, func(_ int, dt float64) {
		now += dt
		s, c := math.Sincos(spin * now / 2)
		p.Advance(dt)
		p.Pose = Pose{r3.Scale(now, velocity), quat.Number{Real: c, Imag: s * axis.X, Jmag: s * axis.Y, Kmag: s * axis.Z}, velocity, r3.Scale(spin, axis)}
	})
	// The zero rotation is none, and rotations are normalised.
	p = NewPlayer(a)
	p.Pose.Position = r3.Vec{Y: 2}
	x := copied(p.Mesh())
	p.Pose.Rotation = quat.Number{Real: -7}
	if farthest(p.Mesh().Positions, x.Positions) > 1e-15 || x.Positions[0].Y != positionsAt(a, 0)[0].Y+2 {
		t.Error("a rotation of another length turns it")
	}
	// MoveTo reaches its pose with its velocities.
	s, c := math.Sincos(.2)
	if err := p.MoveTo(r3.Vec{Y: 3}, quat.Number{Real: c, Kmag: s}, .5); err != nil {
		t.Fatal(err)
	}
	if d := r3.Norm(r3.Sub(p.Pose.Velocity, r3.Vec{Y: 2})) + r3.Norm(r3.Sub(p.Pose.AngularVelocity, r3.Vec{Z: .8})); d > 1e-12 {
		t.Errorf("MoveTo: %v, %v", p.Pose.Velocity, p.Pose.AngularVelocity)
	}
	if err := p.MoveTo(r3.Vec{Y: 3}, quat.Number{Real: c, Kmag: s}, .5); err != nil || r3.Norm(p.Pose.Velocity)+r3.Norm(p.Pose.AngularVelocity) > 1e-12 {
		t.Errorf("MoveTo the same place: %v, %v", p.Pose.Velocity, p.Pose.AngularVelocity)
	}
}

// A live surface keeps its velocities at any speed, and takes part in fades.
func TestPlayerOfLive(t *testing.T) {
	sphere, ts := ball(5)
	live, err := NewLive(ts, sphere)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := spinning(t)
	p := NewPlayer(live)
	p.Speed = 3
	set := func(dt float64) {
		if err := live.Set(scaled(live.mesh.Positions, 1, 1+dt, 1), nil, dt); err != nil {
			t.Fatal(err)
		}
	}
	set(.1)
	if m := p.Mesh(); farthest(m.Velocities, live.mesh.Velocities) > 0 || r3.Norm(m.Velocities[20]) < .01 {
		t.Error("before the first step it has not its velocities")
	}
	p.Advance(.1)
	if m := p.Mesh(); farthest(m.Velocities, live.mesh.Velocities) > 0 {
		t.Error("the speed scales its velocities")
	}
	p.Paused = true
	p.Advance(.1)
	if m := p.Mesh(); farthest(m.Velocities, live.mesh.Velocities) > 0 {
		t.Error("paused it has not its velocities")
	}
	p.Paused = false
	p.Speed = 1
	if err := p.CrossFade(a, 0, 1); err != nil {
		t.Fatal(err)
	}
	p.Advance(.5)
	p.Mesh()
	half := each(live.mesh.Positions, func(x r3.Vec) r3.Vec { return r3.Scale(.5, x) })
	var other Mesh
	a.At(.5, &other)
	for i := range half {
		half[i] = r3.Add(half[i], r3.Scale(.5, other.Positions[i]))
	}
	if farthest(p.Mesh().Positions, half) > 1e-12 {
		t.Error("half way through a fade it is not half of both")
	}
}

func TestPlayerAllocatesNothing(t *testing.T) {
	a, b := spinning(t)
	p := NewPlayer(a)
	p.Loop = true
	if err := p.CrossFade(b, 0, 1000); err != nil {
		t.Fatal(err)
	}
	p.Pose = Pose{r3.Vec{X: 1}, quat.Number{Real: .6, Imag: .8}, r3.Vec{Y: 1}, r3.Vec{Z: 1}}
	p.Mesh()
	if n := testing.AllocsPerRun(100, func() { p.Advance(.07); p.Mesh() }); n > 0 {
		t.Errorf("Advance and Mesh allocate %g times", n)
	}
}

// hovering is a game's own source: it has no end, and its own revisions.
type hovering struct {
	x        []r3.Vec
	t        [][3]int32
	revision uint64
}

func (h *hovering) Duration() float64 { return 0 }

func (h *hovering) At(t float64, m *Mesh) {
	s, c := math.Sincos(3 * t)
	m.Positions = append(m.Positions[:0], moved(h.x, r3.Vec{Z: s})...)
	m.Velocities = append(m.Velocities[:0], each(h.x, func(r3.Vec) r3.Vec { return r3.Vec{Z: 3 * c} })...)
	m.Triangles, m.Revision = h.t, h.revision
}

// A game's own source is played at any speed and fades with others; when its triangles change in a fade, the newest takes over.
func TestPlayerOfOwnSource(t *testing.T) {
	a, _ := spinning(t)
	sphere, ts := ball(5)
	h := &hovering{scaled(sphere, 1, 1, .5), ts, 7}
	p := NewPlayer(h)
	p.Speed = 1.5
	derivative(t, "own", p, 0, 100, func(_ int, dt float64) { p.Advance(dt) })
	if math.Abs(p.Time-3) > 1e-9 {
		t.Errorf("it is at %g s; must be 3", p.Time)
	}
	if err := p.CrossFade(a, 0, .4); err != nil {
		t.Fatal(err)
	}
	derivative(t, "fade from it", p, 0, 10, func(_ int, dt float64) { p.Advance(dt) })
	h.x, h.t = torus(1, .4, 6, 5)
	h.revision++
	var want Mesh
	a.At(p.Time, &want)
	if m := p.Mesh(); farthest(m.Positions, want.Positions) > 0 || m.Revision != a.revision || len(m.Velocities) != len(m.Positions) {
		t.Error("with other triangles below, the newest does not take over")
	}
}

// A player's mesh has the same bits on every machine.
func TestPlayerHasTheSameBitsEverywhere(t *testing.T) {
	bar, tb := brick(.3, .2, 1, 2)
	var frames []Frame
	for i := range 9 {
		frames = append(frames, Frame{Time: .1 * float64(i), Positions: twisted(bar, 0, float64(7*i*i))})
	}
	a := mustClip(t, tb, frames)
	b := mustClip(t, tb, []Frame{{Positions: scaled(bar, 1.5, 1.25, .7)}})
	p := NewPlayer(a)
	p.Loop, p.Speed = true, -1.3
	if err := p.CrossFade(b, 0, .8); err != nil {
		t.Fatal(err)
	}
	sum := uint64(0)
	for i := range 20 {
		s, c := reproducible.Sincos(.1 * float64(i))
		if err := p.MoveTo(r3.Vec{X: .3 * s, Z: c}, quat.Number{Real: c, Imag: .6 * s, Kmag: .8 * s}, 1./60); err != nil {
			t.Fatal(err)
		}
		p.Advance(1. / 60)
		m := p.Mesh()
		sum ^= mustClip(t, tb, []Frame{{Positions: m.Positions, Velocities: m.Velocities}}).Hash() + sum<<1
		sum += math.Float64bits(m.VolumeRate()) ^ math.Float64bits(m.Volume())
	}
	if sum != goldenPlayer {
		t.Errorf("hash %#x; must be %#x", sum, uint64(goldenPlayer))
	}
}

const goldenPlayer = 0xa58763607c37bd15

// A cross-fade shorter than any step replaces the source at once, and no speed gives velocities that are not finite.
func TestShortestCrossFades(t *testing.T) {
	sphere, triangles := ball(2)
	still, err := NewClip(triangles, []Frame{{Positions: sphere}, {Time: 1, Positions: sphere}})
	if err != nil {
		t.Fatal(err)
	}
	wide, err := NewClip(triangles, []Frame{{Positions: scaled(sphere, 2, 1, 1)}, {Time: 1, Positions: scaled(sphere, 3, 1, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, duration := range []float64{math.SmallestNonzeroFloat64, 1e-310, 1e-300, 1e-9, 1e-6, 1e-3} {
		p := NewPlayer(still)
		if err := p.CrossFade(wide, 0, duration); err != nil {
			t.Fatal(err)
		}
		mustBeFinite(t, fmt.Sprintf("duration %g", duration), p.Mesh())
		var ahead Mesh
		p.Advance(duration / 2)
		mustBeFinite(t, fmt.Sprintf("in the middle of %g", duration), p.Mesh())
		p.Ahead(duration/4, &ahead)
		mustBeFinite(t, fmt.Sprintf("ahead in %g", duration), &ahead)
		p.Advance(1e-2)
		if m := p.Mesh(); math.Abs(m.Positions[0].X-sphere[0].X*(2+p.Time)) > 1e-9 || math.Abs(m.Velocities[0].X-sphere[0].X) > 1e-6 {
			t.Errorf("duration %g: afterwards a vertex is at %v with %v", duration, m.Positions[0], m.Velocities[0])
		}
	}
	for _, speed := range []float64{1e9, 1e10, 1e300, -math.MaxFloat64} {
		p := NewPlayer(wide)
		p.Speed = speed
		p.Advance(1e-12)
		mustBeFinite(t, fmt.Sprintf("speed %g", speed), p.Mesh())
		if err := p.Validate(); (err != nil) != (math.Abs(speed) > 1e9) {
			t.Errorf("speed %g: Validate says %v", speed, err)
		}
	}
}
