package scene

import (
	"cmp"
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
)

// What one sees through is not drawn with the scene but between the liquids: of a pane that a liquid's first face cuts, what is behind it before the
// liquid, and the rest after it.

// glassPass draws what one sees through behind a liquid's first face.
var glassPass = pass{name: "glass", inputs: []string{"front", "interval", "shadow"}, outputs: []string{"scene"}, cost: .1, each: true, draw: drawGlass}

// overPass draws what one sees through before all liquids, or in the nearest one with the eye.
var overPass = pass{name: "over", inputs: []string{"front", "interval", "shadow"}, outputs: []string{"mix"}, cost: .1, draw: drawOver}

// cut is what a program that includes clip.glsl leaves out.
type cut int

const (
	cutBefore cut = iota // what is before the liquid where there is one
	cutOver              // what is before it, and everything where there is none
	cutUnder             // what is behind it
)

func drawGlass(f *frame) error { return f.glass("scene", cutOver) }

func drawOver(f *frame) error { return f.glass("mix", cutUnder) }

// glass draws what one sees through, without what the cut leaves out.
func (f *frame) glass(target string, c cut) error {
	d := &f.stage.drawn
	if len(d.glass) == 0 {
		return nil
	}
	if c == cutOver || f.farther != nil { // else there is no liquid
		setDefine(d.glass, behindDefine, true)
		defer setDefine(d.glass, behindDefine, false)
		f.bindCut()
	}
	as := *f
	as.cut = c
	if err := as.lend(); err != nil {
		return err
	}
	f.begin(target)
	return d.without(d.solid, f.scene)
}

// bindCut binds what clip.glsl reads.
func (f *frame) bindCut() {
	bindUnit(f.gs, unitFront, f.target("front").depth)
	bindUnit(f.gs, unitInside, f.target("interval").color())
}

// murk is what clip.glsl calls Murk, of the nearest liquid.
func (f *frame) murk() (m [12]float32) {
	if f.farther == nil {
		return m
	}
	look, light := f.farther.shared.look.medium(), f.farther.shared.sky.level()
	for k := range 3 {
		m[k], m[3+k], m[6+k] = look[k]+look[6], look[6]+.5*look[k], look[3+k]*light[k]
	}
	m[9], m[10] = 1/f.proj[0], 1/f.proj[5]
	return m
}

// setDefine sets a define of graphics to 1, or removes it.
func setDefine(graphics []graphic.IGraphic, name string, on bool) {
	for _, n := range graphics {
		if on {
			n.GetGraphic().ShaderDefines.Set(name, "1")
		} else {
			n.GetGraphic().ShaderDefines.Unset(name)
		}
	}
}

// without calls draw while some graphics are not drawn.
func (d *drawn) without(hide []graphic.IGraphic, draw func() error) error {
	d.hide(hide)
	defer d.unhide()
	return draw()
}

// sortGlass parts the scene's graphics into those that one sees through, which it has g3n draw from the farthest on, and the rest. A program of a game's own
// leaves nothing out, and so counts to the rest. g3n's own order is wrong for nodes that are turned.
func (d *drawn) sortGlass(root core.INode, view *math32.Matrix4) {
	d.glass, d.solid = d.glass[:0], d.solid[:0]
	for _, n := range d.groups[0].graphics {
		if seenThrough(n) {
			d.glass = append(d.glass, n)
		} else {
			d.solid = append(d.solid, n)
		}
	}
	if len(d.glass) == 0 {
		return
	}
	root.UpdateMatrixWorld()
	slices.SortStableFunc(d.glass, func(a, b graphic.IGraphic) int {
		if by := cmp.Compare(a.GetGraphic().RenderOrder(), b.GetGraphic().RenderOrder()); by != 0 {
			return by
		}
		return cmp.Compare(nearness(a, view), nearness(b, view))
	})
	d.orders = d.orders[:0]
	for i, n := range d.glass {
		d.orders = append(d.orders, n.GetGraphic().RenderOrder())
		n.GetGraphic().SetRenderOrder(i)
	}
}

// unsortGlass ends what sortGlass began.
func (d *drawn) unsortGlass() {
	for i, n := range d.glass {
		n.GetGraphic().SetRenderOrder(d.orders[i])
	}
}

// nearness grows towards the eye.
func nearness(n graphic.IGraphic, view *math32.Matrix4) float32 {
	m := n.GetGraphic().MatrixWorld()
	at := math32.Vector3{X: m[12], Y: m[13], Z: m[14]}
	if box, ok := boxOf(n); ok {
		at = *box.Center(nil)
	}
	at.ApplyMatrix4(view)
	return at.Z
}

// seenThrough reports whether a graphic has a transparent material of a program that can leave parts of it out.
func seenThrough(n graphic.IGraphic) bool {
	for _, m := range n.GetGraphic().Materials() {
		mat := m.IMaterial().GetMaterial()
		switch mat.Shader() {
		case "standard", "physical", "basic", "point", guiProgram:
			if mat.Transparent() {
				return true
			}
		}
	}
	return false
}
