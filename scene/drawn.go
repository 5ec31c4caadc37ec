package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/renderer"
)

// Defines of all programs that Draw draws with.
const (
	// linearDefine asks for light, linear and unlimited, in place of display colours.
	// A game's own programs see it too.
	linearDefine = "MENISCUS_LINEAR"
	// depthDefine asks for depth alone, with what is transparent left out; it is 2 for what is seen from behind too.
	depthDefine = "MENISCUS_DEPTH"
	// behindDefine leaves out what lies before a liquid's first face.
	behindDefine = "MENISCUS_BEHIND"
	// shadowlessDefine is on what neither casts shadows nor shows them.
	shadowlessDefine = "MENISCUS_SHADOWLESS"
)

// drawn is what is to be seen of a scene while Draw draws it.
type drawn struct {
	groups    []drawnGroup // the first is what the scene pass draws; each liquid has one more
	daylights []*Daylight
	casters   int                // of the first group's, how many throw shadows: they come first
	boxes     []math32.Box3      // of those
	sides     []material.Side    // of those' materials, while the sun's map is drawn
	glass     []graphic.IGraphic // of the first group's, what one sees through, the farthest first
	solid     []graphic.IGraphic // and the rest
	orders    []int              // in which the game has g3n draw the glass
	hidden    []graphic.IGraphic // while other ones are drawn
	sharp     sharpener
	own       ownPrograms
	specs     renderer.ShaderSpecs
	uniforms  uniformSet
}

// drawnGroup is what g3n's renderer draws at once, with the lights of it.
type drawnGroup struct {
	graphics []graphic.IGraphic
	ambient  int
	sun      int // directional
	point    int
	spot     int
}

// begin lists what is under a root, and under liquids elsewhere, and readies it for Draw.
func (d *drawn) begin(root core.INode, liquids []*Liquid, view *math32.Matrix4) {
	d.daylights = d.daylights[:0]
	for len(d.groups) <= len(liquids) {
		d.groups = append(d.groups, drawnGroup{})
	}
	d.groups = d.groups[:len(liquids)+1]
	for i := range d.groups {
		d.groups[i] = drawnGroup{graphics: d.groups[i].graphics[:0]}
	}
	d.list(root, 0)
	for i, l := range liquids {
		for _, c := range l.Children() {
			if l.Visible() && c != core.INode(l.bodies) {
				d.list(c, i+1)
			}
		}
	}
	for _, g := range d.groups {
		for _, n := range g.graphics {
			n.GetGraphic().ShaderDefines.Set(linearDefine, "1")
			swapShader(n, enginePanel, guiProgram)
		}
	}
	d.sortGlass(root, view)
	for _, l := range d.daylights {
		l.light(true)
	}
}

// list adds what is visible under a node to a group; of a liquid only the bodies that it shows.
func (d *drawn) list(n core.INode, group int) {
	if !n.Visible() {
		return
	}
	g := &d.groups[group]
	switch n := n.(type) {
	case *Liquid:
		d.list(n.bodies, group)
		return
	case *Daylight:
		d.daylights = append(d.daylights, n)
	case graphic.IGraphic:
		g.graphics = append(g.graphics, n)
	case *light.Ambient:
		g.ambient++
	case *light.Directional:
		g.sun++
	case *light.Point:
		g.point++
	case *light.Spot:
		g.spot++
	}
	for _, c := range n.Children() {
		d.list(c, group)
	}
}

// hide has some graphics not drawn, until unhide.
func (d *drawn) hide(graphics []graphic.IGraphic) {
	d.hidden = d.hidden[:0]
	for _, n := range graphics {
		if n.Renderable() {
			n.SetRenderable(false)
			d.hidden = append(d.hidden, n)
		}
	}
}

func (d *drawn) unhide() {
	for _, n := range d.hidden {
		n.SetRenderable(true)
	}
}

// end leaves the scene as a game's own Render wants it.
func (d *drawn) end() {
	d.giveOwn()
	d.unsortGlass()
	for _, g := range d.groups {
		for _, n := range g.graphics {
			n.GetGraphic().ShaderDefines.Unset(linearDefine)
			swapShader(n, guiProgram, enginePanel)
		}
	}
	for _, l := range d.daylights {
		l.light(false)
	}
}

// each calls f while a program that is drawn with is in use, for all of them: uniforms that it sets stay.
// g3n makes and picks a program by the same numbers when it draws.
func (d *drawn) each(rend Renderer, f func(u *uniformSet)) error {
	for i := range d.groups {
		g := &d.groups[i]
		for _, n := range g.graphics {
			for _, m := range n.GetGraphic().Materials() {
				if _, err := rend.SetProgram(d.spec(g, n, m.IMaterial().GetMaterial())); err != nil {
					return err
				}
				f(&d.uniforms)
			}
		}
	}
	return nil
}

// spec is what g3n asks for a program by; valid until the next call.
func (d *drawn) spec(g *drawnGroup, n graphic.IGraphic, mat *material.Material) *renderer.ShaderSpecs {
	s := &d.specs
	s.AmbientLightsMax, s.DirLightsMax, s.PointLightsMax, s.SpotLightsMax = g.ambient, g.sun, g.point, g.spot
	s.Name, s.ShaderUnique, s.UseLights, s.MatTexturesMax = mat.Shader(), mat.ShaderUnique(), mat.UseLights(), mat.TextureCount()
	s.Defines = *gls.NewShaderDefines()
	s.Defines.Add(&mat.ShaderDefines)
	s.Defines.Add(&n.GetGeometry().ShaderDefines)
	s.Defines.Add(&n.GetGraphic().ShaderDefines)
	return s
}

// enginePanel is g3n's program for panels.
const enginePanel = "panel"

// swapShader changes the program of a graphic's materials, if it is from.
func swapShader(g graphic.IGraphic, from, to string) {
	for _, m := range g.GetGraphic().Materials() {
		if mat := m.IMaterial().GetMaterial(); mat.Shader() == from {
			mat.SetShader(to)
		}
	}
}
