package main

import (
	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
)

// fieldOfView is the cameras', vertical, degrees.
const fieldOfView = 42

// What the cameras see, m.
const near, far = 0.1, 200

// mover moves a camera about the pool.
type mover struct {
	mode  string // of cameras
	time  float64
	chase view.Chase
}

// Low enough to see the surface and, through the sides that face it, the depth.
var (
	orbit   = view.Orbit{Centre: r3.Vec{Y: 0.68}, Radius: 6.6, Height: 1.35, Period: 48, Start: -0.45}
	fixedAt = view.Pose{Eye: r3.Vec{X: 1.2, Y: 2.0, Z: 6.5}, Target: r3.Vec{X: 0.1, Y: 0.68, Z: 0}}
)

func newMover(mode string) *mover {
	return &mover{mode: mode, chase: view.Chase{Offset: r3.Vec{X: -1.1, Y: 1.0, Z: 2.7}, Lag: 0.6}}
}

// advance is the camera dt seconds on.
func (m *mover) advance(dt float64, subject r3.Vec) view.Pose {
	m.time += dt
	switch m.mode {
	case "orbit":
		return orbit.At(m.time)
	case "chase":
		return m.chase.Follow(subject, dt)
	}
	return fixedAt
}

// next is the mode after this one.
func (m *mover) next() string {
	for i, name := range cameras {
		if name == m.mode {
			return cameras[(i+1)%len(cameras)]
		}
	}
	return cameras[0]
}

// steers says whether the grid follows the camera.
func (m *mover) steers() bool { return m.mode != "none" }

func newCamera(width, height int) *camera.Camera {
	return camera.NewPerspective(float32(width)/float32(height), near, far, fieldOfView, camera.Vertical)
}

// place puts a camera where the pose says.
func place(cam *camera.Camera, p view.Pose) {
	eye, target := vector(p.Eye), vector(p.Target)
	cam.SetPositionVec(&eye)
	cam.LookAt(&target, &math32.Vector3{Y: 1})
}

func vector(v r3.Vec) math32.Vector3 {
	return math32.Vector3{X: float32(v.X), Y: float32(v.Y), Z: float32(v.Z)}
}
