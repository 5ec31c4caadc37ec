package bem

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// divide divides each triangle in four.
func divide(at []r3.Vec, triangles [][3]int32) ([]r3.Vec, [][3]int32) {
	middle := map[[2]int32]int32{}
	half := func(a, b int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		if _, ok := middle[key]; !ok {
			middle[key] = int32(len(at))
			at = append(at, r3.Scale(.5, r3.Add(at[a], at[b])))
		}
		return middle[key]
	}
	var fine [][3]int32
	for _, t := range triangles {
		ab, bc, ca := half(t[0], t[1]), half(t[1], t[2]), half(t[2], t[0])
		fine = append(fine, [3]int32{t[0], ab, ca}, [3]int32{ab, t[1], bc}, [3]int32{ca, bc, t[2]}, [3]int32{ab, bc, ca})
	}
	return at, fine
}

// cube returns a cube of side 1 whose sides are divided into n × n squares of two triangles.
func cube(n int) (at []r3.Vec, triangles [][3]int32) {
	number := map[[3]int]int32{}
	vertex := func(p [3]int) int32 {
		if _, ok := number[p]; !ok {
			number[p] = int32(len(at))
			at = append(at, r3.Scale(1/float64(n), r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}))
		}
		return number[p]
	}
	for axis := range 3 {
		u, v := (axis+1)%3, (axis+2)%3
		for i := range n {
			for j := range n {
				for _, w := range []int{0, n} {
					var p [4][3]int
					for k, d := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
						p[k][axis], p[k][u], p[k][v] = w, i+d[0], j+d[1]
					}
					a, b, c, d := vertex(p[0]), vertex(p[1]), vertex(p[2]), vertex(p[3])
					if w == 0 {
						triangles = append(triangles, [3]int32{a, c, b}, [3]int32{a, d, c})
					} else {
						triangles = append(triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
					}
				}
			}
		}
	}
	return at, triangles
}

// moved returns points after a map.
func moved(at []r3.Vec, by func(r3.Vec) r3.Vec) []r3.Vec {
	out := make([]r3.Vec, len(at))
	for i, p := range at {
		out[i] = by(p)
	}
	return out
}

// turned returns a rotation about a direction without a pattern, and a translation.
func turned(shift r3.Vec) func(r3.Vec) r3.Vec {
	q := quat.Number{Real: .7, Imag: .3, Jmag: -.5, Kmag: math.Sqrt(1 - .49 - .09 - .25)}
	rotation := r3.Rotation(q)
	return func(p r3.Vec) r3.Vec { return r3.Add(rotation.Rotate(p), shift) }
}

// lumpy returns a ball of 20·4ⁿ faces with bumps and uneven triangles.
func lumpy(n int, seed uint64) (at []r3.Vec, triangles [][3]int32) {
	at, triangles = geom.Icosphere(n)
	rng := rand.New(rand.NewPCG(seed, 1))
	edge := 1.2 / math.Pow(2, float64(n))
	a, b := r3.Vec{X: 2, Y: -1, Z: 1}, r3.Vec{X: -1, Y: 1, Z: 3}
	return moved(at, func(p r3.Vec) r3.Vec {
		r := 1 + .2*math.Sin(r3.Dot(a, p)) + .15*math.Cos(r3.Dot(b, p))
		jitter := r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
		return r3.Add(r3.Scale(r, p), r3.Scale(.06*edge, jitter))
	}), triangles
}

// newSolver returns a solver on a surface.
func newSolver(t testing.TB, at []r3.Vec, triangles [][3]int32) *Solver {
	t.Helper()
	s := &Solver{}
	if err := s.Set(at, triangles); err != nil {
		t.Fatal(err)
	}
	return s
}

// values returns a function's values at points.
func values(at []r3.Vec, f func(r3.Vec) float64) []float64 {
	out := make([]float64, len(at))
	for i, p := range at {
		out[i] = f(p)
	}
	return out
}
