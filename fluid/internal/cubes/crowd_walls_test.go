package cubes

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// With a hundred walls, most of them far away, each block lists those near to it alone, and does with their segments what it does without the others.
func TestBlocksListTheWallsNearThem(t *testing.T) {
	m := walled(t)
	own := m.Walls.Walls[0]
	alone := make([][]int32, len(m.Set.ClipBlocks))
	for b := range alone {
		alone[b] = append(alone[b], m.ThinWalls.nearWalls(int32(b))...)
	}
	m.Walls.Clear()
	far := r3.Box{Min: r3.Vec{X: 90}, Max: r3.Vec{X: 91, Y: 1, Z: 1}}
	for range 99 {
		m.Walls.Add(own.Distance, far, &walls.Motion{})
	}
	m.Walls.Add(own.Distance, own.Bounds, &walls.Motion{})
	m.ThinWalls.Mark()
	listed := 0
	for b, before := range alone {
		now := m.ThinWalls.nearWalls(int32(b))
		listed += len(now)
		if len(now) != len(before) || len(now) > 0 && now[0] != 99 {
			t.Errorf("block %d lists the walls %v of a hundred, and %v of one", b, now, before)
		}
	}
	if listed == 0 {
		t.Error("no block lists a wall")
	}
}
