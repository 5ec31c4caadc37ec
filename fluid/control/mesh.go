package control

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Mesh is a control surface at one time: closed, its triangles counter-clockwise seen from outside. The caller of a Source
// keeps the Mesh, so that its memory is reused.
type Mesh struct {
	Positions  []r3.Vec   // m
	Velocities []r3.Vec   // m/s, of the vertices
	Triangles  [][3]int32 // the source's own, read-only
	// Revision is a checksum of Triangles.
	Revision uint64
}

// Source is a surface that changes with time, for a control to follow. A [Clip], a [Sequence] and a [Live] are sources, and a game may implement its own.
//
// A source with a method RealTime() bool that returns true moves by the game's clock: a [Player]
// neither scales its velocities nor stops them.
type Source interface {
	// At sets m to the surface at time t, s, of the source's own clock, and reuses its slices. It is defined for every t.
	At(t float64, m *Mesh)
	// Duration returns the duration of the source, s; 0 if it has no end.
	Duration() float64
}

// resize sets the number of vertices to n. Their values are undefined.
func (m *Mesh) resize(n int) {
	m.Positions = arrays.Resize(m.Positions, n)
	m.Velocities = arrays.Resize(m.Velocities, n)
}

// Volume returns the enclosed volume, m³, by the divergence theorem.
func (m *Mesh) Volume() float64 { return geom.Volume(m.Positions, m.Triangles) }

// VolumeRate returns the rate of change of Volume, m³/s: the flux of the velocities through the surface, exact for triangles whose vertices move
// with Velocities. It is the source that a projection to these velocities must have within the surface.
func (m *Mesh) VolumeRate() float64 {
	if len(m.Positions) == 0 {
		return 0
	}
	return geom.VolumeRate(m.Positions, m.Velocities, m.Triangles)
}
