package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
)

// dropQuads draws drops on a lens.
type dropQuads struct {
	graphic.Graphic
	frame    *frame // while it is drawn
	buffer   *gls.VBO
	values   []float32
	uniforms uniformSet
}

func newDropQuads() *dropQuads {
	q := &dropQuads{}
	geom := geometry.NewGeometry()
	q.buffer = streamed(geom, func(v *gls.VBO) {
		v.AddCustomAttrib("Corner", 4)
		v.AddCustomAttrib("Drop", 4)
	})
	mat := newMaterial(dropProgram)
	mat.SetTransparent(true)
	mat.SetDepthTest(false)
	mat.SetDepthMask(false)
	mat.SetSide(material.SideDouble)
	q.Graphic.Init(q, geom, gls.TRIANGLES)
	q.AddMaterial(q, mat, 0, 0)
	q.SetCullable(false)
	return q
}

// drawDrops draws what is on the lens into the target that is bound.
func (f *frame) drawDrops() error {
	n := f.lens()
	if len(n.drops) == 0 {
		return nil
	}
	if f.stage.drops == nil {
		f.stage.drops = newDropQuads()
	}
	q := f.stage.drops
	q.lay(n, float32(f.h)/float32(f.w))
	q.frame = f
	defer func() { q.frame = nil }()
	return f.render(q)
}

// lay makes the quads of the drops, after those of their trails. tall is the picture's height over its width.
func (q *dropQuads) lay(n *lens, tall float32) {
	q.values = q.values[:0]
	for i := range n.drops {
		d := &n.drops[i]
		if fallen := d.fallen(n.time); fallen > d.radius {
			q.quad(d.x, d.y-.5*fallen, .6*d.radius, .5*fallen, .7*d.left(n.time), -1, tall)
		}
	}
	for i := range n.drops {
		d := &n.drops[i]
		left := d.left(n.time)
		r := d.radius * float32(math.Cbrt(float64(left)))
		q.quad(d.x, d.y-d.fallen(n.time), r, r*(1+min(d.speed, .3)), left, d.sway, tall)
	}
	q.buffer.SetBuffer(q.values)
}

// quad adds one about a place, with half a width and length, of the picture's height.
func (q *dropQuads) quad(x, y, wide, long, left, shape, tall float32) {
	for _, c := range [6][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}} {
		q.values = append(q.values, 2*tall*(x+wide*c[0])-1, 2*(y+long*c[1])-1, c[0], c[1], wide, long, left, shape)
	}
}

// RenderSetup is called by g3n before drawing.
func (q *dropQuads) RenderSetup(gs *gls.GLS, _ *core.RenderInfo) { q.frame.setupLens(gs, &q.uniforms) }
