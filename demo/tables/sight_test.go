package main

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/fluid"
)

// Two sights are as far apart as their surfaces are, across them and in the picture, but no further than furthest; what neither sees doesn't count.
func TestSights(t *testing.T) {
	up := r3.Vec{Y: 1}
	at := func(x, y, distance float64) fluid.RayHit {
		return fluid.RayHit{Hit: true, Point: r3.Vec{X: x, Y: y}, Normal: up, Distance: distance}
	}
	a := sight{pictures: [][]fluid.RayHit{{at(0, 0, 2), {}, at(0, 0, 4), {}}}}
	b := sight{pictures: [][]fluid.RayHit{{at(.5, .01, 2.5), at(0, 0, 1), at(0, 9, 4), {}}}}
	near := .01 * dam.Pixels(2)
	if want := math.Sqrt((near*near + 2*furthest*furthest) / 3); math.Abs(a.off(&b)-want) > 1e-9 {
		t.Errorf("%g pixels apart, want %g", a.off(&b), want)
	}
	if off := a.off(&a); off != 0 {
		t.Errorf("%g pixels from itself", off)
	}
	if off := a.off(&sight{}); !math.IsNaN(off) {
		t.Errorf("%g pixels from nothing", off)
	}
}

// A flight's pictures are of its liquid, as the camera sees it: the ray through the middle goes to where the camera looks.
func TestSightOfAFlight(t *testing.T) {
	l, err := dam.New(fluid.Def{CellSize: .1})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var s sight
	for n := range 2*sightEvery + 1 {
		if err := s.add(&dam.First, l, n, 100); err != nil {
			t.Fatal(err)
		}
	}
	hits := 0
	for _, h := range s.pictures[0] {
		if h.Hit {
			hits++
		}
	}
	if len(s.pictures) != 3 || len(s.pictures[0]) < 1000 || hits < len(s.pictures[0])/8 {
		t.Errorf("%d pictures, %d of %d rays meet the liquid", len(s.pictures), hits, len(s.pictures[0]))
	}
	pose, rays := dam.Flight[0], dam.First.AppendRays(nil, 0, 1, sightSquare)
	mean := r3.Vec{}
	for _, r := range rays {
		mean = r3.Add(mean, r.Dir)
	}
	if ahead := r3.Unit(r3.Sub(pose.Target, pose.Eye)); r3.Dot(r3.Unit(mean), ahead) < .999 {
		t.Errorf("the mean of the rays goes along %v, the camera looks along %v", r3.Unit(mean), ahead)
	}
}
