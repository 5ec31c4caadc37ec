package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// eddy is the velocity of a vortex around a vertical axis, m/s, and its vorticity, 1/s, with a core of a radius, m, in which it turns at a rate, 1/s.
func eddy(axis r3.Vec, core, rate float64) (velocity func(x r3.Vec) r3.Vec, vorticity func(x r3.Vec) float64) {
	swirl := func(d float64) float64 { return .5 * rate * math.Exp(-d*d/(core*core)) } // rad/s
	velocity = func(x r3.Vec) r3.Vec {
		d := r3.Sub(x, axis)
		s := swirl(math.Hypot(d.X, d.Z))
		return r3.Vec{X: s * d.Z, Z: -s * d.X}
	}
	vorticity = func(x r3.Vec) float64 {
		d := math.Hypot(x.X-axis.X, x.Z-axis.Z)
		return math.Abs(2 * swirl(d) * (1 - d*d/(core*core)))
	}
	return velocity, vorticity
}

// levelsOf are the numbers of the tank's blocks of each level, the finest first, and whether all of a level lie within a distance of an axis, m.
func levelsOf(l *fluid.Liquid, axis r3.Vec, within [4]float64) (n [4]int, inside [4]bool) {
	inside = [4]bool{true, true, true, true}
	for _, b := range l.Levels(nil) {
		d := r3.Sub(b.Box.Center(), axis)
		n[b.Level]++
		inside[b.Level] = inside[b.Level] && math.Hypot(d.X, d.Z) < within[b.Level]
	}
	return n, inside
}

// In a full tank the unknowns go where an eddy is: cells are finest in its core, and large where the liquid hardly turns, also where the domain's walls cut the cells. When
// it has calmed down, cells are large everywhere, as they are without a sizing field from the start.
func TestUnknownsGoWhereEddiesTurn(t *testing.T) {
	for _, lo := range []float64{0, .13} { // the walls' distance from the cells' sides, m
		def := fluid.Def{
			Domain: r3.Box{Min: r3.Vec{X: lo, Y: lo, Z: lo}, Max: r3.Vec{X: 4.8 - lo, Y: .8 - lo/2, Z: 4.8}}, CellSize: .05, Physics: fluid.Physics{Weightless: true},
			Numerics: fluid.Numerics{Sizing: fluid.Sizing{Vorticity: 7, Turn: 10}},
		}
		plain := def
		plain.Numerics.Sizing = fluid.Sizing{}
		l, without := full(t, def), full(t, plain)
		axis, everywhere := r3.Vec{X: 1.4, Z: 2.6}, r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 9, Y: 9, Z: 9}}
		velocity, vorticity := eddy(axis, .8, 12)
		step := func() {
			for _, l := range []*fluid.Liquid{l, without} {
				if r := *l.Step(testrig.Frame); r.Err != nil {
					t.Fatal(r.Err)
				}
			}
		}
		for range 4 { // finer cells take up the velocity as it is
			testrig.Must(t, l.SetVelocity(fluid.Box(everywhere), velocity))
			testrig.Must(t, without.SetVelocity(fluid.Box(everywhere), velocity))
			step()
		}
		n, inside := levelsOf(l, axis, [4]float64{.9, 1.4, 9, 0})
		if n[0] < 8 || n[1] < 8 || n[2] < 200 || !inside[0] || !inside[1] {
			t.Errorf("blocks of each level: %d; near the eddy: %v", n, inside)
		}
		for _, b := range l.Levels(nil) {
			if c := b.Box.Center(); vorticity(c) > 8.6 && b.Level != 0 {
				t.Errorf("at %v the liquid turns at %g 1/s, in cells %d levels below the finest", c, vorticity(c), b.Level)
			}
		}
		if was, _ := levelsOf(without, axis, [4]float64{}); was[2] != len(l.Levels(nil)) {
			t.Errorf("blocks of each level without a sizing field: %d", was)
		}
		slow, _ := eddy(axis, .8, .5) // what rests falls asleep, and keeps its cells until it wakes
		testrig.Must(t, l.SetVelocity(fluid.Box(everywhere), slow))
		for range 75 { // twice the delay, and some more for blocks between others
			step()
		}
		if still, _ := levelsOf(l, axis, [4]float64{}); still[2] != len(l.Levels(nil)) {
			t.Errorf("in the end blocks of each level: %d", still)
		}
	}
}

// A sizing field leaves bits alone: they are the same for any number of workers, from a copy and from a file.
func TestSizingFieldIsDeterministic(t *testing.T) {
	basin := func(workers int) *fluid.Liquid {
		l := testrig.New(t, fluid.Def{
			Domain: testrig.Box(1.6, 1.2, 1.2), CellSize: .05, Resources: fluid.Resources{Workers: workers}, Budget: fluid.Budget{Work: 6},
			Numerics: fluid.Numerics{Band: 2, Sizing: fluid.Sizing{Distance: .2, Vorticity: 7, Turn: 5}},
		})
		testrig.Must(t, l.Fill(fluid.Below(.7)))
		testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .5, Y: 1.1, Z: .6}})))
		return l
	}
	a, b, copied, restored := basin(1), basin(2), basin(2), basin(1)
	for n := range 40 {
		all := []*fluid.Liquid{a, b}
		if n >= 15 {
			all = append(all, copied, restored)
		}
		for _, l := range all {
			if r := *l.Step(testrig.Frame); r.Err != nil {
				t.Fatal(r.Err)
			}
			if l.Hash() != a.Hash() {
				t.Fatalf("step %d: other bits", n)
			}
		}
		if n == 14 {
			testrig.Must(t, a.CopyTo(copied))
			testrig.Restore(t, restored, testrig.Saved(t, b))
		}
	}
}

// A tank whose cells are fine in an eddy computes it better than one of equal cells that are as many and more: Klingner et al. 2006, figure 4, in numbers. What is compared with is
// a tank in which all cells are as fine.
func TestRefinedEddyBeatsEqualCells(t *testing.T) {
	if testing.Short() {
		t.Skip("it steps 33,000 cells")
	}
	const seconds, steps = 2. / 3, 40
	domain := r3.Box{Max: r3.Vec{X: 3.2, Y: .4, Z: 3.2}}
	velocity, _ := eddy(r3.Vec{X: 1.6, Z: 1.6}, .3, 12)
	run := func(cell float64, n fluid.Numerics) (at []r3.Vec, unknowns float64) {
		n.Undamped = true
		l := full(t, fluid.Def{Domain: domain, CellSize: cell, Numerics: n, Physics: fluid.Physics{Weightless: true}})
		for range 4 { // until cells have their sizes
			testrig.Must(t, l.SetVelocity(fluid.Box(domain), velocity))
			l.Step(1e-3)
		}
		testrig.Must(t, l.SetVelocity(fluid.Box(domain), velocity))
		for range steps {
			r := *l.Step(seconds / steps)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			for _, u := range r.Unknowns {
				unknowns += float64(u) / steps
			}
		}
		var points []r3.Vec
		for i := range 32 * 32 {
			points = append(points, r3.Vec{X: .05 + .1*float64(i%32), Y: .2, Z: .05 + .1*float64(i/32)})
		}
		samples := make([]fluid.Sample, len(points))
		l.Sample(samples, points)
		for _, s := range samples {
			at = append(at, s.Velocity)
		}
		return at, unknowns
	}
	fine, _ := run(.05, fluid.Numerics{Levels: 1})
	miss := func(at []r3.Vec) float64 {
		sum, whole := 0., 0.
		for i, u := range fine {
			sum, whole = sum+r3.Norm2(r3.Sub(at[i], u)), whole+r3.Norm2(u)
		}
		return math.Sqrt(sum / whole)
	}
	refined, few := run(.05, fluid.Numerics{Sizing: fluid.Sizing{Vorticity: 7, Turn: 1.2}})
	equal, many := run(.08, fluid.Numerics{Levels: 1})
	plain, _ := run(.05, fluid.Numerics{})
	t.Logf("%.0f refined unknowns miss %.4f of the velocity, %.0f equal ones %.4f; without a sizing field %.4f is missed", few, miss(refined), many, miss(equal), miss(plain))
	if few > many || miss(refined) > miss(equal)/4 || miss(plain) < miss(equal) {
		t.Errorf("%.0f refined unknowns miss %.4f of the velocity, %.0f equal ones %.4f, and cells without a field %.4f", few, miss(refined), many, miss(equal), miss(plain))
	}
}

// Def.Numerics.ViewGain leaves cells as large as some pixels where a camera looks from afar, as fine as ever where it is near, and does nothing without a camera.
func TestViewGainIsForWhatIsFar(t *testing.T) {
	for _, view := range []fluid.View{{}, testrig.LookFrom(.8, .6, 9.6)} {
		var levels [2][24]int // per gain and block along z, at the surface
		for k, gain := range []float64{0, 1. / 8} {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, 9.6), CellSize: .05, Numerics: fluid.Numerics{ViewGain: gain}})
			testrig.Must(t, l.Fill(fluid.Below(.3)))
			testrig.Must(t, l.SetView(view))
			if r := l.Step(testrig.Frame); r.Err != nil || gain > 0 && view != (fluid.View{}) && r.Plan.ViewGain != gain {
				t.Fatal(r.Err, r.Plan.ViewGain)
			}
			for _, b := range l.Levels(nil) {
				if b.Box.Min.Y == 0 && b.Wet {
					levels[k][int(b.Box.Center().Z/.4)] = b.Level
				}
			}
		}
		for z := range 24 {
			want := 0
			if far := 9.6 - .4*float64(z+1); view != (fluid.View{}) && far > 4.5 { // where 360 pixels a metre at 1 m make 4 a cell
				want = 1
			}
			if levels[0][z] != 0 || levels[1][z] != want {
				t.Errorf("camera %v, block %d: level %d, with an eighth of a cell per pixel %d, want %d", view != (fluid.View{}), z, levels[0][z], levels[1][z], want)
			}
		}
	}
}

// With tetrahedra, which have about two unknowns per cell of the layout, a budget in work holds as it does with cubes.
func TestBudgetsCountVertices(t *testing.T) { testrig.EachDiscretisation(t, budgetsCountVertices) }

func budgetsCountVertices(t *testing.T, kind fluid.Discretisation) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 1.6, 1.6), CellSize: .05, Discretisation: kind, Budget: fluid.Budget{Work: 3}})
	testrig.Must(t, l.Fill(fluid.Below(.6)))
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .9, Y: 1.4, Z: 1.6}})))
	most := 0
	for step := range 20 {
		r := *l.Step(testrig.Frame)
		n := 0
		for _, u := range r.Unknowns {
			n += u
		}
		n *= r.Substeps
		if r.Err != nil || n < 2000 || n > 3450 { // a few more corners than middles,
			t.Errorf("step %d: %d unknowns in %d substeps, 3000 are the budget; %v", step, n, r.Substeps, r.Err)
		}
		if step > 2 { // which the budget knows of now
			most = max(most, n)
		}
	}
	testrig.FallsShort(t, "unknowns where the budget is 3000", float64(most), 3150, [2]float64{fluid.Cubes: 3150, fluid.Tetrahedra: 3250}[kind])
}

// Blocks that tetrahedra stand on differ by one level at most across faces and edges, whatever cameras, splashes, edits and the budget ask for.
func TestTetrahedraAreBalancedAcrossEdges(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 1.6, 1.6), CellSize: .05, Discretisation: fluid.Tetrahedra, Budget: fluid.Budget{Work: 4}})
	testrig.Must(t, l.Fill(fluid.Below(.5)))
	steep := 0
	for step := range testrig.InShort(8, 14) {
		switch step {
		case 3:
			testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .3, Y: 1, Z: .3}, .12)))
		case 6:
			testrig.Must(t, l.Drain(fluid.Sphere(r3.Vec{X: 2, Y: .3, Z: 1}, .15)))
		}
		testrig.Must(t, l.SetViews(testrig.CloseUp(.6+.2*float32(step))))
		if r := *l.Step(testrig.Frame); r.Err != nil {
			t.Fatal(r.Err)
		}
		levels := map[[3]int]int{}
		for _, b := range l.Levels(nil) {
			levels[baseOf(b.Box.Center())] = b.Level
		}
		for at, level := range levels {
			for c := range 27 {
				d := [3]int{c%3 - 1, c/3%3 - 1, c/9 - 1}
				other, ok := levels[[3]int{at[0] + d[0], at[1] + d[1], at[2] + d[2]}]
				if !ok {
					continue
				}
				if corner := d[0]*d[1]*d[2] != 0; !corner && other > level+1 {
					t.Fatalf("step %d: blocks %v and %v away from it are of levels %d and %d", step, at, d, level, other)
				} else if corner && other > level+1 {
					steep++
				}
			}
		}
	}
	if steep == 0 {
		t.Error("levels are nowhere as steep as they may be, across a corner")
	}
}

// baseOf is which block of .4 m a point is in.
func baseOf(x r3.Vec) [3]int { return [3]int{int(x.X / .4), int(x.Y / .4), int(x.Z / .4)} }
