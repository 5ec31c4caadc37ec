package adapter

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// White water is copied, and no step writes to the copy.
func TestSurfaceCopyHasWhiteWater(t *testing.T) {
	s := fluid.Surface{WhiteWater: fluid.WhiteWater{
		Spheres: []float32{1, 2, 3, .1, 4, 5, 6, .2}, Velocities: []float32{1, 0, 0, 0, 2, 0}, Life: []float32{1, .5}, Kind: []uint8{fluid.WhiteSpray, fluid.WhiteBubble},
	}}
	var p SurfaceCopy
	p.CopyFrom(&s)
	s.WhiteWater.Spheres[4], s.WhiteWater.Velocities[4], s.WhiteWater.Life[1], s.WhiteWater.Kind[1] = 9, 9, 9, 9
	w := &p.WhiteWater
	if len(w.Spheres) != 8 || w.Spheres[4] != 4 || len(w.Velocities) != 6 || w.Velocities[4] != 2 || len(w.Life) != 2 || w.Life[1] != .5 || len(w.Kind) != 2 || w.Kind[1] != fluid.WhiteBubble {
		t.Errorf("%+v", w)
	}
	s.WhiteWater = fluid.WhiteWater{}
	if p.CopyFrom(&s); len(w.Spheres)+len(w.Velocities)+len(w.Life)+len(w.Kind) != 0 {
		t.Errorf("%+v is left", w)
	}
}

// patch adds a flat piece of free surface, n by n squares, from (x0, z0) to (x1, z1) m, as high as height says.
func patch(s *fluid.Surface, n int, x0, z0, x1, z1 float64, height func(x, z float64) float64) {
	first := uint32(len(s.Positions) / 3)
	for i := range n + 1 {
		for k := range n + 1 {
			x, z := x0+(x1-x0)*float64(i)/float64(n), z0+(z1-z0)*float64(k)/float64(n)
			s.Positions = append(s.Positions, float32(x), float32(height(x, z)), float32(z))
		}
	}
	at := func(i, k int) uint32 { return first + uint32(i*(n+1)+k) }
	for i := range n {
		for k := range n {
			s.Indices = append(s.Indices, at(i, k), at(i, k+1), at(i+1, k), at(i+1, k), at(i, k+1), at(i+1, k+1))
		}
	}
	s.Free = len(s.Indices)
}

// ball adds a closed ball of n by 2n squares.
func ball(s *fluid.Surface, n int, centre r3.Vec, radius float64) {
	first := uint32(len(s.Positions) / 3)
	for i := range n + 1 {
		for k := range 2*n + 1 {
			a, b := math.Pi*float64(i)/float64(n), math.Pi*float64(k)/float64(n)
			s.Positions = append(s.Positions, float32(centre.X+radius*math.Sin(a)*math.Cos(b)), float32(centre.Y+radius*math.Cos(a)),
				float32(centre.Z+radius*math.Sin(a)*math.Sin(b)))
		}
	}
	at := func(i, k int) uint32 { return first + uint32(i*(2*n+1)+k) }
	for i := range n {
		for k := range 2 * n {
			s.Indices = append(s.Indices, at(i, k), at(i, k+1), at(i+1, k), at(i+1, k), at(i, k+1), at(i+1, k+1))
		}
	}
	s.Free = len(s.Indices)
}

// The level is that of the surface over the ground, however its vertices are spread.
func TestLevel(t *testing.T) {
	flat := func(y float64) func(x, z float64) float64 { return func(_, _ float64) float64 { return y } }
	drop := 4. / 3 * math.Pi * .2 * .2 * .2
	for _, c := range []struct {
		name string
		make func(s *fluid.Surface)
		want float64
	}{
		{"flat", func(s *fluid.Surface) { patch(s, 4, 0, 0, 2, 2, flat(.5)) }, .5},
		{"fine where it is high", func(s *fluid.Surface) {
			patch(s, 2, 0, 0, 2, 1, flat(.5))
			patch(s, 30, 0, 1, 2, 2, flat(.6))
		}, .55},
		{"a slope that is fine at its foot", func(s *fluid.Surface) {
			slope := func(x, _ float64) float64 { return x }
			patch(s, 30, 0, 0, 1, 1, slope)
			patch(s, 1, 1, 0, 2, 1, slope)
		}, 1},
		{"below zero", func(s *fluid.Surface) { patch(s, 4, -1, -1, 2, 2, flat(-3)) }, -3},
		{"a drop over it", func(s *fluid.Surface) {
			patch(s, 2, 0, 0, 2, 2, flat(.5))
			ball(s, 60, r3.Vec{X: 1, Y: 2, Z: 1}, .2)
		}, .5 + drop/4},
		{"a drop over a puddle", func(s *fluid.Surface) {
			patch(s, 1, 0, 0, .5, .5, flat(.1))
			ball(s, 60, r3.Vec{X: 1, Y: 2, Z: 1}, 1)
		}, 3}, // no higher than the surface is anywhere
		{"a ball in the air", func(s *fluid.Surface) { ball(s, 60, r3.Vec{X: 1, Y: 2, Z: 1}, .2) }, 2},
		{"nothing", func(*fluid.Surface) {}, 0},
	} {
		var s fluid.Surface
		c.make(&s)
		p := SurfaceCopy{Level: 9}
		p.CopyFrom(&s)
		if math.Abs(float64(p.Level)-c.want) > 1e-4 {
			t.Errorf("%s: level %.4f m, want %.4f", c.name, p.Level, c.want)
		}
		if n := testing.AllocsPerRun(5, func() { p.CopyFrom(&s) }); n > 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

// While liquid splashes, its level is that which its litres give.
func TestLevelOfASplash(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		for _, depth := range []float64{.3, .533} {
			t.Run(fmt.Sprint(tracker, depth), func(t *testing.T) {
				l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1.6, Y: 1.6, Z: .8}}, CellSize: .08, Tracker: tracker})
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				for _, s := range []fluid.SDF{fluid.Below(depth), fluid.Box(r3.Box{Min: r3.Vec{Y: depth - .1}, Max: r3.Vec{X: .3, Y: depth + .6, Z: .8}})} {
					if err := l.Fill(s); err != nil {
						t.Fatal(err)
					}
				}
				var p SurfaceCopy
				for i := range 30 {
					l.Step(1. / 60)
					p.CopyFrom(l.Surface())
					want := l.Ledger().HeldL / 1e3 / (1.6 * .8)
					if math.Abs(float64(p.Level)-want) > .02*want {
						t.Fatalf("step %d: level %.3f m, want %.3f", i+1, p.Level, want)
					}
				}
			})
		}
	}
}
