package controls

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// fastestVertex, m/s, is more than a control surface may move at.
const fastestVertex = 1e17

// source is a game's Source as players see it: a surface that can't be followed comes through as one without vertices. It keeps nothing, so that copies
// of a liquid may share it.
type source struct{ control.Source }

// At is the surface at a time, or none.
func (s source) At(t float64, m *control.Mesh) {
	s.Source.At(t, m)
	if f := inspect(m); f != (fault{}) {
		m.Positions, m.Velocities, m.Triangles, m.Revision = m.Positions[:0], m.Velocities[:0], nil, 0
	}
}

// Duration is how long the source is, s, or 0.
func (s source) Duration() float64 {
	if d := s.Source.Duration(); d >= 0 && d <= math.MaxFloat64 {
		return d
	}
	return 0
}

// RealTime tells whether it moves by the game's clock.
func (s source) RealTime() bool {
	r, ok := s.Source.(interface{ RealTime() bool })
	return ok && r.RealTime()
}

// fault is what is wrong with a surface: nothing if zero.
type fault struct {
	kind faultKind
	at   int
}

type faultKind uint8

const (
	noTriangles faultKind = iota + 1
	noVelocities
	noVertex
	farVertex
	fastVertex
)

// inspect looks for what nothing can be followed with: it is done each time that a surface is asked for, and so does not ask whether it is closed.
func inspect(m *control.Mesh) fault {
	n := len(m.Positions)
	switch {
	case len(m.Triangles) < 4:
		return fault{noTriangles, 0}
	case len(m.Velocities) != n:
		return fault{noVelocities, 0}
	}
	for i, t := range m.Triangles {
		if uint(t[0]) >= uint(n) || uint(t[1]) >= uint(n) || uint(t[2]) >= uint(n) {
			return fault{noVertex, i}
		}
	}
	for i := range m.Positions {
		switch {
		case !within(&m.Positions[i], shapes.MaxCoord):
			return fault{farVertex, i}
		case !within(&m.Velocities[i], fastestVertex):
			return fault{fastVertex, i}
		}
	}
	return fault{}
}

func within(v *r3.Vec, most float64) bool {
	return math.Abs(v.X) <= most && math.Abs(v.Y) <= most && math.Abs(v.Z) <= most
}

// of is the error that the fault of a surface is.
func (f fault) of(m *control.Mesh) error {
	switch f.kind {
	case noTriangles:
		return fmt.Errorf("%d triangles; must be at least 4", len(m.Triangles))
	case noVelocities:
		return fmt.Errorf("velocities of %d vertices; there are %d", len(m.Velocities), len(m.Positions))
	case noVertex:
		return fmt.Errorf("triangle %d is of the vertices %v; there are %d", f.at, m.Triangles[f.at], len(m.Positions))
	case farVertex:
		return fmt.Errorf("vertex %d is at %v m; must be finite and at most %g from the origin", f.at, m.Positions[f.at], float64(shapes.MaxCoord))
	case fastVertex:
		return fmt.Errorf("vertex %d moves at %v m/s; must be finite and at most %g", f.at, m.Velocities[f.at], float64(fastestVertex))
	}
	return nil
}

// check returns an error if a surface is none to follow: it asks all there is to ask.
func check(m *control.Mesh) error {
	if err := inspect(m).of(m); err != nil {
		return err
	}
	return m.Validate()
}

// mostCells is how many finest cells the box around a surface may have: a gigabyte's worth.
const mostCells = 1 << 25

// review tells whether the surface at hand can be followed. One that can't is set aside: the next report names it, once, until it can again.
func (s *Set) review(c *Control) bool {
	err := c.faultNow()
	if err == nil {
		c.known.named = false
		return true
	}
	s.setAside(c, err)
	return false
}

// setAside leaves a control out of the substep.
func (s *Set) setAside(c *Control, err error) {
	c.present = false
	if !c.known.named {
		c.known.named = true
		s.Warn("ControlDef.Clip", fmt.Sprintf("control %d: Clip: %v; it is set aside until that is good", c.Told.ID, err))
	}
}

// faultNow is what is wrong with the surface that the player shows, where its clock is.
func (c *Control) faultNow() error {
	m := &c.now
	if len(m.Triangles) == 0 {
		c.Clip.At(c.player.Time, &c.next)
		if err := inspect(&c.next).of(&c.next); err != nil {
			return err
		}
		return errors.New("the surface that it fades from is none to follow")
	}
	if f := inspect(m); f != (fault{}) { // the pose or a cross-fade took it too far
		return f.of(m)
	}
	if !c.known.trusted && (m.Revision != c.known.checked.revision || len(m.Triangles) != c.known.checked.triangles) {
		if err := m.Validate(); err != nil {
			return err
		}
		c.known.checked = meshKind{m.Revision, len(m.Triangles)}
	}
	if v := m.Volume(); !(v > 0) {
		return fmt.Errorf("it encloses %g m³; must be above 0, triangles counter-clockwise seen from outside", v)
	}
	return nil
}

// meshKind tells surfaces with other triangles apart.
type meshKind struct {
	revision  uint64
	triangles int
}

// trusts tells whether all surfaces of a source were looked at when it was made.
func trusts(s control.Source) bool {
	switch s.(type) {
	case *control.Clip, *control.Sequence, *control.Live:
		return true
	}
	return false
}

// itself tells whether a source can be compared with another: one that is a struct with slices can't.
func itself(s control.Source) (is bool) {
	defer func() { is = recover() == nil && is }()
	return s == s
}
