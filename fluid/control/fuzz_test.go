package control

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// dice reads numbers from bytes, and zeros after their end.
type dice []byte

func (d *dice) byte() byte {
	if len(*d) == 0 {
		return 0
	}
	b := (*d)[0]
	*d = (*d)[1:]
	return b
}

// between returns a number from lo to hi.
func (d *dice) between(lo, hi float64) float64 { return lo + (hi-lo)*float64(d.byte())/255 }

func (d *dice) vec(most float64) r3.Vec {
	return r3.Vec{X: d.between(-most, most), Y: d.between(-most, most), Z: d.between(-most, most)}
}

// number returns any bits where the first byte says so.
func (d *dice) number(lo, hi float64) float64 {
	if d.byte() < 250 {
		return d.between(lo, hi)
	}
	var b [8]byte
	for i := range b {
		b[i] = d.byte()
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

// Random keys and constraints give an error, or a clip without NaN whose frames have their volumes.
func FuzzMorph(f *testing.F) {
	f.Add([]byte{2, 0, 9})
	f.Add([]byte("three keys that are bent and turned, and some constraints of their vertices at different times"))
	f.Add([]byte{3, 7, 1, 200, 100, 50, 3, 90, 180, 220, 10, 254, 255, 1, 2, 3, 4, 5, 6, 7, 240, 9, 9})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		d := dice(bytes)
		shape, triangles := ball(2 + int(d.byte()%4))
		if d.byte()%2 == 1 {
			shape, triangles = torus(1, .4, 6, 5)
		}
		m := Morph{Triangles: triangles, Frames: int(d.byte() % 12), FixedAxes: d.byte()%2 == 1}
		time := 0.0
		for range 2 + int(d.byte()%3) {
			x := twisted(shape, d.between(-120, 120), d.between(-180, 180))
			x = scaled(x, d.between(.3, 2), d.between(.3, 2), d.between(.3, 2))
			bend, shift := d.between(-.5, .5), d.vec(3)
			x = each(x, func(p r3.Vec) r3.Vec {
				return r3.Add(shift, r3.Vec{X: p.X + bend*p.Z*p.Z, Y: p.Y + bend*math.Sin(4*p.X), Z: p.Z})
			})
			m.Keys = append(m.Keys, Key{Time: time, Positions: x})
			time += d.number(.1, 2)
		}
		for range d.byte() % 4 {
			m.Positions = append(m.Positions, PositionConstraint{d.number(0, time), int(d.byte()) % len(shape), d.vec(3)})
		}
		for range d.byte() % 4 {
			m.Velocities = append(m.Velocities, VelocityConstraint{d.number(0, time), int(d.byte()) % len(shape), d.vec(5)})
		}
		clip, r, err := m.Solve()
		if clip == nil {
			if err == nil {
				t.Error("neither a clip nor an error")
			}
			return
		}
		var mesh Mesh
		for i := range clip.Frames() {
			clip.At(clip.FrameTime(i), &mesh)
			mustBeFinite(t, "morph", &mesh)
		}
		if err != nil {
			if !errors.Is(err, ErrVolume) && !errors.Is(err, ErrCrossing) {
				t.Error(err)
			}
			return
		}
		if !(r.VolumeError <= 2e-8) {
			t.Errorf("volume off by %g", r.VolumeError)
		}
	})
}

// Any fields, sources and steps of a player give finite meshes.
func FuzzPlayer(f *testing.F) {
	f.Add([]byte("plays and fades and loops and is moved"))
	f.Add([]byte{1, 255, 0, 0, 0, 0, 0, 0, 240, 127, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		d := dice(bytes)
		sphere, ts := ball(2)
		speeds := make([]r3.Vec, len(sphere))
		a, _ := NewClip(ts, []Frame{{Positions: sphere}, {Time: .7, Positions: scaled(sphere, 1, 2, 1)}, {Time: 1, Positions: scaled(sphere, 3, 2, 1)}})
		b, _ := NewSequence([]MeshFrame{{0, sphere, speeds, ts}, {1, sphere, speeds, ts}})
		c, _ := NewLive(ts, sphere)
		ring, tr := torus(1, .3, 4, 3)
		e, _ := NewSequence([]MeshFrame{{0, sphere, speeds, ts}, {.5, ring, make([]r3.Vec, len(ring)), tr}})
		sources := []Source{a, b, c, e}
		p := NewPlayer(sources[d.byte()%4])
		for len(d) > 0 {
			switch d.byte() % 8 {
			case 0:
				p.Speed = d.number(-3, 3)
			case 1:
				p.Loop = !p.Loop
			case 2:
				p.Paused = !p.Paused
			case 3:
				p.Time = d.number(-1, 2)
			case 4:
				_ = p.CrossFade(sources[d.byte()%4], d.number(-1, 2), d.number(0, 1))
			case 5:
				p.Pose.Velocity.X, p.Pose.Position.Y, p.Pose.Rotation.Real, p.Pose.Rotation.Kmag = d.number(-9, 9), d.number(-9, 9), d.number(-1, 1), d.number(-1, 1)
			case 6:
				_ = p.MoveTo(d.vec(10), p.Pose.Rotation, d.number(0, 1))
			}
			p.Advance(d.number(-.1, 1))
			m := p.Mesh()
			mustBeFinite(t, "player", m)
			if len(m.Positions) != len(m.Velocities) || len(m.Triangles) != len(ts) && len(m.Triangles) != len(tr) {
				t.Fatalf("%d positions, %d velocities, %d triangles", len(m.Positions), len(m.Velocities), len(m.Triangles))
			}
		}
	})
}
