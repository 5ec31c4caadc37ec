package levelset

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"gonum.org/v1/gonum/spatial/r3"
)

// mix levels at random, at most one apart across faces, none under least.
func (t *trial) mixLevels(seed uint64, least uint8) {
	g, r := t.g, rand.New(rand.NewPCG(seed, 1))
	for b := range int32(g.Bases()) {
		g.Set(b, least+uint8(r.IntN(int(layout.MaxLevel-least)+1)))
	}
	for again := true; again; {
		again = false
		for b := range int32(g.Bases()) {
			for _, nb := range g.Neighbour[b] {
				if nb != layout.None && g.Cur.Level[nb] > g.Cur.Level[b]+1 {
					g.Set(b, g.Cur.Level[nb]-1)
					again = true
				}
			}
		}
	}
	g.Settle()
	t.s.Clear()
}

func TestSetOnMixedLevelsIsADistance(t *testing.T) {
	for seed := range uint64(3) {
		q := newTrial(t, [3]int{6, 6, 6}, 1./48, 3, 2)
		q.mixLevels(seed, 2)
		c := r3.Vec{X: .5, Y: .5, Z: .5}
		q.s.Set(func(dst []float32, pts []r3.Vec) { // zero on the sphere, but too shallow
			ball(c, .3)(dst, pts)
			for i := range dst {
				dst[i] *= .55
			}
		})
		near, worst, sum, n := 0., 0., 0., 0
		q.eachCell(func(_ int32, i int, x r3.Vec, h float64) {
			d := r3.Norm(r3.Sub(x, c)) - .3
			e := math.Abs(d-float64(q.s.Phi[i])) / h
			switch {
			case math.Abs(d) < h:
				near = max(near, e)
			case math.Abs(d) < 2.5*h:
				worst = max(worst, e)
				sum += e
				n++
			case math.Abs(d) > 4*h && q.onRimAt(x, h): // may keep what its outside could explain
			case math.Abs(d) > 4*h && (d < 0 != (q.s.Phi[i] < 0) || abs32(q.s.Phi[i]) < float32(2.6*h)):
				t.Fatalf("φ = %g at distance %g", q.s.Phi[i], d)
			}
		})
		t.Logf("beside the surface ≤ %.3f h; in the band ≤ %.3f h, mean %.3f h", near, worst, sum/float64(n))
		// A first order solve errs by about h²/R per layer, R = 7 coarse cells, and more
		// where a coarse halo is interpolated.
		if near > .2 || worst > .3 || sum/float64(n) > .06 {
			t.Errorf("beside the surface ≤ %.3f h; in the band ≤ %.3f h, mean %.3f h", near, worst, sum/float64(n))
		}
	}
}

// onRimAt tells whether a cell touches the end of the grid.
func (t *trial) onRimAt(x r3.Vec, h float64) bool {
	e := t.g.H * layout.Edge
	for a, v := range [3]float64{x.X, x.Y, x.Z} {
		if v -= t.g.Origin[a]; v < h || v > e*float64(t.g.Dim[a])-h {
			return true
		}
	}
	return false
}

// A plane is as exact in the cells of blocks that change their levels as it was before, also where its distance lies beyond the band of the old, smaller cells: if it is
// level, as often as blocks change; if not, when blocks are made coarse.
func TestChangeOfLevelKeepsAPlane(t *testing.T) {
	for _, n := range []r3.Vec{{Y: 1}, {X: -3, Y: 8, Z: -5}, {X: 6, Y: 7, Z: 2}, {X: 1, Y: 1, Z: 1}} {
		q := newTrial(t, [3]int{6, 6, 6}, .1, 3, 2)
		q.s.Set(halfSpace(n, r3.Dot(r3.Unit(n), r3.Vec{X: 2.43, Y: 2.41, Z: 2.37})))
		q.s.Publish()
		for round, fine := range []r3.Vec{{X: 2.4, Y: 2.4, Z: 2.4}, {X: 3.4, Y: 2.4, Z: 2.4}, {X: 3.4, Y: 1.6, Z: 3.4}, {X: 1.6, Y: 2.4, Z: 1.6}} {
			for b := range int32(q.g.Bases()) {
				q.g.Set(b, 2)
				if r3.Norm(r3.Sub(q.g.Middle(b), fine)) < 1.3 {
					q.g.Set(b, 3)
				}
			}
			q.s.Advance(nil, 0)
			q.g.Settle()
			q.s.Publish()
			if round > 0 && n.X != 0 {
				break
			}
			q.eachCell(func(_ int32, c int, x r3.Vec, h float64) {
				want := r3.Dot(r3.Unit(n), r3.Sub(x, r3.Vec{X: 2.43, Y: 2.41, Z: 2.37}))
				if e := math.Abs(want-float64(q.s.Phi[c])) / h; math.Abs(want) < 1.75*h && e > 1e-5 {
					t.Fatalf("normal %v, round %d: φ at %.2f is off by %.3g h, at %.3g h", n, round, x, e, want/h)
				}
			})
		}
	}
}

func TestChangeOfLevelKeepsTheSurface(t *testing.T) {
	q := newTrial(t, [3]int{6, 6, 6}, 1./48, 3, 2)
	c := r3.Vec{X: .5, Y: .5, Z: .5}
	q.s.Set(ball(c, .3))
	q.s.Publish()
	v0 := q.volume()
	r := rand.New(rand.NewPCG(4, 4))
	for round := range 6 {
		for b := range int32(q.g.Bases()) {
			q.g.Set(b, uint8(2+r.IntN(2)))
		}
		q.s.Advance(nil, 0)
		q.g.Settle()
		q.s.Publish()
		worst := 0.
		q.eachCell(func(_ int32, i int, x r3.Vec, h float64) {
			if d := r3.Norm(r3.Sub(x, c)) - .3; math.Abs(d) < .5*h {
				worst = max(worst, math.Abs(d-float64(q.s.Phi[i]))/h)
			}
		})
		// The linear interpolant of coarse values is low by 2h_c²/(8R)·2 = .07 h_f or less.
		if worst > .1*float64(round+1) {
			t.Errorf("round %d: surface off by %.3f h", round, worst)
		}
		if round == 0 && worst > .1 {
			t.Errorf("one change: surface off by %.3f h", worst)
		}
		t.Logf("round %d: %.3f h, volume %+.2f %%", round, worst, 100*(q.volume()/v0-1))
	}
}

// splash runs a scene with changing levels, solids, markers and droplets.
func splash(tb testing.TB, workers, steps int) *trial {
	q := newTrial(tb, [3]int{5, 5, 5}, 1./40, 3, workers)
	q.s.Markers.Spray.Gravity = [3]float64{0, -9.81, 0}
	q.s.Set(halfSpace(r3.Vec{Y: 1}, .35))
	q.s.Set(ball(r3.Vec{X: .5, Y: .62, Z: .45}, .12))
	q.s.Publish()
	for i := range steps {
		q.splashStep(i)
	}
	return q
}

func (t *trial) splashStep(i int) {
	a := float64(i) * .3
	t.flow(func(x r3.Vec) r3.Vec {
		return r3.Vec{X: math.Sin(9*x.Y + a), Y: 1.5 * math.Sin(8*x.X-a) * math.Cos(7*x.Z), Z: math.Cos(11*x.X + a)}
	})
	t.shuffleStep(i)
}

// shuffleStep changes some levels and advances.
func (t *trial) shuffleStep(i int) {
	for b := range int32(t.g.Bases()) {
		if (int(b)*7+i)%11 == 0 {
			t.g.Set(b, uint8(2+i&1))
		}
	}
	t.step(.02)
}

func TestAnyWorkerCountGivesTheSameBits(t *testing.T) {
	want := uint64(0)
	for _, workers := range []int{1, 2, 4} {
		q := splash(t, workers, 25)
		if q.s.Markers.Len() == 0 {
			t.Fatal("no markers")
		}
		if h := q.hash(); want == 0 {
			want = h
			t.Log("markers", q.s.Markers.Len(), "droplets", q.s.Markers.Spray.Len())
		} else if h != want {
			t.Errorf("%d workers: hash %x, want %x", workers, h, want)
		}
	}
}

func TestLoadedStateGoesOnAlike(t *testing.T) {
	a, b := splash(t, 2, 8), newTrial(t, [3]int{5, 5, 5}, 1./40, 3, 1)
	for base, l := range a.g.Cur.Level {
		b.g.Set(int32(base), l)
	}
	b.g.Settle()
	m, n, d, e := a.s.Markers, b.s.Markers, a.s.Markers.Spray, b.s.Markers.Spray
	for base, l := range a.g.Cur.Level {
		copy(b.s.Phi[b.g.Cur.First[base]:][:1<<(3*l)], a.s.Phi[a.g.Cur.First[base]:])
	}
	b.s.Field.Publish()
	b.s.Tick = a.s.Tick
	n.Load(m.Position, m.Radius)
	e.Gravity = d.Gravity
	for i := range d.Radius {
		e.Add([3]float32(d.Position[3*i:]), [3]float32(d.Velocity[3*i:]), d.Radius[i])
	}
	for i := 8; i < 14; i++ {
		a.splashStep(i)
		b.splashStep(i)
		if a.hash() != b.hash() {
			t.Fatalf("step %d differs", i)
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	q := splash(t, 2, 20)
	q.flow(func(x r3.Vec) r3.Vec { return r3.Vec{X: .1 * math.Sin(9*x.Y), Z: .1 * math.Cos(9*x.X)} }) // no new spray
	f := make([]float32, q.g.Cells())
	i := 20
	step := func() {
		q.shuffleStep(i)
		q.v.Gather(q.pool, &q.u)
		q.fractions(f)
		i++
	}
	for range 22 { // every block had each level
		step()
	}
	if got := testing.AllocsPerRun(20, step); got > 0 {
		t.Errorf("%g allocations a step", got)
	}
}

func TestBrokenVelocityIsSurvived(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), 1e30} {
		q := splash(t, 2, 3)
		q.flow(func(x r3.Vec) r3.Vec {
			if x.X > .5 {
				return r3.Vec{X: bad, Y: bad, Z: bad}
			}
			return r3.Vec{}
		})
		for range 3 {
			q.step(.02)
		}
		q.eachCell(func(_ int32, c int, _ r3.Vec, _ float64) {
			if v := q.s.Phi[c]; v != v || math.IsInf(float64(v), 0) {
				t.Fatalf("velocity %g: φ = %g", bad, v)
			}
		})
		for _, p := range q.s.Markers.Position {
			if !inBox(p, q.g.Dim) {
				t.Fatalf("velocity %g: marker at %v", bad, p)
			}
		}
	}
}

func TestFastLiquidReachesFarBlocks(t *testing.T) {
	q := newTrial(t, [3]int{12, 4, 4}, 1./32, 3, 1)
	q.s.Set(ball(r3.Vec{X: .5, Y: .5, Z: .5}, .25))
	q.s.Publish()
	q.flow(func(r3.Vec) r3.Vec { return r3.Vec{X: 10} })
	for range 5 {
		q.step(.04) // 12.8 cells
	}
	x := q.g.ToPoint(2.5, .5, .5)
	if v := q.s.Tiles.At(x); v > -.05 {
		t.Errorf("φ = %g in the middle of the ball", v)
	}
}

func TestClipHoldsTheLiquidBack(t *testing.T) {
	q := newTrial(t, [3]int{4, 4, 4}, 1./32, 3, 2)
	q.s.Set(halfSpace(r3.Vec{X: 1}, .47))
	q.s.Publish()
	q.flow(func(r3.Vec) r3.Vec { return r3.Vec{X: 1} })
	q.s.ClipBlocks = make([]bool, q.g.Bases())
	for b := range q.s.ClipBlocks { // the upper half, whose liquid may not move
		q.s.ClipBlocks[b] = q.g.BaseCoords(int32(b))[1] >= 2
	}
	q.s.Clip = func(_ int, _ int32, from, to []layout.Point) {
		for i := range to {
			if from[i].Y < 2 {
				t.Errorf("asked about %v", from[i])
			}
			to[i] = from[i]
		}
	}
	q.s.ClipAhead = q.s.Clip
	for range 10 {
		q.step(.01)
	}
	for _, c := range []struct{ y, want float64 }{{.2, .57}, {.8, .47}} {
		if v := float64(q.s.Tiles.At(q.g.ToPoint(.52, c.y, .5))); math.Abs(v-(.52-c.want)) > .003 {
			t.Errorf("y = %g: surface at %g, want %g", c.y, .52-v, c.want)
		}
	}
}
