package stuffing

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// Crossings is where the surface crosses the lattice.
type Crossings struct {
	// Cut is how many tetrahedra of the uniform lattice are cut, by the level of their leaf.
	Cut [levels]int

	// Transitions is how many tetrahedra between leaves of different sizes the surface crosses. There it goes along their faces. First is the first one, of the
	// lattice, or -1.
	Transitions int
	First       int32
}

// Crossings is where the last field crossed its lattice.
func (m *Mesher) Crossings() Crossings {
	c := Crossings{First: -1}
	for i := range m.crossed {
		part := &m.crossed[i]
		for level, n := range part.cut {
			c.Cut[level] += int(n)
		}
		if part.transitions > 0 && c.Transitions == 0 {
			c.First = part.transition
		}
		c.Transitions += int(part.transitions)
	}
	return c
}

// CheckCuts returns an error that names a place if the last field crossed tetrahedra of its lattice that are not of the uniform one of the finest
// leaves: coarser ones, or some between leaves of different sizes. Angles keep their bounds all the same.
//
// l: the lattice that Stuff was called with. finest: the level of its finest leaves.
func (m *Mesher) CheckCuts(l *bcc.Lattice, finest uint8) error {
	c := m.Crossings()
	if c.Transitions > 0 {
		return fmt.Errorf("stuffing: the surface crosses %d tetrahedra between leaves of different sizes, the first at %v", c.Transitions, centreOf(l, c.First))
	}
	for i := range m.crossed {
		for level, n := range m.crossed[i].cut {
			if n > 0 && level != int(finest) {
				return fmt.Errorf("stuffing: the surface cuts tetrahedra of level %d, the first at %v; the finest leaves are of level %d",
					level, centreOf(l, m.crossed[i].first[level]), finest)
			}
		}
	}
	return nil
}

// centreOf is the centroid of a tetrahedron of a lattice.
func centreOf(l *bcc.Lattice, t int32) (at [3]float64) {
	for _, v := range l.Corners[t] {
		for a, x := range l.Position[v] {
			at[a] += float64(.25 * x)
		}
	}
	return at
}
