package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"github.com/go-gl/gl/v3.3-core/gl"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// wetTexture is a grid of wetness as a texture.
type wetTexture struct {
	gs       *gls.GLS // that made it
	name     uint32
	size     [3]int
	revision int
}

// update makes the texture that of a grid, and reports whether there is one.
func (t *wetTexture) update(gs *gls.GLS, g *adapter.WetGrid) bool {
	if len(g.Texels) == 0 {
		return false
	}
	if t.revision == g.Revision {
		return true
	}
	fresh := t.name == 0
	if fresh {
		t.gs, t.name = gs, gs.GenTexture()
	}
	gs.ActiveTexture(gls.TEXTURE0 + unitWet)
	gl.BindTexture(gl.TEXTURE_3D, t.name)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
	w, h, d := int32(g.Size[1]), int32(g.Size[0]), int32(g.Size[2])
	if t.size != g.Size {
		gl.TexImage3D(gl.TEXTURE_3D, 0, gl.R8, w, h, d, 0, gl.RED, gl.UNSIGNED_BYTE, gl.Ptr(g.Texels))
	} else {
		gl.TexSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, w, h, d, gl.RED, gl.UNSIGNED_BYTE, gl.Ptr(g.Texels))
	}
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	if fresh {
		gl.TexParameteri(gl.TEXTURE_3D, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
		for _, wrap := range []uint32{gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R} {
			gl.TexParameteri(gl.TEXTURE_3D, wrap, gl.CLAMP_TO_EDGE)
		}
	}
	t.size, t.revision = g.Size, g.Revision
	return true
}

func (t *wetTexture) dispose() {
	if t.name != 0 {
		t.gs.DeleteTextures(t.name)
	}
	*t = wetTexture{}
}

// wetBody is how wet the node of a binding is shown.
type wetBody struct {
	texture wetTexture
	asked   math32.Box3 // of Soak, in the node's axes without its scale, m
}

// wetness has each graphic of a frame drawn with what the liquid has left on it.
type wetness struct {
	bound    map[*core.Node]*Binding
	graphics []*wetGraphic // the first count are the frame's
	count    int
	uniforms uniformSet
	view     math32.Matrix4
	toWorld  math32.Matrix4 // from camera coordinates
}

// wetGraphic stands for a graphic where g3n sets up what it draws: the only place that is called for each graphic of a game's own too.
type wetGraphic struct {
	graphic.IGraphic
	of      *wetness
	texture uint32         // 0 for none
	from    math32.Matrix4 // to the texture, from world coordinates
	reach   float32        // m
}

// begin lists the graphics of drawn that can be wet. It is called after those of the frame before are ended.
func (w *wetness) begin(f *frame) {
	liquids := f.stage.found
	if w.bound == nil {
		w.bound = map[*core.Node]*Binding{}
	}
	clear(w.bound)
	some := false
	for _, l := range liquids {
		some = l.wet.update(f.gs, l.stillWetness()) || some
		for _, k := range l.bound {
			k.wet.texture.update(f.gs, k.Wetness())
			w.bound[k.node.GetNode()] = k
		}
	}
	if !some {
		return
	}
	f.root.UpdateMatrixWorld()
	for _, g := range f.stage.drawn.groups {
		for _, n := range g.graphics {
			if wettable(n) {
				w.add(n, liquids)
			}
		}
	}
}

// wettable reports whether a graphic has a material whose program reads wetness.glsl.
func wettable(n graphic.IGraphic) bool {
	for _, m := range n.GetGraphic().Materials() {
		switch m.IMaterial().GetMaterial().Shader() {
		case "standard", "physical", tileProgram:
			return true
		}
	}
	return false
}

// add has a graphic drawn with its wetness.
func (w *wetness) add(n graphic.IGraphic, liquids []*Liquid) {
	theirs := n.GetGraphic().Materials()[0].IGraphic()
	if _, is := theirs.(*wetGraphic); is {
		return // it is in the scene twice
	}
	if w.count == len(w.graphics) {
		w.graphics = append(w.graphics, &wetGraphic{of: w})
	}
	g := w.graphics[w.count]
	w.count++
	g.IGraphic, g.texture = theirs, 0
	n.GetGraphic().SetIGraphic(g)
	if k := w.binding(n); k != nil {
		g.set(k.Wetness(), &k.wet.texture, k.toBound())
		return
	}
	if l := wetting(n, liquids); l != nil {
		g.set(l.stillWetness(), &l.wet, *math32.NewMatrix4())
	}
}

// binding is that which a graphic, or a node above it, has.
func (w *wetness) binding(n core.INode) *Binding {
	for ; n != nil; n = n.GetNode().Parent() {
		if k := w.bound[n.GetNode()]; k != nil {
			return k
		}
	}
	return nil
}

// wetting is the liquid that what stands still is wetted by: the one whose domain it shares most with.
func wetting(n graphic.IGraphic, liquids []*Liquid) (best *Liquid) {
	box, ok := boxOf(n)
	most := float32(-1)
	for _, l := range liquids {
		if l.wet.name == 0 {
			continue
		}
		d := l.stillWetness().Box
		shared := float32(0)
		if domain := (math32.Box3{Min: vec32(d.Min), Max: vec32(d.Max)}); ok && domain.IsIntersectionBox(&box) {
			s := domain.Intersect(&box).Size(nil)
			shared = (s.X + .01) * (s.Y + .01) * (s.Z + .01) // a wall has no thickness
		}
		if shared > most {
			best, most = l, shared
		}
	}
	return best
}

// set gives the graphic a texture of a grid, whose axes are those of a frame.
func (g *wetGraphic) set(grid *adapter.WetGrid, t *wetTexture, toFrame math32.Matrix4) {
	if t.name == 0 {
		return
	}
	s, lo := grid.Box.Size(), grid.Box.Min
	x, y, z := float32(1/s.X), float32(1/s.Y), float32(1/s.Z)
	fromFrame := math32.Matrix4{0, x, 0, 0, y, 0, 0, 0, 0, 0, z, 0, -y * float32(lo.Y), -x * float32(lo.X), -z * float32(lo.Z), 1}
	g.from.MultiplyMatrices(&fromFrame, &toFrame)
	e := grid.Edges()
	g.texture, g.reach = t.name, float32(.75*max(e.X, e.Z))
}

// end has g3n draw the graphics themselves again.
func (w *wetness) end() {
	for _, g := range w.graphics[:w.count] {
		g.GetGraphic().SetIGraphic(g.IGraphic)
		g.IGraphic = nil
	}
	w.count = 0
}

// RenderSetup is called by g3n before drawing.
func (g *wetGraphic) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	g.IGraphic.RenderSetup(gs, info)
	w, u := g.of, &g.of.uniforms
	u.integer(gs, "Wet", unitWet)
	if g.texture == 0 {
		u.float(gs, "WetReach", 0)
		return
	}
	if w.view != info.ViewMatrix {
		w.view = info.ViewMatrix
		if w.toWorld.GetInverse(&w.view) != nil {
			w.toWorld.Identity()
		}
	}
	var from math32.Matrix4
	from.MultiplyMatrices(&g.from, &w.toWorld)
	u.mat4(gs, "WetFromView", &from)
	u.float(gs, "WetReach", g.reach)
	gs.ActiveTexture(gls.TEXTURE0 + unitWet)
	gl.BindTexture(gl.TEXTURE_3D, g.texture)
}

// lendWetness gives a program what wetness.glsl reads for whatever it draws.
func (f *frame) lendWetness(u *uniformSet) {
	u.integer(f.gs, "Wet", unitWet)
	u.float(f.gs, "WetReach", 0)
	u.vec3s(f.gs, "Sky", f.stage.liquid.shared.sky.values[:])
}

// stillWetness is how wet what stands still is shown.
func (l *Liquid) stillWetness() *adapter.WetGrid { return &l.surface.picture.Wetness }

// outline has what is bound keep its wetness in a box about what is drawn of it. It is called before each step: things may be added to a node.
func (l *Liquid) outline() {
	if l.options.Drying > 0 {
		for _, k := range l.bound {
			k.outline()
		}
	}
}

func (k *Binding) outline() {
	k.node.UpdateMatrixWorld()
	var box math32.Box3
	box.MakeEmpty()
	to := k.toNode()
	unite(&box, k.node, &to)
	w := &k.wet // g3n's ContainsBox compares the wrong ends in x
	if box.Empty() || w.asked != (math32.Box3{}) && w.asked.ContainsPoint(&box.Min) && w.asked.ContainsPoint(&box.Max) {
		return
	}
	w.asked = box
	w.asked.ExpandByScalar(.02 * box.Size(nil).Length()) // parts may move
	k.Soak(r3.Box{Min: vecOf(&w.asked.Min), Max: vecOf(&w.asked.Max)})
}

// unite grows a box by those of what is drawn under a node. to leads from the world to its axes.
func unite(box *math32.Box3, n core.INode, to *math32.Matrix4) {
	if g, ok := n.(graphic.IGraphic); ok {
		if b := g.GetGeometry().BoundingBox(); !b.Empty() {
			m := n.GetNode().MatrixWorld()
			m.MultiplyMatrices(to, &m)
			b.ApplyMatrix4(&m)
			box.Union(&b)
		}
	}
	for _, c := range n.Children() {
		unite(box, c, to)
	}
}

// toNode leads from the world to the node's axes without its scale.
func (k *Binding) toNode() (m math32.Matrix4) {
	n := k.node.GetNode()
	at, turn := n.Position(), n.Quaternion()
	var pose math32.Matrix4
	pose.Compose(&at, &turn, &math32.Vector3{X: 1, Y: 1, Z: 1})
	if m.GetInverse(&pose) != nil {
		m.Identity()
	}
	return m
}

// toBound leads from the world to the bound frame: the node's, from where Offset begins.
func (k *Binding) toBound() math32.Matrix4 {
	m := k.toNode()
	m[12], m[13], m[14] = m[12]+float32(k.Offset.X), m[13]+float32(k.Offset.Y), m[14]+float32(k.Offset.Z)
	return m
}

func vec32(v r3.Vec) math32.Vector3 {
	return math32.Vector3{X: float32(v.X), Y: float32(v.Y), Z: float32(v.Z)}
}
