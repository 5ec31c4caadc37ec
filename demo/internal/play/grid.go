package play

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene"
)

// grids are the values of -grid, in the order in which the key shows them.
var grids = []string{"none", "blocks", "cells"}

// grid is what is drawn of the cells over the liquid.
type grid struct {
	shown  string // of grids
	middle r3.Vec // of the liquid's domain, m
	blocks *scene.LevelOverlay
	cells  *scene.CutOverlay
}

// newGrid adds both overlays to a liquid's node and shows that of -grid.
func newGrid(l *fluid.Liquid, water *scene.Liquid, shown string) *grid {
	g := &grid{middle: l.Def().Domain.Center(), blocks: scene.NewLevelOverlay(l, false), cells: scene.NewCutOverlay(l)}
	water.Add(g.blocks)
	water.Add(g.cells)
	g.show(shown)
	return g
}

// show shows one of grids.
func (g *grid) show(shown string) {
	g.shown = shown
	g.blocks.SetVisible(shown == grids[1])
	g.cells.SetVisible(shown == grids[2])
}

// update takes the cells as they are. The liquid is free. The cut is upright through the domain's middle, along two axes, and faces the camera.
func (g *grid) update(camera view.Pose) {
	switch g.shown {
	case grids[1]:
		g.blocks.Update()
	case grids[2]:
		g.cells.Cut(g.middle, facing(camera))
		g.cells.Update()
	}
}

// facing is the axis along which a camera is looked at best, but for the vertical.
func facing(p view.Pose) r3.Vec {
	to := r3.Sub(p.Eye, p.Target)
	if math.Abs(to.X) > math.Abs(to.Z) {
		return r3.Vec{X: math.Copysign(1, to.X)}
	}
	return r3.Vec{Z: math.Copysign(1, to.Z)}
}
