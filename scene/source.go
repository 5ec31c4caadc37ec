package scene

import (
	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Source is what a Liquid node shows; *fluid.Liquid is one.
type Source interface {
	// Step advances by dt seconds. It is called on a goroutine of its own, but never beside the
	// game's functions unless LiquidOptions.Async.
	Step(dt float64) fluid.Report
	// Surface is valid until the next Step.
	Surface() *fluid.Surface
	// Events are the last Step's, never nil and valid until the next.
	Events() *fluid.Events
	SetView(v fluid.View) error
	Ledger() fluid.Ledger
	Levels(dst []fluid.LevelBox) []fluid.LevelBox
}

// SourceOfViews is a Source that follows several cameras at once; *fluid.Liquid is one.
type SourceOfViews interface {
	Source
	SetViews(views ...fluid.View) error
}

var _ SourceOfViews = (*fluid.Liquid)(nil)

// Camera is what Follow needs; g3n's cameras satisfy it.
type Camera interface {
	ViewMatrix(m *math32.Matrix4)
	ProjMatrix(m *math32.Matrix4)
}

// Renderer is the part of g3n's *renderer.Renderer that Draw uses. Its Render method names
// camera.ICamera, which is why this package imports camera at all.
type Renderer interface {
	Render(scene core.INode, cam camera.ICamera) error
	AddShader(name, source string)
	AddProgram(name, vertex, fragment string, others ...string)
}

// Bodies is what a Binder needs of a rigid-body engine; every fluid.Bodies satisfies it.
type Bodies interface {
	Len() int
	ID(i int) uint64
	// Pose is the centre of mass, m, and the orientation.
	Pose(i int) (centre r3.Vec, rotation quat.Number)
}

var _ Bodies = fluid.Bodies(nil)

// LocalCentres is implemented by Bodies of a game's own whose centres of mass move within the
// bodies, so that bound nodes keep their place. A *physics.World is known without.
type LocalCentres interface {
	// LocalCentre is the centre of mass of body i from the body's own origin, m, in its frame.
	LocalCentre(i int) r3.Vec
}
