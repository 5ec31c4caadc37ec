package control

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Mesh is a control surface at one time: closed, its triangles counter-clockwise seen from outside. Whoever asks a Source
// for it keeps it, so that nothing is allocated again.
type Mesh struct {
	Positions  []r3.Vec   // m
	Velocities []r3.Vec   // m/s, of the vertices
	Triangles  [][3]int32 // the source's own: not to be changed
	// Revision is a fingerprint of Triangles: it changes when they do, and is the same for the same triangles.
	Revision uint64
}

// Source is what a control follows: a surface at any time. A [Clip], a [Sequence] and a [Live] are sources, and a game may bring its own.
//
// A source that also has a method RealTime() bool that returns true moves by the game's clock: a [Player]
// neither scales its velocities nor stops them.
type Source interface {
	// At fills m with the surface at time t, s of the source's own clock, and reuses its slices. It is defined for every t.
	At(t float64, m *Mesh)
	// Duration is how long the source is, s; 0 if it has no end.
	Duration() float64
}

// resize gives the mesh n vertices, whose values are anything.
func (m *Mesh) resize(n int) {
	m.Positions = arrays.Resize(m.Positions, n)
	m.Velocities = arrays.Resize(m.Velocities, n)
}

// Volume is what the surface encloses, m³, by the divergence theorem.
func (m *Mesh) Volume() float64 { return volume(m.Positions, m.Triangles) }

// VolumeRate is the rate of change of Volume, m³/s: the flux of the velocities through the surface, exact for triangles whose vertices move
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

// volume is what triangles enclose, m³: signed cones to the first vertex in use.
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
