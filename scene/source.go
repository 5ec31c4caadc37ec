package scene

import (
	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/renderer"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Source is what a Liquid node shows; *fluid.Liquid is one.
type Source interface {
	adapter.Source
	Ledger() fluid.Ledger
	Levels(dst []fluid.LevelBox) []fluid.LevelBox
}

var _ Source = (*fluid.Liquid)(nil)

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
	SetProgram(s *renderer.ShaderSpecs) (changed bool, err error)
}
