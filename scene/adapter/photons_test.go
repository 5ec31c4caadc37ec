package adapter

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
)

// sheet is a free surface of n by n squares over a square metre, at height y(x) with a slope.
func sheet(n int, y, slope func(x float64) float64) *SurfaceCopy {
	s := &fluid.Surface{}
	for j := range n + 1 {
		for i := range n + 1 {
			x := float64(i) / float64(n)
			g := slope(x)
			size := math.Hypot(g, 1)
			s.Positions = append(s.Positions, float32(x), float32(y(x)), float32(j)/float32(n))
			s.Normals = append(s.Normals, float32(-g/size), float32(1/size), 0)
			s.Velocities = append(s.Velocities, 1, 0, 0)
			s.Foam = append(s.Foam, 0)
			if i < n && j < n {
				k := uint32(j*(n+1) + i)
				up := k + uint32(n) + 1
				s.Indices = append(s.Indices, k, up, k+1, k+1, up, up+1)
			}
		}
	}
	s.Free = len(s.Indices)
	p := &SurfaceCopy{}
	p.CopyFrom(s)
	return p
}

func noSlope(float64) float64 { return 0 }

// Through still water all light goes by Snell's law, and what passes and what is mirrored together are what falls on it.
func TestPhotonsOfStillWater(t *testing.T) {
	p := sheet(10, func(float64) float64 { return 2 }, noSlope)
	var l PhotonList
	p.Photons(&l, [3]float32{3, 4, 0}, .5)
	if len(l.Passed) != 200 {
		t.Fatalf("%d bundles, want 200", len(l.Passed))
	}
	var passed, mirrored, area float64
	for i := range l.Passed {
		passed, mirrored, area = passed+float64(l.Passed[i]), mirrored+float64(l.Mirrored[i]), area+float64(l.Areas[i])
		if x, y := l.Positions[3*i], l.Positions[3*i+1]; x < -.5 || x > .5 || y != 2 {
			t.Fatalf("bundle %d starts at %g, %g", i, x, y)
		}
		sin := .6 / waterIndex
		near3(t, "the way in the liquid", l.Bent[3*i:], -sin, -math.Sqrt(1-sin*sin), 0)
		near3(t, "the way in the air", l.Reflected[3*i:], -.6, .8, 0)
	}
	f := facingOn + (1-facingOn)*math.Pow(.2, 5)
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"area", area, 1}, {"passed", passed, .8 * (1 - f)}, {"mirrored", mirrored, .8 * f}} {
		if math.Abs(c.got-c.want) > 1e-5 {
			t.Errorf("%s: %.6f, want %.6f", c.name, c.got, c.want)
		}
	}
}

func near3(t *testing.T, what string, got []float32, x, y, z float64) {
	t.Helper()
	if math.Abs(float64(got[0])-x)+math.Abs(float64(got[1])-y)+math.Abs(float64(got[2])-z) > 1e-5 {
		t.Errorf("%s: %v, want %.5f, %.5f, %.5f", what, got[:3], x, y, z)
	}
}

// Bundles from about a crest meet at the focal length of its curvature.
func TestPhotonsMeetUnderCrest(t *testing.T) {
	const k, a = 2 * math.Pi, .01
	p := sheet(200, func(x float64) float64 { return a * math.Cos(k*(x-.5)) }, func(x float64) float64 { return -a * k * math.Sin(k*(x-.5)) })
	var l PhotonList
	p.Photons(&l, [3]float32{0, 1, 0}, 0)
	const focal = waterIndex / ((waterIndex - 1) * a * k * k)
	for i := range l.Passed {
		off := float64(l.Positions[3*i]) - .5
		if math.Abs(off) < .01 || math.Abs(off) > .04 {
			continue
		}
		if meets := -off / float64(l.Bent[3*i]) * -float64(l.Bent[3*i+1]); math.Abs(meets/focal-1) > .02 {
			t.Fatalf("a bundle %.3f m off the crest comes under it in %.3f m, want %.3f", off, meets, focal)
		}
	}
}

// What faces away from the sun, or has no sun, sends nothing, and a list is filled again without allocation.
func TestPhotonsOfNothing(t *testing.T) {
	p := sheet(4, noSlope, noSlope)
	var l PhotonList
	for _, sun := range [][3]float32{{0, -1, 0}, {0, 0, 0}, {float32(math.NaN()), 1, 0}, {float32(math.Inf(1)), 1, 0}} {
		p.Photons(&l, sun, 0)
		if len(l.Passed) != 0 || len(l.Positions) != 0 {
			t.Errorf("sun %v: %d bundles", sun, len(l.Passed))
		}
	}
	(&SurfaceCopy{}).Photons(&l, [3]float32{0, 1, 0}, 0)
	if len(l.Passed) != 0 {
		t.Error("an empty surface sends light")
	}
	p.Photons(&l, [3]float32{0, 1, 0}, 0)
	if n := testing.AllocsPerRun(5, func() { p.Photons(&l, [3]float32{0, 1, 0}, 0) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
