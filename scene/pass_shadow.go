package scene

import (
	"slices"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// shadowPass draws how far the sun sees, over the liquids and what stands about them. Liquid lets the sun through.
var shadowPass = pass{name: "shadow", outputs: []string{"shadow"}, without: shadowWithout, draw: drawShadow}

var shadowWithout = []DrawQuality{DrawLow}

// sunTexels is the edge of the map.
const sunTexels = 2048

func shadowSize(f *frame) (w, h int32) {
	if slices.Contains(shadowWithout, f.stage.quality) || f.stage.liquid.shared.sky.sun().Y <= 0 {
		return 0, 0
	}
	return sunTexels, sunTexels
}

func drawShadow(f *frame) error {
	f.root.UpdateMatrixWorld()
	d, sun := &f.stage.drawn, &f.stage.sun
	boxes := d.sortCasters()
	sun.fit(f.subject(boxes), f.stage.liquid.shared.sky.sun(), sunTexels, boxes)
	t := f.begin("shadow")
	f.gs.ActiveTexture(gls.TEXTURE0)
	f.gs.BindTexture(gls.TEXTURE_2D, t.depth)
	f.gs.TexParameteri(gls.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE) // a debug view may have ended that
	return f.drawCasters(sun, material.SideDouble)                                         // a wall without a back keeps the sun off too
}

// drawCasters draws how deep the faces of one side of what throws shadows lie, into the target that is bound.
func (f *frame) drawCasters(cam camera.ICamera, side material.Side) error {
	f.gs.DepthMask(true)
	f.gs.Clear(gls.DEPTH_BUFFER_BIT)
	f.stage.hideLiquids()
	f.stage.drawn.showCastersOnly(side)
	err := f.rend.Render(f.root, cam)
	f.stage.drawn.showAll()
	f.stage.showLiquids()
	return err
}

// sortCasters puts what throws shadows first among what the scene pass draws, and returns its boxes.
func (d *drawn) sortCasters() []math32.Box3 {
	g := d.groups[0].graphics
	d.casters, d.boxes = 0, d.boxes[:0]
	for i, n := range g {
		if !casts(n) {
			continue
		}
		if box, ok := boxOf(n); ok {
			g[i], g[d.casters] = g[d.casters], g[i]
			d.casters++
			d.boxes = append(d.boxes, box)
		}
	}
	return d.boxes
}

// showCastersOnly hides everything else, and asks for the depth of one side alone.
func (d *drawn) showCastersOnly(side material.Side) {
	g := d.groups[0].graphics
	for _, n := range g[:d.casters] {
		seen := "1"
		for _, m := range n.GetGraphic().Materials() {
			if m.IMaterial().GetMaterial().Side() != material.SideFront {
				seen = "2"
			}
		}
		n.GetGraphic().ShaderDefines.Set(depthDefine, seen)
	}
	for _, n := range g[:d.casters] {
		for _, m := range n.GetGraphic().Materials() {
			mat := m.IMaterial().GetMaterial()
			d.sides = append(d.sides, mat.Side())
			mat.SetSide(side)
		}
	}
	d.hide(g[d.casters:])
}

// showAll ends what showCastersOnly began.
func (d *drawn) showAll() {
	casters := d.groups[0].graphics[:d.casters]
	for k := len(casters) - 1; k >= 0; k-- { // backwards, as graphics share materials
		g := casters[k].GetGraphic()
		g.ShaderDefines.Unset(depthDefine)
		for i := len(g.Materials()) - 1; i >= 0; i-- {
			last := len(d.sides) - 1
			g.Materials()[i].IMaterial().GetMaterial().SetSide(d.sides[last])
			d.sides = d.sides[:last]
		}
	}
	d.unhide()
}

// casts reports whether something throws shadows: a mesh of a lit material that one can't see through.
func casts(n graphic.IGraphic) bool {
	if !n.Renderable() || shadowless(n.GetGraphic().ShaderDefines) {
		return false
	}
	for _, m := range n.GetGraphic().Materials() {
		mat := m.IMaterial().GetMaterial()
		switch mat.Shader() {
		case "basic", "point", guiProgram, skyProgram:
			continue
		case tileProgram:
			return !shadowless(mat.ShaderDefines)
		}
		if !mat.Transparent() && !mat.Wireframe() && mat.UseLights() != material.UseLightNone && !shadowless(mat.ShaderDefines) {
			return true
		}
	}
	return false
}

func shadowless(d gls.ShaderDefines) bool {
	_, is := d[shadowlessDefine]
	return is
}

// subject is the box that shadows are drawn for: the liquids, and what is no more than some times as large and not far off; all that throws any
// where there is no liquid.
func (f *frame) subject(casters []math32.Box3) math32.Box3 {
	box := *math32.NewBox3(nil, nil).MakeEmpty()
	for _, l := range f.stage.found {
		if b := l.shared.box; l.surface.Renderable() && l.Visible() {
			box.Union(&math32.Box3{Min: math32.Vector3{X: b[0], Y: b[1], Z: b[2]}, Max: math32.Vector3{X: b[3], Y: b[4], Z: b[5]}})
		}
	}
	liquid, dry := box, box.Empty()
	reach := liquid.Size(nil).Length()
	for _, c := range casters {
		if dry || c.Size(nil).Length() < 2*reach && c.DistanceToPoint(liquid.Center(nil)) < reach {
			box.Union(&c)
		}
	}
	return box
}

// ShadowlessNode has what is under a node now neither throw shadows nor show them.
func ShadowlessNode(n core.INode) { defineUnder(n, shadowlessDefine) }

// ShadowlessMaterial has what is of a material neither throw shadows nor show them.
func ShadowlessMaterial(m material.IMaterial) {
	m.GetMaterial().ShaderDefines.Set(shadowlessDefine, "1")
}
