package scene

import (
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

// Levels is anything that lists its grid's blocks, *fluid.Liquid for one.
type Levels interface {
	Levels(dst []fluid.LevelBox) []fluid.LevelBox
}

// LevelOverlay draws the grid's blocks as wire boxes, one colour per level: the finest red,
// then yellow, green and blue. Add it to the Liquid node, or to the scene to see it refracted.
type LevelOverlay struct {
	graphic.Lines
	source    Levels
	dry       bool
	boxes     []fluid.LevelBox
	positions math32.ArrayF32
	colors    math32.ArrayF32
	buffers   [2]*gls.VBO
}

var levelColors = [4][3]float32{{1, 0.35, 0.25}, {1, 0.82, 0.2}, {0.35, 0.9, 0.4}, {0.35, 0.6, 1}}

// boxEdges are the twelve edges as pairs of corners; a corner's bits choose the box's
// maximum in x, y and z.
var boxEdges = [24]uint8{0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7}

// NewLevelOverlay returns an overlay of source's blocks, of those without liquid too if dry.
func NewLevelOverlay(source Levels, dry bool) *LevelOverlay {
	o := &LevelOverlay{source: source, dry: dry}
	geom := geometry.NewGeometry()
	o.buffers[0] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexPosition) })
	o.buffers[1] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexColor) })
	mat := material.NewBasic()
	o.Lines.Init(geom, mat)
	o.SetCullable(false)
	o.SetRenderOrder(20)
	o.Update()
	return o
}

// Update takes the grid as it is now: with LiquidOptions.Async, call it in each or BetweenSteps.
func (o *LevelOverlay) Update() {
	o.boxes = o.source.Levels(o.boxes[:0])
	o.positions, o.colors = o.positions[:0], o.colors[:0]
	for _, b := range o.boxes {
		if !b.Wet && !o.dry {
			continue
		}
		c := levelColors[min(max(b.Level, 0), 3)]
		lo, hi := b.Box.Min, b.Box.Max
		for _, corner := range boxEdges {
			p := lo
			if corner&1 != 0 {
				p.X = hi.X
			}
			if corner&2 != 0 {
				p.Y = hi.Y
			}
			if corner&4 != 0 {
				p.Z = hi.Z
			}
			o.positions = append(o.positions, float32(p.X), float32(p.Y), float32(p.Z))
			o.colors = append(o.colors, c[0], c[1], c[2])
		}
	}
	o.buffers[0].SetBuffer(o.positions)
	o.buffers[1].SetBuffer(o.colors)
	o.SetRenderable(len(o.positions) > 0)
}

// Toggle shows or hides the overlay.
func (o *LevelOverlay) Toggle() { o.SetVisible(!o.Visible()) }
