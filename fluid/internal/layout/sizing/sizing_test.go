package sizing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

func TestKimCriteria(t *testing.T) {
	// 24×10×24 base cells, the surface in layer 5; the camera in one corner looks along x.
	a := newSea([3]int{24, 10, 24}, 2.2)
	mustView(t, a.s, look(r3.Vec{X: .2, Y: 3, Z: 4.8}, r3.Vec{X: 9, Y: 2, Z: 4.8}, .7, 720))
	k := Knobs{InvisibleLevel: 1, ViewGain: math.Inf(1)}
	a.plan(k)
	a.mustBalance(t)
	layers := map[bool][10][2]float64{}
	for b := range int32(a.g.Bases()) {
		at := a.g.BaseCoords(b)
		seen, _ := a.s.cameras[0].sees(a.s.middleOf(b))
		l := int(a.g.Cur.Level[b])
		sum := layers[seen]
		sum[at[1]][0] += float64(l)
		sum[at[1]][1]++
		layers[seen] = sum
		switch band := a.in.Band.Contains(uint32(b)); {
		case band && seen && l != layout.MaxLevel:
			t.Fatalf("visible block %v at the surface has level %d", at, l)
		case band && l < 1:
			t.Fatalf("invisible block %v at the surface has level %d", at, l)
		case !band && at[1] == 8 && l > 1: // three layers above the surface
			t.Fatalf("air block %v has level %d", at, l)
		}
	}
	mean := func(seen bool, y int) float64 { return layers[seen][y][0] / layers[seen][y][1] }
	for y := range 6 {
		if in, out := mean(true, y), mean(false, y); !(in > out) {
			t.Errorf("layer %d: visible blocks have level %.2f on average, invisible ones %.2f", y, in, out)
		}
	}
	if !(mean(false, 5) > mean(false, 2)) || !(mean(true, 5) > mean(true, 2)) {
		t.Error("the surface is not finer than the depths")
	}
}

func TestDistanceBandsFollowPixels(t *testing.T) {
	// A finest cell of 5 cm covers a pixel where 360/tan(fov/2)·0.05/d = 1.
	a := newSea([3]int{60, 4, 6}, .7)
	mustView(t, a.s, look(r3.Vec{X: 0, Y: 1.2, Z: 1.2}, r3.Vec{X: 20, Y: .7, Z: 1.2}, 2*math.Atan(1), 720))
	last, bands := layout.MaxLevel, [4]int{}
	a.plan(Knobs{ViewGain: .25})
	for x := range 60 {
		l := a.level(x, 1, 3)
		if l > last {
			t.Fatalf("level rises from %d to %d with distance at %d", last, l, x)
		}
		last = l
		bands[l]++
	}
	// Level l+1 is wanted while a cell of level l covers more than 4 pixels: to 9 m, 18 m, 36 m.
	if want := [4]int{0, 15, 22, 23}; bands != want {
		t.Fatalf("blocks per level %v, want %v", bands, want)
	}
	a.s.Restart(1)
	if out := a.plan(Knobs{ViewGain: 1}); a.level(59, 1, 3) != layout.MaxLevel || out.Gain != 1 {
		t.Fatalf("at gain 1 the far end, %d, is not the finest", a.level(59, 1, 3))
	}
}

// The finest cells reach as deep under the surface as the band is thick, to the next whole block, and a level is lost in every eight cells from there.
func TestBandIsCountedFromTheSurface(t *testing.T) {
	for gap := 1; gap <= layout.Edge; gap++ {
		for band := 1; band <= 2*layout.Edge+2; band++ {
			a := newSea([3]int{3, 6, 3}, 5.5*.4)
			a.in.Gaps = make([][6]uint8, a.g.Bases())
			for b := range a.in.Gaps {
				a.in.Gaps[b] = [6]uint8{8, 8, uint8(gap), 8, 8, 8}
			}
			a.plan(Knobs{ViewGain: math.MaxInt, Thickness: float64(band) / layout.Edge, ThicknessCap: 3})
			for down := 1; down <= 5; down++ {
				depth := gap + layout.Edge*(down-1)
				want := max(1, layout.MaxLevel-max(0, (depth-band+layout.Edge-1)/layout.Edge)) // what is seen is a level finer than the coarsest
				if l := a.level(1, 5-down, 1); l != want {
					t.Fatalf("surface %d cells from the lower side of its block, band of %d: %d blocks below it the level is %d, want %d", gap, band, down, l, want)
				}
			}
		}
	}
}

func TestUniformMode(t *testing.T) {
	a := newSea([3]int{6, 4, 6}, .7)
	mustView(t, a.s, look(r3.Vec{X: -9, Y: 2}, r3.Vec{X: -20}, .5, 720))
	out := a.plan(Knobs{CoarsestLevel: layout.MaxLevel, TargetUnknowns: 100})
	if a.g.Blocks(layout.MaxLevel) != a.g.Bases() || out.Knob != "Def.Numerics.Levels" || out.Text == "" {
		t.Fatalf("%d of %d blocks finest, warning %q", a.g.Blocks(layout.MaxLevel), a.g.Bases(), out.Knob)
	}
}

func TestOutsideOfTheDomainStaysCoarse(t *testing.T) {
	g := layout.New([3]float64{}, testH, [3]int{12, 4, 4}, 0)
	s := New(g, r3.Box{Max: r3.Vec{X: 8 * .4, Y: 1.6, Z: 1.6}})
	in := Input{MinAbs: make([]float32, g.Bases())}
	for b := range uint32(g.Bases()) {
		in.Wet.Set(b)
		in.Band.Set(b)
	}
	s.Plan(&in, Knobs{})
	for x, want := range []uint8{3, 3, 3, 3, 3, 3, 3, 3, 2, 1, 0, 0} {
		if l := g.Cur.Level[g.BaseAt(x, 1, 1)]; l != want {
			t.Fatalf("x %d: level %d, want %d", x, l, want)
		}
	}
}

// Beyond each side that liquid leaves by lies one block, which is as fine as that within, wherever the domain lies: what rounding leaves of the domain in it is none.
func TestBlocksBeyondOpenSides(t *testing.T) {
	for _, h := range []float64{.012, .02, .03, .04, .05, .06, .07, .1, 1. / 3} {
		for n := 1.; n < 11; n += .5 {
			for _, lo := range []float64{0, -1, .1, -.3, 1.7} {
				e := h * layout.Edge
				domain := r3.Box{Min: r3.Vec{X: lo, Y: -lo, Z: lo}, Max: r3.Vec{X: lo + n*e, Y: e - lo, Z: lo + 2*e}}
				open := [6]bool{true, true, false, false, false, true}
				origin, dim := layout.Place(domain, h, open)
				g := layout.New(origin, h, dim, 0)
				s := New(g, domain)
				BeyondOpen(s, domain, open)
				for b := range int32(g.Bases()) {
					at := g.BaseCoords(b)
					beyond := at[0] == 0 || at[0] == dim[0]-1 || at[2] == dim[2]-1
					if s.outside.Contains(uint32(b)) != beyond || s.beyond.Contains(uint32(b)) != beyond {
						t.Fatalf("cells of %g m, %g blocks from %g m on: block %v is outside: %v, and liquid leaves to it: %v", h, n, lo, at, s.outside.Contains(uint32(b)), s.beyond.Contains(uint32(b)))
					}
				}
			}
		}
	}
}

func TestBodiesIgnoreTheCamera(t *testing.T) {
	body := Region{Box: r3.Box{Min: r3.Vec{X: 3, Y: 1.8, Z: 3}, Max: r3.Vec{X: 3.8, Y: 2.5, Z: 3.8}}, Margin: .2}
	views := []View{
		{},
		look(r3.Vec{X: 3, Y: 4, Z: 9}, r3.Vec{X: 3, Y: 2, Z: 3}, .8, 720),
		look(r3.Vec{X: -50, Y: 4, Z: 9}, r3.Vec{X: -80, Y: 2, Z: 3}, .8, 720),
		ortho(look(r3.Vec{X: 4, Y: 9, Z: 4}, r3.Vec{X: 4, Y: 0, Z: 4}, .8, 720), 1),
	}
	for drop, target := range []int{60000, 4000, 1500} {
		var first []uint8
		for i, v := range views {
			a := newSea([3]int{20, 8, 20}, 2.2)
			a.in.Emitters = []r3.Box{{Min: r3.Vec{X: 6.1, Y: 3, Z: 6.1}, Max: r3.Vec{X: 6.3, Y: 3.1, Z: 6.3}}}
			mustView(t, a.s, views[(i+1)%len(views)])
			var levels []uint8
			for step := range 12 { // the body moves; the camera cuts in the middle
				if step == 6 {
					mustView(t, a.s, v)
				}
				move := r3.Vec{X: .2 * float64(step)}
				a.in.Bodies = []Region{{Box: r3.Box{Min: r3.Add(body.Box.Min, move), Max: r3.Add(body.Box.Max, move)}, Margin: body.Margin}}
				a.plan(Knobs{TargetUnknowns: target, InvisibleLevel: 1})
				a.mustBalance(t)
				lo, hi, _ := a.s.span(a.in.Bodies[0].Box, body.Margin)
				for z := lo[2]; z <= hi[2]; z++ {
					for y := lo[1]; y <= hi[1]; y++ {
						for x := lo[0]; x <= hi[0]; x++ {
							levels = append(levels, uint8(a.level(x, y, z)))
						}
					}
				}
				if l := a.level(15, 7, 15); l != layout.MaxLevel-drop/2 {
					t.Fatalf("emitter has level %d, drop %d", l, drop)
				}
			}
			if first == nil {
				first = levels
			}
			if !slices.Equal(levels, first) || int(slices.Max(levels)) != layout.MaxLevel-drop || slices.Min(levels) != slices.Max(levels) {
				t.Fatalf("view %d, drop %d: the body's blocks have other levels", i, drop)
			}
		}
	}
}

// More bodies than can get fine blocks in one step come to coarse liquid. Which blocks wait for their turn no camera decides: of what it refines beside them they get no
// more than balance asks for.
func TestWaitingBodiesIgnoreTheCamera(t *testing.T) {
	away := look(r3.Vec{X: -50, Y: 4, Z: 9}, r3.Vec{X: -80, Y: 2, Z: 3}, .8, 720)
	for name, view := range map[string]View{"away": away, "at them": look(r3.Vec{X: 5, Y: 4, Z: 12}, r3.Vec{X: 5, Y: 2, Z: 5}, .9, 720)} {
		a := newSea([3]int{24, 8, 24}, 2.2)
		mustView(t, a.s, away)
		a.plan(Knobs{TargetUnknowns: 200000})
		mustView(t, a.s, view)
		for i := range 64 {
			p := r3.Vec{X: .6 + 1.2*float64(i%8), Y: 2.1, Z: .6 + 1.2*float64(i/8)}
			a.in.Bodies = append(a.in.Bodies, Region{Box: r3.Box{Min: p, Max: r3.Add(p, r3.Vec{X: .1, Y: .1, Z: .1})}})
		}
		for _, want := range []int{mostRises, 2 * mostRises, 64} {
			a.plan(Knobs{TargetUnknowns: 200000})
			a.mustBalance(t)
			finest := 0
			for i := range 64 {
				if a.level(1+3*(i%8), 5, 1+3*(i/8)) == layout.MaxLevel {
					finest++
				}
			}
			if finest != want {
				t.Errorf("camera looks %s: %d of 64 blocks at bodies are finest, want %d", name, finest, want)
			}
		}
	}
}

// When there is room again for a level that all bodies did without, their blocks get it a few at a time: all at once they
// would take the time of several steps.
func TestFinestLevelComesBackBitByBit(t *testing.T) {
	a := newSea([3]int{24, 8, 24}, 1.9)
	for i := range 64 {
		p := r3.Vec{X: .6 + 1.15*float64(i%8), Y: 1.7, Z: .6 + 1.15*float64(i/8)}
		a.in.Bodies = append(a.in.Bodies, Region{Box: r3.Box{Min: p, Max: r3.Add(p, r3.Vec{X: .3, Y: .3, Z: .3})}, Margin: .1, Size: 1})
	}
	mustView(t, a.s, look(r3.Vec{X: -50, Y: 4, Z: 9}, r3.Vec{X: -80, Y: 2, Z: 3}, .8, 720)) // none is seen
	finest := func() (n int) {
		for _, l := range a.g.Cur.Level {
			if l >= layout.MaxLevel-1 {
				n++
			}
		}
		return n
	}
	for range 20 {
		a.plan(Knobs{TargetUnknowns: 600, InvisibleLevel: 0})
	}
	before, most := finest(), 0 // with those that balance wants beside
	for range 4 * DefaultCoarsenDelay {
		was := finest()
		a.plan(Knobs{TargetUnknowns: 400000, InvisibleLevel: 0})
		a.mustBalance(t)
		most = max(most, finest()-was)
	}
	if after := finest(); before > 0 || after < 128 || most > 2*mostRises {
		t.Errorf("%d blocks are fine, then %d; at most %d more in a step", before, after, most)
	}
}

// Jets and control surfaces have finest blocks where liquid is near, whatever the camera sees: as many jets as a quarter of the target holds, and as many
// blocks at control surfaces as fit when all others are a level coarser.
func TestJetsAndControlsWithinTheTarget(t *testing.T) {
	jets := make([]r3.Box, 6) // places under water, as many blocks of 512 unknowns, and one high in the air
	for i := range jets {
		p := r3.Vec{X: 1 + 1.2*float64(i), Y: 1.4, Z: 1}
		jets[i] = r3.Box{Min: p, Max: p}
	}
	jets[5].Min.Y, jets[5].Max.Y = 3, 3
	for _, c := range []struct {
		controls     bool
		target, want int
	}{{false, 40000, 5}, {false, 6000, 2}, {false, 1500, 0}, {true, 40000, 5}, {true, 6000, 5}, {true, 2600, 3}, {true, 1500, 1}, {true, 400, 0}} {
		target, want := c.target, c.want
		a := newSea([3]int{20, 8, 20}, 1.9)
		if c.controls {
			a.in.Controls = jets
		} else {
			a.in.Jets = jets
		}
		mustView(t, a.s, look(r3.Vec{X: -50, Y: 4, Z: 9}, r3.Vec{X: -80, Y: 2, Z: 3}, .8, 720))
		finest := 0
		for range 12 {
			a.plan(Knobs{TargetUnknowns: target, InvisibleLevel: 1})
			a.mustBalance(t)
		}
		for _, j := range jets[:5] {
			if a.level(int(j.Min.X/.4), int(j.Min.Y/.4), int(j.Min.Z/.4)) == layout.MaxLevel {
				finest++
			}
			if l := a.level(int(j.Min.X/.4), int(j.Min.Y/.4), int(j.Min.Z/.4)); c.controls && target >= 1000 && l < layout.MaxLevel-1 {
				t.Errorf("target %d: a place at a control surface has level %d", target, l)
			}
		}
		if finest != want {
			t.Errorf("controls %v, target %d: %d places are finest, want %d", c.controls, target, finest, want)
		}
		if l := a.level(int(jets[5].Min.X/.4), 7, 2); l == layout.MaxLevel {
			t.Errorf("target %d: a jet's place far from all liquid is finest", target)
		}
	}
}

// Blocks at control surfaces that are seen are fine before those that are not, and of these the ones with the least liquid.
func TestSeenControlsComeFirst(t *testing.T) {
	places := make([]r3.Box, 8)
	for i := range places {
		p := r3.Vec{X: .6 + .8*float64(i), Y: 1.4, Z: 1}
		places[i] = r3.Box{Min: p, Max: p}
	}
	level := func(a *sea, i int) int { return a.level(int(places[i].Min.X/.4), 3, 2) }
	for _, view := range []bool{false, true} {
		for _, fit := range []int{0, 2, 4, 8} { // as many as are to be finest
			a := newSea([3]int{20, 8, 20}, 1.9)
			a.in.Controls = places
			for i := range places { // the last have the least liquid
				a.in.Fraction[a.g.BaseAt(int(places[i].Min.X/.4), 3, 2)] = float32(1 - .1*float64(i))
			}
			if view { // of the first five
				mustView(t, a.s, look(r3.Vec{X: 1.8, Y: 1.4, Z: 3.6}, r3.Vec{X: 1.8, Y: 1.4, Z: 1}, .8, 720))
			}
			whole, load := 0., 0.
			for i := range places {
				w := 1 - .1*float64(i)
				whole += 64 * w
				if k := len(places) - 1 - i; k < fit {
					load += 448 * (1 - .1*float64(len(places)-1-k))
				}
			}
			for range 40 {
				a.plan(Knobs{TargetUnknowns: int((whole+load)/controlRoom) + 20, InvisibleLevel: 1})
				a.mustBalance(t)
			}
			var finest []int
			for i := range places {
				if level(a, i) == layout.MaxLevel {
					finest = append(finest, i)
				}
			}
			t.Logf("view %v, room for %d: finest %v", view, fit, finest)
			if len(finest) > fit || !view && len(finest) < fit {
				t.Errorf("view %v: %v are finest, there is room for %d", view, finest, fit)
			}
			for _, i := range finest {
				if view && fit < 8 && i >= 5 || !view && i < len(places)-fit {
					t.Errorf("view %v, room for %d: %v are finest", view, fit, finest)
				}
			}
		}
	}
}

// Where the target doesn't hold the finest blocks of all bodies, the smallest have them, whatever their order; a
// target that wobbles changes nothing, and one that rises gives them back one by one.
func TestSmallBodiesComeFirst(t *testing.T) {
	a := newSea([3]int{24, 8, 24}, 2.2)
	at := func(x, size float64) Region {
		lo := r3.Vec{X: x, Y: 2.05, Z: 4.05}
		return Region{Box: r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: size, Y: size, Z: size})}, Size: size}
	}
	a.in.Bodies = []Region{at(6.05, .6), at(.45, .2), at(3.25, .3)} // 4·2, 1 and 1 blocks, half of them wet
	run := func(steps, target int, want ...int) {
		t.Helper()
		for step := range steps {
			a.plan(Knobs{TargetUnknowns: target + 40*(step%2)})
		}
		if got := []int{a.level(15, 5, 10), a.level(1, 5, 10), a.level(8, 5, 10)}; !slices.Equal(got, want) {
			t.Fatalf("%d unknowns: levels %v, want %v", target, got, want)
		}
	}
	run(1, 30000, 3, 3, 3)
	for range 3 { // a target that dips takes nothing
		run(DefaultCoarsenDelay/2, 7000, 3, 3, 3)
		run(1, 30000, 3, 3, 3)
	}
	run(DefaultCoarsenDelay/2+1, 7000, 2, 3, 3)
	run(100, 7100, 2, 3, 3)
	run(DefaultCoarsenDelay/2+1, 5600, 2, 3, 2)
	a.in.Bodies[2].Box = at(3.25, .1).Box // as it turns
	run(1, 5600, 2, 3, 2)
	run(10, 30000, 2, 3, 2)
	run(DefaultCoarsenDelay, 30000, 2, 3, 3)
	run(2*DefaultCoarsenDelay, 30000, 3, 3, 3)
}

// Where the target doesn't hold even a level less at all bodies, the whole grid does with a level less, so that what the
// camera sees next to a body is still at most a level finer than it; and it comes back when there is room.
func TestManyBodiesTakeTheFinestLevel(t *testing.T) {
	a := newSea([3]int{24, 8, 24}, 2.2)
	mustView(t, a.s, look(r3.Vec{X: 5, Y: 3, Z: 12}, r3.Vec{X: 5, Y: 2, Z: 5}, .8, 720))
	for i := range 36 {
		lo := r3.Vec{X: .5 + 1.5*float64(i%6), Y: 2, Z: .5 + 1.5*float64(i/6)}
		a.in.Bodies = append(a.in.Bodies, Region{Box: r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: .5, Y: .3, Z: .5})}})
	}
	run := func(steps, target, top int) (full int) { // what is told of all that is wanted
		t.Helper()
		for range steps {
			full = a.plan(Knobs{TargetUnknowns: target}).Full
			a.mustBalance(t)
		}
		if l := int(slices.Max(a.g.Cur.Level)); int(a.s.top) != top || l > top {
			t.Fatalf("%d unknowns: the finest level may be %d, want %d, and is %d", target, a.s.top, top, l)
		}
		return full
	}
	full := run(60, 60000, 3)
	if short := run(10, 4000, 2); float64(short) < .9*float64(full) || float64(short) > 1.1*float64(full) {
		t.Errorf("%d unknowns are wanted where there is room, and %d where there is none", full, short)
	}
	run(100, 4400, 2)
	run(10, 60000, 2)
	run(4*DefaultCoarsenDelay, 60000, 3)
}

func TestSleepersKeepTheirLevel(t *testing.T) {
	a := newSea([3]int{12, 8, 12}, 2.2)
	away := look(r3.Vec{X: -50, Y: 4, Z: 9}, r3.Vec{X: -80, Y: 2, Z: 3}, .8, 720)
	mustView(t, a.s, away)
	box := r3.Box{Min: r3.Vec{X: 2.1, Y: 2.1, Z: 2.1}, Max: r3.Vec{X: 2.3, Y: 2.3, Z: 2.3}}
	a.in.Bodies = []Region{{Box: box, Asleep: true}}
	a.plan(Knobs{})
	if l := a.level(5, 5, 5); l != 0 {
		t.Fatalf("a body that starts asleep refined its block to %d", l)
	}
	a.in.Bodies[0].Asleep = false
	a.plan(Knobs{})
	a.in.Bodies[0].Asleep = true
	for range 200 {
		a.plan(Knobs{})
	}
	if l := a.level(5, 5, 5); l != layout.MaxLevel {
		t.Fatalf("level %d around a body that fell asleep", l)
	}
	dry := r3.Box{Min: r3.Vec{X: 2.1, Y: 5, Z: 2.1}, Max: r3.Vec{X: 2.3, Y: 5.2, Z: 2.3}}
	b := newSea([3]int{12, 16, 12}, 2.2)
	mustView(t, b.s, away)
	b.in.Bodies = []Region{{Box: dry}}
	b.plan(Knobs{})
	if l := b.level(5, 12, 5); l != 0 {
		t.Fatalf("level %d around a body far from liquid", l)
	}
}

func TestDeterminism(t *testing.T) {
	run := func() []uint8 {
		a := newSea([3]int{16, 8, 16}, 2)
		r := rand.New(rand.NewPCG(4, 4))
		var all []uint8
		for step := range 60 {
			a.flood(func(x, z float64) float64 { return 2 + .3*math.Sin(x+.3*float64(step)) })
			at := r3.Vec{X: 6 * r.Float64(), Y: 2, Z: 6 * r.Float64()}
			if step%20 == 0 {
				mustView(t, a.s, look(r3.Vec{X: -3, Y: 4, Z: 3}, at, .8, 720))
			}
			a.plan(Knobs{TargetUnknowns: 5000 + 20000*(step/30)})
			all = append(all, a.g.Cur.Level...)
		}
		return all
	}
	if !slices.Equal(run(), run()) {
		t.Fatal("two runs differ")
	}
}

func TestPlanAllocatesNothing(t *testing.T) {
	a := newSea([3]int{16, 8, 16}, 2)
	a.in.Bodies = []Region{{Box: r3.Box{Min: r3.Vec{X: 2, Y: 2, Z: 2}, Max: r3.Vec{X: 3, Y: 3, Z: 3}}}}
	views := [2]View{
		look(r3.Vec{X: -3, Y: 4, Z: 3}, r3.Vec{X: 3, Y: 2, Z: 3}, .8, 720),
		look(r3.Vec{X: 9, Y: 4, Z: 3}, r3.Vec{X: 3, Y: 2, Z: 3}, .8, 720),
	}
	step := 0
	one := func() {
		step++
		mustView(t, a.s, views[step/10%2])
		a.plan(Knobs{TargetUnknowns: 15000, CoarsenDelay: 3})
	}
	for range 200 {
		one()
	}
	if n := testing.AllocsPerRun(100, one); n != 0 {
		t.Fatalf("%v allocations a step", n)
	}
}
