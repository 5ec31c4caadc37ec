package scene

import (
	"cmp"
	"sync/atomic"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// SkyOptions describes the daylight: what the Sky shows and what liquid and tiles reflect.
// Colours are linear; the zero value of a field takes its default.
//
// All that Liquid.Draw draws has one daylight: a sky, tiles or liquid made with the zero value
// takes that of those made with another, and each takes what SetSky of any of them was given last.
type SkyOptions struct {
	Zenith  math32.Color   // default a clear blue
	Horizon math32.Color   // default a pale haze; make a game's clear colour match
	Ground  math32.Color   // default a hazy grey, seen below the horizon
	Sun     math32.Vector3 // towards the sun; default an afternoon's
	SunLit  math32.Color   // the sun's light; default warm white
}

func (o SkyOptions) withDefaults() SkyOptions {
	o.Zenith = cmp.Or(o.Zenith, math32.Color{R: 0.13, G: 0.32, B: 0.68})
	o.Horizon = cmp.Or(o.Horizon, math32.Color{R: 0.66, G: 0.77, B: 0.86})
	o.Ground = cmp.Or(o.Ground, math32.Color{R: 0.36, G: 0.39, B: 0.40})
	o.SunLit = cmp.Or(o.SunLit, math32.Color{R: 1, G: 0.93, B: 0.80})
	o.Sun = cmp.Or(o.Sun, math32.Vector3{X: 0.45, Y: 0.72, Z: -0.35})
	o.Sun.Normalize()
	return o
}

// Brightness is the daylight on a level face, green: .75 in the default's afternoon, .16 at DuskSky and .01 at NightSky. A game may light its lamps by it.
func (o SkyOptions) Brightness() float32 {
	o = o.withDefaults()
	return .45*o.Zenith.G + .25*o.Horizon.G + .55*o.SunLit.G*max(o.Sun.Y, 0)
}

// daylight is a sky as the shaders have it, and which of several counts.
type daylight struct {
	values [15]float32 // Sky[5]
	turn   uint64      // 0: the default, 1: as it was made, then a number for each SetSky
}

// turns counts calls of SetSky.
var turns atomic.Uint64

func (o SkyOptions) daylight() daylight {
	d := daylight{values: o.withDefaults().values()}
	if o != (SkyOptions{}) {
		d.turn = 1
	}
	return d
}

// change makes o the daylight that counts.
func (d *daylight) change(o SkyOptions) {
	d.values, d.turn = o.withDefaults().values(), 1+turns.Add(1)
}

// follow takes the other daylight if that counts more.
func (d *daylight) follow(o *daylight) {
	if o.turn > d.turn {
		*d = *o
	}
}

// sun is the direction to it.
func (d *daylight) sun() math32.Vector3 {
	return math32.Vector3{X: d.values[9], Y: d.values[10], Z: d.values[11]}
}

// level is the light that falls on an upward face, as common.glsl has it in daylight.
func (d *daylight) level() (light [3]float32) {
	for k := range light {
		light[k] = .45*d.values[k] + .25*d.values[3+k] + .55*d.values[12+k]*max(d.values[10], 0)
	}
	return light
}

// values lays the sky out as the shaders' Sky[5].
func (o SkyOptions) values() [15]float32 {
	return [15]float32{o.Zenith.R, o.Zenith.G, o.Zenith.B, o.Horizon.R, o.Horizon.G, o.Horizon.B,
		o.Ground.R, o.Ground.G, o.Ground.B, o.Sun.X, o.Sun.Y, o.Sun.Z, o.SunLit.R, o.SunLit.G, o.SunLit.B}
}

// Sky fills what nothing else covers with the daylight's gradient and the sun's disc.
type Sky struct {
	graphic.Graphic
	sky      daylight
	uniforms uniformSet
}

// NewSky returns a sky to add to the scene's root.
func NewSky(o SkyOptions) *Sky {
	s := &Sky{sky: o.daylight()}
	mat := newMaterial(skyProgram)
	mat.SetDepthMask(false)
	initScreen(&s.Graphic, s, mat, 1)
	// g3n draws opaque graphics from the highest order to the lowest: the sky comes last
	// and costs only the pixels that stay empty.
	s.SetRenderOrder(-1000)
	return s
}

// SetSky changes the daylight from the next frame on, and that of all that is drawn with it, see SkyOptions.
func (s *Sky) SetSky(o SkyOptions) {
	s.sky.change(o)
	lightAll(rootOf(s), &s.sky)
}

// RenderSetup is called by g3n before drawing.
func (s *Sky) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	u := &s.uniforms
	u.vec3s(gs, "Sky", s.sky.values[:])
	m := inverseViewProj(info)
	u.mat4(gs, "InvViewProj", &m)
}

// newMaterial returns a material for one of this package's programs, unlit by g3n's lights.
func newMaterial(program string) *material.Material {
	mat := material.NewMaterial()
	mat.SetShader(program)
	mat.SetUseLights(material.UseLightNone)
	return mat
}

// rootOf is the topmost node above n.
func rootOf(n core.INode) core.INode {
	for n.GetNode().Parent() != nil {
		n = n.GetNode().Parent()
	}
	return n
}

// lightAll gives a daylight to all under a node that one counts less for.
func lightAll(n core.INode, d *daylight) {
	eachDaylight(n, func(own *daylight) { own.follow(d) })
}

// eachDaylight calls f for the daylight of each sky, liquid and tiled mesh under a node.
func eachDaylight(n core.INode, f func(d *daylight)) {
	switch n := n.(type) {
	case *Sky:
		f(&n.sky)
	case *Liquid:
		f(&n.shared.sky)
	case graphic.IGraphic:
		for _, m := range n.GetGraphic().Materials() {
			if t, ok := m.IMaterial().(*Tiles); ok {
				f(&t.sky)
			}
		}
	}
	for _, c := range n.Children() {
		eachDaylight(c, f)
	}
	if d, ok := n.(*Daylight); ok {
		d.relight()
	}
}
