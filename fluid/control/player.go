package control

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Pose is the pose and the velocity of a player's surface in the world: x_world = Rotation·x + Position.
type Pose struct {
	Position        r3.Vec      // m, of the source's origin
	Rotation        quat.Number // normalised by the player; zero means none
	Velocity        r3.Vec      // m/s, of the source's origin
	AngularVelocity r3.Vec      // rad/s, in the world
}

// Player plays a source: at any speed, backwards, in a loop, paused, cross-faded into another, and placed in the world. Fields may
// be set between calls; values out of their limits count as 0, and Validate names them.
type Player struct {
	Time   float64 // of the newest source's clock, s
	Speed  float64 // rate of the source's clock by the game's, within ±1e9; negative plays backwards
	Loop   bool    // wrap around at the ends; otherwise the surface rests at an end that it reaches
	Paused bool    // the surface rests, and cross-fades pause
	Pose   Pose

	layers   []layer // played sources, the newest last
	finished []layer // sources whose cross-fades are finished, the newest last, for KeepNewest
	moving   bool    // the last Advance was not paused
	mesh     Mesh
}

// layer is a played source.
type layer struct {
	source        Source
	realTime      bool
	time          float64 // s; for the newest source Player.Time is used
	rate          float64 // of its clock by the game's in the last Advance: the factor on velocities
	fade          float64 // duration of its cross-fade, s; 0 for the first
	since         float64 // time since the cross-fade began, s
	ahead         float64 // scratch of Ahead: time at the time asked for
	sinceAhead    float64
	sameTriangles [2]uint64 // revisions of the layers below and of its own mesh with equal triangles
	mesh          Mesh
}

// NewPlayer returns a player of a source, at its time 0 and speed 1. Until the first Advance velocities are those of the pose alone. It panics if
// source is nil.
func NewPlayer(source Source) *Player {
	if source == nil {
		panic("control: NewPlayer: source is nil")
	}
	return &Player{Speed: 1, layers: []layer{newLayer(source)}}
}

func newLayer(source Source) layer {
	l := layer{source: source}
	if r, ok := source.(interface{ RealTime() bool }); ok {
		l.realTime = r.RealTime()
	}
	if l.realTime {
		l.rate = 1
	}
	return l
}

// Source returns the newest source: the target of the last cross-fade, or the only one.
func (p *Player) Source() Source { return p.layers[len(p.layers)-1].source }

// CrossFade blends to another source within a duration, s of the game's clock. The weight of positions rises smoothly from 0 to 1
// (3s² - 2s³), and velocities are the derivative of the blend. The other source starts at time start of its clock, which Time then counts. With a
// duration below 1e-6 s it replaces the source at once. A cross-fade may begin during another.
//
// Both sources need the same triangles, unless the other replaces at once. After an error the player is unchanged.
func (p *Player) CrossFade(to Source, start, duration float64) error {
	switch {
	case to == nil:
		return errors.New("control: Player.CrossFade: there is no source to go to")
	case !geom.Finite(start):
		return fmt.Errorf("control: Player.CrossFade: start: %g s; must be finite", start)
	case !(duration >= 0 && duration <= maxTime):
		return fmt.Errorf("control: Player.CrossFade: duration: %g s; must be 0 to %g s", duration, maxTime)
	}
	old := &p.layers[len(p.layers)-1]
	next := newLayer(to)
	next.time = start
	if !next.realTime && !old.realTime {
		next.rate = old.rate
	}
	if duration < minStep { // the velocities of such a short one would exceed all limits
		p.layers, p.finished = append(p.layers[:0], next), p.finished[:0]
		p.Time = start
		return nil
	}
	old.source.At(p.timeOf(len(p.layers)-1), &old.mesh)
	to.At(start, &next.mesh)
	a, b := &old.mesh, &next.mesh
	if len(a.Positions) != len(b.Positions) || !slices.Equal(a.Triangles, b.Triangles) {
		return fmt.Errorf("control: Player.CrossFade: to: %d vertices and %d triangles; must be the same triangles as those of the source played (%d and %d), or duration 0",
			len(b.Positions), len(b.Triangles), len(a.Positions), len(a.Triangles))
	}
	next.sameTriangles = [2]uint64{a.Revision, b.Revision}
	old.time, next.fade = p.Time, duration
	p.layers = append(p.layers, next)
	p.Time = start
	return nil
}

// timeOf returns the time of a layer, s.
func (p *Player) timeOf(i int) float64 {
	if i < len(p.layers)-1 {
		return p.layers[i].time
	}
	return orZero(p.Time)
}

// Validate returns an error for a field that is out of its limits.
func (p *Player) Validate() error {
	if !geom.Finite(p.Time) {
		return fmt.Errorf("control: Player.Time: %g; must be finite", p.Time)
	}
	if !(math.Abs(p.Speed) <= maxRate) {
		return fmt.Errorf("control: Player.Speed: %g; must be within ±%g", p.Speed, maxRate)
	}
	for _, c := range []struct {
		name string
		v    r3.Vec
		most float64
	}{{"Position", p.Pose.Position, maxCoord}, {"Velocity", p.Pose.Velocity, maxSpeed}, {"AngularVelocity", p.Pose.AngularVelocity, maxSpeed}} {
		if !inRange(c.v, c.most) {
			return fmt.Errorf("control: Player.Pose.%s: %v; components must be within ±%g", c.name, c.v, c.most)
		}
	}
	if q := p.Pose.Rotation; q != (quat.Number{}) && !usable(q) {
		return fmt.Errorf("control: Player.Pose.Rotation: %v; must be finite, of length 1, or zero for none", q)
	}
	return nil
}

// speed returns Speed, or 0 if it is out of its limits.
func (p *Player) speed() float64 {
	if math.Abs(p.Speed) <= maxRate {
		return p.Speed
	}
	return 0
}

func orZero(x float64) float64 {
	if geom.Finite(x) {
		return x
	}
	return 0
}

// usable reports whether a quaternion can be normalised.
func usable(q quat.Number) bool {
	length := reproducible.QuatAbs(q)
	return length >= 1e-100 && length <= 1e100
}

// Advance moves on by dt, s of the game's clock. A dt that is not finite or is negative counts as 0.
//
// A source that reaches its end in this step still has its velocity; from the next step on it rests, with velocity 0.
func (p *Player) Advance(dt float64) {
	if !(dt > 0 && geom.Finite(dt)) {
		dt = 0
	}
	last := len(p.layers) - 1
	p.moving = !p.Paused
	speed := 0.0
	if p.moving {
		speed = p.speed()
	}
	for i := range p.layers {
		l := &p.layers[i]
		l.time, l.rate = advanced(p.timeOf(i), speed, dt, l.source.Duration(), p.Loop)
		if l.realTime {
			l.rate = 1
		}
		if p.moving {
			l.since += dt
		}
	}
	p.Time = p.layers[last].time
	for i := last; i > 0; i-- {
		if p.layers[i].since >= p.layers[i].fade { // the layers below have weight 0
			p.drop(i)
			break
		}
	}
}

// mostOver is the greatest number of sources kept after their cross-fades.
const mostOver = 7

// drop ends the cross-fades from the first n layers, and keeps their memory for later ones.
func (p *Player) drop(n int) {
	p.finished = append(p.finished, p.layers[:n]...)
	if many := len(p.finished) - mostOver; many > 0 {
		p.finished = append(p.finished[:0], p.finished[many:]...)
	}
	for i := range p.finished {
		p.finished[i].mesh = Mesh{}
	}
	p.layers = append(p.layers[:0], p.layers[n:]...)
	clear(p.layers[len(p.layers):cap(p.layers)])
	p.layers[0].fade = 0
}

// advanced returns the time of a clock after dt, and its rate: 0 if it rested at an end.
func advanced(time, speed, dt, duration float64, loop bool) (after, rate float64) {
	after = time + float64(speed*dt)
	switch {
	case !geom.Finite(after):
		return time, 0
	case duration <= 0:
		return after, speed
	case loop:
		if after >= 0 && after < duration {
			return after, speed
		}
		after = math.Mod(after, duration)
		if after < 0 {
			after += duration
		}
		if after >= duration { // rounding
			after = 0
		}
		return after, speed
	}
	after = min(max(after, 0), duration)
	if after == time && speed != 0 && dt > 0 {
		return after, 0
	}
	return after, speed
}

// Mesh returns the surface in the world as of the last Advance and the pose, with velocities by the game's clock: the source's times the speed, those of
// cross-fades, and the pose's. It is valid until the next call of Mesh, which allocates nothing once it has been called
// for every source.
func (p *Player) Mesh() *Mesh {
	p.Ahead(0, &p.mesh)
	return &p.mesh
}

// fill sets m to the surface in the world at the layers' ahead and later.
func (p *Player) fill(m *Mesh) {
	first := &p.layers[0]
	first.source.At(first.ahead, m)
	for i := range m.Velocities {
		m.Velocities[i] = reproducible.Scale(first.rate, m.Velocities[i])
	}
	for i := range p.layers[1:] {
		p.blend(i+1, m)
	}
	p.place(m)
}

// blend blends a layer into the mesh.
func (p *Player) blend(i int, m *Mesh) {
	l := &p.layers[i]
	l.source.At(l.ahead, &l.mesh)
	s := min(l.sinceAhead/l.fade, 1)
	weight, rate := float64(float64(s*s)*(3-2*s)), 6*s*(1-s)/l.fade
	if !p.moving {
		rate = 0
	}
	if l.sameTriangles != [2]uint64{m.Revision, l.mesh.Revision} || len(l.mesh.Positions) != len(m.Positions) { // a source has changed its triangles
		m.resize(len(l.mesh.Positions))
		copy(m.Positions, l.mesh.Positions)
		m.Triangles, m.Revision = l.mesh.Triangles, l.mesh.Revision
		for k, v := range l.mesh.Velocities {
			m.Velocities[k] = reproducible.Scale(l.rate, v)
		}
		return
	}
	for k, b := range l.mesh.Positions {
		a := m.Positions[k]
		d := r3.Sub(b, a)
		va, vb := m.Velocities[k], reproducible.Scale(l.rate, l.mesh.Velocities[k])
		m.Positions[k] = r3.Add(a, reproducible.Scale(weight, d))
		m.Velocities[k] = r3.Add(r3.Add(va, reproducible.Scale(weight, r3.Sub(vb, va))), reproducible.Scale(rate, d))
	}
}

// place transforms the mesh to the world.
func (p *Player) place(m *Mesh) {
	q := p.Pose.Rotation
	if q == (quat.Number{}) || !usable(q) {
		q = identity
	}
	rows := reproducible.RotationRows(unitQuat(q))
	turns := q != identity
	position, velocity, angular := vecOrZero(p.Pose.Position, maxCoord), vecOrZero(p.Pose.Velocity, maxSpeed), vecOrZero(p.Pose.AngularVelocity, maxSpeed)
	for i, x := range m.Positions {
		v := m.Velocities[i]
		if turns {
			x, v = rotate(&rows, x), rotate(&rows, v)
		}
		m.Positions[i] = r3.Add(x, position)
		m.Velocities[i] = r3.Add(r3.Add(v, velocity), reproducible.Cross(angular, x))
	}
}

func vecOrZero(v r3.Vec, most float64) r3.Vec {
	if inRange(v, most) {
		return v
	}
	return r3.Vec{}
}

// MoveTo sets the pose, and its velocities to those of a motion from the old pose to it within dt, s. An error names an invalid
// value, and leaves the pose unchanged.
func (p *Player) MoveTo(position r3.Vec, rotation quat.Number, dt float64) error {
	if !(dt >= minStep && dt <= maxTime) {
		return fmt.Errorf("control: Player.MoveTo: dt: %g s; must be %g s to %g s", dt, minStep, maxTime)
	}
	next := Player{Pose: Pose{Position: position, Rotation: rotation}}
	if err := next.Validate(); err != nil {
		return err
	}
	from := vecOrZero(p.Pose.Position, maxCoord)
	d := r3.Sub(position, from)
	p.Pose = Pose{position, rotation, r3.Vec{X: d.X / dt, Y: d.Y / dt, Z: d.Z / dt}, turnRate(orIdentity(p.Pose.Rotation), orIdentity(rotation), dt)}
	return nil
}

func orIdentity(q quat.Number) quat.Number {
	if usable(q) {
		return unitQuat(q)
	}
	return identity
}

// turnRate returns the angular velocity of the shorter rotation from a to b in dt s, rad/s.
func turnRate(a, b quat.Number, dt float64) r3.Vec {
	half, sin, axis := shorterWay(a, b)
	if sin == 0 {
		return r3.Vec{}
	}
	return reproducible.Scale(2*half/float64(dt*sin), axis)
}
