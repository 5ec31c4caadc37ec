package main

import (
	_ "embed"
	"errors"

	rl "github.com/gen2brain/raylib-go/raylib"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

var (
	//go:embed shaders/vertex.glsl
	vertexShader string
	//go:embed shaders/solid.glsl
	solidShader string
	//go:embed shaders/water.glsl
	waterShader string
)

// mesh is triangles on the graphics card that may be replaced each frame. They have no indices: raylib's
// have 16 bits, and a surface has more vertices than that.
type mesh struct {
	rl.Mesh
	buffers  [3]uint32 // positions, texture coordinates, normals, at raylib's locations 0, 1, 2
	capacity int       // vertices
	look     rl.Material
	place    rl.Matrix
}

func (m *mesh) upload(l *adapter.TriangleList) {
	n := len(l.Positions) / 3
	if n > m.capacity {
		rl.UnloadVertexArray(m.VaoID) // 0 at first, which is none
		m.capacity, m.VaoID = n+n/2, rl.LoadVertexArray()
		rl.EnableVertexArray(m.VaoID)
		for i, size := range []int{3, 2, 3} {
			rl.UnloadVertexBuffer(m.buffers[i])
			m.buffers[i] = rl.LoadVertexBuffer(make([]float32, size*m.capacity), true)
			rl.SetVertexAttribute(uint32(i), int32(size), rl.Float, false, 0, 0)
			rl.EnableVertexAttribute(uint32(i))
		}
		rl.DisableVertexArray()
	}
	for i, data := range [][]float32{l.Positions, l.Texcoords, l.Normals} {
		rl.UpdateVertexBuffer(m.buffers[i], data, 0)
	}
	m.VertexCount, m.TriangleCount = int32(n), int32(n/3)
}

// picture is what raylib knows of the game.
type picture struct {
	camera            rl.Camera3D
	water             mesh
	list              adapter.TriangleList // of the water
	solids            []*mesh
	wood, stone, lawn rl.Material
}

func (p *picture) open() error {
	rl.SetTraceLogLevel(rl.LogWarning)
	rl.SetConfigFlags(rl.FlagMsaa4xHint | rl.FlagWindowResizable | rl.FlagVsyncHint)
	rl.InitWindow(1280, 720, "Meniscus on raylib")
	if !rl.IsWindowReady() {
		return errors.New("no window: there must be a display with OpenGL 3.3")
	}
	p.camera = rl.NewCamera3D(rl.NewVector3(1.7, 2.5, 3), rl.NewVector3(0, .3, 0), rl.NewVector3(0, 1, 0), 50, rl.CameraPerspective)
	solid := rl.LoadShaderFromMemory(vertexShader, solidShader)
	p.wood = newMaterial(solid, rl.NewColor(196, 138, 80, 255), 128, 12)
	p.stone = newMaterial(solid, rl.NewColor(214, 216, 210, 255), 32, 32)
	p.lawn = newMaterial(solid, rl.NewColor(140, 172, 112, 255), 64, 64)
	p.water.look = newMaterial(rl.LoadShaderFromMemory(vertexShader, waterShader), rl.White, 64, 64)
	p.water.place = rl.MatrixIdentity()
	return nil
}

// newMaterial is checked, in fields of u and v hundred-and-twenty-eighths of a metre.
func newMaterial(shader rl.Shader, color rl.Color, u, v int) rl.Material {
	texture := rl.LoadTextureFromImage(rl.GenImageChecked(128, 128, u, v, color, rl.ColorBrightness(color, -.07)))
	rl.GenTextureMipmaps(&texture)
	rl.SetTextureFilter(texture, rl.FilterTrilinear)
	m := rl.LoadMaterialDefault()
	m.Shader = shader
	rl.SetMaterialTexture(&m, rl.MapDiffuse, texture)
	return m
}

// add draws a body from now on, where the returned function says.
func (p *picture) add(l adapter.TriangleList, look rl.Material) (place func(r3.Vec, quat.Number)) {
	m := &mesh{look: look}
	m.upload(&l)
	p.solids = append(p.solids, m)
	return func(position r3.Vec, rotation quat.Number) {
		t := adapter.Matrix(position, rotation)
		m.place = rl.NewMatrix(t[0], t[4], t[8], t[12], t[1], t[5], t[9], t[13], t[2], t[6], t[10], t[14], t[3], t[7], t[11], t[15])
	}
}

// draw draws a frame: what is solid, then the water, through which it is seen.
func (p *picture) draw(s *adapter.Stepper) {
	s.Surface().Triangles(&p.list, s.Lag())
	p.water.upload(&p.list)
	eye := []float32{p.camera.Position.X, p.camera.Position.Y, p.camera.Position.Z}
	for _, shader := range []rl.Shader{p.wood.Shader, p.water.look.Shader} {
		rl.SetShaderValue(shader, rl.GetShaderLocation(shader, "eye"), eye, rl.ShaderUniformVec3)
	}
	rl.BeginDrawing()
	rl.ClearBackground(rl.NewColor(176, 208, 232, 255))
	rl.BeginMode3D(p.camera)
	for _, m := range append(p.solids, &p.water) {
		rl.DrawMesh(m.Mesh, m.look, m.place)
	}
	drops := s.Surface().Droplets
	for i := 0; i+3 < len(drops); i += 4 {
		rl.DrawSphereEx(rl.NewVector3(drops[i], drops[i+1], drops[i+2]), drops[i+3], 4, 6, rl.NewColor(225, 240, 250, 255))
	}
	rl.EndMode3D()
	rl.DrawText("left: drag a crate, or drop one   right: turn, with the wheel nearer", 20, 20, 20, rl.NewColor(25, 45, 60, 255))
	rl.DrawRenderBatchActive()
}
