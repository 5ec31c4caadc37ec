package obstacles_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// pierce is an obstacle off the grid that stands on the floor and reaches out of the liquid, and aside is where another one may be.
var (
	pierce = r3.Box{Min: r3.Vec{X: .43, Y: -1, Z: .37}, Max: r3.Vec{X: 1.05, Y: .85, Z: .98}}
	aside  = r3.Box{Min: r3.Vec{X: 1.17, Y: -1, Z: .41}, Max: r3.Vec{X: 1.44, Y: .23, Z: .83}}
)

// swapScene is a tank at rest with those two obstacles.
func swapScene(t *testing.T, tracker fluid.Tracker, dt float64) (l *fluid.Liquid, first, second fluid.ObstacleID) {
	l = testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, 1.6), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
	first, err := l.AddObstacle(fluid.Box(pierce))
	testrig.Must(t, err)
	second, err = l.AddObstacle(fluid.Box(aside))
	testrig.Must(t, err)
	testrig.Must(t, l.Fill(fluid.Below(.43)))
	for range 5 {
		testrig.Sound(t, l, *l.Step(dt))
	}
	return l, first, second
}

// swaps are calls between two steps after which each obstacle of swapScene is where it was. They return the liquid to go on with.
var swaps = map[string]func(t *testing.T, l *fluid.Liquid, first, second fluid.ObstacleID) *fluid.Liquid{
	"put back": func(t *testing.T, l *fluid.Liquid, first, _ fluid.ObstacleID) *fluid.Liquid {
		testrig.Must(t, l.RemoveObstacle(first))
		added(t, l, fluid.Box(pierce))
		return l
	},
	"put there first": func(t *testing.T, l *fluid.Liquid, first, _ fluid.ObstacleID) *fluid.Liquid {
		added(t, l, fluid.Box(pierce))
		testrig.Must(t, l.RemoveObstacle(first))
		return l
	},
	"twice": func(t *testing.T, l *fluid.Liquid, first, _ fluid.ObstacleID) *fluid.Liquid {
		testrig.Must(t, l.RemoveObstacle(first))
		id := added(t, l, fluid.Box(pierce))
		testrig.Must(t, l.RemoveObstacle(id))
		added(t, l, fluid.Box(pierce))
		return l
	},
	"both": func(t *testing.T, l *fluid.Liquid, first, second fluid.ObstacleID) *fluid.Liquid {
		testrig.Must(t, l.RemoveObstacle(second))
		testrig.Must(t, l.RemoveObstacle(first))
		added(t, l, fluid.Box(aside))
		added(t, l, fluid.Box(pierce))
		return l
	},
	"by halves": func(t *testing.T, l *fluid.Liquid, first, _ fluid.ObstacleID) *fluid.Liquid {
		low, high := pierce, pierce
		low.Max.X, high.Min.X = .74, .74
		testrig.Must(t, l.RemoveObstacle(first))
		added(t, l, fluid.Box(low))
		added(t, l, fluid.Box(high))
		return l
	},
	"moved and back": func(t *testing.T, l *fluid.Liquid, first, _ fluid.ObstacleID) *fluid.Liquid {
		testrig.Must(t, l.MoveObstacle(first, fluid.Motion{Translation: r3.Vec{X: .4, Z: .1}}))
		testrig.Must(t, l.MoveObstacle(first, fluid.Motion{}))
		return l
	},
	"a visitor": func(t *testing.T, l *fluid.Liquid, _, _ fluid.ObstacleID) *fluid.Liquid {
		testrig.Must(t, l.RemoveObstacle(added(t, l, fluid.Sphere(r3.Vec{X: .2, Y: .35, Z: .2}, .15))))
		return l
	},
	"asked in between": func(t *testing.T, l *fluid.Liquid, first, _ fluid.ObstacleID) *fluid.Liquid {
		testrig.Must(t, l.RemoveObstacle(first))
		l.Hash()
		_, err := l.VolumeIn(fluid.Box(pierce))
		testrig.Must(t, err)
		l.Surface()
		testrig.Must(t, l.Save(new(bytes.Buffer)))
		l.Prewarm()
		added(t, l, fluid.Box(pierce))
		return l
	},
	"in a copy": func(t *testing.T, l *fluid.Liquid, first, _ fluid.ObstacleID) *fluid.Liquid {
		testrig.Must(t, l.RemoveObstacle(first))
		to := testrig.New(t, l.Def())
		testrig.Must(t, l.CopyTo(to))
		added(t, to, fluid.Box(pierce))
		return to
	},
}

// added adds an obstacle.
func added(t *testing.T, l *fluid.Liquid, s fluid.SDF) fluid.ObstacleID {
	t.Helper()
	id, err := l.AddObstacle(s)
	testrig.Must(t, err)
	return id
}

// Whatever calls between two steps leave every obstacle where it was move nothing.
func TestSwapsMoveNothing(t *testing.T) {
	trackers := []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh}
	if testing.Short() {
		trackers = trackers[:2]
	}
	for _, tracker := range trackers {
		for name, swap := range swaps {
			t.Run(fmt.Sprint(tracker, " ", name), func(t *testing.T) {
				t.Parallel()
				swapMovesNothing(t, tracker, testrig.Frame, swap)
			})
		}
	}
	for _, dt := range []float64{1. / 30, 1. / 120, 1. / 240} {
		swapMovesNothing(t, fluid.LevelSet, dt, swaps["put back"])
	}
}

func swapMovesNothing(t *testing.T, tracker fluid.Tracker, dt float64, swap func(t *testing.T, l *fluid.Liquid, first, second fluid.ObstacleID) *fluid.Liquid) {
	l, first, second := swapScene(t, tracker, dt)
	was := l.Ledger()
	l = swap(t, l, first, second)
	if g := l.Ledger(); math.Abs(g.HeldL-was.HeldL) > 1e-3*was.HeldL {
		t.Errorf("%.3f l are held before the step, were %.3f", g.HeldL, was.HeldL)
	}
	top := 0.
	for range 12 {
		r := *l.Step(dt)
		testrig.Sound(t, l, r)
		top = max(top, r.MaxSpeed)
	}
	if g := l.Ledger(); math.Abs(g.HeldL-was.HeldL) > 1e-3*was.HeldL || math.Abs(g.DriftL-was.DriftL) > 1e-3*was.HeldL {
		t.Errorf("after %v, were %v", g, was)
	}
	if top > .02 {
		t.Errorf("%.3g m/s, want at most .02", top)
	}
}

// Where an obstacle went for good is air, also when another one is put back; what is filled in there counts.
func TestRoomOfOneThatStaysAway(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		l, first, second := swapScene(t, tracker, testrig.Frame)
		was := l.Ledger()
		testrig.Must(t, l.RemoveObstacle(first))
		testrig.Must(t, l.RemoveObstacle(second))
		added(t, l, fluid.Box(pierce))
		room := (1.44 - 1.17) * .23 * (.83 - .41) / testrig.Litre
		left, err := l.VolumeIn(fluid.Box(aside))
		testrig.Must(t, err)
		g := l.Ledger()
		one, _, other := swapScene(t, tracker, testrig.Frame)
		testrig.Must(t, one.RemoveObstacle(other))
		want, err := one.VolumeIn(fluid.Box(aside))
		testrig.Must(t, err)
		if math.Abs(left-want) > .01*room || math.Abs(g.DriftL-one.Ledger().DriftL) > .001*was.HeldL {
			t.Errorf("%v: of %.1f l of room %.1f are liquid, want %.1f: %v, want %v", tracker, room, left, want, g, one.Ledger())
		}
		testrig.Must(t, l.Fill(fluid.Box(aside)))
		if got := l.Ledger().FilledL - g.FilledL; math.Abs(got+left-room) > .1*room {
			t.Errorf("%v: %.1f l filled in where there is room for %.1f", tracker, got, room-left)
		}
		added(t, l, fluid.Box(aside))
		testrig.GoesOn(t, l, 3)
	}
}
