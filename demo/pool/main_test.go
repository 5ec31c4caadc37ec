package main

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .2) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .16) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Window(t) }

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
