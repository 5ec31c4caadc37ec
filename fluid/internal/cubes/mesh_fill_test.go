package cubes_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// An explicit mesh has the litres of what is filled in, be it thinner than a cell, of several shapes that overlap or touch, or cut by sides of the domain and obstacles. off is by which
// part they may be off: sharp rims, where triangles cut corners, are rounded somewhat, and then other shapes meet them there.
func TestMeshFillsLitres(t *testing.T) {
	const h = .1
	centre := r3.Vec{X: .83, Y: .62, Z: .74}
	ball := func(r float64) float64 { return 4000. / 3 * math.Pi * r * r * r }
	lens := func(r, apart float64) float64 {
		return 1000 * math.Pi / 12 * (4*r + apart) * (2*r - apart) * (2*r - apart)
	}
	beside := func(by, r float64) fluid.SDF { return fluid.Sphere(r3.Add(centre, r3.Vec{X: by}), r) }
	for _, c := range []struct {
		name   string
		shapes []fluid.SDF
		solid  fluid.SDF
		litres float64
		off    float64
		long   bool
	}{
		{"a ball of half a cell", []fluid.SDF{beside(0, h/4)}, nil, ball(h / 4), 1e-3, false},
		{"a ball of a cell", []fluid.SDF{beside(0, h/2)}, nil, ball(h / 2), 1e-3, false},
		{"a ball of four cells", []fluid.SDF{beside(0, 2*h)}, nil, ball(2 * h), 1e-3, false},
		{"a film of a tenth of a cell", []fluid.SDF{fluid.Below(h / 10)}, nil, 1600 * 1.6 * h / 10, 1e-3, false},
		{"a puddle of half a cell", []fluid.SDF{fluid.Box(testrig.Between(.41, -1, .37, 1.21, h/2, 1.17))}, nil, 32, 1e-3, false},
		{"a puddle of three quarters of a cell", []fluid.SDF{fluid.Box(testrig.Between(.41, -1, .37, 1.21, .75*h, 1.17))}, nil, 48, 1e-3, false},
		{"a puddle of a tenth of a cell", []fluid.SDF{fluid.Box(testrig.Between(.41, -1, .37, 1.21, h/10, 1.17))}, nil, 6.4, 3e-3, true},
		{"a sheet of half a cell", []fluid.SDF{fluid.Box(testrig.Between(.41, .61, .37, 1.21, .61+h/2, 1.17))}, nil, 32, 1e-3, true},
		{"balls that overlap", []fluid.SDF{beside(-.125, .2), beside(.125, .2)}, nil, 2*ball(.2) - lens(.2, .25), 3e-3, false},
		{"balls that overlap much", []fluid.SDF{beside(-.05, .2), beside(.05, .2)}, nil, 2*ball(.2) - lens(.2, .1), 3e-3, true},
		{"balls that touch", []fluid.SDF{beside(-.2, .2), beside(.2, .2)}, nil, 2 * ball(.2), 1e-3, true},
		{"a ball in a ball", []fluid.SDF{beside(0, .2), beside(0, .21)}, nil, ball(.21), 2e-3, true},
		{"a ball in a pool", []fluid.SDF{fluid.Below(.43), fluid.Sphere(r3.Vec{X: .8, Y: .43, Z: .8}, .2)}, nil, 1600*1.6*.43 + ball(.2)/2, 1e-4, true},
		{"a ball in a side", []fluid.SDF{fluid.Sphere(r3.Vec{Y: .6, Z: .8}, .2)}, nil, ball(.2) / 2, 2e-3, true},
		{"a ball in a corner", []fluid.SDF{fluid.Sphere(r3.Vec{}, .2)}, nil, ball(.2) / 8, 4e-3, false},
		{"a ball in a slope", []fluid.SDF{beside(0, .2)}, fluid.HalfSpace(centre, r3.Unit(r3.Vec{X: .3, Y: 1, Z: .2})), ball(.2) / 2, 4e-3, false},
		{"a ball around another", []fluid.SDF{beside(0, .2)}, beside(0, .1), ball(.2) - ball(.1), 2e-3, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long && testing.Short() {
				t.Skip("one of many")
			}
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: h, Tracker: fluid.ExplicitMesh, Resources: fluid.Resources{Workers: 1}})
			if c.solid != nil {
				_, err := l.AddObstacle(c.solid)
				testrig.Must(t, err)
			}
			for _, s := range c.shapes {
				testrig.Must(t, l.Fill(s))
			}
			in, err := l.VolumeIn(fluid.Box(l.Def().Domain))
			testrig.Must(t, err)
			filled := l.Ledger().FilledL
			t.Logf("%.4f of %.4f l", filled, c.litres)
			if math.Abs(filled/c.litres-1) > c.off || math.Abs(in/c.litres-1) > c.off {
				t.Errorf("%.4f l are filled, %.4f are in the domain; want %.4f", filled, in, c.litres)
			}
			if err := testrig.Blocks(l).Surface.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Drops of two cells and of four keep their own litres while their triangles become fewer: what is lost of one is not given to another. Without what is done for it the small one loses 8 %.
func TestMeshKeepsEachPiece(t *testing.T) {
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(1, .6, .6), CellSize: .05, Tracker: fluid.ExplicitMesh, Physics: fluid.Physics{Weightless: true}, Resources: fluid.Resources{Workers: 1},
	})
	radius := [2]float64{.1, .05}
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .3, Y: .31, Z: .29}, radius[0])))
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .71, Y: .28, Z: .32}, radius[1])))
	for range 12 {
		testrig.GoesOn(t, l, 1)
	}
	var litres [2]float64
	s := l.Surface()
	tris := testrig.TrianglesOf(s)
	for i := range tris {
		side := 0
		if s.Positions[3*s.Indices[3*i]] > .5 {
			side = 1
		}
		volume, _ := tris[i : i+1].Moments()
		litres[side] += 1000 * volume
	}
	for i, r := range radius {
		want := 4000. / 3 * math.Pi * r * r * r
		if t.Logf("%.4f of %.4f l in %d triangles", litres[i], want, len(tris)); math.Abs(litres[i]/want-1) > .005 {
			t.Errorf("a ball of %g m has %.4f l, want %.4f", r, litres[i], want)
		}
	}
}
