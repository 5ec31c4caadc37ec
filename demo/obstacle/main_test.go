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
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1) }
func TestTetrahedra(t *testing.T)          { playtest.Tetrahedra(t, .1) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }

// The flood's front runs as Ritter's, 2 √(g h), at most, and over half of that; then the hemisphere throws the liquid up, less high than the dam stood over
// what it fell. Three dams break at most.
func TestFloodRunsOverTheHemisphere(t *testing.T) {
	f, err := newFlood(fluid.Def{CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	advance := func(steps int) {
		for range steps {
			if r, err := play.Step(f); err != nil || r.Err != nil {
				t.Fatal(err, r.Err)
			}
		}
	}
	const first = 20
	advance(first)
	ritter := 2 * math.Sqrt(9.81*scenes.Dammed.Max.Y)
	if v := f.Readings()[0].Value / (first * play.Timestep); v < .4*ritter || v > ritter {
		t.Errorf("the front runs at %.2f m/s, Ritter's at %.2f", v, ritter)
	}
	advance(20)
	if f.highest < scenes.HemisphereRadius || f.highest > scenes.Dammed.Max.Y+.1 {
		t.Errorf("the liquid stood %.2f m high at the hemisphere, which is %.2f high", f.highest, scenes.HemisphereRadius)
	}
	for range most {
		if err := f.another(); err != nil {
			t.Fatal(err)
		}
	}
	if f.dams != most {
		t.Errorf("%d dams broke", f.dams)
	}
}
