package scene

import (
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// lightPass draws the maps of the sunlight that a liquid's surface bends and mirrors.
//
// Both begin as a picture of what the light would come to if the water were still: a picture along parallel lines, with a depth. From a grid across
// that light each vertex then follows the real way, bent or mirrored at the wave's normal, to the depth that the picture has where it arrives, in
// four steps; a cell's light is as bright as it is narrower than it started. So each thing has its light at its own depth, floor, step or
// body, and what lies behind another thing along the lines is in shadow. A plane at one depth would be wrong at all others, and a few layers of
// planes would blend patterns of different depths. Only the waves' share of a shadow is lost: its edge lies where that in still water does.
// Source: Shah, Konttinen and Pattanaik, Caustics mapping: an image-space technique for real-time caustics (2007).
var lightPass = pass{name: "light", inputs: []string{"shadow"}, outputs: []string{"wave", "receivers", "column", "light"},
	without: []DrawQuality{DrawLow}, each: true, unseen: true, draw: drawLight}

// maxLightMaps is how many liquids have maps; lightmap.glsl has room for them.
const maxLightMaps = 4

// lightMap is where a liquid's maps lie in the texture of all.
type lightMap struct {
	drawn  bool
	row    int
	level  float32       // about the liquid's mean one, m: maps are told by it, and keep their places while that changes little
	fronts [2]lightFront // bent, mirrored
}

// lightEdge is the edge of a map, texels: the largest that a liquid asks for.
func lightEdge(f *frame) (w, h int32) {
	edge := int32(0)
	for _, l := range f.stage.found {
		edge = max(edge, int32(l.options.Caustics))
	}
	return edge, edge
}

// lightSize has room for two maps of each liquid.
func lightSize(f *frame) (w, h int32) {
	edge, _ := lightEdge(f)
	return 2 * edge, int32(f.lightRows(nil)) * edge
}

// lightRows is how many liquids nearer than one have maps; all that have, for nil.
func (f *frame) lightRows(than *Liquid) (n int) {
	for _, l := range slices.Backward(f.stage.found) {
		if l == than {
			break
		}
		if l.options.Caustics > 0 {
			n++
		}
	}
	return min(n, maxLightMaps)
}

func drawLight(f *frame) error {
	sh := f.liquid.shared
	m, sun := &sh.light, sh.sky.sun()
	m.row = f.lightRows(f.liquid)
	if f.liquid.options.Caustics <= 0 || m.row == maxLightMaps || !f.liquid.surface.Renderable() || sh.free == 0 || sun.Y <= .02 {
		return nil
	}
	if math32.Abs(m.level-sh.level) > .1 {
		m.level = sh.level
	}
	for i := len(m.fronts) - 1; i >= 0; i-- { // bent light last: debug views show it
		front := &m.fronts[i]
		front.fit(&sh.box, m.level, sun, i == 0)
		if !front.used {
			continue
		}
		if err := f.drawFrontOfLight(front, int32(i), int32(m.row)); err != nil {
			return err
		}
	}
	m.drawn = true
	return nil
}

// drawFrontOfLight draws a map, into its column and row of the texture.
func (f *frame) drawFrontOfLight(front *lightFront, column, row int32) error {
	as, cam := *f, front.camera()
	as.cam, as.view, as.proj, as.front = &cam, cam.view, cam.proj, front
	as.beginClear("wave", [4]float32{0, 0, -1e4, 0})
	if err := as.surface(&waveSurface); err != nil {
		return err
	}
	if err := as.drawReceivers(); err != nil {
		return err
	}
	if front.down {
		as.begin("column").fill([4]float32{})
		if err := as.surface(&columnSurface); err != nil {
			return err
		}
	}
	edge, _ := lightEdge(f)
	as.begin("light")
	f.gs.Viewport(column*edge, row*edge, edge, edge)
	if err := as.screen(&lightMapScreen); err != nil {
		return err
	}
	grid := f.stage.photons(int(edge+1) / 2)
	grid.frame, grid.front = &as, front
	defer func() { grid.frame, grid.front = nil, nil }()
	gl.ColorMask(true, false, false, false)
	defer gl.ColorMask(true, true, true, true)
	return as.render(grid)
}

// drawReceivers draws the depth of what throws shadows, but for what lies before the liquid's surface.
func (f *frame) drawReceivers() error {
	gs, d := f.gs, &f.stage.drawn
	f.begin("receivers")
	gs.DepthMask(true)
	gs.Clear(gls.DEPTH_BUFFER_BIT)
	bindUnit(gs, unitFront, f.target("wave").depth)
	d.showCastersOnly(material.SideDouble)
	casters := d.groups[0].graphics
	setDefine(casters, behindDefine, true)
	err := d.each(f.rend, func(u *uniformSet) {
		u.integer(gs, "FrontDepth", unitFront)
		u.integer(gs, "Inside", unitInside)
		u.vec4(gs, "Cut", [4]float32{2: float32(cutBefore)})
	})
	if err == nil {
		err = f.scene()
	}
	setDefine(casters, behindDefine, false)
	d.showAll()
	return err
}

var (
	waveSurface = surfaceSpec{program: waveProgram, side: material.SideDouble, blend: material.BlendNone, depth: true, free: true,
		setup: func(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
			vp := viewProj(info)
			u.mat4(gs, "ViewProj", &vp)
			u.float(gs, "Level", f.front.level)
		}}
	columnSurface  = surfaceSpec{program: columnProgram, side: material.SideDouble, blend: material.BlendAdditive, setup: setupColumn}
	lightMapScreen = screenSpec{program: lightMapProgram, setup: setupLightMap}
)

func setupColumn(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	vp := viewProj(info)
	u.mat4(gs, "ViewProj", &vp)
	u.vec4(gs, "Heights", [4]float32{f.front.near, f.front.far})
	u.bindTexture(gs, "Receivers", unitDepth, f.target("receivers").depth)
}

func setupLightMap(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	u.bindTexture(gs, "Wave", unitColor, f.target("wave").color())
	u.bindTexture(gs, "Receivers", unitDepth, f.target("receivers").depth)
	u.bindTexture(gs, "Column", unitInterval, f.target("column").color())
	u.vec4(gs, "Heights", [4]float32{f.front.near, f.front.far, f.front.level, oneIf(f.front.down)})
}
