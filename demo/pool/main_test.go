package main

import (
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .2) }

func TestExitCodes(t *testing.T)    { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)     { playtest.Headless(t, .16) }
func TestSamePictures(t *testing.T) { playtest.SamePictures(t, .16) }

func TestWindowTakesEveryKey(t *testing.T) {
	if testing.Short() {
		t.Skip("TestWindowDumps presses these keys and one more")
	}
	playtest.Window(t)
}

func TestTetrahedra(t *testing.T) { playtest.Headless(t, .2, "-cells tetrahedra -grid cells") }

func TestContour(t *testing.T) {
	if testing.Short() {
		t.Skip("TestCompare draws with contouring too")
	}
	playtest.Headless(t, .2, "-tracker contour")
}

// With -compare there is a row of pictures for each tracker that there is.
func TestCompare(t *testing.T) {
	playtest.Pictures(t, t.TempDir(), "-compare -frames 2 -every 1 -cell .2", "row1_00001.png", "row1_00002.png")
}

// What the keys have done to a pool in a window, a dump of that does again.
func TestWindowDumps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "box")
	playtest.Window(t, "-box", dir)
	dumps, err := filepath.Glob(filepath.Join(dir, "*-asked"))
	if err != nil || len(dumps) == 0 {
		t.Fatal(dumps, err)
	}
	d, err := fluidtrace.OpenDump(dumps[0]) // before the restart
	if err != nil {
		t.Fatal(err)
	}
	p, err := pool.Restore(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	notes := 0
	for i := range d.Steps {
		if _, err := p.Replay(&d.Steps[i]); err != nil {
			t.Fatal(err)
		}
		notes += len(d.Steps[i].Notes)
	}
	if last := d.Steps[len(d.Steps)-1]; last.Hash != p.Liquid().Hash() || last.GameHash != p.Hash() || notes < 2 {
		t.Errorf("after %d steps with %d notes: liquid %v, bodies %v", len(d.Steps), notes, last.Hash == p.Liquid().Hash(), last.GameHash == p.Hash())
	}
}

func TestAsync(t *testing.T) {
	playtest.Headless(t, .16, "-async")
	playtest.Window(t, "-async")
}

func TestCameras(t *testing.T) {
	home := (&pool.Pool{}).Subject()
	for _, mode := range []string{"orbit", "chase", "fixed"} {
		m := play.NewMover(mode, demo.Views)
		for range 1200 {
			pose := m.Advance(play.Timestep, home)
			if d := r3.Norm(r3.Sub(pose.Eye, pose.Target)); !(d > 1 && d < 12) || pose.Eye.Y < .5 {
				t.Fatalf("%s: %+v", mode, pose)
			}
		}
	}
}

func TestTraced(t *testing.T) { playtest.Traced(t, &demo, 0.2) }

func TestLikeness(t *testing.T) { playtest.Likeness(t, .08, 90, [2]float64{.83, .75}) }

func TestDecor(t *testing.T) { playtest.Decor(t, terrace(pool.WallTop), pool.Domain) }
