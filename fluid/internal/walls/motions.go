package walls

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Liquid is kept on its side of a thin wall by tracing it in the wall's frame. That needs the wall's motion from where it was
// when the surface was last moved to where it is now. A body's velocity does not tell it: a game sets that for the step to come,
// and contacts change it within one. So poses are remembered.

// SlowFrame is as long, s, as games take between two calls for a solid that moves: one that comes further than it moves in that time, and a cell,
// was put elsewhere.
const SlowFrame = 1. / 30

// Motions is how each solid of a step has moved since the surface was.
type Motions struct {
	domain r3.Box   // m
	cell   float64  // edge of the finest cells, m
	of     []Motion // per solid
	swept  []query.Swept
}

// NewMotions makes Motions of no solids in a domain, m, with finest cells whose edge is cell, m.
func NewMotions(domain r3.Box, cell float64) Motions { return Motions{domain: domain, cell: cell} }

// Clear has none of so many solids moved: the surface has not moved either.
func (m *Motions) Clear(solids int) {
	m.of = arrays.Resize(m.of, solids)
	clear(m.of)
}

// Read finds how solid i has moved from one pose to another.
func (m *Motions) Read(i int, solid *rigid.Solid, from, to *rigid.Pose) {
	m.of[i] = m.between(solid, from, to)
}

// between is how a solid has moved from one pose to another. One that was put elsewhere has not moved.
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

// Swept lists the boxes that thin walls have moved in: liquid that one passes over comes as far as the wall. It is valid until the next call.
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

// AddWalls adds the thin ones of a step's solids that are in the domain to a set of walls.
func (m *Motions) AddWalls(set *Set, solids []rigid.Solid) {
	for i := range solids {
		if s := &solids[i]; s.Thin && boxes.Overlap(s.Bounds, m.domain) {
			set.Add(s.Distance, s.Bounds, &m.of[i])
		}
	}
}
