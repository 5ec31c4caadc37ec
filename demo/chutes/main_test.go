package main

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/fluid"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .1) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1, "-grid cells") }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Window(t) }

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
