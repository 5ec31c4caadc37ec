package main

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/fluid"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .1) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }

// -compare plays with each tracker, and contouring with thickening and without.
func TestCompare(t *testing.T) {
	playtest.Pictures(t, t.TempDir(), "-compare -frames 1 -cell .1 -budget 0", "row1_00001.png", "row2_00001.png", "row3_00001.png", "row4_00001.png")
}

// The jets meet in the middle and spread across their axis; the key shuts them; no litre is lost.
func TestJetsMeet(t *testing.T) {
	p, err := newSpray(fluid.Def{CellSize: .08, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	step := func(seconds float64) {
		t.Helper()
		for range int(math.Round(seconds / play.Timestep)) {
			if r, err := play.Step(p); err != nil || r.Err != nil {
				t.Fatal(err, r.Err)
			}
		}
	}
	step(.45)
	// Where the sheet is, and there alone, there is liquid.
	sheet := fluid.Box(r3.Box{Min: r3.Vec{X: -.3, Y: scenes.PipeHeight, Z: .1}, Max: r3.Vec{X: .3, Y: scenes.PipeHeight + .6, Z: .6}})
	beside := fluid.Box(r3.Box{Min: r3.Vec{X: .4, Y: scenes.PipeHeight, Z: .3}, Max: r3.Vec{X: 1, Y: scenes.PipeHeight + .6, Z: .8}})
	in, err := p.Liquid().VolumeIn(sheet)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Liquid().VolumeIn(beside)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.2f l in the sheet's quarter, %.2f l beside it; %v", in, out, p.Readings())
	if in < .5 || out > .2*in {
		t.Errorf("%.2f l in the sheet's quarter, %.2f l beside it", in, out)
	}
	if err := p.toggle(); err != nil {
		t.Fatal(err)
	}
	step(play.Timestep)
	emitted := p.Liquid().Ledger().EmittedL
	if want := 2e3 * math.Pi * scenes.PipeRadius * scenes.PipeRadius * scenes.PipeSpeed * .45; math.Abs(emitted-want) > .1*want {
		t.Errorf("%.1f l came out, want %.1f", emitted, want)
	}
	step(.1)
	l := p.Liquid().Ledger()
	if l.EmittedL != emitted {
		t.Errorf("shut pipes let %.2f l out", l.EmittedL-emitted)
	}
	if math.Abs(l.DriftL) > .005*(l.FilledL+l.EmittedL) {
		t.Errorf("%.2f l went astray", l.DriftL)
	}
}
