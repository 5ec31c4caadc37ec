package control

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
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
func (m *Mesh) Volume() float64 { return volume(m.Positions, m.Triangles) }

// VolumeRate returns the rate of change of Volume, m³/s: the flux of the velocities through the surface, exact for triangles whose vertices move
// with Velocities. It is the source that a projection to these velocities must have within the surface.
func (m *Mesh) VolumeRate() float64 {
	if len(m.Positions) == 0 {
		return 0
	}
	// d/dt of a·(b×c) over all triangles. With e = b - a, f = c - a about a common origin the sum is that of the mean
	// velocity through the area vector.
	sum := 0.0
	for _, t := range m.Triangles {
		a := m.Positions[t[0]]
		n := reproducible.Cross(r3.Sub(m.Positions[t[1]], a), r3.Sub(m.Positions[t[2]], a))
		v := r3.Add(m.Velocities[t[0]], r3.Add(m.Velocities[t[1]], m.Velocities[t[2]]))
		sum += reproducible.Dot(v, n)
	}
	return sum / 6
}

// volume returns the volume that triangles enclose, m³: the sum of signed cones to the first vertex in use.
func volume(positions []r3.Vec, triangles [][3]int32) float64 {
	if len(triangles) == 0 {
		return 0
	}
	origin := positions[triangles[0][0]]
	sum := 0.0
	for _, t := range triangles {
		a, b, c := r3.Sub(positions[t[0]], origin), r3.Sub(positions[t[1]], origin), r3.Sub(positions[t[2]], origin)
		sum += reproducible.Dot(a, reproducible.Cross(b, c))
	}
	return sum / 6
}
