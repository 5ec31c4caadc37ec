package cubes

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// walled is a cube of three blocks an edge, in cells of .05 m, with a sheet .01 m thick across x at .61 m. Its liquid has the level 1 m
// before the sheet, and .4 m behind it.
func walled(t *testing.T) *Blocks {
	t.Helper()
	const cell, at = .05, .61
	pool := par.New(1)
	t.Cleanup(pool.Close)
	m := New(Config{CellSize: cell, Domain: r3.Box{Max: r3.Vec{X: 1.2, Y: 1.2, Z: 1.2}}, Dim: [3]int{3, 3, 3}, Coarsest: layout.MaxLevel},
		pool, &graph.Graph{}, &graph.Components{})
	for b := range int32(m.Grid.Bases()) {
		for i, x := range m.Centres.Of(m.Grid, b) {
			level := 1.
			if x.X > at {
				level = .4
			}
			m.Set.Phi[m.Grid.Cur.First[b]+int32(i)] = float32(min(.15, max(-.15, x.Y-level)))
		}
	}
	m.Grid.Settle()
	m.Set.Publish()
	sheet := func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(math.Abs(p.X-at) - .005)
		}
	}
	m.Solids.SetStatic(sheet, func(r3.Box) float64 { return .01 })
	m.Solids.Solids(nil, cutting.Near{})
	m.Walls.Add(sheet, r3.Box{Min: r3.Vec{X: at - .005}, Max: r3.Vec{X: at + .005, Y: 1.2, Z: 1.2}}, &walls.Motion{})
	m.ThinWalls.Mark()
	return m
}

func (m *Blocks) pointAt(x, y float64) layout.Point { return m.Grid.ToPoint(x, y, .6) }

// Between the two cells that a wall is between, φ is that of the side which it is asked for on.
func TestOneSidedInterpolation(t *testing.T) {
	m := walled(t)
	b := m.Grid.BaseOf(r3.Vec{X: .6, Y: .6, Z: .6})
	for _, c := range []struct {
		x, y     float64
		from, to float32
	}{
		{.6, .7, -.15, -.15}, {.62, .7, .15, .15}, // deep before it, high behind it
		{.6, .42, -.15, -.15}, {.62, .42, .019, .021}, // at the level behind it
		{.4, .7, 7, 7}, // where it hides nothing the value stays
	} {
		phi := []float32{7}
		if m.Set.OneSided(0, b, []layout.Point{m.pointAt(c.x, c.y)}, phi); phi[0] < c.from || phi[0] > c.to {
			t.Errorf("at %g m, %g m: φ is %g m, want %g to %g", c.x, c.y, phi[0], c.from, c.to)
		}
	}
}

func TestClipHooksStopAtWalls(t *testing.T) {
	m := walled(t)
	b := m.Grid.BaseOf(r3.Vec{X: .6, Y: .6, Z: .6})
	for name, clip := range map[string]func(int, int32, []layout.Point, []layout.Point){"Clip": m.Set.Clip, "ClipAhead": m.Set.ClipAhead, "ClipLines": m.Set.ClipLines} {
		from := []layout.Point{m.pointAt(.58, .6), m.pointAt(.58, .6), m.pointAt(.65, .6)}
		to := []layout.Point{m.pointAt(.66, .6), m.pointAt(.5, .6), m.pointAt(.7, .6)}
		past, beside := to[1], to[2]
		if clip(0, b, from, to); m.Grid.Metres(to[0]).X > .605 || to[1] != past || to[2] != beside {
			t.Errorf("%s: ends are %v", name, to)
		}
	}
}

// Far from walls no block is marked, and what is marked is near to one.
func TestMarkedBlocksAreNearWalls(t *testing.T) {
	m := walled(t)
	marked := 0
	for b, mark := range m.Set.ClipBlocks {
		if mark {
			marked++
			if !slices.Contains(m.ThinWalls.nearWalls(int32(b)), 0) {
				t.Errorf("block %d is marked without a wall", b)
			}
		}
	}
	if marked == 0 {
		t.Error("no block is marked")
	}
	m.Walls.Clear()
	m.ThinWalls.Mark()
	for b, mark := range m.Set.ClipBlocks {
		if mark {
			t.Errorf("without walls block %d is marked", b)
		}
	}
}
