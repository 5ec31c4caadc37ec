package shapes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// scattered are shapes of all kinds in a box with edges of so many metres.
func scattered(chance *rand.Rand, n int, size float64) (shapes []fluid.SDF) {
	for i := range n {
		at := r3.Vec{X: size * chance.Float64(), Y: size * chance.Float64(), Z: size * chance.Float64()}
		r := .1 + .2*chance.Float64()
		box := fluid.Box(r3.Box{Min: r3.Sub(at, r3.Vec{X: r, Y: .1, Z: r}), Max: r3.Add(at, r3.Vec{X: r, Y: .2, Z: r})})
		turn := quat.Number{Real: .8, Imag: .36, Jmag: .48}
		shapes = append(shapes, []fluid.SDF{
			fluid.Sphere(at, r), box, fluid.Capsule(at, r3.Add(at, r3.Vec{X: r}), r), fluid.Cylinder(at, r3.Add(at, r3.Vec{Y: r}), r), fluid.Torus(at, r3.Vec{Z: 1}, .2, .05),
			fluid.Transform(fluid.Box(r3.Box{Min: r3.Vec{X: -r, Y: -r, Z: -.1}, Max: r3.Vec{X: r, Y: r, Z: .1}}), turn, at),
			fluid.Difference(box, fluid.Sphere(at, r)), fluid.Union(fluid.Sphere(at, .1), box), fluid.Shell(fluid.Sphere(at, r), .05), fluid.Offset(box, .03),
		}[i%10])
	}
	return append(shapes, fluid.HalfSpace(r3.Vec{Y: -1}, r3.Vec{Y: 1}))
}

// A union of many shapes tells, bit for bit, the least of what they tell, near the origin and far from it.
func TestUnionOfManyIsTheLeast(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, away := range []r3.Vec{{}, {X: 900, Y: -300, Z: 70}} {
		shapes := scattered(chance, 200, 4)
		for i, s := range shapes {
			shapes[i] = fluid.Transform(s, quat.Number{Real: 1}, away)
		}
		union := fluid.Union(shapes...)
		for range 200 {
			pts := make([]r3.Vec, 1+chance.IntN(150))
			from := r3.Vec{X: 6*chance.Float64() - 1, Y: 6*chance.Float64() - 1, Z: 6*chance.Float64() - 1}
			for i := range pts {
				spread := r3.Vec{X: chance.Float64(), Y: chance.Float64(), Z: chance.Float64()}
				pts[i] = r3.Add(away, r3.Add(from, r3.Scale(.8, spread)))
			}
			got, want, one := make([]float32, len(pts)), make([]float32, len(pts)), make([]float32, len(pts))
			union.Eval(got, pts)
			shapes[0].Eval(want, pts)
			for _, s := range shapes[1:] {
				s.Eval(one, pts)
				for i, d := range one {
					want[i] = min(want[i], d)
				}
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%g m at %v, want %g", got[i], pts[i], want[i])
				}
			}
		}
	}
}

// BenchmarkObstacles fills a basin with ever more obstacles in it and takes a step.
func BenchmarkObstacles(b *testing.B) {
	for _, n := range []int{100, 400, 1600} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				l, err := fluid.New(fluid.Def{Domain: testrig.Box(12, 3, 12), CellSize: .1})
				if err != nil {
					b.Fatal(err)
				}
				for i := range n {
					at := r3.Vec{X: float64(i%40)*.3 + .1, Y: .3, Z: float64(i/40)*.3 + .1}
					if _, err := l.AddObstacle(fluid.Sphere(at, .1)); err != nil {
						b.Fatal(err)
					}
				}
				testrig.Must(b, l.Fill(fluid.Below(.8)))
				l.Step(1. / 60)
				l.Close()
			}
		})
	}
}
