package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// surfaceMesh draws the liquid's surface, and shares its geometry with other passes.
type surfaceMesh struct {
	graphic.Graphic
	shared   *shared
	picture  *adapter.SurfaceCopy // shown now
	uniforms uniformSet
	material *material.Material
	buffers  [4]*gls.VBO // position, normal, velocity, foam
	passes   []*surfacePass
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
	m.material.SetPolygonOffset(1, 1) // walls that touch the liquid are drawn over it
	m.material.AddTexture(newNoise())
	m.Graphic.Init(m, geom, gls.TRIANGLES)
	m.AddMaterial(m, m.material, 0, 0)
	m.SetCullable(false)
	m.SetRenderable(false)
	m.SetRenderOrder(10)
	return m
}

func streamed(geom *geometry.Geometry, attribute func(*gls.VBO)) *gls.VBO {
	v := gls.NewVBO(math32.ArrayF32{})
	v.SetUsage(gls.STREAM_DRAW)
	attribute(v)
	geom.AddVBO(v)
	return v
}

// set makes p the surface to draw until the next call.
func (m *surfaceMesh) set(p *adapter.SurfaceCopy) {
	m.picture = p
	n, shown := len(p.Positions), p.Complete()
	m.SetRenderable(shown)
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
	m.buffers[0].SetBuffer(p.Positions)
	m.buffers[1].SetBuffer(p.Normals[:n])
	m.buffers[2].SetBuffer(p.Velocities[:n])
	m.buffers[3].SetBuffer(p.Foam[:n/3])
	geom.SetIndices(p.Indices)
	m.shared.free, m.shared.box, m.shared.level = p.Free/3, p.Bounds, p.Level
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
	u.bindTexture(gs, "Interval", unitInterval, sh.interval)
	u.bindTexture(gs, "Foam", unitFoam, sh.foam)
	u.float(gs, "Splats", oneIf(sh.foam != 0))
	sh.setupWind(gs, u)
	u.float(gs, "Sliver", sh.cell) // the level set reaches half a cell through thin walls, and is looked at aslant
	sh.setupMirror(gs, u)
	sh.setupBehind(gs, u)
	sh.setupInscatter(gs, u)
}

// wall is how thick a wall may be for the liquid's surface to reach through it, m: two cells, of a liquid that tells its own.
func (sh *shared) wall() float32 {
	if sh.cell > 0 {
		return 2 * sh.cell
	}
	b := &sh.box
	size := math32.Vector3{X: b[3] - b[0], Y: b[4] - b[1], Z: b[5] - b[2]}
	return .02 * size.Length()
}

// common sets what the surface's and the droplets' programs share.
func (sh *shared) common(gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	if !sh.refract {
		_, _, sh.width, sh.height = gs.GetViewport()
	}
	vp := viewProj(info)
	u.mat4(gs, "ViewProj", &vp)
	u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
	u.vec3s(gs, "Sky", sh.sky.values[:])
	sh.look.set(gs, u)
	u.vec4(gs, "Frame", [4]float32{float32(sh.time), oneIf(sh.refract), float32(sh.free), sh.look.Roughness})
	u.vec4(gs, "Detail", [4]float32{sh.look.Ripples, 1 / sh.look.FoamSize,
		1 / float32(max(sh.width, 1)), 1 / float32(max(sh.height, 1))})
}

// Dispose returns the buffers and the noise to OpenGL.
func (m *surfaceMesh) Dispose() {
	m.Graphic.Dispose()
}
