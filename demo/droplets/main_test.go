package main

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .06) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .06) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }

func TestCube(t *testing.T) {
	if testing.Short() {
		t.Skip("TestHeadless draws another show")
	}
	playtest.Headless(t, .06, "-show", "cube")
}

// steps plays a show with coarse cells until a time, s.
func steps(t *testing.T, show string, cell, until float64) *drops {
	t.Helper()
	d, err := newDrops(fluid.Def{CellSize: cell, Resources: fluid.Resources{Workers: 1}}, show, fluid.FiniteVolumes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	d.goOn(t, until)
	return d
}

// goOn goes on until a time, s.
func (d *drops) goOn(t *testing.T, until float64) {
	t.Helper()
	for d.Time < until {
		if r, err := play.Step(d); err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
	}
}

// Two drops become one, which has their litres.
func TestDropsMerge(t *testing.T) {
	d := steps(t, collide, .06, .02)
	if d.topology.Pieces != 2 || math.Abs(d.sphericity-math.Cbrt(.5)) > .02 { // two balls have ∛2 times the area of one
		t.Errorf("at the beginning %+v, sphericity %.3f", d.topology, d.sphericity)
	}
	d.goOn(t, .4)
	if d.topology.Largest < whole*1e-3*d.Liquid().Ledger().HeldL {
		t.Errorf("after .4 s %+v of %.3f l", d.topology, d.Liquid().Ledger().HeldL)
	}
}

// A drop of six cells a radius swings as Lamb says, within what V14 allows a drop of ten.
func TestSwing(t *testing.T) {
	if testing.Short() {
		t.Skip("two seconds of a swing")
	}
	d := steps(t, swing, .05, 2.3)
	def := d.Liquid().Def()
	period, lamb := d.swing.mean(), surfaces.Lamb(radius, def.Physics.Density, def.Physics.SurfaceTension)
	t.Logf("%.3f s, Lamb %.3f s, adrift by %.2f mm", period, lamb, 1e3*d.adrift)
	if math.Abs(period-lamb) > .07*lamb { // V14's 5 % for waves that are small, and 2 % for these: (5/8)·stretch²
		t.Errorf("the period is %.3f s, Lamb's %.3f", period, lamb)
	}
}

// A cube becomes a ball.
func TestCubeBecomesABall(t *testing.T) {
	d := steps(t, cube, .06, .02)
	begun := d.sphericity
	d.goOn(t, .4)
	t.Logf("sphericity %.3f, then %.3f", begun, d.sphericity)
	if begun > .9 || d.sphericity < .97 {
		t.Errorf("sphericity %.3f, then %.3f", begun, d.sphericity)
	}
}

// The period is that of a cosine, whatever its middle.
func TestPeriod(t *testing.T) {
	for _, middle := range []float64{0, .2} {
		var p period
		for i := range 200 {
			at := .05 * float64(i)
			p.add(at, middle+math.Cos(2*math.Pi*at/1.7))
		}
		if got := p.mean(); math.Abs(got-1.7) > 1e-3 {
			t.Errorf("middle %g: %.4f s, want 1.7", middle, got)
		}
	}
	if (&period{}).mean() != 0 {
		t.Error("no swing has a period")
	}
}

// Drops that must not merge need labels.
func TestBounce(t *testing.T) {
	if _, err := newDrops(fluid.Def{CellSize: .06}, bounce, fluid.FiniteVolumes); err == nil || !strings.Contains(err.Error(), "-tracker mesh") {
		t.Errorf("%v", err)
	}
	d, err := newDrops(fluid.Def{CellSize: .06, Resources: fluid.Resources{Workers: 1}, Tracker: fluid.ExplicitMesh}, bounce, fluid.FiniteVolumes)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if labels := d.Liquid().Surface().Labels; slices.Min(labels) != 0 || slices.Max(labels) != 1 {
		t.Errorf("labels from %d to %d", slices.Min(labels), slices.Max(labels))
	}
}

// A poke moves the drop.
func TestPoke(t *testing.T) {
	d := steps(t, swing, .06, .02)
	before := d.Liquid().Hash()
	for range 3 {
		if err := d.pokeIt(); err != nil {
			t.Fatal(err)
		}
	}
	r, err := play.Step(d)
	if err != nil || d.Liquid().Hash() == before || r.MaxSpeed < .1 {
		t.Errorf("%v, %.4f m/s", err, r.MaxSpeed)
	}
}

// Drops that touch no wall are drawn with what is in them: bluer than the sky behind.
func TestDropsAreBlue(t *testing.T) {
	dir := t.TempDir()
	playtest.Pictures(t, dir, "-show swing -frames 1 -cell .06 -budget 0", "frame_00001.png")
	img, err := picture.ReadPNG(filepath.Join(dir, "frame_00001.png"))
	if err != nil {
		t.Fatal(err)
	}
	r, _, b, _ := img.At(80, 45).RGBA()
	sky, _, _, _ := img.At(20, 45).RGBA()
	if r > b*2/3 || r > sky*3/4 {
		t.Errorf("in the middle the drop has %d of red and %d of blue, the sky beside it %d of red", r>>8, b>>8, sky>>8)
	}
}
