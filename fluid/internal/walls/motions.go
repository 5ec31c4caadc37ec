package walls

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Traces are clipped in the wall's frame, which needs the wall's motion since the surface last moved. A body's velocity does not give
// it: a game sets the velocity for the next step, and contacts change it within one. So poses are stored.

// SlowFrame is the longest frame, s, of a game that moves a solid. A solid that moves further than its velocity allows in that time, and a cell,
// was teleported.
const SlowFrame = 1. / 30

// Motions is the motion of each solid since the surface last moved.
type Motions struct {
	domain r3.Box   // m
	cell   float64  // edge of the finest cells, m
	of     []Motion // per solid
	swept  []query.Swept
}

// NewMotions returns Motions of no solids in a domain, m, with finest cells whose edge is cell, m.
func NewMotions(domain r3.Box, cell float64) Motions { return Motions{domain: domain, cell: cell} }

// Clear sets the motions of so many solids to none.
func (m *Motions) Clear(solids int) {
	m.of = arrays.Resize(m.of, solids)
	clear(m.of)
}

// Read sets the motion of solid i from two poses.
func (m *Motions) Read(i int, solid *rigid.Solid, from, to *rigid.Pose) {
	m.of[i] = m.between(solid, from, to)
}

// between returns the motion of a solid between two poses, and none for a solid that was teleported.
func (m *Motions) between(solid *rigid.Solid, from, to *rigid.Pose) (moved Motion) {
	if !from.Known || !to.Known || solid.Fixed || !boxes.Overlap(solid.Bounds, m.domain) {
		return moved
	}
	moved = Between(from.Centre, from.Turned, to.Centre, to.Turned)
	if moved.Moves() {
		box := boxes.Intersection(solid.Bounds, m.domain)
		speed := max(MaxSpeedIn(box, to.Centre, &to.Twist), MaxSpeedIn(box, to.Centre, &from.Twist))
		if !(moved.Farthest(box) <= m.cell+float64(speed*SlowFrame)) {
			return Motion{}
		}
	}
	return moved
}

// Swept returns the boxes that thin walls have moved in, which liquid that a wall passes over may reach. It is valid until the next call.
func (m *Motions) Swept(solids []rigid.Solid) []query.Swept {
	m.swept = m.swept[:0]
	for i := range solids {
		if s := &solids[i]; s.Thin && m.of[i].Moves() {
			box := boxes.Intersection(s.Bounds, m.domain)
			m.swept = append(m.swept, query.Swept{Box: box, Distance: m.of[i].Farthest(box)})
		}
	}
	return m.swept
}

// AddWalls adds the thin solids in the domain to a set of walls.
func (m *Motions) AddWalls(set *Set, solids []rigid.Solid) {
	for i := range solids {
		if s := &solids[i]; s.Thin && boxes.Overlap(s.Bounds, m.domain) {
			set.Add(s.Distance, s.Bounds, &m.of[i])
		}
	}
}
