package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/fluid"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .1) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }

// The tank is empty at the beginning, so that the report says less than other demos' do.
func TestHeadless(t *testing.T) {
	for cells, long := range map[string]bool{"cubes": false, "tetrahedra": true} {
		if !long || !testing.Short() {
			t.Run(cells, func(t *testing.T) { headless(t, cells) })
		}
	}
}

func headless(t *testing.T, cells string) {
	t.Helper()
	dir := t.TempDir()
	playtest.Pictures(t, dir, "-frames 12 -every 6 -cell .1 -grid cells -cells "+cells, "frame_00006.png", "frame_00012.png")
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r report.Run
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if r.Frames != 12 || r.Pictures == nil || r.Volume.EmittedL <= 0 || r.Surface.Triangles == 0 || len(r.Readings) != 4 {
		t.Errorf("got %+v", r)
	}
}

// The streams run until the tank is full, and then no more comes; a player may stop them before, and start them again after.
func TestStreamsStop(t *testing.T) {
	p, err := newPour(fluid.Def{CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	step := func(n int) {
		for range n {
			if r, err := play.Step(p); err != nil || r.Err != nil {
				t.Fatal(err, r.Err)
			}
		}
	}
	came := func() float64 { return p.Liquid().Ledger().EmittedL }
	step(20)
	if want := 2 * scenes.StreamRate * 20 * play.Timestep; math.Abs(came()-want) > .1*want {
		t.Errorf("%.1f l came, want %.1f", came(), want)
	}
	if err := p.toggle(); err != nil {
		t.Fatal(err)
	}
	step(2)
	was := came()
	step(5)
	if came() > was {
		t.Errorf("%.1f l more came from streams that a player stopped", came()-was)
	}
	if err := p.toggle(); err != nil {
		t.Fatal(err)
	}
	d := scenes.Chutes.Domain
	d.Max.Y = full
	if err := p.Liquid().Fill(fluid.Box(d)); err != nil {
		t.Fatal(err)
	}
	step(2)
	was = came()
	step(4)
	if !p.stopped || !p.shut || came() > was {
		t.Errorf("a full tank: stopped %v, %.1f l more came", p.stopped, came()-was)
	}
	if err := p.toggle(); err != nil {
		t.Fatal(err)
	}
	step(4)
	if came() == was {
		t.Error("streams that were started again don't flow")
	}
}
