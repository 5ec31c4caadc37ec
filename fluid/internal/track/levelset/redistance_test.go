package levelset

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"gonum.org/v1/gonum/spatial/r3"
)

// The sweeps' kernel in use must give the same bits as that in plain Go.
func TestSweepsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for l := uint8(0); l <= layout.MaxLevel; l++ {
		n := 1 << l
		used, plain := make([]float32, (n+2)*(n+2)*(n+2)), make([]float32, (n+2)*(n+2)*(n+2))
		for range 40 {
			for i := range used {
				used[i] = float32(clamp32(float32(2*r.NormFloat64())+1, -3, 3))
				switch r.IntN(60) {
				case 0:
					used[i] = float32(math.Copysign(wall, float64(used[i])))
				case 1:
					used[i] = float32(math.Copysign(0, float64(used[i])))
				case 2:
					used[i] = float32(math.Copysign(3, float64(used[i])))
				}
			}
			copy(plain, used)
			q := sweep{h: 1, band: 3, dead: .05, loose: .3, rim: r.IntN(2) == 0}
			var a, b [layout.Edge * layout.Edge]uint8
			rows := &wavefronts[l][r.IntN(4)]
			if x, y := sweepRows(used, rows, &a, q, n), sweepRowsGo(plain, rows, &b, q, n); x != y || a != b {
				t.Fatalf("%d³: %v %v, in plain Go %v %v", n, x, a, y, b)
			}
			for i := range used {
				if math.Float32bits(used[i]) != math.Float32bits(plain[i]) {
					t.Fatalf("%d³: value %d: %g, in plain Go %g", n, i, used[i], plain[i])
				}
			}
		}
	}
}

// Sweeps make a distance of what is none, and leave one alone.
func TestRedistanceOfABall(t *testing.T) {
	q := newTrial(t, [3]int{4, 4, 4}, 1./32, 3, 1)
	q.s.Set(ball(centreOfTrial, .3))
	for i, v := range q.s.Phi {
		q.s.Phi[i] = v * (1 + .5*v*v/(9./32/32))
	}
	for b := range q.s.low {
		q.s.measure(int32(b))
	}
	for range 8 {
		q.s.redistance(1, true)
		q.s.Tick++
	}
	worst := 0.
	q.eachCell(func(_ int32, c int, x r3.Vec, h float64) {
		if d := r3.Norm(r3.Sub(x, centreOfTrial)) - .3; math.Abs(d) < 2*h {
			worst = max(worst, math.Abs(d-float64(q.s.Phi[c]))/h)
		}
	})
	t.Logf("worst φ %.3g h", worst)
	if worst > .2 {
		t.Errorf("worst φ %.3g h", worst)
	}
}

var centreOfTrial = r3.Vec{X: .5, Y: .5, Z: .5}

// A plane that leaves through sides, edges and corners of the grid stays where it is there, too: what of its slope is across an end of the grid is no less for that.
func TestRedistanceKeepsAPlaneAtTheEnds(t *testing.T) {
	q := newTrial(t, [3]int{2, 2, 2}, 1./16, 3, 1)
	for _, n := range []r3.Vec{{X: -3, Y: 8, Z: -5}, {X: 6, Y: 7, Z: 2}, {X: 2, Y: -9, Z: -1}, {X: 8, Z: 1}} {
		for _, through := range []r3.Vec{centreOfTrial, {X: .21, Y: .17, Z: .43}} {
			n = r3.Unit(n)
			plane := func(x r3.Vec) float64 { return r3.Dot(n, r3.Sub(x, through)) }
			q.s.Set(func(dst []float32, pts []r3.Vec) {
				for i, x := range pts {
					dst[i] = float32(plane(x))
				}
			})
			worst := 0.
			q.eachCell(func(_ int32, c int, x r3.Vec, h float64) {
				if d := plane(x); math.Abs(d) < 1.5*h {
					worst = max(worst, math.Abs(d-float64(q.s.Phi[c]))/h)
				}
			})
			if worst > 1e-5 {
				t.Errorf("normal %.2f through %v: worst φ %.3g h", n, through, worst)
			}
			for b := range q.s.low {
				q.s.fill(int32(b), q.s.limit(q.s.g.Cur.Level[b]))
			}
		}
	}
}

// The sides of a box that is filled up to the ends of the grid are no surface: beside its top φ is the distance to that, also next to the ends.
func TestEndsAreNoSurface(t *testing.T) {
	q := newTrial(t, [3]int{2, 2, 2}, 1./16, 3, 1)
	const top = 7.5 / 16
	q.s.Set(func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(max(-x.X, x.X-1, -x.Y, x.Y-top, -x.Z, x.Z-1))
		}
	})
	q.eachCell(func(_ int32, c int, x r3.Vec, h float64) {
		if d := x.Y - top; math.Abs(d) < 1.1*h && math.Abs(d-float64(q.s.Phi[c])) > .1*h {
			t.Fatalf("φ at %.3f is %.3g h, want %.3g h", x, float64(q.s.Phi[c])/h, d/h)
		}
	})
}
