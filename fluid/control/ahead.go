package control

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Ahead sets m to the surface a time ahead, s, after the last Advance if nothing changes: clocks run on, and the pose moves with its
// velocities. Velocities are those at that time. predicted is false if the motion until then is unknown, since a source is real-time, or
// a clock wraps around in a loop.
func (p *Player) Ahead(ahead float64, m *Mesh) (predicted bool) {
	predicted = true
	now := p.Pose
	if ahead > 0 {
		p.Pose.Position = r3.Add(now.Position, reproducible.Scale(ahead, now.Velocity))
		p.Pose.Rotation = turned(now.Rotation, now.AngularVelocity, ahead)
	}
	for i := range p.layers {
		l := &p.layers[i]
		l.ahead, l.sinceAhead = p.timeOf(i), l.since
		if l.realTime {
			predicted = predicted && ahead == 0
		}
		if ahead > 0 && p.moving {
			time, rate := advanced(l.ahead, p.speed(), ahead, l.source.Duration(), p.Loop)
			predicted = predicted && (time-l.ahead)*rate >= 0
			l.ahead = time
			l.sinceAhead += ahead
		}
	}
	p.fill(m)
	p.Pose = now
	return predicted
}

// turned returns a rotation after dt s of an angular velocity, rad/s.
func turned(q quat.Number, w r3.Vec, dt float64) quat.Number {
	q = orIdentity(q)
	speed := reproducible.Norm(w)
	if speed == 0 {
		return q
	}
	sin, cos := reproducible.PreciseSincos(speed * dt / 2)
	axis := reproducible.Scale(sin/speed, w)
	return reproducible.QuatMul(quat.Number{Real: cos, Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}, q)
}

// MovePose moves the pose with its velocities for dt s.
func (p *Player) MovePose(dt float64) {
	p.Pose.Position = r3.Add(p.Pose.Position, reproducible.Scale(dt, p.Pose.Velocity))
	p.Pose.Rotation = turned(p.Pose.Rotation, p.Pose.AngularVelocity, dt)
}

// CopyClock copies the state of another player with the same sources.
func (p *Player) CopyClock(from *Player) {
	p.Time, p.Speed, p.Loop, p.Paused, p.Pose, p.moving = from.Time, from.Speed, from.Loop, from.Paused, from.Pose, from.moving
	for len(p.layers) < len(from.layers) {
		p.layers = append(p.layers, layer{})
	}
	p.layers = p.layers[:len(from.layers)]
	for i := range from.layers {
		mesh := p.layers[i].mesh
		p.layers[i] = from.layers[i]
		p.layers[i].mesh = mesh
	}
	p.finished = append(p.finished[:0], from.finished...)
}

// KeepNewest makes the n newest sources the played ones: it ends cross-fades from older ones, or resumes finished ones, whose
// Clocks must be set then. It panics unless n is 1 to Kept.
func (p *Player) KeepNewest(n int) {
	if n < 1 || n > p.Kept() {
		panic(fmt.Sprintf("control: Player.KeepNewest: %d of %d sources", n, p.Kept()))
	}
	p.layers[len(p.layers)-1].time = p.Time
	if more := n - len(p.layers); more > 0 {
		first := len(p.finished) - more
		p.layers = slices.Insert(p.layers, 0, p.finished[first:]...)
		p.finished = p.finished[:first]
		return
	}
	p.drop(len(p.layers) - n)
}

// Kept returns the number of sources that KeepNewest can keep: those played, and up to seven before them whose cross-fades are finished.
func (p *Player) Kept() int { return len(p.finished) + len(p.layers) }

// Layers returns the number of sources played: more than one during a cross-fade.
func (p *Player) Layers() int { return len(p.layers) }

// Clock returns pointers to the time-dependent state of a source, to be saved and restored: its time, the rate of its clock, the duration of its
// cross-fade, and the time since that began, all in s.
func (p *Player) Clock(i int) (state [4]*float64) {
	l := &p.layers[i]
	return [4]*float64{&l.time, &l.rate, &l.fade, &l.since}
}
