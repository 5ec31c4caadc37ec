package adapter

import (
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

const wetCell = .05 // m

// tanks are two basins with a wall between them, filled to different levels.
func tanks(t testing.TB) *fluid.Liquid {
	t.Helper()
	l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1.3, Y: .8, Z: .4}}, CellSize: wetCell, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	_, err = l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: .55, Y: -1, Z: -1}, Max: r3.Vec{X: .75, Y: 2, Z: 2}}))
	for _, tank := range []r3.Box{{Max: r3.Vec{X: .55, Y: .62, Z: .4}}, {Min: r3.Vec{X: .75}, Max: r3.Vec{X: 1.3, Y: .28, Z: .4}}} {
		if err == nil {
			err = l.Fill(fluid.Box(tank))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// wetTo is up to where a grid is wet along a line upwards, m.
func wetTo(g *WetGrid, x, z float64) float64 {
	top := g.Box.Min.Y
	for y := g.Box.Min.Y + 1e-3; y < g.Box.Max.Y; y += 1e-3 {
		if g.At(r3.Vec{X: x, Y: y, Z: z}) > 0 {
			top = y
		}
	}
	return top
}

// checkTanks compares the bands on the tanks' walls with their levels.
func checkTanks(t *testing.T, g *WetGrid) {
	t.Helper()
	worst := 0.
	for z := .02; z < .4; z += .04 {
		for x, level := range map[float64]float64{.02: .62, .53: .62, .77: .28, 1.28: .28} {
			off := math.Abs(wetTo(g, x, z) - level)
			worst = max(worst, off)
		}
	}
	if t.Logf("bands end %.3f m from their levels", worst); worst > wetCell {
		t.Errorf("a band ends %.3f m from its level; want at most a cell, %g m", worst, wetCell)
	}
}

func TestTanksAreWetToTheirOwnLevels(t *testing.T) {
	l := tanks(t)
	s := NewStepper(l, Options{Drying: 30 * time.Second})
	defer s.Close()
	for range 10 {
		s.Update(time.Second / 60)
	}
	checkTanks(t, &s.Surface().Wetness)
	if err := l.Drain(fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 2, Z: 2}})); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		s.Update(time.Second / 60)
	}
	g := &s.Surface().Wetness
	checkTanks(t, g)
	if v := g.At(r3.Vec{X: .02, Y: .3, Z: .2}); v > DrippingWet || v < DrippingWet-8 {
		t.Errorf("%d where liquid was a moment ago, want about %d", v, DrippingWet)
	}
	// By half of the time half is left, and in the end none.
	for tenth := range 310 {
		s.wetness.update(l, .1, nil)
		if v := s.wetness.still.At(r3.Vec{X: .02, Y: .3, Z: .2}); tenth == 149 && (v < DrippingWet/2-10 || v > DrippingWet/2+10) {
			t.Errorf("after 15 s of 30 s %d, want about half of %d", v, DrippingWet)
		}
	}
	if v := slices.Max(s.wetness.still.Texels); v > 0 {
		t.Errorf("%d after 31 s, want dry", v)
	}
}

// basin is a pool with a box that a game moves.
func basin(t testing.TB, o Options) (s *Stepper, l *fluid.Liquid, crate physics.Body, k *Binding) {
	t.Helper()
	l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1.6, Z: 1}}, CellSize: wetCell, Resources: fluid.Resources{Workers: 1}})
	if err == nil {
		err = l.Fill(fluid.Below(.5))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	crate, err = physics.NewWorld(physics.WorldDef{}).AddBody(physics.BodyDef{Kind: physics.Kinematic, Position: r3.Vec{X: .5, Y: 1.2, Z: .5}})
	if err != nil {
		t.Fatal(err)
	}
	o.Drying = 30 * time.Second
	s = NewStepper(l, o)
	t.Cleanup(s.Close)
	k = s.BindBody(crate, func(r3.Vec, quat.Number) {})
	k.Soak(r3.Box{Min: r3.Vec{X: -.2, Y: -.2, Z: -.2}, Max: r3.Vec{X: .2, Y: .2, Z: .2}})
	return s, l, crate, k
}

// place moves a body up or down.
func place(t testing.TB, b physics.Body, y float64, turn quat.Number) {
	t.Helper()
	if err := b.SetPose(r3.Vec{X: .5, Y: y, Z: .5}, turn); err != nil {
		t.Fatal(err)
	}
}

// A body that has been dipped is wet to its waterline in its own frame, however it is turned afterwards.
func TestDippedBodyStaysWetToItsLine(t *testing.T) {
	s, _, crate, k := basin(t, Options{})
	step := func(y float64, turn quat.Number) {
		place(t, crate, y, turn)
		s.Update(time.Second / 60)
	}
	upright := quat.Number{Real: 1}
	step(1.2, upright)
	g := k.Wetness()
	if len(g.Texels) < 3000 || len(g.Texels) > 5200 {
		t.Fatalf("%d texels, want about 16³", len(g.Texels))
	}
	if v := slices.Max(g.Texels); v > 0 {
		t.Fatalf("%d before it has touched the liquid", v)
	}
	step(.45, upright) // its lower 25 cm are in the liquid
	aside := quat.Number{Real: math.Sqrt(.5), Kmag: math.Sqrt(.5)}
	for range 3 {
		step(1.2, aside)
	}
	worst := 0.
	for _, x := range []float64{-.21, 0, .21} {
		for _, z := range []float64{-.21, 0, .21} {
			worst = max(worst, math.Abs(wetTo(g, x, z)-.05))
		}
	}
	if t.Logf("wet to %.3f m from its waterline", worst); worst > wetCell {
		t.Errorf("wet to %.3f m from its waterline, want at most a cell, %g m", worst, wetCell)
	}
	if v := g.At(r3.Vec{Y: -.19}); v > DrippingWet || v < DrippingWet-3 {
		t.Errorf("%d in the air, want about %d", v, DrippingWet)
	}
	for range 31 {
		s.wetness.update(s.source, 1, s.binder.bindings)
	}
	if v := slices.Max(k.wet.grid.Texels); v > 0 {
		t.Errorf("%d after 31 s, want dry", v)
	}
}

// Many bodies have their turns within a few steps.
func TestEachBodyHasItsTurn(t *testing.T) {
	s, _, crate, _ := basin(t, Options{})
	place(t, crate, .3, quat.Number{Real: 1})
	var all []*Binding
	for range 30 {
		k := s.BindBody(crate, func(r3.Vec, quat.Number) {})
		k.Soak(r3.Box{Min: r3.Vec{X: -.2, Y: -.2, Z: -.2}, Max: r3.Vec{X: .2, Y: .2, Z: .2}})
		all = append(all, k)
	}
	for range 31*bodyTexels/bodyBudget + 4 {
		s.Update(time.Second / 60)
	}
	for i, k := range all {
		if k.Wetness().At(r3.Vec{}) != Soaked {
			t.Errorf("body %d is dry", i)
		}
	}
}

// A droplet wets where it is, and a surface with a hole nothing where the hole is.
func TestDropletsWetAndHolesDoNot(t *testing.T) {
	var g WetGrid
	g.divide(r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, r3.Vec{X: .1, Y: .05, Z: .1})
	var c columns
	c.over(&g)
	s := fluid.Surface{Droplets: []float32{.52, .71, .33, .01}}
	for _, p := range [][3]float32{{0, .5, 0}, {1, .5, 0}, {1, .5, 1}, {0, .5, 1}} {
		s.Positions = append(s.Positions, p[:]...)
	}
	s.Indices = []uint32{0, 2, 1, 0, 3, 2} // a lid without sides and bottom
	c.find(&s)
	if !c.holds(r3.Vec{X: .52, Y: .71, Z: .33}) || c.holds(r3.Vec{X: .72, Y: .71, Z: .33}) {
		t.Error("the droplet is not where it is")
	}
	if c.holds(r3.Vec{X: .52, Y: .45, Z: .73}) {
		t.Error("there is liquid under a lid alone")
	}
	s.Positions = append(s.Positions, 0, .2, 0, 1, .2, 0, 1, .2, 1, 0, .2, 1)
	s.Indices = append(s.Indices, 4, 5, 6, 4, 6, 7)
	c.find(&s)
	if !c.holds(r3.Vec{X: .52, Y: .45, Z: .73}) || c.holds(r3.Vec{X: .52, Y: .15, Z: .73}) || c.holds(r3.Vec{X: .52, Y: .55, Z: .73}) {
		t.Error("the liquid is not between its top and its bottom")
	}
}

// Wetness is read from the liquid, which goes on as without, and costs no memory in the long run.
func TestWetnessLeavesTheLiquidAlone(t *testing.T) {
	run := func(o Options) (*Stepper, uint64) {
		l := tanks(t)
		s := NewStepper(l, o)
		for range 6 {
			s.Update(time.Second / 60)
			s.Wait()
		}
		return s, l.Hash()
	}
	dry, want := run(Options{})
	defer dry.Close()
	if len(dry.Surface().Wetness.Texels) > 0 {
		t.Error("wetness is kept though none is asked for")
	}
	wet, hash := run(Options{Drying: time.Second})
	defer wet.Close()
	if hash != want {
		t.Errorf("the liquid's hash is %x with wetness, %x without", hash, want)
	}
	beside, hash := run(Options{Drying: time.Second, Async: true})
	defer beside.Close()
	if hash != want {
		t.Errorf("the liquid's hash is %x with wetness beside the frames, %x without", hash, want)
	}
	if a, b := wet.wetness, beside.wetness; a.steps != b.steps || !slices.Equal(a.still.Texels, b.still.Texels) {
		t.Error("steps beside the frames wet otherwise")
	}
}

func TestWetnessAllocatesNothing(t *testing.T) {
	s, l, crate, k := basin(t, Options{})
	place(t, crate, .45, quat.Number{Real: 1})
	for range 3 {
		s.Update(time.Second / 60)
	}
	var surface SurfaceCopy
	step := func() {
		s.wetness.ready(s.binder.bindings)
		s.wetness.update(l, 1./60, s.binder.bindings)
		k.publish()
		surface.take(l, s.wetness)
	}
	step()
	if n := testing.AllocsPerRun(20, step); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// BenchmarkWetness is a step's wetness of a pool of 10,000 triangles with 20 crates.
func BenchmarkWetness(b *testing.B) {
	s, l, crate, _ := basin(b, Options{})
	place(b, crate, .45, quat.Number{Real: 1})
	for range 20 {
		k := s.BindBody(crate, func(r3.Vec, quat.Number) {})
		k.Soak(r3.Box{Min: r3.Vec{X: -.2, Y: -.2, Z: -.2}, Max: r3.Vec{X: .2, Y: .2, Z: .2}})
	}
	s.Update(time.Second / 60)
	for b.Loop() {
		s.wetness.update(l, 1./60, s.binder.bindings)
	}
	b.ReportMetric(float64(len(l.Surface().Indices)/3), "triangles")
	b.ReportMetric(float64(len(s.wetness.still.Texels)), "texels")
}
