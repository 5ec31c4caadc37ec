package levelset

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// The kernel in use must give the same bits as that in plain Go.
func TestKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{1, 2, 4, 8} {
		tile, used, plain := make([]float32, (n+2)*(n+2)*(n+2)), make([]float32, n*n*n), make([]float32, n*n*n)
		for range 20 {
			for i := range tile {
				tile[i] = 2 * float32(r.NormFloat64())
			}
			if r.IntN(4) == 0 {
				tile[r.IntN(len(tile))] = float32(math.NaN())
			}
			var by ways
			for a := range by {
				for i := range by[a] {
					if by[a][i] = r.Float32() - .5; r.IntN(10) == 0 {
						by[a][i] = 0
					}
				}
			}
			sharp := float32(0)
			if n > 1 {
				sharp = 2
			}
			carryNear(used, tile, &by, 3, sharp, n)
			carryNearGo(plain, tile, &by, 3, sharp, n)
			for i := range used {
				if math.Float32bits(used[i]) != math.Float32bits(plain[i]) {
					t.Fatalf("%d³: cell %d: %g, in plain Go %g", n, i, used[i], plain[i])
				}
			}
		}
	}
}

// The same of the ways' kernel.
func TestTrailsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{1, 2, 4, 8} {
		var u [3][]float32
		for a := range u {
			u[a] = make([]float32, (n+1)*(n+2)*(n+2))
			for i := range u[a] {
				if u[a][i] = float32(r.NormFloat64()); r.IntN(50) == 0 {
					u[a][i] = []float32{1e30, 0, float32(math.NaN()), float32(math.Inf(-1))}[r.IntN(4)]
				}
			}
		}
		var used, plain ways
		same := func(a, b float32) {
			if a != b {
				t.Errorf("%d³: the longest is %g, in plain Go %g", n, a, b)
			}
			for a := range used {
				for i, v := range used[a] {
					if math.Float32bits(v) != math.Float32bits(plain[a][i]) {
						t.Fatalf("%d³: way %d along %d: %g, in plain Go %g", n, i, a, v, plain[a][i])
					}
				}
			}
		}
		same(trail(&used, u, .3, 100, n), trailGo(&plain, u, .3, 100, n))
		same(curve(&used, u, .3, 100, n), curveGo(&plain, u, .3, 100, n))
		for a := range used {
			for i := range used[a] {
				used[a][i] = u[a][r.IntN(len(u[a]))]
			}
		}
		plain = used
		count := r.IntN(len(used[0]) + 1)
		far, want := lengthenWays(&used, .3, 100, count), lengthenWaysGo(&plain, .3, 100, count)
		for a := range used {
			clear(used[a][count:])
			clear(plain[a][count:])
		}
		same(far, want)
	}
}

// In a field that is linear the ways are those of the midpoint rule.
func TestCurvesAreMidpoints(t *testing.T) {
	const n, dt = 4, .2
	f := func(x r3.Vec) [3]float64 {
		return [3]float64{.3 - x.Y + .5*x.X, x.X + .2*x.Z - .5*x.Y, .1*x.X - .3*x.Y}
	}
	var u [3][]float32
	for a := range u {
		u[a] = make([]float32, (n+1)*(n+2)*(n+2))
		for z := -1; z <= n; z++ {
			for y := -1; y <= n; y++ {
				for x := -1; x <= n; x++ {
					c := [3]int{x, y, z}
					if c[a] < 0 {
						continue
					}
					at, step := int(lowerFaces[2].at[a][0]), &lowerFaces[2].step[a]
					p := [3]float64{float64(x) + .5, float64(y) + .5, float64(z) + .5}
					p[a] -= .5
					u[a][at+x*step[0]+y*step[1]+z*step[2]] = float32(f(r3.Vec{X: p[0], Y: p[1], Z: p[2]})[a])
				}
			}
		}
	}
	var by ways
	trail(&by, u, dt, 100, n)
	curve(&by, u, dt, 100, n)
	for i := range n * n * n {
		x := r3.Vec{X: float64(middles[2][0][i]), Y: float64(middles[2][1][i]), Z: float64(middles[2][2][i])}
		v := f(x)
		half := r3.Add(x, r3.Scale(dt/2, r3.Vec{X: v[0], Y: v[1], Z: v[2]}))
		for a, want := range f(half) {
			if math.Abs(dt*want-float64(by[a][i])) > 1e-6 {
				t.Fatalf("cell %d: way along %d %g, want %g", i, a, by[a][i], dt*want)
			}
		}
	}
}

// Parabolas through a quadratic field are that field, with or without the cubic part.
func TestNearbyValuesAreThirdOrder(t *testing.T) {
	const n, e = 8, 10
	f := func(x, y, z float64) float64 { return .1*x*x - .05*y*z + .2*z - .03*y*y + .04*x - 1 }
	tile, phi := make([]float32, e*e*e), make([]float32, n*n*n)
	for i := range tile {
		tile[i] = float32(f(float64(i%e), float64(i/e%e), float64(i/e/e)))
	}
	r, by := rand.New(rand.NewPCG(6, 6)), ways{}
	for a := range by {
		for i := range by[a] {
			by[a][i] = r.Float32() - .5
		}
	}
	carryNear(phi, tile, &by, 100, 100, n)
	for i, v := range phi {
		want := f(float64(i%n+1)+float64(by[0][i]), float64(i/n%n+1)+float64(by[1][i]), float64(i/n/n+1)+float64(by[2][i]))
		if math.Abs(float64(v)-want) > 1e-5 {
			t.Fatalf("cell %d: %g, want %g", i, v, want)
		}
	}
}

// The least magnitude must be the same too.
func TestLeastMagnitudeAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{1, 8, 27, 64, 512, 1000} {
		v := make([]float32, n)
		for range 20 {
			for i := range v {
				v[i] = float32(r.NormFloat64())
			}
			v[r.IntN(n)] = float32(math.NaN())
			if a, b := leastMagnitude(v), leastMagnitudeGo(v); a != b {
				t.Fatalf("%d: %g, in plain Go %g", n, a, b)
			}
		}
	}
}
