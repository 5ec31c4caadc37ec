package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// A piston that reaches into the fixed walls of its tube has of the liquid before it the tube's section, wherever its face is, with its moment about where the liquid
// is, and displaces nothing in the walls: it presses with the same as the liquid on the other side of it gives way to.
func TestPistonInATube(t *testing.T) {
	const h = .1
	for _, at := range []float64{1.2, 1.23, 1.27} {
		r := newRig(t, 1, [3]int{2, 1, 1}, h, [3]float64{}, uniform([3]int{2, 1, 1}, 3), [3]float64{}, [3]float64{})
		roof := cuboid(r3.Vec{X: .8, Y: 1.4, Z: .4}, r3.Vec{X: 2, Y: 1, Z: 2}) // down to .4 m
		r.d.SetStatic(distance(roof), nil)
		half := r3.Vec{X: .2, Y: 2, Z: 2}
		centre := r3.Vec{X: at + half.X, Y: .3, Z: .4}
		piston := rigid.Solid{Distance: distance(cuboid(centre, half)), Bounds: r3.Box{Min: r3.Sub(centre, half), Max: r3.Add(centre, half)}, Centre: centre, Thickness: 2 * half.X}
		r.surface(func(x r3.Vec) float64 { return x.X - at - half.X })
		r.fill([]rigid.Solid{piston})
		var k [6]float64
		w := &r.g.Bodies[0]
		for _, part := range w.K {
			for i, x := range part {
				k[i] += x
			}
		}
		for i, want := range [6]float64{.32, 0, 0, 0, .32 * (.4 - centre.Z), -.32 * (.2 - centre.Y)} {
			if math.Abs(k[i]-want) > 1e-7 {
				t.Errorf("face at %g m: entry %d of K is %.9g, want %.9g", at, i, k[i], want)
			}
		}
		if whole := .32 * 2 * half.X; math.Abs(w.Whole-whole) > .02*whole && at+2*half.X < 1.6 {
			t.Errorf("face at %g m: the piston fills %g m³ beside the roof, want %g", at, w.Whole, whole)
		}
	}
}

// What an engine tells of a body's volume counts, and the liquid carries that where the body is under water; a volume that is far off is that of shapes that overlap,
// and doesn't.
func TestKnownVolume(t *testing.T) {
	at, half := r3.Vec{X: .43, Y: .38, Z: .41}, r3.Vec{X: .13, Y: .11, Z: .17}
	whole := 8 * half.X * half.Y * half.Z
	for _, c := range []struct{ told, want float64 }{{whole, whole}, {1.1 * whole, 1.1 * whole}, {1.6 * whole, whole}, {0, whole}} {
		r := newRig(t, 1, [3]int{1, 1, 1}, .1, [3]float64{}, uniform([3]int{1, 1, 1}, 3), [3]float64{}, [3]float64{})
		body := rigid.Solid{Distance: distance(cuboid(at, half)), Bounds: boxes.Grown(r3.Box{Min: r3.Sub(at, half), Max: r3.Add(at, half)}, 0), Centre: at, Thickness: 2 * half.Y, Volume: c.told}
		r.surface(nil)
		r.fill([]rigid.Solid{body})
		off := .02
		if c.told == c.want {
			off = 1e-12
		}
		if w := &r.g.Bodies[0]; math.Abs(w.Whole-c.want) > off*c.want || math.Abs(w.Volume-w.Whole) > 1e-12 {
			t.Errorf("told %g m³: it displaces %g of %g, want %g", c.told, w.Volume, w.Whole, c.want)
		}
	}
}
