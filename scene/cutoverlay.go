package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Cells is anything that shows its cells behind a plane, *fluid.Liquid for one.
type Cells interface {
	CutAway(dst []fluid.CellFace, point, normal r3.Vec) ([]fluid.CellFace, error)
}

// CutOverlay draws a cut through the liquid's cells, whatever these are, over everything else: what is in front of a plane is cut away, and the faces that this
// lays bare have one colour per size, that of LevelOverlay, where there is liquid, and are faint outlines where there is air. Add it to the Liquid node.
type CutOverlay struct {
	core.Node
	source        Cells
	point, normal r3.Vec
	faces         []fluid.CellFace
	fill, edges   cutLayer // where there is liquid
	outline       cutLayer // where there is air
}

// cutLayer is triangles or lines of a CutOverlay.
type cutLayer struct {
	graphic.Graphic
	opacity   float32
	positions math32.ArrayF32
	colors    math32.ArrayF32
	buffers   [2]*gls.VBO
	uniforms  uniformSet
}

// NewCutOverlay returns an overlay of source's cells, hidden and empty until Cut and Update.
func NewCutOverlay(source Cells) *CutOverlay {
	o := &CutOverlay{source: source}
	o.Node.Init(o)
	o.fill.init(gls.TRIANGLES, 30, 1)
	o.edges.init(gls.LINES, 31, 1)
	o.outline.init(gls.LINES, 32, faint)
	o.Add(&o.fill)
	o.Add(&o.edges)
	o.Add(&o.outline)
	o.SetVisible(false)
	return o
}

func (c *cutLayer) init(mode uint32, order int, opacity float32) {
	c.opacity = opacity
	geom := geometry.NewGeometry()
	c.buffers[0] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexPosition) })
	c.buffers[1] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexColor) })
	mat := newMaterial(cutProgram)
	mat.SetSide(material.SideDouble)
	mat.SetTransparent(true) // g3n draws what is transparent last
	c.Graphic.Init(c, geom, mode)
	c.AddMaterial(c, mat, 0, 0)
	c.SetCullable(false)
	c.SetRenderOrder(order)
	c.SetRenderable(false)
}

// RenderSetup is called by g3n before drawing.
func (c *cutLayer) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	c.uniforms.mat4(gs, "View", &info.ViewMatrix)
	c.uniforms.mat4(gs, "Proj", &info.ProjMatrix)
	c.uniforms.float(gs, "Opacity", c.opacity)
}

// Cut sets the plane, through point, m, whose front, where normal points to, the next Update cuts away.
func (o *CutOverlay) Cut(point, normal r3.Vec) { o.point, o.normal = point, normal }

// Update takes the cells as they are now: with LiquidOptions.Async, call it in each or BetweenSteps. It draws nothing where the source can't cut.
func (o *CutOverlay) Update() {
	o.faces, _ = o.source.CutAway(o.faces[:0], o.point, o.normal)
	o.fill.clear()
	o.edges.clear()
	o.outline.clear()
	for i := range o.faces {
		o.add(&o.faces[i])
	}
	o.fill.send()
	o.edges.send()
	o.outline.send()
}

// Toggle shows or hides the overlay.
func (o *CutOverlay) Toggle() { o.SetVisible(!o.Visible()) }

// How bright a face is that looks across the plane, of one that looks along its normal; how bright the edges of a face with liquid are, of the face; how far
// edges lie before the faces along the normal, of their length; and how opaque outlines are.
const (
	aslant   = .55
	edgeDark = .3
	lifted   = .03
	faint    = .3
)

func (o *CutOverlay) add(f *fluid.CellFace) {
	p := f.Corners[:f.Count]
	n := r3.Cross(r3.Sub(p[1], p[0]), r3.Sub(p[2], p[0]))
	size := r3.Norm(n)
	if size == 0 {
		return
	}
	n = r3.Scale(1/size, n)
	colour := levelColors[min(max(f.Level, 0), len(levelColors)-1)]
	edge, lines := colour, &o.outline
	if f.Wet {
		lines = &o.edges
		light := aslant + (1-aslant)*float32(max(0, r3.Dot(n, r3.Unit(o.normal))))
		for k := range colour {
			colour[k] *= light
			edge[k] = colour[k] * edgeDark
		}
		for k := 2; k < len(p); k++ {
			o.fill.put(p[0], colour)
			o.fill.put(p[k-1], colour)
			o.fill.put(p[k], colour)
		}
	}
	for k := range p {
		a, b := p[k], p[(k+1)%len(p)]
		lift := r3.Scale(lifted*r3.Norm(r3.Sub(b, a)), r3.Unit(o.normal))
		lines.put(r3.Add(a, lift), edge)
		lines.put(r3.Add(b, lift), edge)
	}
}

func (c *cutLayer) clear() { c.positions, c.colors = c.positions[:0], c.colors[:0] }

func (c *cutLayer) put(p r3.Vec, colour [3]float32) {
	c.positions = append(c.positions, float32(p.X), float32(p.Y), float32(p.Z))
	c.colors = append(c.colors, colour[0], colour[1], colour[2])
}

// send has the vertices drawn.
func (c *cutLayer) send() {
	c.buffers[0].SetBuffer(c.positions)
	c.buffers[1].SetBuffer(c.colors)
	c.SetRenderable(len(c.positions) > 0)
}
