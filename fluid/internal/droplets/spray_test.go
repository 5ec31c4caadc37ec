package droplets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// pond is liquid below y = 0, a wall at x = 2 that stops droplets, and the end of the grid at x = 5, m.
type pond struct{}

func (pond) Follow(paths []Path) {
	for i := range paths {
		p := &paths[i]
		if p.From.X < 2 && p.To.X >= 2 {
			p.To.X, p.Stopped = 1.99, true
		}
		switch {
		case p.To.X > 5:
			p.End = Outside
		case p.To.Y < 0:
			p.End = InLiquid
		}
	}
}

// More droplets than a batch fly, merge and leave; the others keep their order, and no volume is lost.
func TestSprayFlies(t *testing.T) {
	const n, dt = 3*batch + 7, .01
	s := NewSpray()
	s.Gravity = [3]float64{0, -10, 0}
	for i := range n {
		x, v := [3]float32{0, 1, 0}, [3]float32{float32(i)}
		switch i % 4 {
		case 1:
			x[1] = -.01 // merges
		case 2:
			x[0] = 5 // leaves, all but a droplet that doesn't move
			v[0] += 1
		case 3:
			x[0], v[0] = 1.995, 1 // is stopped
		}
		s.Add(x, v, .01)
	}
	born := s.Volume
	s.Begin()
	s.Add([3]float32{0, -1, 0}, [3]float32{}, .02) // just born: it gets only what gravity adds
	s.Advance(dt, n, pond{})
	if got := s.Volume + s.Merged + s.Lost - s.Born; math.Abs(got-born) > 1e-15 {
		t.Errorf("%g m³ are left of %g", got, born)
	}
	if want := (n+3)/4 + n/4 + 1; s.Len() != want {
		t.Fatalf("%d droplets are left, want %d", s.Len(), want)
	}
	last := float32(-1)
	for i := range s.Len() - 1 {
		x, v := s.Position[3*i:][:3], s.Velocity[3*i:][:3]
		if i%2 == 1 {
			if x[0] != 1.99 || v[0] != 0 || v[1] != 0 {
				t.Fatalf("droplet %d at the wall is at %v with %v", i, x, v)
			}
			continue
		}
		if v[0] <= last || v[1] != float32(-10*dt) || x[0] != float32(dt)*v[0] || x[1] != 1 {
			t.Fatalf("droplet %d is at %v with %v after one with %v", i, x, v, last)
		}
		last = v[0]
	}
	if x := s.Position[3*(s.Len()-1):]; x[1] != -1 || s.Velocity[3*s.Len()-2] != float32(-10*dt) {
		t.Errorf("one that was just born is at %v", x)
	}
}

func TestSprayIsTakenAwayAndBack(t *testing.T) {
	s, b := NewSpray(), NewSpray()
	s.Max = 3
	for i := range 5 {
		if ok := s.Add([3]float32{float32(i), 0, 0}, [3]float32{}, .1); ok != (i < 3) {
			t.Fatalf("droplet %d: %v", i, ok)
		}
	}
	if s.Refused != 2 {
		t.Errorf("%d refused", s.Refused)
	}
	s.Keep()
	s.Remove(shapes.Sphere(r3.Vec{X: 1}, .5))
	if s.Len() != 2 || s.Position[3] != 2 || math.Abs(s.Volume-2*SphereVolume(.1)) > 1e-15 {
		t.Errorf("%v, %g m³", s.Position, s.Volume)
	}
	s.Restore()
	var c codec.Codec
	c.Write()
	s.Code(&c)
	c.Read(c.Bytes(), 8)
	b.Code(&c)
	if err := c.End(); err != nil || b.Len() != 3 || b.Position[3] != 1 || b.Volume != s.Volume {
		t.Errorf("%v: %v, %g m³", err, b.Position, b.Volume)
	}
	s.Clear()
	if s.Len() != 0 || s.Volume != 0 {
		t.Error("some are left")
	}
}

// Both kinds of droplets are appended one after the other, moved on by the delay.
func TestSpheres(t *testing.T) {
	s, d := NewSpray(), newDrops()
	s.Add([3]float32{1, 2, 3}, [3]float32{4, 0, -2}, .5)
	d.Add(r3.Vec{X: .5, Y: 1}, r3.Vec{Y: -1}, 4*math.Pi/3*.125)
	spheres, velocities := s.AppendSpheres(nil, nil, .25)
	spheres, velocities = d.AppendSpheres(spheres, velocities, .25)
	if want := []float32{2, 2, 2.5, .5, .5, .75, 0, .5}; !slices.Equal(spheres, want) {
		t.Errorf("%v, want %v", spheres, want)
	}
	if want := []float32{4, 0, -2, 0, -1, 0}; !slices.Equal(velocities, want) {
		t.Errorf("%v m/s, want %v", velocities, want)
	}
}
