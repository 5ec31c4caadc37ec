package testrig

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Cuboid is the box between two corners.
func Cuboid(x0, y0, z0, x1, y1, z1 float64) r3.Box {
	return r3.Box{Min: r3.Vec{X: x0, Y: y0, Z: z0}, Max: r3.Vec{X: x1, Y: y1, Z: z1}}
}

// Spot is where a solid about the origin is put: on the grid, off it, or turned about the vertical.
type Spot struct {
	Name  string
	At    r3.Vec
	Angle float64
}

// Spots are places and turns, on the grid and off it.
var Spots = []Spot{
	{"on the grid", r3.Vec{X: .4, Y: .5, Z: .4}, 0},
	{"off the grid", r3.Vec{X: .417, Y: .512, Z: .389}, 0},
	{"turned", r3.Vec{X: .41, Y: .5, Z: .4}, .4},
}

// Rotation returns the turn as a quaternion.
func (s *Spot) Rotation() quat.Number {
	return quat.Number{Real: math.Cos(s.Angle / 2), Jmag: math.Sin(s.Angle / 2)}
}

// Put returns a shape moved to the spot.
func (s *Spot) Put(shape fluid.SDF) fluid.SDF { return fluid.Transform(shape, s.Rotation(), s.At) }

// Of a tub, whose top is at y = 0: the block, the cut in it, and the five slabs that it may be made of instead.
var (
	TubBlock = Cuboid(-.25, -.5, -.25, .25, 0, .25)
	TubCut   = Cuboid(-.2, -.4, -.2, .2, 0, .2)
	TubSlabs = []r3.Box{
		Cuboid(-.25, -.5, -.25, .25, -.4, .25), Cuboid(-.25, -.4, -.25, -.2, 0, .25), Cuboid(.2, -.4, -.25, .25, 0, .25),
		Cuboid(-.2, -.4, -.25, .2, 0, -.2), Cuboid(-.2, -.4, .2, .2, 0, .25),
	}
)

// BoxesOf returns the shapes of boxes.
func BoxesOf(list []r3.Box) (s []fluid.SDF) {
	for _, b := range list {
		s = append(s, fluid.Box(b))
	}
	return s
}

// PourInto lets a box of liquid fall into the tub from above it, and returns the part of it that gets in.
func PourInto(t *testing.T, l *fluid.Liquid, s *Spot) float64 {
	t.Helper()
	Must(t, l.Fill(s.Put(fluid.Box(Cuboid(-.2, .05, -.2, .2, .3, .2)))))
	GoesOn(t, l, 36)
	in, err := l.VolumeIn(s.Put(fluid.Box(TubCut)))
	if err != nil {
		t.Fatal(err)
	}
	return in / l.Ledger().FilledL
}
