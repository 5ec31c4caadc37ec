package levelset

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestPlaneFractionAgainstSampling(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const m = 40
	for range 300 {
		g := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		if r.IntN(3) == 0 {
			g[r.IntN(3)] = 0
		}
		if r.IntN(3) == 0 {
			g[r.IntN(3)] *= 1e-6
		}
		phi := r.NormFloat64() * .5
		in := 0
		for i := range m * m * m {
			x := [3]float64{float64(i%m)/m + .5/m - .5, float64(i/m%m)/m + .5/m - .5, float64(i/m/m)/m + .5/m - .5}
			if phi+g[0]*x[0]+g[1]*x[1]+g[2]*x[2] < 0 {
				in++
			}
		}
		want := float64(in) / (m * m * m)
		got := float64(planeFraction(float32(phi), float32(g[0]), float32(g[1]), float32(g[2]), flatness))
		if math.Abs(got-want) > .51/m {
			t.Fatalf("φ %g, gradient %v: fraction %g, sampled %g", phi, g, got, want)
		}
	}
}

// The kernel in use must give the same bits as that in plain Go.
func TestCutsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for level := range cutCorners {
		n := 1 << level
		e := n + 2
		tile := make([]float32, e*e*e)
		used, plain := make([]float32, n*n*n), make([]float32, n*n*n)
		for round := range 60 {
			g, c := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, r.NormFloat64()
			if round%3 == 0 {
				g[r.IntN(3)] = 0
			}
			for i := range tile {
				x, y, z := float64(i%e), float64(i/e%e), float64(i/(e*e))
				tile[i] = .1 * float32(c+g[0]*x+g[1]*y+g[2]*z+.5*float64(round%4)*r.NormFloat64())
			}
			q := cuts{corner: &cutCorners[level], edge: int32(e), h: .1}
			for i := range n * n * n {
				q.cell[i] = uint16(i)
			}
			cutCells(&q, used, tile, len(used))
			cutCellsGo(&q, plain, tile, len(plain))
			for i, f := range used {
				if math.Float32bits(f) != math.Float32bits(plain[i]) || !(f >= 0 && f <= 1) {
					t.Fatalf("%d³, round %d, cell %d: %g, in plain Go %g", n, round, i, f, plain[i])
				}
			}
		}
	}
}

func TestSphereVolume(t *testing.T) {
	for _, cells := range []float64{3, 6, 12} {
		worst := 0.
		for _, c := range []r3.Vec{{X: .5, Y: .5, Z: .5}, {X: .507, Y: .492, Z: .511}, {X: .48, Y: .503, Z: .5101}} {
			q := newTrial(t, [3]int{5, 5, 5}, 1./40, 3, 1)
			radius := cells / 40
			q.s.Set(ball(c, radius))
			want := 4 / 3. * math.Pi * math.Pow(radius, 3)
			worst = max(worst, math.Abs(q.volume()/want-1))
		}
		t.Logf("R = %g cells: %.3f %%", cells, 100*worst)
		if limit := .005 * 36 / (cells * cells); worst > limit {
			t.Errorf("R = %g cells: off by %.3f %%, limit %.3f %%", cells, 100*worst, 100*limit)
		}
	}
}

func TestPlaneVolumeIsExact(t *testing.T) {
	q := newTrial(t, [3]int{4, 4, 4}, 1./32, 3, 1)
	n := r3.Vec{X: .2, Y: 1, Z: -.1}
	c := r3.Vec{X: .5, Y: .47, Z: .5} // the plane leaves through the four sides: half the box, moved
	q.s.Set(halfSpace(n, r3.Dot(r3.Unit(n), c)))
	if v := q.volume(); math.Abs(v-.47) > 1e-5 {
		t.Errorf("volume %g, want .47", v)
	}
}

// A sheet thinner than a cell holds no more than it is thick. Between the centres of cells φ tells
// of less.
func TestSheetVolume(t *testing.T) {
	for _, thick := range []float64{.1, .3, .6, .9, 1.4} {
		for _, shift := range []float64{0, .13, .31, .5} {
			q := newTrial(t, [3]int{4, 4, 4}, 1./32, 3, 1)
			middle := .5 + (.5+shift)/32
			q.s.Set(func(dst []float32, pts []r3.Vec) {
				for i, p := range pts {
					dst[i] = float32(math.Abs(p.Y-middle) - thick/64)
				}
			})
			got := 32 * q.volume()
			if got > thick+.02 || thick > 1 && got < thick-.6 || shift == 0 && got < .9*thick {
				t.Errorf("%g cells thick, %g cells off a centre: %.3f cells", thick, shift, got)
			}
		}
	}
}

// Where a wall parts liquid from air within a block, φ may jump from one side to the other over more than a cell: each cell
// counts for itself.
func TestVolumeOnTwoSidesOfAWall(t *testing.T) {
	q := newTrial(t, [3]int{1, 1, 1}, 1./8, 3, 1)
	for c := range q.s.Phi[:512] {
		q.s.Phi[c] = .3
		if c%8 > 4 {
			q.s.Phi[c] = -.3
		}
	}
	q.s.measure(0)
	if v, want := q.volume(), 3./8; math.Abs(v-want) > 1e-6 {
		t.Errorf("volume %g, want %g", v, want)
	}
}
