package sizing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kelindar/bitmap"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Any input, views, bodies and budgets leave a layout that is balanced, within its levels, and as fine as what is pinned asks, with either balance.
func TestBalanceProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := [3]int{rapid.IntRange(1, 7).Draw(t, "x"), rapid.IntRange(1, 7).Draw(t, "y"), rapid.IntRange(1, 7).Draw(t, "z")}
		g := layout.New([3]float64{-1, 0, 2}, testH, dim, uint8(rapid.IntRange(0, 3).Draw(t, "start")))
		g.SetBalance(layout.Balance(rapid.IntRange(0, 1).Draw(t, "balance")))
		domain := r3.Box{Min: r3.Vec{X: -1, Z: 2}, Max: r3.Vec{X: 1, Y: 3, Z: 4}}
		a := &sea{g: g, s: New(g, domain)}
		if open := rapid.IntRange(0, 63).Draw(t, "open"); rapid.Bool().Draw(t, "sides") {
			BeyondOpen(a.s, domain, [6]bool{open&1 > 0, open&2 > 0, open&4 > 0, open&8 > 0, open&16 > 0, open&32 > 0})
		}
		seed := rapid.Uint64().Draw(t, "seed")
		k := Knobs{
			CoarsestLevel:  rapid.IntRange(0, 3).Draw(t, "coarsest"),
			InvisibleLevel: rapid.IntRange(0, 3).Draw(t, "invisible"),
			ViewGain:       rapid.Float64Range(0, 2).Draw(t, "gain"),
			TargetUnknowns: rapid.IntRange(0, 20000).Draw(t, "target"),
			CoarsenDelay:   rapid.IntRange(1, 4).Draw(t, "delay"),
			ChangeShare:    rapid.Float64Range(0, 1).Draw(t, "share"),
			Changes:        rapid.IntRange(0, 40).Draw(t, "changes"),
			Field: Field{
				Distance: rapid.Float64Range(0, 1).Draw(t, "distance"), Smoke: rapid.Float64Range(0, 20).Draw(t, "smoke"), Vorticity: rapid.Float64Range(0, 20).Draw(t, "vorticity"),
			},
		}
		r := rand.New(rand.NewPCG(seed, 1))
		for range 8 {
			a.scatter(r)
			if r.IntN(2) == 0 {
				a.scatterFlow(r)
			}
			if r.IntN(3) > 0 {
				a.scatterViews(t, r)
			}
			if r.IntN(4) == 0 {
				k.TargetUnknowns = r.IntN(20000)
			}
			out := a.s.Plan(&a.in, k)
			if r.IntN(4) == 0 {
				g.Revert()
				continue
			}
			g.Settle()
			a.checkStep(t, k, out)
		}
	})
}

// scatterViews sets one view or a few.
func (t *sea) scatterViews(rt *rapid.T, r *rand.Rand) {
	views := make([]View, 1+r.IntN(3))
	for i := range views {
		eye := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		views[i] = look(eye, r3.Vec{X: .01, Y: .5, Z: 3}, .2+2*r.Float64(), 1+r.IntN(900))
		if r.IntN(3) == 0 {
			views[i] = ortho(views[i], .5+r.Float64())
		}
	}
	if err := t.s.SetViews(views...); err != nil {
		rt.Fatal(err)
	}
}

// scatter fills the input with noise.
func (t *sea) scatter(r *rand.Rand) {
	n := t.g.Bases()
	t.in = Input{MinAbs: make([]float32, n), Gaps: make([][6]uint8, n), Wet: bitmap.Bitmap{}, Band: bitmap.Bitmap{}}
	for b := range n {
		t.in.MinAbs[b] = float32(2 * r.Float64())
		if r.IntN(30) == 0 {
			t.in.MinAbs[b] = float32(math.NaN())
		}
		for side := range t.in.Gaps[b] {
			t.in.Gaps[b][side] = uint8(r.IntN(256))
		}
		if r.IntN(2) == 0 {
			t.in.Wet.Set(uint32(b))
		}
		if r.IntN(4) == 0 {
			t.in.Band.Set(uint32(b))
		}
	}
	box := func() r3.Box {
		x := r3.Vec{X: 2*r.Float64() - 1, Y: r.Float64(), Z: 2 + r.Float64()}
		return r3.Box{Min: x, Max: r3.Add(x, r3.Vec{X: .3, Y: .2, Z: .1})}
	}
	for range r.IntN(4) {
		t.in.Bodies = append(t.in.Bodies, Region{Box: box(), Asleep: r.IntN(2) == 0, Size: r.Float64()})
	}
	for _, list := range []*[]r3.Box{&t.in.Emitters, &t.in.Jets, &t.in.Controls} {
		if r.IntN(4) == 0 {
			*list = append(*list, box(), box())
		}
	}
}

func (t *sea) checkStep(rt *rapid.T, k Knobs, out Outcome) {
	for b, l := range t.g.Cur.Level {
		if int(l) < k.CoarsestLevel || l > layout.MaxLevel {
			rt.Fatalf("level %d, coarsest allowed %d", l, k.CoarsestLevel)
		}
		if s := t.s; s.pinned.Contains(uint32(b)) && (l < s.pin[b] || l > max(s.pin[b], t.asked(int32(b)))) {
			rt.Fatalf("pinned block has level %d, want %d; its neighbours ask for %d", l, s.pin[b], t.asked(int32(b)))
		}
		for _, nb := range t.g.Neighbour[b] {
			if s := t.s; nb != layout.None && s.beyond.Contains(uint32(nb)) && !s.beyond.Contains(uint32(b)) && t.g.Cur.Level[nb] < l {
				rt.Fatalf("beyond an open side level %d, %d within", t.g.Cur.Level[nb], l)
			}
		}
		if k.TargetUnknowns == 0 && t.in.Band.Contains(uint32(b)) && !t.s.outside.Contains(uint32(b)) && !t.s.pinned.Contains(uint32(b)) && int(l) < min(k.InvisibleLevel, int(t.s.top)) {
			rt.Fatalf("block at the surface has level %d, minimum %d", l, k.InvisibleLevel)
		}
	}
	if b, nb := unbalanced(t.g); b != layout.None {
		rt.Fatalf("levels %d and %d side by side", t.g.Cur.Level[b], t.g.Cur.Level[nb])
	}
	if d := total(out) - out.Total; d < 0 || d > 4 {
		rt.Fatalf("unknowns %v do not add up to %d", out.Unknowns, out.Total)
	}
}

// asked is the least level that the blocks around one leave it.
func (t *sea) asked(b int32) (least uint8) {
	for side, nb := range t.g.Balanced(b) {
		if nb != layout.None {
			least = max(least, leastBeside(t.s, nb, b, side, t.g.Cur.Level[nb]))
		}
	}
	return least
}
