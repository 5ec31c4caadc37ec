package main

import (
	"errors"

	rl "github.com/gen2brain/raylib-go/raylib"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// picture is what raylib knows of the game: what there is to see, and the passes that draw it.
type picture struct {
	camera            rl.Camera3D
	water             mesh
	list              adapter.TriangleList // of the water
	free              int32                // vertices of the water's free surface, which come first
	bounds            [6]float32           // of the water
	solids            []*solid
	wood, stone, lawn rl.Material

	shadow    shadowPass
	scene     scenePass
	interval  intervalPass
	surface   surfacePass
	particles particles
	show      showPass

	screen mesh // a triangle that covers every target
}

// solid is something that is not water.
type solid struct {
	mesh
	look  rl.Material
	place rl.Matrix
}

// openWindow opens the window to draw in.
func openWindow(width, height int32) error {
	rl.SetTraceLogLevel(rl.LogWarning)
	rl.SetConfigFlags(rl.FlagWindowResizable | rl.FlagVsyncHint)
	rl.InitWindow(width, height, "Meniscus on raylib")
	if !rl.IsWindowReady() {
		return errors.New("no window: there must be a display with OpenGL 3.3")
	}
	rl.SetClipPlanes(.1, 200) // m
	return nil
}

func (p *picture) open() error {
	p.camera = rl.NewCamera3D(rl.NewVector3(1.1, 2, 2.6), rl.NewVector3(0, .42, -.1), rl.NewVector3(0, 1, 0), 50, rl.CameraPerspective)
	p.screen.upload(&adapter.TriangleList{
		Positions: []float32{-1, -1, 0, 3, -1, 0, -1, 3, 0}, Texcoords: make([]float32, 6), Normals: make([]float32, 9),
	})
	p.scene.open()
	p.interval.open()
	p.surface.open()
	p.particles.open()
	p.show.open()
	p.wood = p.scene.material(rl.NewColor(196, 138, 80, 255), 128, 12)
	p.stone = p.scene.material(rl.NewColor(214, 216, 210, 255), 32, 32)
	p.lawn = p.scene.material(rl.NewColor(140, 172, 112, 255), 64, 64)
	return p.shadow.open()
}

// add draws a body from now on, where the returned function says.
func (p *picture) add(l adapter.TriangleList, look rl.Material) (place func(r3.Vec, quat.Number)) {
	s := &solid{look: look, place: rl.MatrixIdentity()}
	s.upload(&l)
	p.solids = append(p.solids, s)
	return func(position r3.Vec, rotation quat.Number) {
		t := adapter.Matrix(position, rotation)
		s.place = rl.NewMatrix(t[0], t[4], t[8], t[12], t[1], t[5], t[9], t[13], t[2], t[6], t[10], t[14], t[3], t[7], t[11], t[15])
	}
}

// draw draws a frame. Light is linear in all passes but the last.
func (p *picture) draw(s *adapter.SurfaceCopy, lag float64) error {
	s.Triangles(&p.list, lag)
	p.water.upload(&p.list)
	p.free = min(int32(s.Free), p.water.VertexCount)
	p.bounds = s.Bounds
	p.particles.take(s, lag)
	w, h := int32(max(rl.GetRenderWidth(), 1)), int32(max(rl.GetRenderHeight(), 1)) // 0 where the window is minimised
	if err := errors.Join(p.scene.resize(w, h), p.interval.resize(w, h), p.surface.resize(w, h)); err != nil {
		return err
	}
	p.shadow.draw(p)
	p.scene.draw(p)
	p.interval.draw(p)
	p.surface.draw(p)
	p.show.draw(p)
	return nil
}

// drawSolids draws what is not water, as begin's camera sees it.
func (p *picture) drawSolids(look func(*solid) rl.Material) {
	for _, s := range p.solids {
		rl.DrawMesh(s.Mesh, look(s), s.place)
	}
}

// fill draws over the whole target.
func (p *picture) fill(with *program) {
	rl.DisableDepthTest()
	rl.DrawMesh(p.screen.Mesh, with.Material, rl.MatrixIdentity())
	rl.EnableDepthTest()
}

// lend gives a program what it may read of camera, sun and the passes before: the uniforms of light.glsl and rays.glsl. It is called after begin.
func (p *picture) lend(to *program) {
	fromWorld := rl.MatrixMultiply(rl.GetMatrixModelview(), rl.GetMatrixProjection())
	to.set("eye", p.camera.Position.X, p.camera.Position.Y, p.camera.Position.Z)
	to.set("pixel", 1/float32(p.scene.Texture.Width), 1/float32(p.scene.Texture.Height))
	to.setMatrix("fromWorld", fromWorld)
	to.setMatrix("toWorld", rl.MatrixInvert(fromWorld))
	p.shadow.lend(to)
}
