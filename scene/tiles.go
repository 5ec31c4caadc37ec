package scene

import (
	"cmp"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// TileOptions describes a tiled floor or wall. Colours are linear; the zero value of a
// field takes its default.
type TileOptions struct {
	Size  float32      // of a tile, m; default 0.25
	Joint float32      // m; default 0.012
	Color math32.Color // default a light grey blue
	Other math32.Color // of every other tile; default a little darker
	Grout math32.Color // default dark
	Sky   SkyOptions   // default the liquid's
}

// Tiles is a material of tiles in world space for g3n meshes, lit by the daylight and, in Draw, by g3n's point and spot lamps.
type Tiles struct {
	material.Material
	options  TileOptions
	sky      daylight
	liquid   *Liquid
	haze     float32    // m in which the haze of the horizon takes two thirds; 0 means none
	inward   [4]float32 // a mesh is seen from this side of it only, so far from its middle, m; 0 means from anywhere
	uniforms uniformSet
}

// NewTiles returns a tiled material that has the sky of a liquid; for nil that of its options.
func NewTiles(liquid *Liquid, o TileOptions) *Tiles {
	o.Color = cmp.Or(o.Color, math32.Color{R: 0.62, G: 0.72, B: 0.76})
	o.Other = cmp.Or(o.Other, math32.Color{R: 0.38, G: 0.56, B: 0.66})
	o.Grout = cmp.Or(o.Grout, math32.Color{R: 0.16, G: 0.18, B: 0.19})
	o.Size = cmp.Or(o.Size, 0.25)
	o.Joint = cmp.Or(o.Joint, 0.012)
	if o.Size < 0 || o.Joint < 0 || o.Joint >= o.Size {
		panic("scene: NewTiles: TileOptions.Joint must be less than Size, and neither negative")
	}
	t := &Tiles{options: o, liquid: liquid, sky: o.Sky.daylight()}
	t.Material.Init()
	t.SetShader(tileProgram)
	t.SetUseLights(material.UseLightPoint | material.UseLightSpot) // the rest of the light is the daylight
	return t
}

// SetLiquid makes the tiles know of another liquid, or of none; the one before may be disposed of.
func (t *Tiles) SetLiquid(liquid *Liquid) { t.liquid = liquid }

// SetSky changes the daylight from the next frame on, and that of all that Draw draws with it, see SkyOptions.
func (t *Tiles) SetSky(o SkyOptions) { t.sky.change(o) }

// RenderSetup is called by g3n before drawing.
func (t *Tiles) RenderSetup(gs *gls.GLS) {
	t.Material.RenderSetup(gs)
	o, u := &t.options, &t.uniforms
	colors := [9]float32{o.Color.R, o.Color.G, o.Color.B, o.Other.R, o.Other.G, o.Other.B, o.Grout.R, o.Grout.G, o.Grout.B}
	u.vec3s(gs, "TileColor", colors[:])
	if t.liquid != nil {
		t.sky.follow(&t.liquid.shared.sky)
	}
	u.vec3s(gs, "Sky", t.sky.values[:])
	u.vec2(gs, "Tile", o.Size, o.Joint)
	u.vec4(gs, "Inward", t.inward)
	haze := float32(0)
	if t.haze > 0 {
		haze = 1 / t.haze
	}
	u.float(gs, "Haze", haze)
}
