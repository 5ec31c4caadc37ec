package control

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Live is a surface that the game deforms itself, such as a skinned character, by new positions each step.
type Live struct {
	mesh Mesh
}

// NewLive returns a surface at rest at positions, which it copies. The triangles close a surface of one or more pieces,
// counter-clockwise seen from outside. Errors name the field, the value and the limit.
func NewLive(triangles [][3]int32, positions []r3.Vec) (*Live, error) {
	if err := checkTriangles(len(positions), triangles); err != nil {
		return nil, fmt.Errorf("control: NewLive: triangles: %w", err)
	}
	if err := checkLive(positions, nil, triangles); err != nil {
		return nil, fmt.Errorf("control: NewLive: %w", err)
	}
	return &Live{Mesh{slices.Clone(positions), make([]r3.Vec, len(positions)), slices.Clone(triangles), revision(triangles)}}, nil
}

func checkLive(positions, velocities []r3.Vec, triangles [][3]int32) error {
	if err := checkVectors("positions", positions, maxCoord, "m"); err != nil {
		return err
	}
	if err := checkVectors("velocities", velocities, maxSpeed, "m/s"); err != nil {
		return err
	}
	if err := checkVolume(positions, triangles); err != nil {
		return fmt.Errorf("positions: %w", err)
	}
	return nil
}

// Set moves the surface to positions in dt, s. If velocities is nil they are exactly (x - x_before)/dt; give velocities to jump. Set
// copies its arguments and allocates nothing.
//
// After an error, which names the invalid value, the surface is unchanged. Set panics if the number of positions, or of velocities if any, differs
// from that of the vertices.
func (l *Live) Set(positions, velocities []r3.Vec, dt float64) error {
	n := len(l.mesh.Positions)
	if len(positions) != n || velocities != nil && len(velocities) != n {
		panic(fmt.Sprintf("control: Live.Set: %d positions and %d velocities; there are %d vertices", len(positions), len(velocities), n))
	}
	if !(dt >= minStep && dt <= maxTime) {
		return fmt.Errorf("control: Live.Set: dt: %g s; must be %g s to %g s", dt, minStep, maxTime)
	}
	if err := checkLive(positions, velocities, l.mesh.Triangles); err != nil {
		return fmt.Errorf("control: Live.Set: %w", err)
	}
	if velocities != nil {
		copy(l.mesh.Velocities, velocities)
		copy(l.mesh.Positions, positions)
		return nil
	}
	for i, x := range positions {
		d := r3.Sub(x, l.mesh.Positions[i])
		l.mesh.Velocities[i] = r3.Vec{X: d.X / dt, Y: d.Y / dt, Z: d.Z / dt}
		l.mesh.Positions[i] = x
	}
	return nil
}

// Stop sets all velocities to 0: for a step in which the game does not call Set.
func (l *Live) Stop() { clear(l.mesh.Velocities) }

// Duration returns 0: there is no end.
func (l *Live) Duration() float64 { return 0 }

// RealTime returns true: velocities are by the game's clock, for any speed of a Player.
func (l *Live) RealTime() bool { return true }

// At sets m to the surface as last set, for any time.
func (l *Live) At(_ float64, m *Mesh) {
	m.resize(len(l.mesh.Positions))
	copy(m.Positions, l.mesh.Positions)
	copy(m.Velocities, l.mesh.Velocities)
	m.Triangles, m.Revision = l.mesh.Triangles, l.mesh.Revision
}
