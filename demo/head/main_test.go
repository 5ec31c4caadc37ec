package main

import (
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/playtest"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .1) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }
func TestAsync(t *testing.T)               { playtest.Async(t) }

func TestOtherActs(t *testing.T) {
	if testing.Short() {
		t.Skip("TestHeadless draws the first act")
	}
	for _, act := range []string{shake, hit} {
		playtest.Headless(t, .1, "-show", act)
	}
}

func TestSeries(t *testing.T) {
	playtest.Pictures(t, t.TempDir(), "-show shake -series -frames 2 -every 1 -cell .1", "row1_00001.png", "row2_00001.png", "row3_00002.png")
}
