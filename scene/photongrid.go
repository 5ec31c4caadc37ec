package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// photonGrid sends light on from a grid across it.
type photonGrid struct {
	graphic.Graphic
	cells    int
	frame    *frame // while it is drawn
	front    *lightFront
	uniforms uniformSet
}

// photons is the stage's grid of so many cells along an edge.
func (s *stage) photons(cells int) *photonGrid {
	if s.grid != nil && s.grid.cells == cells {
		return s.grid
	}
	if s.grid != nil {
		s.grid.Dispose()
	}
	g := &photonGrid{cells: cells}
	at := math32.NewArrayF32(0, 3*(cells+1)*(cells+1))
	index := math32.NewArrayU32(0, 6*cells*cells)
	for j := range cells + 1 {
		for i := range cells + 1 {
			at.Append(float32(i)/float32(cells), float32(j)/float32(cells), 0)
			if k := uint32(j*(cells+1) + i); i < cells && j < cells {
				up := k + uint32(cells) + 1
				index.Append(k, k+1, up, up, k+1, up+1)
			}
		}
	}
	geom := geometry.NewGeometry()
	geom.AddVBO(gls.NewVBO(at).AddAttrib(gls.VertexPosition))
	geom.SetIndices(index)
	mat := newMaterial(photonProgram)
	mat.SetSide(material.SideDouble)
	mat.SetBlending(material.BlendAdditive)
	mat.SetDepthTest(false)
	mat.SetDepthMask(false)
	g.Graphic.Init(g, geom, gls.TRIANGLES)
	g.AddMaterial(g, mat, 0, 0)
	g.SetCullable(false)
	s.grid = g
	return g
}

// RenderSetup is called by g3n before drawing.
func (g *photonGrid) RenderSetup(gs *gls.GLS, _ *core.RenderInfo) {
	f, l, u := g.frame, g.front, &g.uniforms
	u.bindTexture(gs, "Wave", unitColor, f.target("wave").color())
	u.bindTexture(gs, "Receivers", unitDepth, f.target("receivers").depth)
	u.vec4(gs, "Area", l.area)
	u.vec4(gs, "Lean", [4]float32{l.lean[0], l.lean[1], l.level, oneIf(l.down)})
	u.vec4(gs, "Heights", [4]float32{l.near, l.far})
	u.vec3(gs, "Sun", f.liquid.shared.sky.sun())
	f.bindSun()
	f.lendSun(u)
}
