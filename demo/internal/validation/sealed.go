package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// sealedCell is the finest cells' edge, and sealedHollow that of the boxes' hollow, m.
const sealedCell, sealedHollow = .1, .7

// sealedMotion is how a closed box is moved: to and fro along x, turning, or thrown, as a kinematic body, an obstacle of the liquid's own, or
// a dynamic body.
type sealedMotion struct {
	kind        string
	speed, spin float64 // m/s, rad/s
}

// sealed is V38: what of the liquid in closed boxes with thin walls is outside at worst, at walls of a quarter of a cell and of one,
// and steps of 1/30, 1/60 and 1/240 s.
func sealed(method Method) ([]Row, error) {
	var rows []Row
	for _, wall := range []float64{.025, .1} {
		for _, group := range []struct {
			name    string
			motions []sealedMotion
		}{
			{"to and fro, 1 to 6 m/s", []sealedMotion{{"kinematic", 1, 0}, {"kinematic", 3, 0}, {"kinematic", 6, 0}, {"obstacle", 6, 0}}},
			{"turned, 3 to 15 rad/s", []sealedMotion{{"kinematic", 0, 3}, {"kinematic", 0, 12}, {"obstacle", 0, 15}}},
			{"thrown, 3 to 6 m/s and 6 to 15 rad/s", []sealedMotion{{"dynamic", 6, 6}, {"dynamic", 3, 15}}},
		} {
			worst := 0.
			for _, m := range group.motions {
				for _, hz := range []float64{30, 60, 240} {
					for _, fill := range []float64{.55, 1} {
						leak, err := sealedLeak(method, m, wall, fill, 1/hz)
						if err != nil {
							return nil, err
						}
						worst = max(worst, leak)
					}
				}
			}
			rows = append(rows, row("V38", fmt.Sprintf("sealed box, walls of %.2g cells, %s: outside, at worst", wall/sealedCell, group.name), 100*worst, 0, .1, "%"))
		}
	}
	return rows, nil
}

// sealedLeak moves a box for a second, a quarter of one in short steps, and returns the greatest part of its liquid that was more than a
// cell outside. The box may be a part of a step ahead of the surface.
func sealedLeak(method Method, m sealedMotion, wall, fill, dt float64) (worst float64, err error) {
	domain, seconds := size(3, 1.6, 1.6), 1.
	if m.speed == 0 || m.kind == "dynamic" {
		domain = size(2, 2, 2)
	}
	if dt < .01 {
		seconds = .25
	}
	const half = sealedHollow / 2
	out := half + wall
	at := r3.Add(r3.Scale(.5, domain.Max), r3.Vec{X: .013, Y: .027, Z: -.018})
	l, err := method.made(fluid.Def{Domain: domain, CellSize: sealedCell})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	pose, move, err := sealedBox(l, m, wall, at)
	if err != nil {
		return 0, err
	}
	corner := r3.Vec{X: half, Y: half, Z: half}
	hollow := r3.Box{Min: r3.Sub(at, corner), Max: r3.Add(at, corner)}
	hollow.Max.Y = hollow.Min.Y + fill*sealedHollow
	if err := l.Fill(fluid.Box(hollow)); err != nil {
		return 0, err
	}
	filled, dir := l.Ledger().FilledL, 1.
	reach := out + 1.5*sealedCell // VolumeIn counts cells in part from half a cell before a shape on
	box := fluid.Box(r3.Box{Min: r3.Vec{X: -reach, Y: -reach, Z: -reach}, Max: r3.Vec{X: reach, Y: reach, Z: reach}})
	for range int(math.Round(seconds / dt)) {
		x, _ := pose()
		if next := x.X + dir*m.speed*dt; next > domain.Max.X-out-.15 || next < out+.15 {
			dir = -dir
		}
		if err := move(dir, dt); err != nil {
			return 0, err
		}
		if r := l.Step(dt); r.Err != nil {
			return 0, fmt.Errorf("V38: %s", r.Err)
		}
		x, q := pose()
		leak, err := l.VolumeIn(fluid.Difference(fluid.Box(domain), fluid.Transform(box, q, x)))
		if err != nil {
			return 0, err
		}
		worst = max(worst, (leak+dropletsOutside(l.Surface(), x, q, out+sealedCell))/filled)
	}
	return worst, nil
}

// dropletsOutside is the litres of the droplets further than so far, m, from a place along some axis of a turned box there.
func dropletsOutside(s *fluid.Surface, at r3.Vec, q quat.Number, far float64) (litres float64) {
	for d := s.Droplets; len(d) >= 4; d = d[4:] {
		v := r3.Sub(r3.Vec{X: float64(d[0]), Y: float64(d[1]), Z: float64(d[2])}, at)
		p := quat.Mul(quat.Mul(quat.Conj(q), quat.Number{Imag: v.X, Jmag: v.Y, Kmag: v.Z}), q)
		if r := float64(d[3]); max(math.Abs(p.Imag), math.Abs(p.Jmag), math.Abs(p.Kmag)) > far {
			litres += 4e3 / 3 * math.Pi * r * r * r
		}
	}
	return litres
}

// sealedBox puts a closed box into a liquid. It returns what tells where it is, and what moves it on before a step: in one direction or the
// other along x.
func sealedBox(l *fluid.Liquid, m sealedMotion, wall float64, at r3.Vec) (pose func() (r3.Vec, quat.Number), move func(dir, dt float64) error, err error) {
	axis := r3.Unit(r3.Vec{X: 1, Y: 2, Z: .5})
	const half = sealedHollow / 2
	out := half + wall
	turned := func(q quat.Number, dt float64) quat.Number {
		u := r3.Scale(math.Sin(m.spin*dt/2), axis)
		return quat.Mul(quat.Number{Real: math.Cos(m.spin * dt / 2), Imag: u.X, Jmag: u.Y, Kmag: u.Z}, q)
	}
	if m.kind == "obstacle" {
		id, err := l.AddObstacle(fluid.Shell(fluid.Box(r3.Box{Min: r3.Vec{X: -out, Y: -out, Z: -out}, Max: r3.Vec{X: out, Y: out, Z: out}}), wall))
		if err != nil {
			return nil, nil, err
		}
		now := fluid.Motion{Translation: at, Rotation: quat.Number{Real: 1}}
		pose = func() (r3.Vec, quat.Number) { return now.Translation, now.Rotation }
		move = func(dir, dt float64) error {
			then := now
			then.Velocity, then.AngularVelocity = r3.Vec{X: dir * m.speed}, r3.Scale(m.spin, axis)
			now.Translation, now.Rotation = r3.Add(now.Translation, r3.Scale(dt, then.Velocity)), turned(now.Rotation, dt)
			return l.MoveObstacle(id, then)
		}
		return pose, move, l.MoveObstacle(id, now)
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	kind := physics.Kinematic
	if m.kind == "dynamic" {
		kind = physics.Dynamic
		if err := sealedRoom(w, l.Def().Domain); err != nil {
			return nil, nil, err
		}
	}
	b, err := w.AddBody(physics.BodyDef{Kind: kind, Position: at, NoSleep: true})
	if err != nil {
		return nil, nil, err
	}
	for _, s := range []physics.ShapeDef{
		{Geometry: physics.OpenBox(physics.Centred(2*out, 2*out, 2*out), wall), Density: 2000},
		{Geometry: physics.Box(physics.Centred(2*out, wall, 2*out)), Density: 2000, Offset: r3.Vec{Y: half + wall/2}},
	} {
		if _, err := b.AddShape(s); err != nil {
			return nil, nil, err
		}
	}
	l.Couple(w.Coupling())
	pose = func() (r3.Vec, quat.Number) { return b.Position(), b.Rotation() }
	if kind == physics.Dynamic {
		if err := b.SetVelocity(r3.Scale(m.speed, r3.Unit(r3.Vec{X: 8, Y: 3, Z: 5}))); err != nil {
			return nil, nil, err
		}
		return pose, func(float64, float64) error { return nil }, b.SetAngularVelocity(r3.Scale(m.spin, axis))
	}
	move = func(dir, dt float64) error {
		x, q := pose()
		return b.SetTargetPose(r3.Add(x, r3.Vec{X: dir * m.speed * dt}), turned(q, dt), dt)
	}
	return pose, move, nil
}

// sealedRoom keeps bodies in a domain, off whose sides they bounce.
func sealedRoom(w *physics.World, d r3.Box) error {
	for _, side := range []struct{ inward, at r3.Vec }{
		{r3.Vec{X: 1}, d.Min}, {r3.Vec{Y: 1}, d.Min}, {r3.Vec{Z: 1}, d.Min}, {r3.Vec{X: -1}, d.Max}, {r3.Vec{Y: -1}, d.Max}, {r3.Vec{Z: -1}, d.Max},
	} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: side.at})
		if err == nil {
			_, err = b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, side.inward), Material: physics.Material{Restitution: .8}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
