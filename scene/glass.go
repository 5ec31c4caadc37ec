package scene

import (
	"cmp"
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
)

// without calls draw while some graphics are not drawn.
func (d *drawn) without(hide []graphic.IGraphic, draw func() error) error {
	d.hide(hide)
	defer d.unhide()
	return draw()
}

// sortGlass lists those of the scene's graphics that one sees through and the rest, and has g3n draw the former from the farthest to the nearest: its own
// order is wrong for nodes that are turned.
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

// seenThrough reports whether a graphic has a transparent material of a program that includes clip.glsl. Those of a game's own don't.
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
