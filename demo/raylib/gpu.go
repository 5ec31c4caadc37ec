package main

import (
	"embed"
	"fmt"
	"strings"

	rl "github.com/gen2brain/raylib-go/raylib"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// mesh is triangles on the graphics card that may be replaced each frame. They have no indices: raylib's
// have 16 bits, and a surface has more vertices than that.
type mesh struct {
	rl.Mesh
	buffers  [3]uint32 // positions, texture coordinates, normals, at raylib's locations 0, 1, 2
	capacity int       // vertices
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
		if len(data) > 0 {
			rl.UpdateVertexBuffer(m.buffers[i], data, 0)
		}
	}
	m.VertexCount, m.TriangleCount = int32(n), int32(n/3)
}

//go:embed shaders
var shaders embed.FS

// program is a pair of shaders, as the material that raylib draws a mesh with.
type program struct{ rl.Material }

// newProgram makes a program of a vertex shader and a fragment shader in parts.
func newProgram(vertex string, fragment ...string) program {
	p := program{rl.LoadMaterialDefault()}
	p.Shader = rl.LoadShaderFromMemory(source(vertex), source(fragment...))
	return p
}

// source is a shader of files of the folder shaders.
func source(names ...string) string {
	var text strings.Builder
	text.WriteString("#version 330\n")
	for _, name := range names {
		part, err := shaders.ReadFile("shaders/" + name + ".glsl")
		if err != nil {
			panic(err)
		}
		text.Write(part)
	}
	return text.String()
}

// set sets a uniform of one to four numbers.
func (p *program) set(name string, v ...float32) {
	rl.SetShaderValue(p.Shader, rl.GetShaderLocation(p.Shader, name), v, rl.ShaderUniformFloat+rl.ShaderUniformDataType(len(v)-1))
}

func (p *program) setMatrix(name string, m rl.Matrix) {
	rl.SetShaderValueMatrix(p.Shader, rl.GetShaderLocation(p.Shader, name), m)
}

// setTexture has a sampler read a texture. Units 8 and up are free: raylib uses the first ones for what it draws.
func (p *program) setTexture(name string, unit int32, id uint32) {
	rl.ActiveTextureSlot(unit)
	rl.EnableTexture(id)
	rl.ActiveTextureSlot(0)
	rl.EnableShader(p.Shader.ID)
	rl.SetUniform(rl.GetShaderLocation(p.Shader, name), []int32{unit}, int32(rl.ShaderUniformSampler2d), 1)
}

// halfFloats is PIXELFORMAT_UNCOMPRESSED_R16G16B16A16, which the binding has no name for.
const halfFloats rl.PixelFormat = 13

// target is what a pass draws into: textures that later passes read.
type target struct {
	rl.RenderTexture2D
	colors rl.PixelFormat // 0 for none
	depths bool
}

// resize gives a target its size in pixels.
func (t *target) resize(w, h int32) error {
	if t.Texture.Width == w && t.Texture.Height == h {
		return nil
	}
	if t.ID != 0 {
		rl.UnloadTexture(t.Texture)
		rl.UnloadFramebuffer(t.ID) // with its depths
	}
	t.ID, t.Texture = rl.LoadFramebuffer(), rl.Texture2D{Width: w, Height: h}
	if t.colors != 0 {
		zeros := make([]byte, rl.GetPixelDataSize(w, h, int32(t.colors)))
		t.Texture = rl.LoadTextureFromImage(rl.NewImage(zeros, w, h, 1, t.colors))
		rl.SetTextureWrap(t.Texture, rl.WrapClamp)
		rl.SetTextureFilter(t.Texture, rl.FilterBilinear)
		rl.FramebufferAttach(t.ID, t.Texture.ID, rl.AttachmentColorChannel0, rl.AttachmentTexture2d, 0)
	}
	if t.depths {
		t.Depth = rl.Texture2D{ID: rl.LoadTextureDepth(w, h, false), Width: w, Height: h}
		rl.FramebufferAttach(t.ID, t.Depth.ID, rl.AttachmentDepth, rl.AttachmentTexture2d, 0)
	}
	if !rl.FramebufferComplete(t.ID) {
		return fmt.Errorf("can't draw into a texture of %d×%d pixels of format %d", w, h, t.colors)
	}
	return nil
}

// begin has all that is drawn until end go into the target, as a camera sees it.
func (t *target) begin(c rl.Camera3D) {
	rl.BeginTextureMode(t.RenderTexture2D)
	rl.BeginMode3D(c)
}

func (t *target) end() {
	rl.EndMode3D()
	rl.EndTextureMode()
}
