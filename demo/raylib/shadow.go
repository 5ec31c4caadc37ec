package main

import rl "github.com/gen2brain/raylib-go/raylib"

// toSun is the direction to the sun.
var toSun = rl.Vector3Normalize(rl.NewVector3(.4, .75, .5))

const (
	sunTexels = 2048 // the edge of the map
	sunReach  = 3    // m about the basin's middle: what throws shadows, and where they fall
)

// shadowPass draws how far the sun sees. Water lets it through.
type shadowPass struct {
	target
	program
	camera rl.Camera3D // the sun's
	matrix rl.Matrix   // from the world to the map, -1 to 1
}

func (s *shadowPass) open() error {
	s.program, s.depths = newProgram("vertex", "shadow"), true
	middle := rl.NewVector3(0, .6, 0)
	s.camera = rl.NewCamera3D(rl.Vector3Add(middle, rl.Vector3Scale(toSun, 20)), middle, rl.NewVector3(0, 1, 0), 2*sunReach, rl.CameraOrthographic)
	return s.resize(sunTexels, sunTexels)
}

func (s *shadowPass) draw(p *picture) {
	s.begin(s.camera)
	rl.ClearBackground(rl.White)
	s.matrix = rl.MatrixMultiply(rl.GetMatrixModelview(), rl.GetMatrixProjection())
	p.drawSolids(func(*solid) rl.Material { return s.Material })
	s.end()
}

// lend gives a program the uniforms of light.glsl.
func (s *shadowPass) lend(to *program) {
	to.set("toSun", toSun.X, toSun.Y, toSun.Z)
	to.set("sunTexel", 2*sunReach/float32(sunTexels))
	to.setMatrix("sunFromWorld", s.matrix)
	to.setTexture("sunDepth", 8, s.Depth.ID)
}
