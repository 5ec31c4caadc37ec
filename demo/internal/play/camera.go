package play

import (
	"slices"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
)

// fieldOfView is the cameras', vertical, degrees.
const fieldOfView = 42

// What the cameras see, m.
const near, far = 0.1, 200

// Views are a demo's cameras.
type Views struct {
	Orbit view.Orbit
	Chase view.Chase
	Fixed view.Pose
}

// Mover moves a camera through a demo. Make one with NewMover.
type Mover struct {
	mode  string // of cameras
	time  float64
	views Views
}

// NewMover returns a mover in a mode of -camera.
func NewMover(mode string, v Views) *Mover { return &Mover{mode: mode, views: v} }

// Advance is the camera dt seconds on.
func (m *Mover) Advance(dt float64, subject r3.Vec) view.Pose {
	m.time += dt
	switch m.mode {
	case "orbit":
		return m.views.Orbit.At(m.time)
	case "chase":
		return m.views.Chase.Follow(subject, dt)
	}
	return m.views.Fixed
}

// next is the mode after this one.
func (m *Mover) next() string {
	return after(cameras, m.mode)
}

// after is the word of a list after this one, and after the last the first again.
func after(words []string, word string) string {
	return words[(1+slices.Index(words, word))%len(words)]
}

// steers says whether the grid follows the camera.
func (m *Mover) steers() bool { return m.mode != "none" }

// ViewOf is a pose as the liquid takes it, for a picture of that size.
func ViewOf(pose view.Pose, z option.Size) fluid.View {
	return pose.See(fieldOfView, float64(z.Width)/float64(z.Height), near, far, z.Height)
}

func newCamera(z option.Size) *camera.Camera {
	return camera.NewPerspective(float32(z.Width)/float32(z.Height), near, far, fieldOfView, camera.Vertical)
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
