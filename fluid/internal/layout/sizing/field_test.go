package sizing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// newTank is full of liquid, without a surface, and knows of vorticity and smoke.
func newTank(dim [3]int) *sea {
	a := newSea(dim, 1e3)
	n := a.g.Bases()
	a.in.Band.Clear()
	for b := range a.in.MinAbs {
		a.in.MinAbs[b] = math.MaxFloat32
	}
	a.in.Vorticity, a.in.Smoke = make([]float32, n), make([]float32, n)
	return a
}

// Cells have the longest edge that no term of the field forbids.
func TestFieldIsTheLeastOfItsTerms(t *testing.T) {
	for _, c := range []struct {
		field            Field
		vorticity, smoke float32 // 1/s, and part
		want             int
	}{
		{Field{}, 100, 1, 1}, // what all liquid has
		{Field{Vorticity: 7}, 0, 1, 1},
		{Field{Vorticity: 7}, 5.5, 1, 1},  // μ = 4.15 finest cells
		{Field{Vorticity: 7}, 5.8, 1, 2},  // 3.94
		{Field{Vorticity: 7}, 8.5, 0, 2},  // 2.05
		{Field{Vorticity: 7}, 8.6, 0, 3},  // 1.98
		{Field{Vorticity: 7}, 1e30, 0, 3}, // 1
		{Field{Vorticity: 7, Turn: 20}, 8.6, 0, 1},
		{Field{Vorticity: 1}, 0, 0, 2}, // 2
		{Field{Smoke: 7}, 100, .57, 1},
		{Field{Smoke: 7}, 0, .58, 2},
		{Field{Smoke: 7, Vorticity: 7}, 5.8, .9, 3},
		{Field{Smoke: 7, Vorticity: 7}, 10, .1, 3},
		{Field{Smoke: -1, Vorticity: math.NaN()}, 10, 1, 1},
		{Field{Vorticity: 7, Smoke: 7}, float32(math.NaN()), float32(math.NaN()), 1},
		{Field{Vorticity: math.Inf(1)}, 9.99, 0, 1},
		{Field{Vorticity: math.Inf(1)}, 10, 0, 1}, // ∞·0 is nothing
		{Field{Vorticity: 1e300}, 10, 0, 3},
	} {
		a := newTank([3]int{4, 3, 5})
		if c.field.Turn == 0 {
			c.field.Turn = 10
		}
		for b := range a.in.Vorticity {
			a.in.Vorticity[b], a.in.Smoke[b] = c.vorticity, c.smoke
		}
		a.plan(Knobs{Field: c.field})
		if lo, hi := slices.Min(a.g.Cur.Level), slices.Max(a.g.Cur.Level); int(lo) != c.want || hi != lo {
			t.Errorf("%+v, %g 1/s, smoke %g: levels %d to %d, want %d", c.field, c.vorticity, c.smoke, lo, hi, c.want)
		}
	}
}

// The edge of cells grows with the distance from the surface and bodies by the weight, as far as cells of four sizes can.
func TestFieldGrowsWithDistance(t *testing.T) {
	const e = testH * layout.Edge
	for _, slope := range []float64{.05, .1, .2, .5} {
		a := newSea([3]int{12, 24, 12}, 23.4*e)
		body := r3.Vec{X: 6.1 * e, Y: 4.1 * e, Z: 6.1 * e}
		a.in.Bodies = []Region{{Box: r3.Box{Min: body, Max: r3.Add(body, r3.Vec{X: .8 * e, Y: .8 * e, Z: .8 * e})}}}
		k := Knobs{Field: Field{Distance: slope}}
		a.plan(k)
		a.mustBalance(t)
		without := newSea([3]int{12, 24, 12}, 23.4*e)
		without.in.Bodies = a.in.Bodies
		without.plan(Knobs{})
		for b, level := range a.g.Cur.Level {
			m := a.g.Middle(int32(b))
			d := min(math.Abs(m.Y-23.5*e), r3.Norm(r3.Sub(m, r3.Vec{X: 6.5 * e, Y: 4.5 * e, Z: 6.5 * e}))) // to the middles of blocks there
			longest := testH + slope*max(0, 1.1*d-e/2)                                                     // by steps the distance is a tenth too large at most
			least := testH + slope*max(0, d-e/2)
			switch edge := a.g.CellSize(level); {
			case m.Y > 23.4*e: // air
			case edge > longest+1e-9 && edge > a.g.CellSize(without.g.Cur.Level[b]):
				t.Fatalf("slope %g: cells %g m from surface and body are %g m, at most %g are asked for", slope, d, edge, longest)
			case 2*edge < least-1e-9 && level > without.g.Cur.Level[b] && level > a.asked(int32(b)):
				t.Fatalf("slope %g: cells %g m from surface and body are %g m, %g would do", slope, d, edge, least)
			}
		}
	}
}

// The field refines alone, and without weights nothing of what it is told matters.
func TestFieldOnlyRefines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 40 {
		dim := [3]int{1 + r.IntN(8), 1 + r.IntN(8), 1 + r.IntN(8)}
		a, b, c := newTank(dim), newTank(dim), newTank(dim)
		a.scatter(r)
		a.scatterFlow(r)
		b.in, c.in = a.in, a.in
		c.in.Vorticity, c.in.Smoke = nil, nil
		if r.IntN(2) == 0 {
			v := look(r3.Vec{X: -1, Y: 2, Z: 1}, r3.Vec{X: 2, Y: 1, Z: 1}, .4, 300)
			for _, s := range []*sea{a, b, c} {
				mustView(t, s.s, v)
			}
		}
		k := Knobs{InvisibleLevel: r.IntN(3)}
		b.plan(k)
		c.plan(k)
		if !slices.Equal(b.g.Cur.Level, c.g.Cur.Level) {
			t.Fatal("vorticity matters without a weight")
		}
		k.Field = Field{Distance: r.Float64(), Smoke: 7 * r.Float64(), Vorticity: 14 * r.Float64()}
		a.plan(k)
		for i, l := range a.g.Cur.Level {
			if l < b.g.Cur.Level[i] {
				t.Fatalf("%+v: level %d, and %d without", k.Field, l, b.g.Cur.Level[i])
			}
		}
	}
}

// scatterFlow fills vorticity and smoke with noise, some of which is no number.
func (t *sea) scatterFlow(r *rand.Rand) {
	t.in.Vorticity, t.in.Smoke = make([]float32, t.g.Bases()), make([]float32, t.g.Bases())
	for _, list := range [][]float32{t.in.Vorticity, t.in.Smoke} {
		for b := range list {
			list[b] = []float32{0, 1, r.Float32(), 20 * r.Float32(), -1, float32(math.NaN()), float32(math.Inf(1))}[r.IntN(7)]
		}
	}
}

// eddy has a column along y turn, and less so the further from it.
func (t *sea) eddy(x, z float64) {
	for b := range t.in.Vorticity {
		at := t.g.BaseCoords(int32(b))
		d := math.Hypot(float64(at[0])-x, float64(at[2])-z)
		t.in.Vorticity[b] = float32(20 * math.Exp(-d))
	}
}

// Under a target, the unknowns go where the eddy is, without a camera as well, and follow it at once; where it was cells become coarse after a while, and
// everywhere when the flow has come to rest.
func TestUnknownsGoWhereEddiesAre(t *testing.T) {
	a := newTank([3]int{16, 4, 16})
	uniform := 16 * 4 * 16 * 8
	k := Knobs{TargetUnknowns: uniform + 12000, Field: Field{Vorticity: 7, Turn: 10}}
	finestAt := func(x, z int) bool { return a.level(x, 1, z) == layout.MaxLevel && a.level(x, 2, z) == layout.MaxLevel }
	a.eddy(4, 4)
	out := a.plan(k)
	if !finestAt(4, 4) || finestAt(8, 8) || out.Total > k.TargetUnknowns || out.Total < k.TargetUnknowns/2 {
		t.Fatalf("level %d in the eddy, %d apart from it; %d unknowns", a.level(4, 1, 4), a.level(8, 1, 8), out.Total)
	}
	a.eddy(11, 11)
	for step := range 12 {
		out = a.plan(k)
		a.mustBalance(t)
		if out.Total > k.TargetUnknowns {
			t.Fatalf("step %d: %d unknowns", step, out.Total)
		}
	}
	if !finestAt(11, 11) {
		t.Errorf("12 steps later level %d where the eddy has gone", a.level(11, 1, 11))
	}
	for range 2 * DefaultCoarsenDelay {
		a.plan(k)
	}
	if finestAt(4, 4) {
		t.Error("cells stay finest where the eddy was")
	}
	clear(a.in.Vorticity)
	for range 3 * DefaultCoarsenDelay {
		a.plan(k)
	}
	if a.g.Blocks(1) != a.g.Bases() {
		t.Errorf("at rest %d of %d blocks have the level of still liquid", a.g.Blocks(1), a.g.Bases())
	}
}

// What the field asks for is no finer than pixels in view, and no finer than Knobs.InvisibleLevel out of it.
func TestFieldYieldsToTheView(t *testing.T) {
	a := newTank([3]int{40, 4, 6})
	for b := range a.in.Vorticity {
		a.in.Vorticity[b] = 100
	}
	mustView(t, a.s, look(r3.Vec{X: 5, Y: .8, Z: 1.2}, r3.Vec{X: 9, Y: .8, Z: 1.2}, 1, 40)) // a finest cell is a pixel at 2 m
	k := Knobs{Field: Field{Vorticity: 7}}
	for _, k.InvisibleLevel = range []int{1, 2} {
		a.s.Restart(1)
		a.plan(k)
		if near, far, behind := a.level(14, 1, 3), a.level(39, 1, 3), a.level(1, 1, 3); near != layout.MaxLevel || far != k.InvisibleLevel || behind != k.InvisibleLevel {
			t.Errorf("%d at least: levels %d near the camera, %d far from it, %d behind it", k.InvisibleLevel, near, far, behind)
		}
	}
	k.TargetUnknowns = 20000 // what is not seen yields last
	a.s.Restart(1)
	if out := a.plan(k); out.Total > k.TargetUnknowns || out.Total < 12000 || a.level(14, 1, 3) < 2 {
		t.Errorf("%d unknowns for a target of %d, level %d near the camera", out.Total, k.TargetUnknowns, a.level(14, 1, 3))
	}
}

func TestFieldAllocatesNothing(t *testing.T) {
	a := newTank([3]int{10, 6, 10})
	step := 0
	one := func() {
		a.eddy(float64(step/10%10), 5)
		step++
		a.plan(Knobs{TargetUnknowns: 15000, CoarsenDelay: 3, Field: Field{Distance: .2, Vorticity: 7, Smoke: 7}})
	}
	for range 200 {
		one()
	}
	if n := testing.AllocsPerRun(100, one); n != 0 {
		t.Fatalf("%v allocations a step", n)
	}
}
