package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/graphic"
)

// linearDefine is defined in every program while Draw draws with it: it gives light, linear and unlimited, in place of display colours.
// A game's own programs see it too, unless their material is shader-unique.
const linearDefine = "MENISCUS_LINEAR"

// drawn is what is to be seen of a scene while Draw draws it.
type drawn struct {
	graphics  []graphic.IGraphic
	daylights []*Daylight
}

// begin lists what is under a root, and under liquids elsewhere, and readies it for Draw.
func (d *drawn) begin(root core.INode, liquids []*Liquid) {
	d.graphics, d.daylights = d.graphics[:0], d.daylights[:0]
	d.list(root)
	for _, l := range liquids {
		if rootOf(l) != rootOf(root) {
			d.list(l)
		}
	}
	for _, g := range d.graphics {
		g.GetGraphic().ShaderDefines.Set(linearDefine, "1")
		swapShader(g, enginePanel, guiProgram)
	}
	for _, l := range d.daylights {
		l.light(true)
	}
}

// list adds what is visible under a node.
func (d *drawn) list(n core.INode) {
	if !n.Visible() {
		return
	}
	switch n := n.(type) {
	case *Daylight:
		d.daylights = append(d.daylights, n)
	case graphic.IGraphic:
		d.graphics = append(d.graphics, n)
	}
	for _, c := range n.Children() {
		d.list(c)
	}
}

// end leaves the scene as a game's own Render wants it.
func (d *drawn) end() {
	for _, g := range d.graphics {
		g.GetGraphic().ShaderDefines.Unset(linearDefine)
		swapShader(g, guiProgram, enginePanel)
	}
	for _, l := range d.daylights {
		l.light(false)
	}
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
