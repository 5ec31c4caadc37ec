package main

import (
	"image/color"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
)

// Woods, light to dark with the crate's density, so that one sees why it floats or sinks.
var woods = []struct {
	below float64 // density ratio
	wood  color.RGBA
}{
	{0.5, color.RGBA{226, 186, 128, 255}}, // pine
	{1.0, color.RGBA{178, 116, 62, 255}},  // oak
	{9e9, color.RGBA{112, 66, 44, 255}},   // ironwood
}

var (
	red    = color.RGBA{214, 48, 38, 255}
	white  = color.RGBA{244, 242, 234, 255}
	blue   = color.RGBA{36, 98, 190, 255}
	yellow = color.RGBA{248, 196, 44, 255}
	orange = color.RGBA{240, 104, 24, 255}
	navy   = color.RGBA{30, 36, 62, 255}
	grey   = color.RGBA{150, 150, 146, 255}
)

// cast makes the toys' meshes; textures are drawn once.
type cast struct {
	crates []material.IMaterial
	ball   material.IMaterial
	dinghy material.IMaterial
	shapes map[pool.Kind]*geometry.Geometry
}

func newCast() *cast {
	c := &cast{shapes: map[pool.Kind]*geometry.Geometry{
		pool.Crate:  geometry.NewCube(pool.CrateEdge),
		pool.Ball:   geometry.NewSphere(pool.BallRadius, 48, 24),
		pool.Dinghy: newHull(pool.DinghySize.X, pool.DinghySize.Y, pool.DinghySize.Z, pool.DinghyWall),
	}}
	for i, w := range woods {
		c.crates = append(c.crates, stage.Painted(picture.Crate(stage.TextureSize, w.wood, uint32(40+i)), .12, 12))
	}
	c.ball = stage.Painted(picture.Ball(stage.TextureSize, 6, red, white, blue, white, yellow, white), .5, 60)
	c.dinghy = stage.Painted(picture.Rubber(stage.TextureSize, orange, navy, grey), .35, 40)
	return c
}

// node is a new mesh for a toy, its origin at the body's own.
func (c *cast) node(t pool.Toy) core.INode {
	mat := c.ball
	switch t.Kind {
	case pool.Crate:
		for i, w := range woods {
			if t.Ratio < w.below {
				mat = c.crates[i]
				break
			}
		}
	case pool.Dinghy:
		mat = c.dinghy
	}
	return graphic.NewMesh(c.shapes[t.Kind], mat)
}
