package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// uniformSet finds uniforms by name and keeps their locations, for one program.
type uniformSet struct{ known []gls.Uniform }

func (s *uniformSet) at(gs *gls.GLS, name string) int32 {
	for i := range s.known {
		if s.known[i].Name() == name {
			return s.known[i].Location(gs)
		}
	}
	var u gls.Uniform
	u.Init(name)
	s.known = append(s.known, u)
	return s.known[len(s.known)-1].Location(gs)
}

func (s *uniformSet) float(gs *gls.GLS, name string, v float32) { gs.Uniform1f(s.at(gs, name), v) }

func (s *uniformSet) integer(gs *gls.GLS, name string, v int) { gs.Uniform1i(s.at(gs, name), int32(v)) }

func (s *uniformSet) vec2(gs *gls.GLS, name string, x, y float32) {
	gs.Uniform2f(s.at(gs, name), x, y)
}

func (s *uniformSet) vec3(gs *gls.GLS, name string, v math32.Vector3) {
	gs.Uniform3f(s.at(gs, name), v.X, v.Y, v.Z)
}

// vec3s sets an array of vec3 from 3·n numbers.
func (s *uniformSet) vec3s(gs *gls.GLS, name string, v []float32) {
	gs.Uniform3fv(s.at(gs, name), int32(len(v)/3), &v[0])
}

func (s *uniformSet) vec4(gs *gls.GLS, name string, v [4]float32) {
	gs.Uniform4f(s.at(gs, name), v[0], v[1], v[2], v[3])
}

// vec4s sets an array of vec4.
func (s *uniformSet) vec4s(gs *gls.GLS, name string, v [][4]float32) {
	gs.Uniform4fv(s.at(gs, name), int32(len(v)), &v[0][0])
}

func (s *uniformSet) mat4(gs *gls.GLS, name string, m *math32.Matrix4) {
	gs.UniformMatrix4fv(s.at(gs, name), 1, false, &m[0])
}

// oneIf is 1 for what is so, and 0 for what is not, as shaders have it.
func oneIf(so bool) float32 {
	if so {
		return 1
	}
	return 0
}

// Texture units of this package's own samplers; g3n's materials fill units from 0 up.
const (
	unitNoise = iota
	unitColor
	unitDepth
	unitInterval
	unitMirror
	unitMirrorDepth
	unitBehind
	unitBehindDepth
	unitFoam
	unitShafts
	unitBeyond
	unitBeyondDepth
	unitBloom  = unitBeyond      // of another program
	unitOpen   = unitBeyond      // of materials' programs
	unitInside = unitBeyondDepth // of those too
	unitLight  = 12              // of all materials' programs, as the next three are
	unitWet    = 13
	unitFront  = 14
	unitSun    = 15 // the last that OpenGL 3.3 promises
)

// bindTexture puts texture tex on a unit and points the sampler at it. g3n's Texture2D
// can't wrap a framebuffer's texture.
func (s *uniformSet) bindTexture(gs *gls.GLS, name string, unit int, tex uint32) {
	bindUnit(gs, unit, tex)
	s.integer(gs, name, unit)
}

func bindUnit(gs *gls.GLS, unit int, tex uint32) {
	gs.ActiveTexture(uint32(gls.TEXTURE0 + unit))
	gs.BindTexture(gls.TEXTURE_2D, tex)
}

// initScreen makes g a quad over the whole viewport at clip-space depth z.
func initScreen(g *graphic.Graphic, self graphic.IGraphic, mat material.IMaterial, z float32) {
	geom := geometry.NewGeometry()
	geom.AddVBO(gls.NewVBO(math32.ArrayF32{-1, -1, z, 1, -1, z, 1, 1, z, -1, 1, z}).AddAttrib(gls.VertexPosition))
	geom.SetIndices(math32.ArrayU32{0, 1, 2, 0, 2, 3})
	g.Init(self, geom, gls.TRIANGLES)
	g.AddMaterial(self, mat, 0, 0)
	g.SetCullable(false)
}

func viewProj(info *core.RenderInfo) math32.Matrix4 {
	var m math32.Matrix4
	m.MultiplyMatrices(&info.ProjMatrix, &info.ViewMatrix)
	return m
}

func inverseViewProj(info *core.RenderInfo) math32.Matrix4 {
	m := viewProj(info)
	var inv math32.Matrix4
	if inv.GetInverse(&m) != nil {
		inv.Identity()
	}
	return inv
}

// eyeOf is where a view matrix looks from, world space.
func eyeOf(view *math32.Matrix4) math32.Vector3 {
	var inv math32.Matrix4
	if inv.GetInverse(view) != nil {
		return math32.Vector3{}
	}
	return math32.Vector3{X: inv[12], Y: inv[13], Z: inv[14]}
}
