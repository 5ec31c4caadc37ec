package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

// surfaceMesh draws the liquid's surface, and lends its geometry to passes that need it.
type surfaceMesh struct {
	graphic.Graphic
	shared   *shared
	uniforms uniformSet
	material *material.Material
	buffers  [4]*gls.VBO // position, normal, velocity, foam
	exit     *surfacePass
	caustic  *surfacePass
}

func newSurfaceMesh(sh *shared) *surfaceMesh {
	m := &surfaceMesh{shared: sh}
	geom := geometry.NewGeometry()
	// One buffer per attribute: g3n's raycaster assumes three floats per vertex. The order
	// is that of the attribute locations in the shaders.
	m.buffers[0] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexPosition) })
	m.buffers[1] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexNormal) })
	m.buffers[2] = streamed(geom, func(v *gls.VBO) { v.AddCustomAttrib("VertexVelocity", 3) })
	m.buffers[3] = streamed(geom, func(v *gls.VBO) { v.AddCustomAttrib("VertexFoam", 1) })
	m.material = newMaterial(waterProgram)
	m.material.SetSide(material.SideDouble)
	m.material.SetTransparent(true)
	m.material.SetPolygonOffset(1, 1) // walls that touch the liquid win
	m.material.AddTexture(newNoise())
	m.Graphic.Init(m, geom, gls.TRIANGLES)
	m.AddMaterial(m, m.material, 0, 0)
	m.SetCullable(false)
	m.SetRenderable(false)
	m.SetRenderOrder(10)
	m.exit = newSurfacePass(m, exitProgram, material.SideBack, material.BlendNone)
	m.caustic = newSurfacePass(m, causticProgram, material.SideDouble, material.BlendAdditive)
	m.caustic.material.SetDepthTest(false)
	m.caustic.material.SetDepthMask(false)
	return m
}

func streamed(geom *geometry.Geometry, attribute func(*gls.VBO)) *gls.VBO {
	v := gls.NewVBO(math32.ArrayF32{})
	v.SetUsage(gls.STREAM_DRAW)
	attribute(v)
	geom.AddVBO(v)
	return v
}

// set shows a surface from now on. It keeps the slices until the next call.
func (m *surfaceMesh) set(s *fluid.Surface) {
	n := len(s.Positions)
	shown := n >= 9 && len(s.Indices) >= 3 && len(s.Normals) >= n && len(s.Velocities) >= n && len(s.Foam) >= n/3
	m.SetRenderable(shown)
	m.exit.SetRenderable(shown && s.Free < len(s.Indices))
	m.caustic.SetRenderable(shown && s.Free > 0)
	geom := m.GetGeometry()
	if !shown {
		// Together: indices left over would point past the vertices, and vertices without
		// indices would be drawn as bare triangles.
		geom.SetIndices(nil)
		for _, b := range m.buffers {
			b.SetBuffer(nil)
		}
		m.shared.free = 0
		return
	}
	m.buffers[0].SetBuffer(s.Positions)
	m.buffers[1].SetBuffer(s.Normals[:n])
	m.buffers[2].SetBuffer(s.Velocities[:n])
	m.buffers[3].SetBuffer(s.Foam[:n/3])
	geom.SetIndices(s.Indices)
	m.shared.free = s.Free / 3
	m.caustic.ClearMaterials()
	m.caustic.AddMaterial(m.caustic, m.caustic.material, 0, s.Free)
	m.measure(s)
}

// measure finds the surface's bounds and its free part's mean height.
func (m *surfaceMesh) measure(s *fluid.Surface) {
	lo := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
	hi := [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	p := s.Positions
	for i := 0; i+2 < len(p); i += 3 {
		x, y, z := p[i], p[i+1], p[i+2]
		lo[0], hi[0] = min(lo[0], x), max(hi[0], x)
		lo[1], hi[1] = min(lo[1], y), max(hi[1], y)
		lo[2], hi[2] = min(lo[2], z), max(hi[2], z)
	}
	m.shared.box = [6]float32{lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]}
	sum, count := 0.0, 0
	for i := 0; i < s.Free; i += 3 {
		if v := 3 * int(s.Indices[i]); v+1 < len(p) {
			sum += float64(p[v+1])
			count++
		}
	}
	if count > 0 {
		m.shared.level = float32(sum / float64(count))
	}
}

// RenderSetup is called by g3n before drawing.
func (m *surfaceMesh) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	sh, u := m.shared, &m.uniforms
	sh.common(gs, info, u)
	u.float(gs, "Back", sh.back)
	u.vec3s(gs, "Box", sh.box[:])
	u.vec3(gs, "FoamColor", math32.Vector3{X: sh.look.Foam.R, Y: sh.look.Foam.G, Z: sh.look.Foam.B})
	inv := inverseViewProj(info)
	u.mat4(gs, "InvViewProj", &inv)
	// Two samplers on one unit must agree in type; unused ones still need their own.
	u.bindTexture(gs, "SceneColor", unitColor, sh.color)
	u.bindTexture(gs, "SceneDepth", unitDepth, sh.depth)
	u.bindTexture(gs, "ExitDepth", unitExit, sh.exit)
}

// common sets what the surface's and the droplets' programs share.
func (sh *shared) common(gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	if !sh.refract {
		_, _, sh.width, sh.height = gs.GetViewport()
	}
	vp := viewProj(info)
	u.mat4(gs, "ViewProj", &vp)
	u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
	u.vec3s(gs, "Sky", sh.sky[:])
	medium := sh.look.medium(sh.under)
	u.vec3s(gs, "Medium", medium[:])
	mode := float32(0)
	if sh.refract {
		mode = 1
	}
	u.vec4(gs, "Frame", [4]float32{float32(sh.time), mode, float32(sh.free), sh.look.Roughness})
	u.vec4(gs, "Detail", [4]float32{sh.look.Ripples, 1 / sh.look.FoamSize,
		1 / float32(max(sh.width, 1)), 1 / float32(max(sh.height, 1))})
}

// Dispose returns the buffers and the noise to OpenGL.
func (m *surfaceMesh) Dispose() {
	m.Graphic.Dispose()
}

// surfacePass draws the surface's geometry with another program.
type surfacePass struct {
	graphic.Graphic
	mesh     *surfaceMesh
	uniforms uniformSet
	material *material.Material
	floor    float32    // m, for caustics
	area     [4]float32 // least x and z, 1/size in x and z, for caustics
	texel    float32    // m², for caustics
}

func newSurfacePass(m *surfaceMesh, program string, side material.Side, blend material.Blending) *surfacePass {
	p := &surfacePass{mesh: m, material: newMaterial(program)}
	p.material.SetSide(side)
	p.material.SetBlending(blend)
	p.Graphic.Init(p, m.GetGeometry(), gls.TRIANGLES)
	p.AddMaterial(p, p.material, 0, 0)
	p.SetCullable(false)
	p.SetRenderable(false)
	return p
}

// RenderSetup is called by g3n before drawing.
func (p *surfacePass) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	sh, u := p.mesh.shared, &p.uniforms
	u.float(gs, "Back", sh.back)
	if p.material.Shader() == exitProgram {
		vp := viewProj(info)
		u.mat4(gs, "ViewProj", &vp)
		return
	}
	u.vec3(gs, "Sun", math32.Vector3{X: sh.sky[9], Y: sh.sky[10], Z: sh.sky[11]})
	u.vec3(gs, "Floor", math32.Vector3{X: p.floor})
	u.vec4(gs, "Area", p.area)
	u.float(gs, "TexelArea", p.texel)
}
