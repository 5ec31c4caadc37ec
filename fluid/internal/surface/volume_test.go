package surface

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestCellFractionAgainstSampling(t *testing.T) {
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
		got := float64(CellFraction(float32(phi), float32(g[0]), float32(g[1]), float32(g[2])))
		if math.Abs(got-want) > .51/m {
			t.Fatalf("φ %g, gradient %v: fraction %g, sampled %g", phi, g, got, want)
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

func TestComponents(t *testing.T) {
	q := newTrial(t, [3]int{6, 3, 3}, 1./24, 3, 2)
	a, b := r3.Vec{X: .4, Y: .5, Z: .5}, r3.Vec{X: 1.3, Y: .5, Z: .5}
	q.s.Set(ball(a, .25))
	q.s.Set(ball(b, .3))
	q.s.Publish()
	for base := range int32(q.g.Bases()) {
		if q.g.BaseCoords(base)[0] == 4 {
			q.g.Set(base, 2)
		}
	}
	q.s.Advance(nil, 0)
	q.g.Settle()
	q.s.Publish()
	f := make([]float32, q.g.Cells())
	q.s.Fraction(f)
	p := q.s.Components(nil, f)
	if len(p.Volume) != 2 {
		t.Fatalf("%d components", len(p.Volume))
	}
	if ia, ib := q.s.labelAt(a), q.s.labelAt(b); ia == ib || p.Volume[ia] > p.Volume[ib] {
		t.Fatalf("labels %d and %d, volumes %v", ia, ib, p.Volume)
	}
	slices.Sort(p.Volume)
	for i, radius := range []float64{.25, .3} {
		want := 4 / 3. * math.Pi * math.Pow(radius, 3)
		if math.Abs(p.Volume[i]/want-1) > .02 {
			t.Errorf("component %d: volume %g, want %g", i, p.Volume[i], want)
		}
	}
	if sum := p.Volume[0] + p.Volume[1]; math.Abs(sum/q.s.Volume()-1) > 1e-3 {
		t.Errorf("components %g, total %g", sum, q.s.Volume())
	}
	// A wall through the second ball, at the low x faces of the blocks with x = 4 base cells.
	var open [3][]float32
	for axis := range open {
		open[axis] = make([]float32, q.g.Cells())
		for i := range open[axis] {
			open[axis][i] = 1
		}
	}
	for base := range int32(q.g.Bases()) {
		if q.g.BaseCoords(base)[0] != 4 {
			continue
		}
		n := 1 << q.g.Cur.Level[base]
		for u := range n {
			for v := range n {
				open[0][q.g.FaceCell(base, 0, [3]int{0, u, v})] = 0
			}
		}
	}
	// It cuts off the cap beyond x = 4/3, π/3 k²(3r - k) with k = 1.6 - 4/3.
	p = q.s.Components(&open, f)
	if len(p.Volume) != 3 {
		t.Fatalf("with a wall: %v", p.Volume)
	}
	k := 1.6 - 4./3
	want := math.Pi / 3 * k * k * (.9 - k)
	got := p.Volume[q.s.labelAt(r3.Vec{X: 1.4, Y: .5, Z: .5})]
	if math.Abs(got/want-1) > .02 {
		t.Errorf("cut-off cap: %g, want %g", got, want)
	}
}

// labelAt is the component at a place, m.
func (s *LevelSet) labelAt(x r3.Vec) int32 {
	b, fx, fy, fz := s.g.Locate(s.g.ToPoint(x.X, x.Y, x.Z))
	return s.parts.Label[s.g.Cur.CellIn(b, fx, fy, fz)]
}
